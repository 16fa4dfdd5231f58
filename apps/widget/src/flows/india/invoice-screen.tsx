import { LinkList } from '../../kit/link/link-list.tsx';
import { useMethod } from '../../kit/method/use-method.ts';
import { PaymentGate } from '../../kit/payment/payment-gate.tsx';
import { PaymentPage } from '../../kit/payment/payment-page.tsx';
import { qrSource } from '../../kit/payment/payment-requisites.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { useTexts } from '../../kit/session/services.tsx';
import { useDesktop } from '../../kit/session/use-desktop.ts';
import { indiaInvoice } from './model.ts';

/** Links to UPI apps on this phone, a code for another phone, and the id to type (DEP-10). */
export function Screen({ params, query }: ScreenProps) {
  const { translate } = useTexts();
  const method = useMethod(params['method']);
  const isDesktop = useDesktop();
  return (
    <PaymentGate
      params={params}
      query={query}
      isEnough={(answer) => {
        const { apps, data, id, rows } = indiaInvoice(answer, method ?? { flags: {} });
        return qrSource(data) !== undefined || apps.length > 0 || id !== undefined || rows.length > 0;
      }}
    >
      {(payment) => {
        const { apps, data, id, rows } = indiaInvoice(payment.data, payment.method);
        const upiId = id === undefined ? undefined : { name: translate('upi.id'), value: id };
        const hasCode = qrSource(data) !== undefined && !payment.isExpired;
        const idRow =
          upiId && !hasCode
            ? [{ id: 'upi-id', title: upiId.name, shown: upiId.value, copied: upiId.value, isCopyable: true }]
            : [];
        return (
          <PaymentPage
            payment={{ ...payment, data }}
            isCodeFirst
            rows={[...idRow, ...rows]}
            twin={upiId && { ...upiId, copyLabel: translate('upi.copy') }}
            // A desktop shows only the code, because no application there opens the links.
            head={
              !payment.isExpired && !(isDesktop && hasCode) && <LinkList title={translate('india.apps')} links={apps} />
            }
          />
        );
      }}
    </PaymentGate>
  );
}
