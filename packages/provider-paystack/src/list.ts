/**
 * What moved at Paystack in a period: the pages of its transactions, then those of its refunds. Both lists are filtered by the time of
 * creation, so that time is the one that is listed.
 */
import {
  type JsonRecord,
  type ListAnswer,
  type ListedTransaction,
  type ListQuery,
  numberIn,
  recordOf,
  recordsOf,
  textIn,
  timeIn,
  toDecimalText,
} from '@opencashier/provider-kit';
import { refundIdIn } from './reports.ts';
import { fromHundredths, ownDepositId, type PaystackApi, paidAmount, wasPaid } from './transactions.ts';

/** Paystack's most. */
const PAGE = 100;

const LISTS = { transaction: paymentIn, refund: refundIn } as const;
type ListName = keyof typeof LISTS;

const PLACE = /^(transaction|refund) (\d{1,6})$/;

/** `Provider.list` at Paystack. @throws when it does not answer, or sends what has no sense */
export async function listTransactions(api: PaystackApi, { from, to, cursor, signal }: ListQuery): Promise<ListAnswer> {
  const [, name, number] = PLACE.exec(cursor ?? 'transaction 1') ?? [];
  if (name === undefined || number === undefined) throw new Error('The cursor is none of this list');
  const list = name as ListName;
  const page = Number(number);
  const asked = new URLSearchParams({ from, to, perPage: String(PAGE), page: number });
  const { status, body } = await api.send(`/${list}?${asked}`, { signal: api.begin(signal) });
  if (status === 401 || status === 403) return { kind: 'refused', code: `http-${status}` };
  if (status !== 200) throw new Error(`Paystack answered with status ${status}`);
  const answer = recordOf(body, 'the answer');
  // A short page may not be the last one: Paystack may send fewer rows than it was asked for.
  const pages = numberIn(recordOf(answer['meta'], 'meta'), 'pageCount');
  const next = page < pages ? `${list} ${page + 1}` : list === 'transaction' ? 'refund 1' : undefined;
  return {
    kind: 'page',
    // The documents do not say whether the end of the period belongs to it.
    transactions: recordsOf(answer['data'], 'data')
      .filter((row) => Date.parse(timeIn(row, 'created_at')) !== Date.parse(to))
      .flatMap((row) => LISTS[list](row) ?? []),
    ...(next !== undefined && { next }),
  };
}

/** @returns `undefined` for a transaction that nobody has paid */
function paymentIn(row: JsonRecord): ListedTransaction | undefined {
  if (!wasPaid(row)) return undefined;
  const { paid, borne } = paidAmount(row);
  const currency = textIn(row, 'currency', /^[A-Z]{3}$/);
  const fees = row['fees'] === null || row['fees'] === undefined ? 0n : fromHundredths(row['fees']);
  const ownId = ownDepositId(row);
  return {
    kind: 'payment',
    references: [textIn(row, 'reference')],
    ...(ownId !== undefined && { ownId }),
    currency,
    amount: decimal(paid, currency),
    // What the payer bears of the fee is no part of the payment, so it takes nothing from it.
    fee: decimal(fees > borne ? fees - borne : 0n, currency),
    at: timeIn(row, 'created_at'),
  };
}

/** A refund by which a dispute ended is the chargeback. @returns `undefined` for a refund that Paystack has not made */
function refundIn(row: JsonRecord): ListedTransaction | undefined {
  if (textIn(row, 'status') !== 'processed') return undefined;
  const currency = textIn(row, 'currency', /^[A-Z]{3}$/);
  const isChargeback = typeof row['dispute'] === 'number';
  const ownId = isChargeback ? undefined : refundIdIn(row['merchant_note']);
  return {
    kind: isChargeback ? 'chargeback' : 'refund',
    // The ledger knows no id of Paystack for it. Without our id it is matched by amount and day.
    references: [],
    ...(ownId !== undefined && { ownId }),
    currency,
    amount: decimal(-fromHundredths(row['amount']), currency),
    at: timeIn(row, 'created_at'),
  };
}

/** @throws RangeError for a currency that the cashier does not know */
function decimal(minor: bigint, currency: string): string {
  const text = toDecimalText(minor, currency);
  if (text === undefined) throw new RangeError('The amount has no decimal text');
  return text;
}
