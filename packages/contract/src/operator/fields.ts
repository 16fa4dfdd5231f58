/** The small types that requests of operators are made of. */
import * as v from 'valibot';
import { decimalStringSchema, instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { type TransactionStatus, transactionStatusCodes } from '../api/transaction.ts';

/** Text of one line without spaces, such as an id or a name in another system. */
const printable = (longest: number) =>
  v.pipe(v.string(), v.regex(new RegExp(`^[\\x21-\\x7e]{1,${longest}}$`), 'printable characters without spaces'));

/** How the operator names its user; opaque to the cashier. */
export const userIdSchema = printable(128);

/** How the operator names a grant or a play of its own; opaque to the cashier. */
export const ownIdSchema = printable(128);

/** Which member of the operator's staff decided, by the operator's own name; kept with the decision. */
export const staffSchema = printable(64);

/** Why staff decided so, in the operator's own words. */
export const reasonSchema = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(200),
  v.regex(/^[^\p{Cc}]*$/u, 'no control characters'),
);

/** A BCP 47 tag. */
export const localeSchema = v.pipe(v.string(), v.maxLength(35));

/** The status of a deposit or withdrawal as its user sees it (section 4). */
export const statusNames = Object.keys(transactionStatusCodes) as [TransactionStatus, ...TransactionStatus[]];

/** An amount that may be below zero. */
export const signedDecimalSchema = v.pipe(
  v.string(),
  v.regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/, 'a decimal number, also below zero'),
);

export const moneySchema = v.object({
  currency: v.pipe(v.string(), v.regex(/^[A-Z0-9]{2,10}$/, 'a currency code such as INR')),
  amount: decimalStringSchema,
});

/** Whether a calendar has this instant. A database refuses what none has, such as the 30th of February. */
export function isOfCalendar(text: string): boolean {
  const second = text.slice(0, 'yyyy-mm-dd hh:mm:ss'.length).replace(' ', 'T');
  const read = new Date(`${second}Z`);
  return !text.startsWith('0000') && !Number.isNaN(read.getTime()) && read.toISOString().startsWith(second);
}

/** No place on Earth is further from UTC, and PostgreSQL takes no greater offset. */
const offsetForm = /(?:Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)$/;

/** An instant that a request names, and that the database can compare with. */
export const askedInstantSchema = v.pipe(
  instantSchema,
  v.check((text) => isOfCalendar(text) && offsetForm.test(text), 'an instant of the calendar'),
);

export const userParams = v.strictObject({ userId: userIdSchema });
export const depositParams = v.object({ depositId: paymentIdSchema });
export const withdrawalParams = v.object({ withdrawalId: paymentIdSchema });
