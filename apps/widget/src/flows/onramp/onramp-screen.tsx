import { DepositForm } from '../../kit/deposit/deposit-form.tsx';
import type { DepositVariant } from '../../kit/deposit/use-deposit.ts';
import { useMethod } from '../../kit/method/use-method.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { useTexts } from '../../kit/session/services.tsx';

/** DEP-2: no window ahead of the call, since the offers come first. */
const variant: DepositVariant = { staysHere: true };

/** How much to buy for; the amount waits for the server's limits (AMT-8). */
export function Screen({ params }: ScreenProps) {
  const { translate } = useTexts();
  const method = useMethod(params['method']);
  return method ? <DepositForm method={method} variant={variant} note={translate('onramp.note')} /> : null;
}
