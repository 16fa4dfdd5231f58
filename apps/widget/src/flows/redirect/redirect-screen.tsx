import { DepositForm } from '../../kit/deposit-form.tsx';
import type { ScreenProps } from '../../kit/product.ts';
import { useTexts } from '../../kit/services.tsx';
import { useMethod } from '../../kit/use-method.ts';

/** Amount, the method's own fields, and off to the provider's page (DEP-4). The guard has seen that the method exists. */
export function Screen({ params }: ScreenProps) {
  const { translate } = useTexts();
  const method = useMethod(params['method']);
  return method ? <DepositForm method={method} group={params['group']} note={translate('redirect.note')} /> : null;
}
