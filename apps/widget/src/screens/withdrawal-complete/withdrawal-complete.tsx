import type { PaymentMethod } from '@opencashier/contract/api';
import { isFinal, statusOfCode } from '@opencashier/core/transaction/status';
import { useEffect } from 'react';
import { findMethod, useMethodList } from '../../kit/method/method-list.ts';
import { rateRow } from '../../kit/payout/payout-note.tsx';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { type Texts, useServices, useSession, useTexts } from '../../kit/session/services.tsx';
import { CheckingView } from '../../kit/status/checking-view.tsx';
import { CancelWithdrawal } from '../../kit/withdrawal/cancel-withdrawal.tsx';
import { Destination } from '../../kit/withdrawal/destination.tsx';
import { pendingWithdrawal } from '../../kit/withdrawal/pending-withdrawal.ts';
import { Summary, type SummaryRow } from '../../kit/withdrawal/summary.tsx';
import { useWithdrawalReport, type WithdrawalReport } from '../../kit/withdrawal/use-withdrawal-report.ts';
import { WithdrawalFacts, WithdrawalNumber } from '../../kit/withdrawal/withdrawal-facts.tsx';
import { confirmPath } from '../../kit/withdrawal/withdrawal-paths.ts';
import { amountText } from '../../kit/withdrawal/withdrawal-text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/page/card.tsx';
import { Page, PageFooter } from '../../ui/page/page.tsx';
import { StateView } from '../../ui/page/state-view.tsx';
import styles from './withdrawal-complete.module.css';
import { type WithdrawalStage, withdrawalView } from './withdrawal-view.ts';

/** The outcome of a withdrawal, or its progress (WD-3). Only a report of the server makes it processed, or given back. */
export function Screen({ query }: ScreenProps) {
  const { navigation, queries } = useServices();
  const texts = useTexts();
  const { translate } = texts;
  const { product, direction, tree } = usePlace();
  const withdrawalId = query.get('withdrawalId') ?? undefined;
  const asked = query.get('status');
  const { report, isNotFound, isOffline, askNow } = useWithdrawalReport(withdrawalId);
  const catalogue = useMethodList(direction);
  const method = catalogue.at === 'ready' ? findMethod(catalogue.list, report?.paymentMethod) : undefined;
  const status = report && statusOfCode(report.status);
  const isSettled = status !== undefined && isFinal(status);
  useEffect(() => {
    // A confirmed or ended withdrawal no longer needs its key. The same request is a new intent now.
    if (withdrawalId !== undefined && status !== undefined && status !== 'waiting')
      pendingWithdrawal.forget(withdrawalId);
  }, [withdrawalId, status]);
  useEffect(() => {
    // The balance on the list is out of date now.
    if (isSettled) void queries.invalidateQueries({ queryKey: ['methods'] });
  }, [queries, isSettled]);
  const isNowhere = withdrawalId === undefined && asked === null;
  useEffect(() => {
    if (isNowhere) navigation.go(tree, { replace: true });
  }, [isNowhere, navigation, tree]);
  if (isNowhere) return null;

  const isLost = isNotFound && report === undefined;
  const view = withdrawalView(report, asked, texts);
  const toMethods = () => navigation.go(tree, { replace: true });
  return (
    <>
      <Page>
        <div role="status" className={styles.status}>
          {isLost ? (
            <StateView
              icon="alert"
              tone="warn"
              title={translate('withdrawalComplete.lost.title')}
              text={translate('withdrawalComplete.lost.text')}
            />
          ) : view.stage === 'checking' ? (
            <CheckingView
              words="withdrawal.checking"
              details={report && <WithdrawalFacts {...report} method={method} />}
            />
          ) : (
            <StateView {...view} details={report && <Receipt report={report} method={method} stage={view.stage} />} />
          )}
          {isOffline && <p className={styles.offline}>{translate('withdrawalComplete.offline')}</p>}
        </div>
      </Page>
      <PageFooter>
        {view.stage === 'held' && report && (
          <Button onClick={() => navigation.go(confirmPath(tree, report.withdrawalId), { replace: true })}>
            {translate('withdrawalComplete.confirm')}
          </Button>
        )}
        {report?.canCancel === true && <CancelWithdrawal withdrawalId={report.withdrawalId} onAnswered={askNow} />}
        {view.stage === 'mistaked' && method && (
          <Button onClick={() => navigation.go(product.methodPath(tree, method), { replace: true })}>
            {translate('withdrawalComplete.retry')}
          </Button>
        )}
        <CloseOrList isEnd={isLost || view.stage === 'accepted' || view.stage === 'processed'} onList={toMethods} />
      </PageFooter>
    </>
  );
}

/** The receipt: where the money goes and when, the costs, and the id by which support finds the withdrawal. */
function Receipt({
  report,
  method,
  stage,
}: {
  readonly report: WithdrawalReport;
  readonly method: PaymentMethod | undefined;
  readonly stage: WithdrawalStage;
}) {
  const texts = useTexts();
  const { clock } = useServices();
  return (
    <>
      {stage === 'mistaked' && <WhyAndWhatToChange report={report} texts={texts} />}
      <Destination report={report} method={method} isExpected={stage === 'held' || stage === 'accepted'} />
      <Summary rows={costsOf(report, clock.now(), texts)} />
      <WithdrawalNumber withdrawalId={report.withdrawalId} />
    </>
  );
}

/**
 * The provider's own message, and advice on what the user can change (WD-3). The advice depends on the cause, if the provider
 * named one.
 */
function WhyAndWhatToChange({ report, texts }: { readonly report: WithdrawalReport; readonly texts: Texts }) {
  const { message, declineCause, reason } = report;
  const ofCause = `withdrawalComplete.advice.${declineCause}`;
  const isDeclined = reason === undefined || reason.endsWith('.declined');
  // No general advice beside a message of the provider, because it could contradict the message.
  const general = isDeclined && message === undefined ? 'withdrawalComplete.advice' : undefined;
  const advice = texts.has(ofCause) ? ofCause : general;
  return (
    <>
      {message !== undefined && (
        <Notice tone="bad">
          <bdi>{message}</bdi>
        </Notice>
      )}
      {advice !== undefined && <Notice tone="calm">{texts.translate(advice)}</Notice>}
    </>
  );
}

function costsOf(report: WithdrawalReport, now: number, texts: Texts): SummaryRow[] {
  const { translate } = texts;
  const { amount, fee, receives, payout, currency } = report;
  const line = (id: string, title: string, value: string) => ({ id, title: translate(title), value });
  const costs = [
    line('fee', 'withdrawal.fee', amountText(fee, currency, texts)),
    ...(payout
      ? [rateRow({ value: payout.rate, asOf: payout.asOf }, { from: currency, to: payout.currency }, now, texts)]
      : []),
    line(
      'receives',
      'withdrawal.receives',
      payout ? amountText(payout.amount, payout.currency, texts) : amountText(receives, currency, texts),
    ),
  ];
  return [
    line('amount', 'withdrawalComplete.amount', amountText(amount, currency, texts)),
    // A failed withdrawal returns the full amount: it took no fee and paid nothing out.
    ...(statusOfCode(report.status) === 'mistaked' ? [] : costs),
  ];
}

/** After accepted and processed, a button closes the widget if the host allows it (§2). */
function CloseOrList({ isEnd, onList }: { readonly isEnd: boolean; readonly onList: () => void }) {
  const { translate } = useTexts();
  const { close } = useServices();
  const { payload } = useSession();
  const canClose = isEnd && payload.closingButton;
  return (
    <>
      {canClose && <Button onClick={close}>{translate('withdrawalComplete.close')}</Button>}
      <Button look={isEnd && !canClose ? 'primary' : 'ghost'} onClick={onList}>
        {translate('withdrawalComplete.methods')}
      </Button>
    </>
  );
}
