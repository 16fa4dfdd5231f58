import type { PaymentMethod, Transaction } from '@opencashier/contract/api';
import { safeAppPath } from '@opencashier/core/links/safe-link';
import { cardViewOfCode } from '@opencashier/core/methods/card-view';
import { creditedToBalance } from '@opencashier/core/money/debt';
import { formatWireAmount } from '@opencashier/core/money/format';
import {
  type CompleteScreen,
  type CompleteScreenInput,
  completeScreen,
  statusOfAddress,
} from '@opencashier/core/transaction/complete-screen';
import { statusOfCode } from '@opencashier/core/transaction/status';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { DepositFacts, DepositNumber } from '../../kit/deposit/deposit-facts.tsx';
import { intentOf } from '../../kit/deposit/deposit-intent.ts';
import { useDepositReport } from '../../kit/deposit/use-deposit-report.ts';
import { findMethod, useMethodList } from '../../kit/method/method-list.ts';
import { methodTitle } from '../../kit/method/method-text.ts';
import { timerText } from '../../kit/payment/payment-timer.tsx';
import { hasReportedPaid } from '../../kit/payment/reported-paid.ts';
import { type PaymentTimerState, usePaymentTimer } from '../../kit/payment/use-payment-timer.ts';
import { lazyPart } from '../../kit/session/lazily.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { type Place, usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useSession, useTexts } from '../../kit/session/services.tsx';
import { CheckingView } from '../../kit/status/checking-view.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { DetailList } from '../../ui/page/card.tsx';
import { Page, PageFooter } from '../../ui/page/page.tsx';
import { StateView } from '../../ui/page/state-view.tsx';
import styles from './complete.module.css';
import { completeView } from './complete-view.ts';

/** Only a deposit that still waits for its payment loads the engine's files. */
const ReopenDeposit = lazyPart(async () => (await import('../../kit/deposit/reopen-deposit.tsx')).ReopenDeposit);

/** What a product says about a deposit that buys goods. */
export interface Outcome {
  /** The text about what the user has once the deposit is processed. */
  readonly processedText: string;
  /** The label of the button back to the list. */
  readonly listText: string;
  /** The first rows of the details, in place of the amount. */
  readonly rows: (report: Transaction) => ReactNode;
}

/** The outcome of a deposit, or its progress (DEP-15). Only a report of the server makes it processed. */
export function Screen({ query, state, outcome }: ScreenProps & { readonly outcome?: Outcome }) {
  const { navigation, queries } = useServices();
  const texts = useTexts();
  const { translate } = texts;
  const place = usePlace();
  const { direction, tree } = place;
  const depositId = query.get('depositId') ?? undefined;
  const methodName = query.get('method') ?? undefined;
  const catalogue = useMethodList(direction);
  const method = catalogue.at === 'ready' ? findMethod(catalogue.list, methodName) : undefined;
  const { report, isNotFound, isOffline } = useDepositReport(depositId, methodName);
  const isOpen = report !== undefined && isWaiting(report);
  const timer = usePaymentTimer(isOpen ? report.created : undefined, report?.lifetime);
  const screen = useCompleteScreen(direction, method, query.get('status'), report);
  // The balance on the list is out of date now.
  useEffect(() => {
    if (screen.status === 'processed') void queries.invalidateQueries({ queryKey: ['methods'] });
  }, [queries, screen.status]);
  const isNowhere = depositId === undefined && statusOfAddress(query.get('status')) === undefined;
  useEffect(() => {
    if (isNowhere) navigation.go(tree, { replace: true });
  }, [isNowhere, navigation, tree]);
  if (isNowhere) return null;

  const isLost = isNotFound && report === undefined;
  // A payer who has pressed "I have paid" must not pay again; the list still offers the unfinished deposit.
  const isReportedPaid = hasReportedPaid(state);
  const isPayable = isOpen && timer?.expired === false && !isReportedPaid;
  const view = completeView(screen, report, texts, {
    isTimeOver: timer?.expired === true,
    isReportedPaid,
    // A manual payment began on a screen of the cashier, and the user finishes it there.
    hasPage: depositId !== undefined && intentOf(depositId)?.path?.startsWith(`${tree}/complete`) === true,
    isGoods: outcome !== undefined,
  });
  return (
    <>
      <Page>
        <div role="status" className={styles.status}>
          {isLost ? (
            <StateView
              icon="alert"
              tone="warn"
              title={translate('complete.lost.title')}
              text={translate('complete.lost.text')}
            />
          ) : screen.isBeingChecked ? (
            <CheckingView details={report && <DepositFacts {...report} method={method} />} />
          ) : (
            <StateView
              icon={view.icon}
              tone={view.tone}
              title={view.title}
              text={screen.status === 'processed' ? (outcome?.processedText ?? view.text) : view.text}
              more={view.more}
              isActive={view.isActive}
              details={
                report && (
                  <Details report={report} method={method} timer={isPayable ? timer : undefined} outcome={outcome} />
                )
              }
            />
          )}
          {isOffline && <p className={styles.offline}>{translate('complete.offline')}</p>}
        </div>
      </Page>
      <Actions
        action={isLost ? 'close' : screen.isBeingChecked ? 'none' : screen.action}
        onPayment={() => navigation.go(paymentPath(query, method, place), { replace: true })}
        listText={outcome?.listText}
      >
        {isPayable && method && (
          <Suspense
            fallback={
              <Button look="secondary" aria-disabled>
                {translate('complete.reopen')}
              </Button>
            }
          >
            <ReopenDeposit key={report.depositId} report={report} method={method} />
          </Suspense>
        )}
      </Actions>
    </>
  );
}

/** What the screen says now. It changes with a report of the server, and at `changesAt`. */
function useCompleteScreen(
  direction: Place['direction'],
  method: PaymentMethod | undefined,
  queryStatus: string | null,
  report: Transaction | undefined,
): CompleteScreen {
  const { clock } = useServices();
  const [openedAt] = useState(() => clock.now());
  const [now, setNow] = useState(openedAt);
  const screen = completeScreen({ direction, kind: kindOf(method), queryStatus, report, openedAt, now });
  const { changesAt } = screen;
  useEffect(() => {
    if (changesAt === undefined) return;
    return clock.setTimer(() => setNow(clock.now()), changesAt - clock.now());
  }, [clock, changesAt]);
  return screen;
}

/** The page to which "try again" leads: the page in the address, else the first screen of the method. */
function paymentPath(query: URLSearchParams, method: PaymentMethod | undefined, { product, tree }: Place): string {
  const named = safeAppPath(query.get('to'));
  if (named !== undefined) return named;
  if (method) return product.methodPath(tree, method);
  const methodName = query.get('method');
  return methodName ? `${tree}/redirect/${encodeURIComponent(methodName)}` : tree;
}

/** The provider waits for the payment, and its outcome is not in doubt. */
function isWaiting({ status, isOutcomeUnknown }: Transaction): boolean {
  return statusOfCode(status) === 'waiting' && isOutcomeUnknown !== true;
}

function kindOf(method: PaymentMethod | undefined): CompleteScreenInput['kind'] {
  if (!method) return 'usual';
  if (cardViewOfCode(method.cardViewType) === 'onramp') return 'onramp';
  return method.category === 'crypto' ? 'stored' : 'usual';
}

/** What the server reports about the deposit, and the id that support asks for. */
function Details({
  report,
  method,
  timer,
  outcome,
}: {
  readonly report: Transaction;
  readonly method: PaymentMethod | undefined;
  readonly timer: PaymentTimerState | undefined;
  readonly outcome: Outcome | undefined;
}) {
  const texts = useTexts();
  const { finalAmount, amount, currency, depositId, status } = report;
  // A credited deposit that was reversed or refunded is no longer on the balance.
  const isCredited = finalAmount !== undefined && statusOfCode(status) !== 'mistaked';
  const whole = finalAmount ?? amount;
  const shown = isCredited ? creditedToBalance(whole, report, currency) : whole;
  return (
    <>
      <DetailList>
        {outcome ? (
          outcome.rows(report)
        ) : (
          <div>
            <dt>{texts.translate(isCredited ? 'complete.credited' : 'complete.amount')}</dt>
            <dd className={styles.amount}>
              {shown !== undefined && formatWireAmount({ amount: shown, currency }, texts.formatLocale)}
            </dd>
          </div>
        )}
        {method && (
          <div>
            <dt>{texts.translate('complete.method')}</dt>
            <dd>{methodTitle(method, texts)}</dd>
          </div>
        )}
        {timer && (
          <div>
            <dt>{texts.translate('complete.timeLeft')}</dt>
            <dd>
              <bdi dir="ltr" role="timer" aria-live="off">
                {timerText(timer.remainingMs)}
              </bdi>
            </dd>
          </div>
        )}
      </DetailList>
      <DepositNumber depositId={depositId} />
    </>
  );
}

/** The buttons (§2): mistaked leads back to the payment page; accepted and processed close. */
function Actions({
  action,
  onPayment,
  listText,
  children,
}: {
  readonly action: 'back-to-payment' | 'close' | 'none';
  readonly onPayment: () => void;
  readonly listText: string | undefined;
  readonly children?: ReactNode;
}) {
  const { translate } = useTexts();
  const { navigation, close } = useServices();
  const { payload } = useSession();
  const { tree } = usePlace();
  const toList = () => navigation.go(tree, { replace: true });
  const canClose = action === 'close' && payload.closingButton;
  return (
    <PageFooter>
      {children}
      {action === 'back-to-payment' && <Button onClick={onPayment}>{translate('complete.retry')}</Button>}
      {canClose && <Button onClick={close}>{translate('complete.close')}</Button>}
      <Button look={action === 'close' && !canClose ? 'primary' : 'ghost'} onClick={toList}>
        {listText ?? translate(action === 'back-to-payment' ? 'complete.otherMethod' : 'complete.methods')}
      </Button>
    </PageFooter>
  );
}
