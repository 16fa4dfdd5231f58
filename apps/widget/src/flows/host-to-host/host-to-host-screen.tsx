import { GuaranteedMark } from '../../kit/method/guaranteed-mark.tsx';
import { MethodHead } from '../../kit/method/method-head.tsx';
import { PaymentGate } from '../../kit/payment/payment-gate.tsx';
import { PaymentPage } from '../../kit/payment/payment-page.tsx';
import type { ScreenProps } from '../../kit/session/product.ts';
import { useTexts } from '../../kit/session/services.tsx';
import { Notice } from '../../ui/page/card.tsx';
import { hostToHostRows, isPayable } from './model.ts';
import { SupportButton } from './support-button.tsx';

/** Number, account, name and requisites of a payee, the time left, and "I have paid" until the time is over (DEP-12). */
export function Screen({ params, query }: ScreenProps) {
  const { translate } = useTexts();
  return (
    <PaymentGate params={params} query={query} isEnough={isPayable}>
      {(payment) => {
        const { method, depositId, data, isExpired } = payment;
        const { flags } = method;
        return (
          <PaymentPage
            payment={payment}
            rows={hostToHostRows(data, translate)}
            head={
              <>
                <GuaranteedMark flags={flags} />
                {flags.instructionHeader === true && !isExpired && (
                  <>
                    <MethodHead method={method} guide={undefined} />
                    <Notice tone="calm">{translate('h2h.instructionHeader')}</Notice>
                  </>
                )}
                {flags.virtualAccount === true && <Notice tone="calm">{translate('h2h.virtualAccount')}</Notice>}
              </>
            }
          >
            {flags.supportButton === true && <SupportButton depositId={depositId} method={method} />}
          </PaymentPage>
        );
      }}
    </PaymentGate>
  );
}
