import { PaymentGate } from '../payment/payment-gate.tsx';
import { PaymentPage } from '../payment/payment-page.tsx';
import { qrSource } from '../payment/payment-requisites.ts';
import type { ScreenProps } from '../session/product.ts';
import { useTexts } from '../session/services.tsx';
import { useDesktop } from '../session/use-desktop.ts';
import { upiIdOf } from './upi-id.ts';

/** A UPI code to scan, its id to copy, and "I have paid" (DEP-6). On a phone there is also a link to the UPI app. */
export function UpiPage({ params, query }: Pick<ScreenProps, 'params' | 'query'>) {
  const { translate } = useTexts();
  const isDesktop = useDesktop();
  return (
    <PaymentGate params={params} query={query} isEnough={(data) => qrSource(data) !== undefined}>
      {(payment) => {
        const { data } = payment;
        const id = upiIdOf(data);
        const app = data.buttonPay ?? data.qrCodeText;
        const isReachable = app !== undefined && !(isDesktop && opensApp(app));
        return (
          <PaymentPage
            payment={payment}
            isCodeFirst
            twin={
              id === undefined ? undefined : { name: translate('upi.id'), value: id, copyLabel: translate('upi.copy') }
            }
            link={isReachable ? { href: app, label: translate('upi.open') } : undefined}
          />
        );
      }}
    </PaymentGate>
  );
}

/** Whether only an application on the device opens the address. */
const opensApp = (address: string): boolean => !/^https?:/i.test(address.trim());
