import type { DepositData, PaymentMethod } from '@opencashier/contract/api';
import { useEffect, useState } from 'react';
import { ExactAmount } from '../../kit/amount/exact-amount.tsx';
import { CancelQuestion } from '../../kit/deposit/cancel-deposit.tsx';
import { GuaranteedMark } from '../../kit/method/guaranteed-mark.tsx';
import { Instruction } from '../../kit/payment/instruction.tsx';
import { paidRefusalText } from '../../kit/payment/paid-refusal-text.ts';
import { payeeRows } from '../../kit/payment/payee-rows.ts';
import { offersPaid, qrSource, requisiteRows } from '../../kit/payment/payment-requisites.ts';
import { reportedPaid } from '../../kit/payment/reported-paid.ts';
import { Requisites } from '../../kit/payment/requisites.tsx';
import { usePaymentTimer } from '../../kit/payment/use-payment-timer.ts';
import { QrPayment } from '../../kit/qr/qr-payment.tsx';
import { completePath, usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/page/card.tsx';
import { Page, PageAlert, PageFooter } from '../../ui/page/page.tsx';
import { ConfirmationField, useConfirmationId } from './confirmation-id.tsx';
import { InvoiceEnd } from './invoice-end.tsx';
import type { InvoiceState } from './model.ts';
import { useInvoice } from './use-invoice.ts';

interface InvoiceViewProps {
  readonly method: PaymentMethod;
  readonly depositId: string;
  readonly data: DepositData;
  readonly createdAt: number;
  readonly lifetimeS: number;
}

export function InvoiceView({ method, depositId, data, createdAt, lifetimeS }: InvoiceViewProps) {
  const { translate } = useTexts();
  const { navigation } = useServices();
  const { tree } = usePlace();
  const timer = usePaymentTimer(new Date(createdAt).toISOString(), lifetimeS);
  const statusPath = completePath(tree, depositId, method.name);
  const expiresAt = createdAt + lifetimeS * 1000;
  const { state, cancel, tell, look } = useInvoice({ depositId, paymentMethod: method.name, expiresAt, statusPath });
  const confirmation = useConfirmationId(method.flags.confirmationId === true);
  const [isAsking, setAsking] = useState(false);
  const isOver = timer?.expired === true;
  // This device's clock is only a reason to ask. The server's clock decides that the time is over.
  useEffect(() => {
    if (isOver) look();
  }, [isOver, look]);
  // The server may not know yet that the user has paid, so the press can be repeated.
  const isReporting = state.at === 'reporting-paid' || state.at === 'unanswered';
  const isPaid = state.at === 'finished' && state.outcome !== 'mistaked';
  const leavesForStatus = isPaid || state.at === 'reported-paid';
  useEffect(() => {
    if (leavesForStatus) navigation.go(statusPath, { replace: true, state: reportedPaid });
  }, [navigation, leavesForStatus, statusPath]);
  if (leavesForStatus) return null;
  const paidButton = offersPaid(data) && (
    <PaidPress
      state={state}
      isNumberValid={confirmation.isValid}
      onPress={() => tell(confirmation.value)}
      onMissing={confirmation.demand}
    />
  );
  const numberField = confirmation.isAsked && <ConfirmationField confirmation={confirmation} />;
  if (state.at === 'finished' || state.at === 'expired' || isOver) {
    return (
      <InvoiceEnd
        kind={endKind(state, isOver)}
        isSettled={state.at === 'finished'}
        onStatus={() => navigation.go(statusPath, { replace: true })}
        onAgain={() => navigation.go(`${tree}/peer-to-peer/${encodeURIComponent(method.name)}`, { replace: true })}
        field={isReporting && numberField}
      >
        {isReporting && paidButton}
      </InvoiceEnd>
    );
  }
  const amount = data.payment_amount ?? data.processingAmount ?? data.passedAmount ?? state.report?.amount;
  const currency = data.payment_currency ?? data.processingCurrency ?? data.passedCurrency ?? state.report?.currency;
  const rows = [...(data.unifiedFlow === true ? [] : payeeRows(data.card ?? {}, translate)), ...requisiteRows(data)];
  const qr = data.unifiedFlow === true ? qrSource(data) : undefined;
  return (
    <>
      <Page>
        {amount !== undefined && currency !== undefined && (
          <ExactAmount amount={amount} currency={currency} timer={timer} />
        )}
        <GuaranteedMark flags={method.flags} />
        {data.exists === true && <Notice tone="calm">{translate('p2p.resumed')}</Notice>}
        <Requisites rows={rows} />
        {qr && <QrPayment source={qr} />}
        <Instruction instruction={data.instruction} />
        <Notice tone="warn">{translate('payment.warning')}</Notice>
        {numberField}
      </Page>
      <PageFooter>
        {paidButton}
        {!isReporting && (
          <CancelQuestion
            isBusy={state.at === 'cancelling'}
            isAsking={isAsking}
            onAsk={setAsking}
            onCancel={() => {
              setAsking(false);
              cancel();
            }}
          />
        )}
      </PageFooter>
    </>
  );
}

interface PaidPressProps {
  readonly state: InvoiceState;
  /** The receipt's number is there, or none is required. */
  readonly isNumberValid: boolean;
  readonly onPress: () => void;
  readonly onMissing: () => void;
}

/** "I have paid", with what came of the last press. No text here may say "nothing was sent", because the user may have paid. */
function PaidPress({ state, isNumberValid, onPress, onMissing }: PaidPressProps) {
  const texts = useTexts();
  const { translate } = texts;
  const refusedCode = state.at === 'open' ? state.refusedCode : undefined;
  return (
    <>
      {state.at === 'unanswered' && !state.isFromBefore && <PageAlert>{translate('payment.unanswered')}</PageAlert>}
      {refusedCode !== undefined && <PageAlert>{paidRefusalText(refusedCode, texts)}</PageAlert>}
      <Button
        isBusy={state.at === 'reporting-paid'}
        disabled={state.at === 'cancelling'}
        aria-disabled={!isNumberValid}
        onClick={isNumberValid ? onPress : onMissing}
      >
        {translate('payment.paid')}
      </Button>
    </>
  );
}

/** Why the invoice can no longer be paid. The server also ends it by its own clock, without a request of the payer. */
function endKind(state: InvoiceState, isOver: boolean): 'person' | 'time' | 'closed' {
  if (state.at === 'finished' && state.cause === 'person') return 'person';
  const isTime =
    isOver ||
    state.at === 'expired' ||
    (state.at === 'finished' && state.cause === 'expiry') ||
    state.report?.reason === 'transaction.reason.expired';
  return isTime ? 'time' : 'closed';
}
