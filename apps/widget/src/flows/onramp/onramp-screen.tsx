import { DepositForm } from '../../kit/deposit-form.tsx';
import type { ScreenProps } from '../../kit/product.ts';
import { useTexts } from '../../kit/services.tsx';
import type { DepositVariant } from '../../kit/use-deposit.ts';
import { useMethod } from '../../kit/use-method.ts';

/** DEP-2: no window ahead of the call, since the offers come first. */
const variant: DepositVariant = { staysHere: true };

/** How much to buy for; the amount waits for the server's limits (AMT-8). */
export function Screen({ params }: ScreenProps) {
  const { translate } = useTexts();
  const method = useMethod(params['method']);
  return method ? <DepositForm method={method} variant={variant} note={translate('onramp.note')} /> : null;
}
