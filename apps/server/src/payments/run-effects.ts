/**
 * Carries out the effects that a reducer decided for a locked deposit (SRV-3). Writes and books the rows, moves the
 * deposit, and queues the push and the webhook, all in the caller's transaction.
 */
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { type DepositAggregate, type Payment, underReview } from '@opencashier/core/payment/aggregate';
import type { Effect } from '@opencashier/core/payment/report';
import type { Transaction } from '../database/database.ts';
import { forgetSeen } from '../deposits/deposit-details.ts';
import type { DepositRow } from '../deposits/deposit-row.ts';
import { type DepositMove, depositHookData, moveDeposit, queuePush } from '../deposits/deposit-store.ts';
import { measure } from '../observability/measure.ts';
import { passOn } from '../operator-wallet/wallet-money.ts';
import { queueWebhook } from '../outbox/queue-webhook.ts';
import { book } from './booking.ts';
import { chargeBack } from './charge-back.ts';
import { creditLinesNow } from './credit-lines.ts';
import { payDebtByDeposit } from './debt-from-deposit.ts';
import { chargeDepositFee } from './deposit-fee.ts';
import { reviewCreditLines, suspenseInLines, suspenseOutLines } from './payment-postings.ts';
import {
  insertPayment,
  interruptReview,
  openNextReview,
  setCharges,
  setPaymentState,
  winDispute,
} from './payment-store.ts';
import { bounceRefund, confirmRefund, endRefund, insertReviewRefund } from './refund-store.ts';
import { releaseWhenPaid } from './release-when-paid.ts';

/** The cause of the effects. */
export interface EffectSource {
  /** For the history: `provider`, `staff:…`. */
  readonly cause: string;
  /** The event id of the report; for a decision of staff, the id of the review. */
  readonly eventId: string;
  /** The provider's reference of a new payment. */
  readonly providerRef?: string;
  readonly staff?: string;
}

interface Run {
  readonly transaction: Transaction;
  readonly row: DepositRow;
  readonly aggregate: DepositAggregate;
  readonly source: EffectSource;
}

/** The change of the deposit's own row. */
interface Change extends Partial<Pick<DepositMove, 'to' | 'reason' | 'received'>> {
  /** The amount that the user paid for chargebacks, in minor units. */
  readonly chargedBack?: { readonly asset: string; readonly amount: bigint };
}

/** Effects that change the deposit's row. */
const MOVES: ReadonlySet<Effect['kind']> = new Set([
  'move',
  'receive',
  'charge-back',
  'credit-reviewed',
  'refund-reviewed',
]);

/**
 * Carries out effects in their order.
 * @returns the deposit afterwards
 */
export async function runEffects(run: Run, effects: readonly Effect[]): Promise<DepositRow> {
  const { transaction, row, source } = run;
  let change: Change = {};
  for (const effect of effects) change = merged(change, await runEffect(run, effect));
  if (!effects.some(({ kind }) => MOVES.has(kind))) return row;
  const { chargedBack, to = row.state, ...moved } = change;
  const isReversal = to === 'reversed' && row.state !== 'reversed';
  if (chargedBack !== undefined && !isReversal) await queueReversalWebhook(transaction, row, chargedBack);
  const after = await moveDeposit(transaction, row, {
    ...moved,
    to,
    cause: source.cause,
    ...(source.providerRef !== undefined && row.providerRef === null && { providerRef: source.providerRef }),
    ...(isReversal && chargedBack !== undefined && { chargedBack: chargedBack.amount }),
  });
  return reviewNext(run, after);
}

function merged(change: Change, next: Change): Change {
  const { chargedBack } = change;
  if (chargedBack === undefined || next.chargedBack === undefined) return { ...change, ...next };
  return {
    ...change,
    ...next,
    chargedBack: { asset: chargedBack.asset, amount: chargedBack.amount + next.chargedBack.amount },
  };
}

async function runEffect(run: Run, effect: Effect): Promise<Change> {
  const { transaction, row, source } = run;
  switch (effect.kind) {
    case 'move':
      return { to: effect.to, ...(effect.reason !== undefined && { reason: effect.reason }) };
    case 'forget-seen':
      await queuePush(transaction, await forgetSeen(transaction, row));
      return {};
    case 'receive':
      return effect.reason === undefined ? credit(run, effect) : suspend(run, { ...effect, reason: effect.reason });
    case 'charge-back': {
      const amount = await chargeBack(transaction, row, effect, source);
      return amount === 0n ? {} : { chargedBack: { asset: effect.payment.asset, amount } };
    }
    case 'end-refund':
      await endRefund(transaction, row, effect.refundId, source.cause);
      return {};
    case 'confirm-refund':
      await confirmRefund(transaction, row.operatorId, effect.refundId);
      return {};
    case 'bounce-refund':
      await bounceRefund(transaction, row.operatorId, effect.refundId);
      measure(transaction, 'refunds', { provider: row.provider, state: 'bounced' });
      return {};
    case 'win-dispute':
      await winDispute(transaction, row.operatorId, effect.disputeId);
      measure(transaction, 'disputes', { provider: row.provider, state: 'won' });
      return {};
    case 'credit-reviewed':
      await creditReviewed(run, effect.payment);
      return {};
    case 'refund-reviewed':
      await refundReviewed(run, effect.payment);
      return {};
  }
}

type Received = Extract<Effect, { kind: 'receive' }>;

async function credit({ transaction, row, source }: Run, { origin, asset, amount }: Received): Promise<Change> {
  const ref = source.providerRef ?? row.id;
  const paymentId = await insertPayment(transaction, row, { origin, ref, asset, amount });
  await book(transaction, row, { paymentId, ref }, 'deposit_credit', [
    { owner: row.provider, asset, kind: 'provider_clearing', amount: -amount },
    ...(await creditLinesNow(transaction, row, amount)),
  ]);
  await settleCredit(transaction, row, { paymentId, ref }, amount);
  return { received: amount };
}

/** Passes the money of a credited deposit on, if the operator keeps the balance. The price of a coin box is no money of the user. */
function passDepositOn(transaction: Transaction, row: DepositRow, credited: bigint): Promise<void> {
  const { operatorId, userId, currency, id: depositId } = row;
  const amount = row.box === null ? credited : credited - row.amount;
  return passOn(transaction, { operatorId, userId, currency, amount, reason: 'deposit', depositId });
}

async function suspend(
  { transaction, row, aggregate, source }: Run,
  { origin, asset, amount, part, reason }: Received & Required<Pick<Received, 'reason'>>,
): Promise<Change> {
  const ref = source.providerRef ?? row.id;
  // A deposit has one review at a time. A further payment waits, but the deposit's own payment goes first.
  const isOwn = origin === 'deposit';
  const isReviewed = isOwn || underReview(aggregate) === undefined;
  if (isOwn) await interruptReview(transaction, row);
  const paymentId = await insertPayment(transaction, row, {
    origin,
    ref,
    asset,
    amount,
    reason,
    ...(part !== undefined && { part }),
    ...(isReviewed && { review: row.reviews + 1 }),
  });
  measure(transaction, 'suspended', { provider: row.provider, reason });
  await book(transaction, row, { paymentId, ref }, 'suspense_in', suspenseInLines(row, { asset, amount }));
  return {
    ...(isReviewed && reason !== 'returned' && { reason: `transaction.reason.${reason}` }),
    ...(isOwn && asset === row.currency && { received: amount }),
  };
}

async function creditReviewed({ transaction, row, source }: Run, payment: Payment): Promise<void> {
  const { id: paymentId, ref, amount, origin } = payment;
  const isOwn = origin === 'deposit';
  const lines = await reviewCreditLines(transaction, row, payment);
  await setPaymentState(transaction, row.operatorId, paymentId, 'credited');
  const booked = { paymentId, ref, note: `decided by ${source.staff}` };
  await book(transaction, row, booked, isOwn ? 'deposit_credit' : 'suspense_out', lines);
  if (!isOwn) {
    await releaseWhenPaid(transaction, row.operatorId, row.userId, row.currency);
    const returned = lines.find(({ kind }) => kind === 'user')?.amount ?? 0n;
    await queueReinstatedWebhook(transaction, row, payment, returned);
    const { operatorId, userId, id: depositId } = row;
    return passOn(transaction, {
      operatorId,
      userId,
      currency: payment.asset,
      amount: returned,
      reason: 'payment-returned',
      depositId,
    });
  }
  await settleCredit(transaction, row, { paymentId, ref }, amount);
}

/**
 * What a credit pays before the user can spend it: first the fee of the deposit, then a debt. The rest goes on to the operator's wallet,
 * if the balance counts there.
 */
async function settleCredit(
  transaction: Transaction,
  row: DepositRow,
  booked: { readonly paymentId: string; readonly ref: string },
  amount: bigint,
): Promise<void> {
  const fee = await chargeDepositFee(transaction, row, booked, amount);
  const left = amount - (fee ?? 0n);
  const debt = await payDebtByDeposit(transaction, row, booked, left);
  await setCharges(transaction, row.operatorId, booked.paymentId, { fee, debt });
  await passDepositOn(transaction, row, left - debt);
}

async function refundReviewed({ transaction, row, source }: Run, payment: Payment): Promise<void> {
  const { id: paymentId, ref } = payment;
  const refundId = await insertReviewRefund(transaction, row, payment, source.staff ?? '');
  await setPaymentState(transaction, row.operatorId, paymentId, 'refunded');
  const booked = { paymentId, refundId, ref, note: `decided by ${source.staff}` };
  await book(transaction, row, booked, 'suspense_out', await suspenseOutLines(transaction, row, payment));
}

/** Opens the review of a payment that waited for the end of another review. */
async function reviewNext({ transaction, aggregate, source }: Run, row: DepositRow): Promise<DepositRow> {
  const isWaiting = aggregate.payments.some(({ state }) => state === 'in_review');
  if (!isWaiting || row.review !== null) return row;
  const reason = await openNextReview(transaction, row);
  if (reason === undefined) return row;
  return moveDeposit(transaction, row, {
    to: row.state,
    cause: source.cause,
    ...(reason !== 'returned' && { reason: `transaction.reason.${reason}` }),
  });
}

/** @param toUser what of the payment the user got; a debt took the rest */
async function queueReinstatedWebhook(
  transaction: Transaction,
  row: DepositRow,
  { asset, amount }: Payment,
  toUser: bigint,
): Promise<void> {
  const written = (minor: bigint) => toDecimalString(minor, decimalsOf(asset));
  const paidDebt = amount - toUser;
  await queueWebhook(transaction, {
    operatorId: row.operatorId,
    type: 'deposit.reinstated',
    at: row.serverTime.toISOString(),
    data: {
      ...depositHookData(row),
      amount: written(amount),
      currency: asset,
      ...(paidDebt > 0n && { paidDebt: written(paidDebt) }),
    },
  });
}

async function queueReversalWebhook(
  transaction: Transaction,
  row: DepositRow,
  { asset, amount }: { readonly asset: string; readonly amount: bigint },
): Promise<void> {
  await queueWebhook(transaction, {
    operatorId: row.operatorId,
    type: 'deposit.reversed',
    at: row.serverTime.toISOString(),
    data: { ...depositHookData(row), amount: toDecimalString(amount, decimalsOf(asset)), currency: asset },
  });
}
