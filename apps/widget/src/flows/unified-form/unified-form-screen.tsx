import { PaymentGate } from '../../kit/payment/payment-gate.tsx';
import { PaymentPage } from '../../kit/payment/payment-page.tsx';
import { requisiteRows } from '../../kit/payment/payment-requisites.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { useTexts } from '../../kit/session/services.tsx';
import { codeTwin, isPayable, payLinkText } from './model.ts';

/** Requisites, QR code, instruction, timer and "I have paid", as far as the answer has them (DEP-5). */
export function Screen({ params, query }: ScreenProps) {
  const { translate } = useTexts();
  return (
    <PaymentGate params={params} query={query} isEnough={isPayable}>
      {(payment) => {
        const { data } = payment;
        const text = codeTwin(data);
        return (
          <PaymentPage
            payment={payment}
            rows={requisiteRows(data)}
            twin={text === undefined ? undefined : { name: translate('unifiedForm.code'), value: text }}
            link={
              data.buttonPay === undefined
                ? undefined
                : { href: data.buttonPay, label: translate(payLinkText(data.buttonPay)) }
            }
          />
        );
      }}
    </PaymentGate>
  );
}
