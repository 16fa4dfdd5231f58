/** Stripe's own list of what moved the balance of an account, page by page. It changes nothing. */
import { findCurrency } from '@opencashier/core/money/currencies';
import type { Clock } from '@opencashier/core/time/clock';
import Stripe from 'stripe';
import { withinTime } from '../../jobs/within-time.ts';
import type { ListAsked, ListedMovement, ListPage } from '../connection-kind.ts';
import type { StripeOptions } from './stripe.ts';
import { fromStripeAmount } from './stripe-amount.ts';
import { DEPOSIT_ID, PAYOUT_ID, REFUND_ID } from './stripe-reports.ts';

/** For a page with its second try. ms. */
const ANSWER_WITHIN_MS = 18_000;
const ATTEMPT_MS = 8_000;
/** Stripe's most. */
const PAGE = 100;

/** @returns never a rejection, and never the key */
export function listStripe(
  { secretKey, api }: Pick<StripeOptions, 'secretKey' | 'api'>,
  { from, to, cursor }: ListAsked,
  clock: Clock,
): Promise<ListPage> {
  const stripe = new Stripe(secretKey, { maxNetworkRetries: 1, timeout: ATTEMPT_MS, telemetry: false, ...api });
  const asked = stripe.balanceTransactions
    .list({
      created: { gte: secondsAt(from), lt: secondsAt(to) + 86_400 },
      limit: PAGE,
      expand: ['data.source'],
      ...(cursor !== undefined && { starting_after: cursor }),
    })
    .then(pageOf, failureOf);
  return withinTime(clock, ANSWER_WITHIN_MS, asked, () => ({ kind: 'unknown', why: 'no answer in 18 seconds' }));
}

function secondsAt(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1_000;
}

function failureOf(error: unknown): ListPage {
  if (error instanceof Stripe.errors.StripeAuthenticationError)
    return { kind: 'refused', why: 'Stripe refuses secretKey' };
  if (error instanceof Stripe.errors.StripePermissionError) {
    return { kind: 'refused', why: 'secretKey may not read balance transactions. Give it this right in Stripe' };
  }
  return { kind: 'unknown', why: error instanceof Stripe.errors.StripeError ? error.type : 'no answer' };
}

function pageOf({ data, has_more }: Stripe.ApiList<Stripe.BalanceTransaction>): ListPage {
  const movements: ListedMovement[] = [];
  try {
    for (const transaction of data) movements.push(...movementsOf(transaction));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { kind: 'unknown', why: error.message };
  }
  const last = data.at(-1);
  return { kind: 'page', movements, ...(has_more && last !== undefined && { next: last.id }) };
}

const KINDS: Readonly<Record<string, ListedMovement['kind']>> = {
  charge: 'payment',
  payment: 'payment',
  refund: 'refund',
  payment_refund: 'refund',
  payout: 'settlement',
  payout_cancel: 'settlement',
  payout_failure: 'settlement',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'fee',
};

/** Stripe calls a dispute and its end `adjustment`, so the object that moved the balance says more than the type. */
function kindOf({ amount, type }: Stripe.BalanceTransaction, source: Source | undefined): ListedMovement['kind'] {
  if (source?.object === 'dispute') return amount < 0 ? 'chargeback' : 'return';
  if (source?.object === 'refund' && amount > 0) return 'return';
  // A payout to a card is refunds of its payments.
  if (source?.object === 'refund' && source.metadata?.[PAYOUT_ID] !== undefined) return 'payout';
  // Types that are neither, such as a reserve, stay visible: no payment of the ledger has their reference.
  return KINDS[type] ?? (amount < 0 ? 'refund' : 'payment');
}

/** @throws RangeError for an amount or a currency that the cashier does not know: then nobody may say what Stripe has */
function movementsOf(transaction: Stripe.BalanceTransaction): ListedMovement[] {
  const { amount, fee, created, currency: code, exchange_rate: rate } = transaction;
  const currency = known(code);
  const source = sourceOf(transaction);
  const kind = kindOf(transaction, source);
  const day = new Date(created * 1_000).toISOString().slice(0, 10);
  const named = { kind, day, ...namesOf(transaction, source, kind) };
  const settled = fromStripeAmount(amount, currency);
  const kept = fromStripeAmount(fee, currency);
  if (kind === 'fee') return [{ ...named, currency, amountMinor: 0n, feeMinor: kept - settled }];
  if (rate === null || source?.amount === undefined || source.currency === undefined) {
    return [{ ...named, currency, amountMinor: settled, feeMinor: kept }];
  }
  // Stripe converted it. The payment has the currency of the payer, and the fee has that of the account.
  const paid = known(source.currency);
  const size = fromStripeAmount(source.amount, paid);
  const paidLine = { ...named, currency: paid, amountMinor: amount < 0 ? -size : size, feeMinor: 0n };
  if (kept === 0n) return [paidLine];
  return [paidLine, { kind: 'fee', day, references: [transaction.id], currency, amountMinor: 0n, feeMinor: kept }];
}

function known(code: string): string {
  const currency = code.toUpperCase();
  if (findCurrency(currency) === undefined) throw new RangeError(`Stripe sent the currency ${currency.slice(0, 10)}`);
  return currency;
}

/** The parts that we read of the objects that move a balance. */
interface Source {
  readonly object: string;
  readonly id: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly metadata?: Readonly<Record<string, string>> | null;
}

function sourceOf({ source }: Stripe.BalanceTransaction): Source | undefined {
  return source === null || typeof source === 'string' ? undefined : (source as unknown as Source);
}

/**
 * Payments, payouts and refunds that the cashier made have our id. What began at Stripe, or came back from there, has no name that the
 * ledger knows. So refunds of the dashboard, disputes, and refunds of a deposit that failed are matched by amount and day.
 */
function namesOf(
  { id, source }: Stripe.BalanceTransaction,
  object: Source | undefined,
  kind: ListedMovement['kind'],
): Pick<ListedMovement, 'references' | 'ownId'> {
  const sourceId = object?.id ?? (typeof source === 'string' ? source : id);
  if (object?.object === 'dispute') return { references: [] };
  const idOf: Readonly<Record<string, string>> = { payout: PAYOUT_ID, return: PAYOUT_ID, refund: REFUND_ID };
  const ownId = object?.metadata?.[idOf[kind] ?? DEPOSIT_ID];
  if (ownId === undefined && object?.object === 'refund') return { references: [] };
  return { references: [sourceId], ...(ownId !== undefined && { ownId }) };
}
