import { DepositForm } from '../../kit/deposit/deposit-form.tsx';
import type { DepositVariant } from '../../kit/deposit/deposit-ports.ts';
import { useMethod } from '../../kit/method/use-method.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { useTexts } from '../../kit/session/services.tsx';

/** No window is opened ahead of the call, because the offers come first (DEP-2). */
const variant: DepositVariant = { staysHere: true };

/** The form with the amount to pay; the amount waits for the server's limits (AMT-8). */
export function Screen({ params }: ScreenProps) {
  const { translate } = useTexts();
  const method = useMethod(params['method']);
  return method ? <DepositForm method={method} variant={variant} note={translate('onramp.note')} /> : null;
}
