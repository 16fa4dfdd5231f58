import { PaymentGate } from '../../kit/payment/payment-gate.tsx';
import { PaymentPage } from '../../kit/payment/payment-page.tsx';
import { qrSource } from '../../kit/payment/payment-requisites.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { useTexts } from '../../kit/session/services.tsx';

/** The Pix code to scan, and the same text to paste into the bank's application (DEP-6). */
export function Screen({ params, query }: ScreenProps) {
  const { translate } = useTexts();
  return (
    <PaymentGate params={params} query={query} isEnough={(data) => qrSource(data) !== undefined}>
      {(payment) => {
        const code = payment.data.qrCodeText?.trim() ?? '';
        return (
          <PaymentPage
            payment={payment}
            isCodeFirst
            twin={
              code === '' ? undefined : { name: translate('pix.code'), value: code, copyLabel: translate('pix.copy') }
            }
          />
        );
      }}
    </PaymentGate>
  );
}
