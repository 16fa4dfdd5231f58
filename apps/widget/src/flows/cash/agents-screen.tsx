import { LinkList } from '../../kit/link/link-list.tsx';
import { useMethod } from '../../kit/method/use-method.ts';
import { PaymentGate } from '../../kit/payment/payment-gate.tsx';
import { PaymentPage } from '../../kit/payment/payment-page.tsx';
import type { ScreenProps } from '../../kit/session/product.ts';
import { useTexts } from '../../kit/session/services.tsx';
import { agentsOf, cashRows } from './model.ts';

/** The agents who take the cash, and what the payer must tell them (DEP-13). */
export function Screen({ params, query }: ScreenProps) {
  const { translate } = useTexts();
  const method = useMethod(params['method']);
  const unnamed = translate('cash.agent');
  return (
    <PaymentGate
      params={params}
      query={query}
      isEnough={(data) => agentsOf(data, method ?? { flags: {} }, unnamed).length > 0 || cashRows(data).length > 0}
    >
      {(payment) => (
        <PaymentPage
          payment={payment}
          rows={cashRows(payment.data)}
          words={{ amount: translate('cash.exactly'), warning: translate('cash.warning') }}
          head={
            !payment.isExpired && (
              <LinkList title={translate('cash.agents')} links={agentsOf(payment.data, payment.method, unnamed)} />
            )
          }
        />
      )}
    </PaymentGate>
  );
}
