/** What the complete screen says for each outcome (DEP-15). The core package decides the outcome. */
import type { Transaction } from '@opencashier/contract/api';
import { creditedToBalance } from '@opencashier/core/money/debt';
import { formatWireAmount } from '@opencashier/core/money/format';
import type { CompleteScreen } from '@opencashier/core/transaction/complete-screen';
import { declineText } from '../../kit/deposit/decline-text.ts';
import { serverText } from '../../kit/method/method-text.ts';
import type { Texts } from '../../kit/session/services.tsx';

export interface CompleteView {
  readonly icon: 'check' | 'clock' | 'close' | 'alert';
  readonly tone: 'good' | 'warn' | 'bad' | 'calm';
  readonly title: string;
  readonly text: string;
  /** A second paragraph. Each is a message of its own, so that a language can order its words. */
  readonly more?: string | undefined;
  readonly isActive: boolean;
}

/** Reasons for which staff review a payment. */
const reviewed = /\.(?:late|underpaid|below-minimum|above-maximum|overpaid|wrong-currency|second-payment)$/;

interface Circumstances {
  /** The deposit's lifetime has passed, by the server's clock, and the server has not yet said so. */
  readonly isTimeOver?: boolean;
  /** The user has pressed "I have paid", so there is nothing left to do, and the user must not pay again. */
  readonly isReportedPaid?: boolean;
  /** The provider has its own page for this payment. */
  readonly hasPage?: boolean;
  /** The deposit bought goods, such as a coin box, and tops up no balance. */
  readonly isGoods?: boolean;
}

export function completeView(
  screen: CompleteScreen,
  report:
    | Pick<Transaction, 'reason' | 'declineCause' | 'receivedAmount' | 'finalAmount' | 'paidDebt' | 'fee' | 'currency'>
    | undefined,
  texts: Texts,
  { isTimeOver = false, isReportedPaid = false, hasPage = false, isGoods = false }: Circumstances = {},
): CompleteView {
  const { translate } = texts;
  const isDeclined = report?.reason === 'transaction.reason.declined';
  const reason = isDeclined ? declineText(report.declineCause, texts) : serverText(report?.reason, texts);
  if (screen.isLate && screen.status !== 'processed') {
    const received = receivedText(report, texts);
    const title = translate('complete.late.title');
    if (received === undefined) return view('clock', 'warn', title, translate('complete.late.text'), false);
    // The reason names the payment. The text would say "it", which is the title's payment.
    return view('clock', 'warn', title, received, false, translate('transaction.reason.late'));
  }
  // Only while the server still waits for the payment. The display may already say that it is being processed.
  if (isTimeOver && screen.status !== 'processed' && screen.status !== 'mistaked') {
    return view('clock', 'warn', translate('complete.timeOver.title'), translate('complete.timeOver.text'), false);
  }
  switch (screen.status) {
    case 'processed': {
      // A second payment in review is not on the balance, so the user must not wait for it there.
      const more = isReviewed(report) ? reason : undefined;
      const text = withDebt(report, texts) ?? translate('complete.processed.text');
      const title = isGoods ? undefined : addedTitle(report, texts);
      return view('check', 'good', title ?? translate('complete.processed.title'), text, false, more);
    }
    case 'accepted':
      if (reason !== undefined && isReviewed(report)) {
        const title = translate('complete.review.title');
        const received = receivedText(report, texts);
        return received === undefined
          ? view('clock', 'warn', title, reason, false)
          : view('clock', 'warn', title, received, false, reason);
      }
      return view('clock', 'good', translate('complete.accepted.title'), translate('complete.accepted.text'), false);
    case 'mistaked': {
      // A few reasons have their own title.
      const title = serverText(report?.reason?.replace('.reason.', '.title.'), texts);
      return view(
        'close',
        'bad',
        title ?? translate('complete.mistaked.title'),
        reason ?? translate('complete.mistaked.text'),
        false,
      );
    }
    case 'waiting':
      if (isReportedPaid) {
        return view('clock', 'good', translate('checking.title'), translate('complete.checkingPayee'), true);
      }
      return view(
        'clock',
        'good',
        translate('complete.waiting.title'),
        translate(hasPage ? 'complete.waiting.text' : 'complete.waiting.hand'),
        true,
      );
  }
}

function isReviewed(report: Pick<Transaction, 'reason'> | undefined): boolean {
  return reviewed.test(report?.reason ?? '');
}

/** What has come. A payer must read first that the money is not lost. */
function receivedText(
  report: Pick<Transaction, 'receivedAmount' | 'currency'> | undefined,
  { translate, formatLocale }: Texts,
): string | undefined {
  if (report?.receivedAmount === undefined) return undefined;
  const { receivedAmount, currency } = report;
  const amount = formatWireAmount({ amount: receivedAmount, currency }, formatLocale, { isolate: true });
  return amount === undefined ? undefined : translate('complete.review.received', { amount });
}

/**
 * The title with the amount that was added to the balance. Undefined before the ledger has credited the deposit, and when a part
 * of it paid a debt.
 */
function addedTitle(
  report: Pick<Transaction, 'finalAmount' | 'paidDebt' | 'fee' | 'currency'> | undefined,
  { translate, formatLocale }: Texts,
): string | undefined {
  if (report?.finalAmount === undefined || report.paidDebt !== undefined) return undefined;
  const { finalAmount, currency } = report;
  const added = creditedToBalance(finalAmount, report, currency);
  if (added === undefined) return undefined;
  const amount = formatWireAmount({ amount: added, currency }, formatLocale, { isolate: true });
  return amount === undefined ? undefined : translate('complete.added', { amount });
}

/** The text about the part that paid a debt and so is not on the balance. */
function withDebt(
  report: Pick<Transaction, 'paidDebt' | 'currency'> | undefined,
  { translate, formatLocale }: Texts,
): string | undefined {
  if (report?.paidDebt === undefined) return undefined;
  const { paidDebt, currency } = report;
  const amount = formatWireAmount({ amount: paidDebt, currency }, formatLocale, { isolate: true });
  return amount === undefined ? undefined : translate('complete.paidDebt', { amount });
}

function view(
  icon: CompleteView['icon'],
  tone: CompleteView['tone'],
  title: string,
  text: string,
  isActive: boolean,
  more?: string,
): CompleteView {
  return { icon, tone, title, text, more, isActive };
}
