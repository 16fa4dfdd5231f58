/**
 * The company's own list of transactions, by which the cashier reconciles a connection. {@link readListAnswer} holds the rules: the
 * package's process, the cashier and the conformance tests all check each page by it.
 */
import { type JsonRecord, recordOf, recordsOf } from './company-json.ts';
import { fromDecimalText } from './money-units.ts';

/**
 * What moved. `settlement`: a sum that the company pays to the operator's bank. `payout` and its `return`: money to a user. `fee`: a fee of
 * the company that belongs to no payment.
 */
export const TRANSACTION_KINDS = ['payment', 'refund', 'chargeback', 'payout', 'return', 'settlement', 'fee'] as const;
export type TransactionKind = (typeof TRANSACTION_KINDS)[number];

/** The most transactions of a page. */
export const MOST_LISTED = 1_000;
/** The most characters of a page, as JSON. */
export const MOST_LIST_CHARACTERS = 600_000;
/** The most references of a transaction. */
const MOST_REFERENCES = 5;

export interface ListQuery {
  /** The beginning of the period, in UTC: `2026-01-31T00:00:00.000Z`. A transaction at this time is part of the list. */
  readonly from: string;
  /** The end of the period, in UTC. A transaction at this time is no part of the list. */
  readonly to: string;
  /** `next` of the page before. Absent: the first page. */
  readonly cursor?: string | undefined;
  /** Aborts when the cashier no longer waits. */
  readonly signal: AbortSignal;
}

export interface ListedTransaction {
  readonly kind: TransactionKind;
  /** The company's references, the likeliest first, at most five. For a payment: its `providerRef`. */
  readonly references: readonly string[];
  /** Our id of the deposit, the refund or the withdrawal, where the company kept it. */
  readonly ownId?: string | undefined;
  readonly currency: string;
  /** Decimal text before the fee, such as `-25.50`. Positive: the operator gets money. Of the kind `fee` it is 0. */
  readonly amount: string;
  /** Decimal text of what the company keeps, in the same currency. Absent: nothing. */
  readonly fee?: string | undefined;
  /** ISO 8601 with a zone: when the money moved. It lies in the period that was asked for. */
  readonly at: string;
}

/** The answer of `Provider.list`. */
export type ListAnswer =
  /** Absent `next`: the list is complete. */
  | { readonly kind: 'page'; readonly transactions: readonly ListedTransaction[]; readonly next?: string | undefined }
  /** The company refuses the key, or the key may not read the list. `code` has letters, digits and hyphens. */
  | { readonly kind: 'refused'; readonly code: string };

/** A page breaks a rule. The message names the place, and never the value. */
export class ListError extends Error {
  override readonly name = 'ListError';
}

const CODE = /^[\w-]{1,100}$/;
const CURSOR = /^[^\p{Cc}\p{Surrogate}]{1,500}$/u;
const NAME = /^[^\p{Cc}\p{Surrogate}]{1,500}$/u;
const CURRENCY = /^[A-Z0-9]{2,10}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Checks an answer of `Provider.list`.
 * @throws ListError for a page that is too large, an unknown kind, an amount that the currency cannot express, or a time outside the
 * period. Also when `next` is the cursor that was asked for
 */
export function readListAnswer(value: unknown, asked: Pick<ListQuery, 'from' | 'to' | 'cursor'>): ListAnswer {
  const answer = named(() => recordOf(value, 'the list'));
  if (answer['kind'] === 'refused') return { kind: 'refused', code: text(answer, 'code', CODE, '') };
  if (answer['kind'] !== 'page') throw new ListError('kind is neither page nor refused');
  const given = answer['transactions'];
  if (Array.isArray(given) && given.length > MOST_LISTED) {
    throw new ListError(`transactions has ${given.length} rows, and a page has at most ${MOST_LISTED}`);
  }
  const rows = named(() => recordsOf(given, 'transactions'));
  const transactions = rows.map((row, index) => transactionOf(row, `transactions.${index}.`, asked));
  const next = answer['next'] === undefined ? undefined : text(answer, 'next', CURSOR, '');
  if (next !== undefined && next === asked.cursor) throw new ListError('next repeats the cursor that was asked for');
  const page: ListAnswer = { kind: 'page', transactions, ...(next !== undefined && { next }) };
  if (JSON.stringify(page).length > MOST_LIST_CHARACTERS) {
    throw new ListError(`the page has more than ${MOST_LIST_CHARACTERS} characters`);
  }
  return page;
}

function transactionOf(
  row: JsonRecord,
  place: string,
  { from, to }: Pick<ListQuery, 'from' | 'to'>,
): ListedTransaction {
  const kind = TRANSACTION_KINDS.find((one) => one === row['kind']);
  if (kind === undefined) throw new ListError(`${place}kind is none of ${TRANSACTION_KINDS.join(', ')}`);
  const currency = text(row, 'currency', CURRENCY, place);
  const amount = amountIn(row, 'amount', currency, place);
  const fee = row['fee'] === undefined ? undefined : amountIn(row, 'fee', currency, place);
  if (kind === 'fee' && (amount.minor !== 0n || fee === undefined)) {
    throw new ListError(`${place}amount of a fee is not 0, or its fee is absent`);
  }
  const at = text(row, 'at', TIME, place);
  const time = Date.parse(at);
  if (Number.isNaN(time)) throw new ListError(`${place}at is no time`);
  if (time < Date.parse(from) || time >= Date.parse(to)) throw new ListError(`${place}at is outside the period`);
  return {
    kind,
    references: referencesIn(row, place),
    ...(row['ownId'] !== undefined && { ownId: text(row, 'ownId', NAME, place) }),
    currency,
    amount: amount.text,
    ...(fee !== undefined && { fee: fee.text }),
    at,
  };
}

function referencesIn({ references }: JsonRecord, place: string): readonly string[] {
  const isName = (one: unknown): one is string => typeof one === 'string' && NAME.test(one);
  if (Array.isArray(references) && references.length <= MOST_REFERENCES && references.every(isName)) return references;
  throw new ListError(`${place}references is no list of at most ${MOST_REFERENCES} texts`);
}

function amountIn(row: JsonRecord, name: string, currency: string, place: string) {
  const value = row[name];
  if (typeof value !== 'string') throw new ListError(`${place}${name} is no decimal text`);
  try {
    return { text: value, minor: fromDecimalText(value, currency) };
  } catch (error) {
    throw new ListError(`${place}${name}: ${error instanceof Error ? error.message : 'no amount'}`, { cause: error });
  }
}

function text(record: JsonRecord, name: string, form: RegExp, place: string): string {
  const value = record[name];
  if (typeof value === 'string' && form.test(value)) return value;
  throw new ListError(`${place}${name} is no text of the expected form`);
}

/** @throws ListError in place of the reader's Error */
function named<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw new ListError(error instanceof Error ? error.message : 'the list has no sense', { cause: error });
  }
}
