import { PaymentGate } from '../../kit/payment/payment-gate.tsx';
import { PaymentPage } from '../../kit/payment/payment-page.tsx';
import type { ScreenProps } from '../../kit/session/product.ts';
import { useTexts } from '../../kit/session/services.tsx';
import { accountRows, isEpcCode } from './model.ts';

/** Account, names and reference to copy. In euros there is also a code that fills in the form of a banking application. */
export function Screen({ params, query }: ScreenProps) {
  const { translate } = useTexts();
  const titles = {
    account: translate('bankTransfer.account'),
    bank: translate('bankTransfer.bank'),
    payee: translate('bankTransfer.payee'),
  };
  return (
    <PaymentGate params={params} query={query} isEnough={(data) => accountRows(data, titles).length > 0}>
      {(payment) => (
        <PaymentPage
          payment={payment}
          rows={accountRows(payment.data, titles)}
          codeNote={isEpcCode(payment.data.qrCodeText) ? translate('bankTransfer.epc') : undefined}
        />
      )}
    </PaymentGate>
  );
}
