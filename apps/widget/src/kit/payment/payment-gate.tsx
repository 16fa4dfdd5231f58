import type { DepositData, PaymentMethod } from '@opencashier/contract/api';
import { statusOfCode } from '@opencashier/core/transaction/status';
import { type ReactNode, useEffect } from 'react';
import { Button } from '../../ui/buttons/button.tsx';
import { Page, PageFooter } from '../../ui/page/page.tsx';
import { Skeleton } from '../../ui/page/skeleton.tsx';
import { StateView } from '../../ui/page/state-view.tsx';
import { VisuallyHidden } from '../../ui/page/visually-hidden.tsx';
import { type CancelQuestionProps, useCancel } from '../deposit/cancel-deposit.tsx';
import { type ReplayAnswer, useDepositAnswer } from '../deposit/deposit-answer.ts';
import { useDepositReport } from '../deposit/use-deposit-report.ts';
import { useMethod } from '../method/use-method.ts';
import { useIsCurrentPage } from '../session/current-page.ts';
import type { ScreenProps } from '../session/product.ts';
import { completePath, usePlace } from '../session/product-context.tsx';
import { useServices, useTexts } from '../session/services.tsx';
import { type PaymentAmount, paymentAmount, paymentTiming } from './payment-details.ts';
import { type PaymentTimerState, usePaymentTimer } from './use-payment-timer.ts';

/** A deposit that waits for its payment. */
export interface Payment {
  readonly method: PaymentMethod;
  readonly depositId: string;
  readonly data: DepositData;
  /** Undefined only until the server has named the currency. */
  readonly amount: PaymentAmount | undefined;
  /** Undefined when neither the answer nor the status has a start time. */
  readonly timer: PaymentTimerState | undefined;
  readonly isExpired: boolean;
  /** The cancel of the deposit, and the question before it. */
  readonly cancel: CancelQuestionProps;
}

interface PaymentGateProps extends Pick<ScreenProps, 'params' | 'query'> {
  readonly replay?: ReplayAnswer;
  /** Whether the answer has enough to pay. If not, the page says that there is nothing to pay. */
  readonly isEnough?: (data: DepositData) => boolean;
  readonly children: (payment: Payment) => ReactNode;
}

/**
 * Shows the page of a manual payment once its data is there: from memory, or after a reload from the server (NAV-7). Leads to the
 * status as soon as the server reports a payment. While a cancel is in progress, an end without a payment waits for its answer.
 */
export function PaymentGate(props: PaymentGateProps) {
  // The next deposit has another page: no answer to a press on this one may change it.
  return <Gate key={props.query.get('depositId')} {...props} />;
}

function Gate({ params, query, replay, isEnough, children }: PaymentGateProps) {
  const { navigation } = useServices();
  const { translate } = useTexts();
  const { tree } = usePlace();
  const isCurrentPage = useIsCurrentPage();
  const name = params['method'] ?? '';
  const method = useMethod(name);
  const depositId = query.get('depositId') ?? undefined;
  const answer = useDepositAnswer(depositId, name, replay);
  const { report } = useDepositReport(depositId, name);
  const data = answer.at === 'ready' ? answer.data : undefined;
  const { created, lifetimeS } = paymentTiming(data, report);
  const timer = usePaymentTimer(created, lifetimeS);
  const statusPath = completePath(tree, depositId ?? '', name);
  const status = report === undefined ? 'waiting' : statusOfCode(report.status);
  const hasMoved = status !== 'waiting' || report?.isOutcomeUnknown === true;
  const cancel = useCancel(depositId ?? '', name);
  // An end without a payment may be the cancel itself. A payment leads at once: the answer to the cancel may be lost.
  const mayLead = hasMoved && !(cancel.isBusy && status === 'mistaked');
  useEffect(() => {
    if (mayLead && isCurrentPage()) navigation.go(statusPath, { replace: true });
  }, [mayLead, isCurrentPage, navigation, statusPath]);

  const showStatus = () => navigation.go(statusPath, { replace: true });
  const showList = () => navigation.go(tree, { replace: true });
  if (answer.at === 'failed') {
    return (
      <AnswerFailed onRetry={answer.retry}>
        <Button look="ghost" onClick={showStatus}>
          {translate('payment.status')}
        </Button>
      </AnswerFailed>
    );
  }
  if (answer.at === 'none' || (data && isEnough?.(data) === false)) {
    return (
      <DeadEnd words="payment.none">
        {depositId !== undefined && <Button onClick={showStatus}>{translate('payment.status')}</Button>}
        <Button look={depositId === undefined ? 'primary' : 'ghost'} onClick={showList}>
          {translate('payment.methods')}
        </Button>
      </DeadEnd>
    );
  }
  if (!data || !method || depositId === undefined) return <PaymentSkeleton />;
  return children({
    method,
    depositId,
    data,
    amount: paymentAmount(data, report),
    timer,
    isExpired: timer?.expired === true,
    cancel,
  });
}

interface AnswerFailedProps {
  readonly onRetry: () => void;
  /** Another button, below the one that tries again. */
  readonly children?: ReactNode;
}

/** The page when the details could not be loaded. */
export function AnswerFailed({ onRetry, children }: AnswerFailedProps) {
  const { translate } = useTexts();
  return (
    <DeadEnd words="payment.failed">
      <Button onClick={onRetry}>{translate('payment.failed.retry')}</Button>
      {children}
    </DeadEnd>
  );
}

interface DeadEndProps {
  /** The prefix of the text keys. */
  readonly words: string;
  readonly notice?: ReactNode;
  /** The buttons. */
  readonly children: ReactNode;
}

/** A page on which nothing can be paid. It says why, also to screen readers, and has buttons at its foot. */
export function DeadEnd({ words, notice, children }: DeadEndProps) {
  const { translate } = useTexts();
  return (
    <>
      <Page>
        <div role="status">
          <StateView icon="alert" tone="warn" title={translate(`${words}.title`)} text={translate(`${words}.text`)}>
            {notice}
          </StateView>
        </div>
      </Page>
      <PageFooter>{children}</PageFooter>
    </>
  );
}

/** Shown until the details have loaded. */
export function PaymentSkeleton() {
  const { translate } = useTexts();
  return (
    <Page>
      <div role="status">
        <VisuallyHidden>{translate('screen.loading')}</VisuallyHidden>
      </div>
      <Skeleton inlineSize="60%" blockSize="56px" />
      <Skeleton blockSize="212px" radius="var(--radius-l)" />
      <Skeleton blockSize="108px" radius="var(--radius-l)" />
    </Page>
  );
}
