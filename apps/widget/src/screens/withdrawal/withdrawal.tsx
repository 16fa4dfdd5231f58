import { useMethod } from '../../kit/method/use-method.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { WithdrawalForm } from '../../kit/withdrawal/withdrawal-form.tsx';

/** Amount, fee and the method's own fields; the confirm screen follows (WD-1). The guard has checked that the method exists. */
export function Screen({ params }: ScreenProps) {
  const method = useMethod(params['method']);
  if (!method) return null;
  return <WithdrawalForm key={method.name} method={method} />;
}
