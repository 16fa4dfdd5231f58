/** People decide about money in suspense: to the user, as much as was really paid, or back to where it came from. */
import type { DepositState } from '@opencashier/core/deposit/deposit-lifecycle';
import { payDebtFirst } from '@opencashier/core/money/debt';
import type { Transaction } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { accountBalance, lockUserBalance, type PostingLine, postJournal } from '../ledger/ledger.ts';
import { creditLines } from './credit-lines.ts';
import { payDebtByDeposit } from './debt-from-deposit.ts';
import { depositEvidence } from './deposit-evidence.ts';
import type { DepositRow } from './deposit-row.ts';
import { lockDeposit, moveDeposit } from './deposit-store.ts';
import type { PaymentsCore } from './payments-core.ts';
import { releaseWhenPaid } from './release-when-paid.ts';
import { ReviewError, recordDecision } from './review-decision.ts';
import { reviewNext, suspendedLines, underReview } from './suspense.ts';
import { NOBODY } from './unassigned-money.ts';

/** What a decision needs; at the command line there is no more. */
type ReviewCore = Pick<PaymentsCore, 'database' | 'onChange' | 'failpoint'>;

const NOTHING_TO_DECIDE = 'There is nothing to decide about this deposit';
const NAMES_NO_USER = 'The money names no user; refund it, or book it out and transfer as much to its user';
const OTHER_CURRENCY = 'The money is of another currency than the deposit; refund it';

/**
 * Ends a review. `credit` moves what was really paid from suspense to the user, `refund` back to the provider's account.
 * @param staff who decided; kept in the journal's note
 * @param nth which of the deposit's reviews; absent: the open one
 * @throws ReviewError
 */
export async function resolveReview(
  core: ReviewCore,
  depositId: string,
  decision: 'credit' | 'refund',
  staff: string,
  nth?: number,
): Promise<DepositRow> {
  const after = await decided(core, depositId, decision, staff, nth);
  core.failpoint?.('review-decided');
  core.onChange();
  return after;
}

async function decided(
  core: ReviewCore,
  depositId: string,
  decision: 'credit' | 'refund',
  staff: string,
  nth: number | undefined,
): Promise<DepositRow> {
  try {
    return await core.database.transaction(async (transaction) => {
      const row = await lockDeposit(transaction, depositId);
      if (row === undefined || (nth !== undefined && nth !== row.reviews)) throw new ReviewError(NOTHING_TO_DECIDE);
      const decided = await decide(transaction, row, decision, staff);
      await recordDecision(
        transaction,
        row.operatorId,
        { type: 'deposit', id: row.id, nth: row.reviews },
        decision,
        staff,
      );
      const after = await reviewNext(transaction, decided, `staff:${staff}`);
      // What was given to the user may be what a parked report is of.
      await depositEvidence.wake(transaction, after);
      core.failpoint?.('review-uncommitted');
      return after;
    });
  } catch (error) {
    // The box went back when its time was over, and others have bought the last one since.
    if (constraintOf(error) !== 'box_not_oversold') throw error;
    throw new ReviewError('The box is sold out by now; refund the payment', { cause: error });
  }
}

async function decide(
  transaction: Transaction,
  row: DepositRow,
  decision: 'credit' | 'refund',
  staff: string,
): Promise<DepositRow> {
  if (row.review === 'second-payment') return refundSecondPayment(transaction, row, decision, staff);
  if (row.review === 'returned') return endReturned(transaction, row, decision, staff);
  if (row.review === null || row.paid === null || row.credited !== null) throw new ReviewError(NOTHING_TO_DECIDE);
  if (decision === 'credit' && row.userId === NOBODY) {
    throw new ReviewError(NAMES_NO_USER);
  }
  if (decision === 'credit' && row.review === 'wrong-currency') {
    throw new ReviewError(OTHER_CURRENCY);
  }
  if (decision === 'credit' && row.box !== null && row.paid < row.amount) {
    throw new ReviewError('A box is not to be had for less than its price; refund the payment');
  }
  const ref = row.providerRef ?? row.id;
  const back = await suspendedLines(transaction, row, ref);
  const lines =
    decision === 'credit'
      ? [...back.filter((line) => line.kind !== 'provider_clearing'), ...creditLines(row, row.paid)]
      : back;
  const result = await postJournal(transaction, {
    operatorId: row.operatorId,
    kind: decision === 'credit' ? 'deposit_credit' : 'suspense_out',
    depositId: row.id,
    source: row.provider,
    ref,
    note: `decided by ${staff}`,
    lines,
  });
  if (result === 'duplicate') throw new ReviewError('This has been decided before');
  return moveDeposit(transaction, row, {
    to: decision === 'credit' ? 'credited' : refundedState(row.state),
    cause: `staff:${staff}`,
    review: null,
    ...(decision === 'credit'
      ? { credited: row.paid, paidDebt: await payDebtByDeposit(transaction, row, ref, row.paid) }
      : { reason: 'transaction.reason.refunded' }),
  });
}

/**
 * Money that had left and is there again: to the user, whose debt it pays first, or out of the books once more, where people have
 * sent it another way.
 */
async function endReturned(
  transaction: Transaction,
  row: DepositRow,
  decision: 'credit' | 'refund',
  staff: string,
): Promise<DepositRow> {
  if (decision === 'credit' && row.box !== null) throw new ReviewError('A box is not sold twice; refund the payment');
  if (decision === 'credit' && row.userId === NOBODY) throw new ReviewError(NAMES_NO_USER);
  await postOutOfSuspense(transaction, row, staff, (back) =>
    decision === 'refund' ? back : toUserLines(transaction, row, back),
  );
  if (decision === 'credit') await releaseWhenPaid(transaction, row.operatorId, row.userId, row.currency);
  return moveDeposit(transaction, row, { to: row.state, cause: `staff:${staff}`, review: null });
}

async function toUserLines(
  transaction: Transaction,
  { operatorId, userId: owner, currency }: DepositRow,
  back: readonly PostingLine[],
): Promise<PostingLine[]> {
  const lines: PostingLine[] = back.filter(({ kind }) => kind === 'suspense');
  if (lines.some(({ asset }) => asset !== currency)) throw new ReviewError(OTHER_CURRENCY);
  for (const { asset, amount } of [...lines]) {
    await lockUserBalance(transaction, operatorId, owner, asset);
    const owed = -(await accountBalance(transaction, operatorId, { owner, asset, kind: 'reversal_debt' }));
    const { toDebt, toUser } = payDebtFirst(-amount, owed);
    lines.push({ owner, asset, kind: 'reversal_debt', amount: toDebt });
    lines.push({ owner, asset, kind: 'user', amount: toUser });
  }
  return lines.filter(({ amount }) => amount !== 0n);
}

/** A payment more than was asked for belongs to no deposit: it goes back, and the deposit stays as it is. */
async function refundSecondPayment(
  transaction: Transaction,
  row: DepositRow,
  decision: 'credit' | 'refund',
  staff: string,
): Promise<DepositRow> {
  if (decision === 'credit') throw new ReviewError('A deposit is credited once; refund the second payment');
  await postOutOfSuspense(transaction, row, staff, (back) => back);
  return moveDeposit(transaction, row, { to: row.state, cause: `staff:${staff}`, review: null });
}

/** Books out the one payment that is under review; `linesOf` says where its money goes. */
async function postOutOfSuspense(
  transaction: Transaction,
  row: DepositRow,
  staff: string,
  linesOf: (back: readonly PostingLine[]) => readonly PostingLine[] | Promise<readonly PostingLine[]>,
): Promise<void> {
  const payment = await underReview(transaction, row);
  if (payment === undefined) throw new Error(`The review of deposit ${row.id} is not of a payment beside its own`);
  const result = await postJournal(transaction, {
    operatorId: row.operatorId,
    kind: 'suspense_out',
    depositId: row.id,
    source: row.provider,
    ref: payment.ref,
    note: `decided by ${staff}`,
    lines: await linesOf(await suspendedLines(transaction, row, payment.ref)),
  });
  if (result === 'duplicate') throw new ReviewError('This has been decided before');
}

/** The lifecycle refunds what came late; money that came in time but wrong leaves a declined deposit. */
function refundedState(state: DepositState): DepositState {
  return state === 'late_paid' ? 'refunded' : 'declined';
}
