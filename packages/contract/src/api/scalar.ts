/** The basic types of all messages. */
import * as v from 'valibot';

/**
 * An amount of money; its currency is in a field beside it. Digits, at most one dot, no sign, no exponent, never a float.
 * @example "25.00"
 */
export const decimalStringSchema = v.pipe(
  v.string(),
  v.maxLength(40),
  v.regex(/^(?:0|[1-9]\d*)(?:\.\d+)?$/, 'a decimal number such as 25.00'),
);

/** A currency code as in the operator's catalogue: ISO 4217, a crypto coin (USDT) or sweepstake coins (QSC). @example "EUR" */
export const currencySchema = v.pipe(v.string(), v.regex(/^[A-Z0-9]{2,10}$/, 'a currency code such as INR'));

/** ISO 3166-1 alpha-2, upper case. @example "DE" */
export const countrySchema = v.pipe(v.string(), v.regex(/^[A-Z]{2}$/, 'a country code such as IN'));

/**
 * The idempotency key of a payment: a UUID that the widget makes and stores before it sends the key (DEP-16).
 * @example "9f0c2b1e-5d1c-4c55-9b6b-3d5a0a6b7f01"
 */
export const paymentIdSchema = v.pipe(v.string(), v.uuid(), v.toLowerCase());

/** The name of a payment method in the catalogue, such as `card_visa`. @example "card" */
export const methodNameSchema = v.pipe(v.string(), v.regex(/^[a-z0-9_]{1,64}$/, 'a method name such as card_visa'));

/** The operator's id of a coin box. @example "starter" */
export const boxIdSchema = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/, 'the name of a box'));

/** An instant: ISO 8601 in UTC. @example "2026-01-31T10:15:00Z" */
export const instantSchema = v.pipe(v.string(), v.isoTimestamp());

/** Free text typed by a user or sent by a provider; stored and shown byte for byte. @example "Thank you" */
export const textSchema = v.pipe(v.string(), v.maxLength(2000));

/** A larger number on the wire is an error. Arithmetic on it would not be exact or would not end. */
const LARGEST_NUMBER = 1_000_000_000;

/** A number for counting or sorting, within bounds. @example 10 */
export const boundedNumberSchema = v.pipe(v.number(), v.minValue(-LARGEST_NUMBER), v.maxValue(LARGEST_NUMBER));

/**
 * Seconds or minutes, up to a century. A larger value counts as absent, because the payment beside it must stay readable.
 * @example 600
 */
export const durationSchema = v.fallback(
  v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(3_155_760_000))),
  undefined,
);

/** A count beside other data. A value out of bounds counts as absent. @example 3 */
export const countSchema = v.fallback(
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(LARGEST_NUMBER))),
  undefined,
);

/**
 * A link from data. `core/links` decides whether it may be opened (FORM-9); this schema does not.
 * @example "https://pay.example.com/continue/1"
 */
export const linkSchema = v.pipe(v.string(), v.maxLength(4096));

/** The user's values of the method's fields, by field name. @example {"email": "payer@example.com"} */
export const fieldValuesSchema = v.record(v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/)), textSchema);
export type FieldValues = v.InferOutput<typeof fieldValuesSchema>;
