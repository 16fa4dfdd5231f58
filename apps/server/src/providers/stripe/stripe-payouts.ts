/**
 * Payouts to cards through Stripe (WD-2). Stripe pays out to a card only by refunds of payments that the card made. One withdrawal may need
 * several refunds. Each carries our id as idempotency key and in its metadata, so it is made once and told apart from refunds of a deposit.
 */

import type {
  PayoutRefund,
  ProviderWithdrawal,
  ProviderWithdrawResult,
  WithdrawalProvider,
  WithdrawalReport,
} from '@opencashier/provider-kit';
import Stripe from 'stripe';
import { fromStripeAmount, toStripeAmount } from './stripe-amount.ts';
import { PAYOUT_ID, PAYOUT_REFUND_ID, PAYOUT_TOTAL, PROVIDER_NAME } from './stripe-reports.ts';

/** A refund of the payout at Stripe. */
interface Part extends PayoutRefund {
  /** Stripe's id of the payment. Undefined: the session has none, so it was never paid. */
  readonly intent: string | undefined;
  /** What Stripe's charge has left, in Stripe's unit, and nothing while it is disputed. */
  readonly left: number;
  /** In Stripe's unit. Undefined: Stripe cannot pay this amount. */
  readonly amount: number | undefined;
  /** Undefined: Stripe does not know this refund. */
  readonly made: Stripe.Refund | undefined;
}

/** @param stripe a client without retries, so that no request begins after the cashier has stopped waiting */
export function stripePayouts(stripe: Stripe, isLive: boolean): WithdrawalProvider {
  return {
    withdraw: (withdrawal) => payOut(stripe, withdrawal).catch(unknownOfError),
    inquire: async ({ withdrawalId, refunds = [] }) => {
      const parts = await findParts(stripe, refunds, '');
      return reportOfParts(withdrawalId, parts);
    },
    read: (rawBody) => readRefund(JSON.parse(Buffer.from(rawBody).toString('utf8')) as Stripe.Event, isLive),
  };
}

async function payOut(stripe: Stripe, withdrawal: ProviderWithdrawal): Promise<ProviderWithdrawResult> {
  const { refunds = [], currency, signal } = withdrawal;
  if (refunds.length === 0) return { kind: 'declined', code: 'no-payment-to-refund' };
  const found = await findParts(stripe, refunds, currency);
  const results: PartResult[] = found.filter(({ made }) => made !== undefined).map(resultOfMade);
  // Stripe's refusal of the first refund ends the withdrawal while nothing was sent. So the doubtful refunds come first.
  const missing = found.filter(({ made }) => made === undefined).toSorted((one, other) => doubt(other) - doubt(one));
  for (const part of missing) {
    if (signal.aborted) return { kind: 'unknown', code: 'timeout', ...refusedIn(results) };
    const result = await makeRefund(stripe, withdrawal, part);
    results.push(result);
    if (result.kind === 'unknown') return { kind: 'unknown', code: result.code, ...refusedIn(results) };
    // Nothing was sent, so the whole amount can go back to the user.
    if (result.kind === 'refused' && results.every(({ kind }) => kind === 'refused')) break;
  }
  return answerOf(withdrawal.withdrawalId, results);
}

/** What is known of one refund. `refused`: Stripe certainly sends nothing by it. */
type PartResult =
  | { readonly kind: 'made'; readonly refundId: string }
  | { readonly kind: 'refused'; readonly refundId: string; readonly code: string }
  | { readonly kind: 'unknown'; readonly refundId: string; readonly code: string };

function answerOf(withdrawalId: string, results: readonly PartResult[]): ProviderWithdrawResult {
  const refused = results.find((result) => result.kind === 'refused');
  if (refused === undefined) return { kind: 'accepted', providerRef: refOf(withdrawalId) };
  if (results.every(({ kind }) => kind === 'refused')) return { kind: 'declined', code: refused.code };
  return { kind: 'unknown', code: 'partly-refused', ...refusedIn(results) };
}

function refusedIn(results: readonly PartResult[]): { readonly refusedRefunds?: readonly string[] } {
  const ids = results.filter(({ kind }) => kind === 'refused').map(({ refundId }) => refundId);
  return ids.length === 0 ? {} : { refusedRefunds: ids };
}

/** 1: Stripe will hardly make this refund. */
function doubt({ intent, amount, left }: Part): number {
  return intent === undefined || amount === undefined || amount > left ? 1 : 0;
}

async function makeRefund(
  stripe: Stripe,
  { withdrawalId, receivesMinor, currency }: ProviderWithdrawal,
  { refundId, intent, amount }: Part,
): Promise<PartResult> {
  if (intent === undefined) return { kind: 'refused', refundId, code: 'not-paid' };
  if (amount === undefined) return { kind: 'refused', refundId, code: 'amount-not-payable' };
  const metadata = {
    [PAYOUT_ID]: withdrawalId,
    [PAYOUT_REFUND_ID]: refundId,
    [PAYOUT_TOTAL]: String(toStripeAmount(receivesMinor, currency)),
  };
  try {
    const request = { payment_intent: intent, amount, metadata };
    const made = await stripe.refunds.create(request, { idempotencyKey: refundId });
    return resultOfMade({ refundId, made });
  } catch (error) {
    return resultOfError(refundId, error);
  }
}

function resultOfMade({ refundId, made }: Pick<Part, 'refundId' | 'made'>): PartResult {
  return made !== undefined && isOver(made)
    ? { kind: 'refused', refundId, code: made.failure_reason ?? `refund-${made.status}` }
    : { kind: 'made', refundId };
}

/** Only a refusal of this refund by Stripe proves that nothing was sent. A wrong key or a conflict of keys proves nothing. */
function resultOfError(refundId: string, error: unknown): PartResult {
  const { errors } = Stripe;
  if (!(error instanceof errors.StripeError)) throw error;
  const code = error.code ?? error.type;
  const isRefused =
    error instanceof errors.StripeCardError ||
    (error instanceof errors.StripeInvalidRequestError && error.statusCode === 400);
  return { kind: isRefused ? 'refused' : 'unknown', refundId, code };
}

/** Nothing was sent by this call, but an earlier one may have sent something. */
function unknownOfError(error: unknown): ProviderWithdrawResult {
  if (error instanceof Stripe.errors.StripeError) return { kind: 'unknown', code: error.code ?? error.type };
  throw error;
}

/** Reads each refund and its payment at Stripe. Stripe forgets idempotency keys after a day, so a refund is searched before it is made. */
function findParts(stripe: Stripe, refunds: readonly PayoutRefund[], currency: string): Promise<Part[]> {
  return Promise.all(
    refunds.map(async (refund): Promise<Part> => {
      const session = await stripe.checkout.sessions.retrieve(refund.paymentRef, {
        expand: ['payment_intent.latest_charge'],
      });
      const intent = typeof session.payment_intent === 'string' ? undefined : session.payment_intent;
      const id = typeof session.payment_intent === 'string' ? session.payment_intent : intent?.id;
      const amount = toStripeAmount(refund.amountMinor, currency || (session.currency ?? '').toUpperCase());
      if (id === undefined) return { ...refund, intent: undefined, left: 0, amount, made: undefined };
      const { data } = await stripe.refunds.list({ payment_intent: id, limit: 100 });
      const made = data.find(({ metadata }) => metadata?.[PAYOUT_REFUND_ID] === refund.refundId);
      return { ...refund, intent: id, left: leftOf(intent?.latest_charge), amount, made };
    }),
  );
}

function leftOf(charge: string | Stripe.Charge | null | undefined): number {
  // A key without the right to read charges sees no charge. Stripe itself then says whether the refund is possible.
  if (charge === null || charge === undefined || typeof charge === 'string') return Number.POSITIVE_INFINITY;
  return charge.disputed ? 0 : charge.amount_captured - charge.amount_refunded;
}

/** @returns undefined while a refund was not requested yet */
function reportOfParts(withdrawalId: string, parts: readonly Part[]): WithdrawalReport | undefined {
  const made = parts.flatMap((part) => part.made ?? []);
  if (made.length < parts.length || parts.length === 0) return undefined;
  const failed = parts.filter((part) => part.made !== undefined && isOver(part.made));
  if (failed.length === parts.length) return reportOf(withdrawalId, 'declined', made);
  if (failed.length > 0) {
    return { ...reportOf(withdrawalId, 'pending', made), refusedRefunds: failed.map(({ refundId }) => refundId) };
  }
  return reportOf(withdrawalId, made.every(({ status }) => status === 'succeeded') ? 'paid' : 'pending', made);
}

/**
 * Reads an event about a refund of a payout. An event reports one refund, so it ends only a payout of one refund. The cashier asks about
 * the others. A refund that fails after it had succeeded brings money back, also where it is a part: staff then see its amount. The event
 * `refund.failed` does not say whether the refund had succeeded, so the report names the refund, and the cashier decides.
 */
function readRefund(event: Stripe.Event, isLive: boolean): WithdrawalReport | undefined {
  if (event.livemode !== isLive) return undefined;
  if (event.type !== 'refund.updated' && event.type !== 'charge.refund.updated' && event.type !== 'refund.failed') {
    return undefined;
  }
  const refund = event.data.object;
  const { [PAYOUT_ID]: withdrawalId, [PAYOUT_REFUND_ID]: refundId, [PAYOUT_TOTAL]: total } = refund.metadata ?? {};
  if (withdrawalId === undefined) return undefined;
  const isWhole = total === String(refund.amount);
  if (refund.status === 'succeeded') return isWhole ? reportOf(withdrawalId, 'paid', [refund]) : undefined;
  if (!isOver(refund)) return undefined;
  if (wasNeverPaid(event)) return isWhole ? reportOf(withdrawalId, 'declined', [refund]) : undefined;
  const returned = reportOf(withdrawalId, 'returned', [refund]);
  return { ...returned, ...(refundId && { refundId }), eventId: `${withdrawalId}:returned:${refund.id}` };
}

function wasNeverPaid({ data: { object, previous_attributes: before } }: RefundEvent): boolean {
  return object.status === 'canceled' || before?.status === 'pending' || before?.status === 'requires_action';
}

type RefundEvent = Stripe.RefundUpdatedEvent | Stripe.ChargeRefundUpdatedEvent | Stripe.RefundFailedEvent;

/** The event id depends on the state alone, so a callback and an inquiry about one state are booked once. */
function reportOf(
  withdrawalId: string,
  outcome: WithdrawalReport['outcome'],
  refunds: readonly Stripe.Refund[],
): WithdrawalReport {
  const currency = (refunds[0]?.currency ?? '').toUpperCase();
  const sum = refunds.reduce((minor, { amount }) => minor + fromStripeAmount(amount, currency), 0n);
  const reason = refunds.find(({ failure_reason }) => failure_reason)?.failure_reason;
  return {
    provider: PROVIDER_NAME,
    providerRef: refOf(withdrawalId),
    withdrawalId,
    outcome,
    ...((outcome === 'paid' || outcome === 'returned') && { paidMinor: sum, currency }),
    ...(reason && outcome !== 'paid' && { reason }),
    eventId: `${withdrawalId}:${outcome}`,
    at: new Date(Math.max(0, ...refunds.map(({ created }) => created)) * 1000).toISOString(),
  };
}

/** Stripe has no id for several refunds together. */
function refOf(withdrawalId: string): string {
  return `refunds-${withdrawalId}`;
}

/** Whether a refund has ended without money for the card. */
function isOver({ status }: Pick<Stripe.Refund, 'status'>): boolean {
  return status === 'failed' || status === 'canceled';
}
