/** Schemas of single fields that several endpoints share. */
import * as v from 'valibot';
import { decimalStringSchema, instantSchema, paymentIdSchema } from '../api/scalar.ts';
import type { TransactionStatus } from '../api/transaction.ts';

/** Text of one line without spaces, such as an id or a name in another system. */
const printable = (longest: number) =>
  v.pipe(v.string(), v.regex(new RegExp(`^[\\x21-\\x7e]{1,${longest}}$`), 'printable characters without spaces'));

/** The operator's id of a user. The cashier does not interpret it. @example "u-1042" */
export const userIdSchema = printable(128);

/** The operator's id of a grant or a play. The cashier does not interpret it. @example "grant-77" */
export const ownIdSchema = printable(128);

/** The name that the cashier gives itself, such as for a proposal that it rejects because the facts have changed. */
export const cashierName = 'the-cashier';
/** Who made a change by API whose request names no person. */
export const operatorApiName = 'operator-api';
/** Who made a change that the server made at its start, by its settings. */
export const serverSettingsName = 'server-settings';
/** The bank of a sandbox, which takes files of payouts and answers them. */
export const sandboxBankName = 'sandbox-bank';
/** Begins the name of a rule of the cashier, such as `rule:debt-settings`. */
export const ruleNamePrefix = 'rule:';

/** All names but those of rules by which the cashier signs its own entries. */
const namesOfNoPerson: ReadonlySet<string> = new Set([
  cashierName,
  operatorApiName,
  serverSettingsName,
  sandboxBankName,
]);

/** The member of staff who decided, by the operator's own name; stored with the decision. @example "maria" */
export const staffSchema = v.pipe(
  printable(64),
  v.check(
    (name) => {
      // Names that differ in capital letters alone are the same name to the rule of two people.
      const plain = name.toLowerCase();
      return !namesOfNoPerson.has(plain) && !plain.startsWith(ruleNamePrefix);
    },
    ({ input }) => `the name of a person: ${input.toLowerCase()} stands for the cashier itself`,
  ),
);

/** The reason of a decision, in the operator's own words. @example "The customer asked for it." */
export const reasonSchema = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(200),
  v.regex(/^[^\p{Cc}]*$/u, 'text without control characters'),
);

/** A BCP 47 tag. @example "en" */
export const localeSchema = v.pipe(v.string(), v.maxLength(35));

/** The statuses of deposits and withdrawals, as operators read them. */
export const paymentStatuses = ['waiting', 'accepted', 'processed', 'failed'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** What operators read for a status of the widget's protocol, whose word for `failed` is its own. */
export const paymentStatusOf: Readonly<Record<TransactionStatus, PaymentStatus>> = {
  waiting: 'waiting',
  accepted: 'accepted',
  processed: 'processed',
  mistaked: 'failed',
};

/** The status. `accepted`: paid or approved, but not final. `failed`: the payment ended unpaid, or its money went back. */
export const statusSchema = v.picklist(paymentStatuses);

/** The operator's id of the user. @example "u-1042" */
export const shownUserSchema = v.string();

/** The member of staff, by the operator's own name. @example "maria" */
export const shownStaffSchema = v.string();

/** The id of an API key, as `GET /api-keys` lists it. @example "0c6f4e1a-5d1c-4c55-9b6b-3d5a0a6b7f01" */
export const shownKeySchema = v.string();

/** The name of the payment method in the catalogue. @example "card" */
export const shownMethodSchema = v.string();

/** The name of the provider that moves the money. @example "stripe" */
export const shownProviderSchema = v.string();

/** The provider's id of the payment. @example "pi_3Nx2" */
export const shownReferenceSchema = v.string();

/** The hash of a transaction on a chain. @example "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060" */
export const shownTransactionSchema = v.string();

/** ISO 4217 for money, such as `EUR`, or the code of a coin, such as `BTC`. @example "EUR" */
export const shownCurrencySchema = v.string();

/** Whether the payment is a deposit or a withdrawal. */
export const paymentTypeSchema = v.picklist(['deposit', 'withdrawal']);

/** An amount that may be negative. @example "-25.00" */
export const signedDecimalSchema = v.pipe(
  v.string(),
  v.regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/, 'a decimal number, also below zero'),
);

export const moneySchema = v.object({
  /** ISO 4217 for money, such as `EUR`, or the code of a coin, such as `BTC`. @example "EUR" */
  currency: v.pipe(v.string(), v.regex(/^[A-Z0-9]{2,10}$/, 'a currency code such as INR')),
  amount: decimalStringSchema,
});

/** Whether the date exists. PostgreSQL refuses dates that do not, such as the 30th of February. */
export function isOfCalendar(text: string): boolean {
  const second = text.slice(0, 'yyyy-mm-dd hh:mm:ss'.length).replace(' ', 'T');
  const read = new Date(`${second}Z`);
  return !text.startsWith('0000') && !Number.isNaN(read.getTime()) && read.toISOString().startsWith(second);
}

/** A day in UTC. @example "2026-01-31" */
export const utcDaySchema = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}$/, 'a day such as 2026-01-31'),
  v.check((text) => isOfCalendar(`${text} 00:00:00`), 'a day of the calendar'),
);

/** `Z`, or an offset of up to 14 hours and 59 minutes. No place on Earth has more than 14 hours, and PostgreSQL refuses 16. */
const offsetForm = /(?:Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)$/;

/** An instant in a request. It exists in the calendar, so the database can compare with it. @example "2026-01-31T10:15:00Z" */
export const askedInstantSchema = v.pipe(
  instantSchema,
  v.check(
    (text) => isOfCalendar(text) && offsetForm.test(text),
    'a time of the calendar with a zone, such as 2026-01-31T10:15:00Z',
  ),
);

export const userParams = v.strictObject({ userId: userIdSchema });
export const depositParams = v.object({ depositId: paymentIdSchema });
export const withdrawalParams = v.object({ withdrawalId: paymentIdSchema });
