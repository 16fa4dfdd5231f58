/** An operator's description of a coin box, in the API for backends and in the file of seeded boxes. */
import { boxIdSchema, currencySchema, decimalStringSchema } from '@opencashier/contract/api';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { parseDecimal } from '@opencashier/core/money/money';
import { GOLD_COIN, SWEEP_COIN } from '@opencashier/core/sweepstake/coins';
import * as v from 'valibot';
import { askedInstantSchema } from '../requests/asked-instant.ts';

/** Above zero, and within the ledger's range. */
const coinsSchema = (code: string, least: bigint) =>
  v.pipe(
    decimalStringSchema,
    v.check((text) => minorOf(text, code) >= least, 'an amount of this coin'),
  );

const priceCurrencySchema = v.pipe(
  currencySchema,
  v.check((code) => ['fiat', 'crypto'].includes(findCurrency(code)?.kind ?? ''), 'a currency that people pay in'),
);

export const boxTermsEntries = {
  /** Boxes of one group are shown together. */
  group: v.optional(v.pipe(v.string(), v.maxLength(64)), ''),
  position: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000)), 0),
  badge: v.optional(v.pipe(v.string(), v.regex(/^[a-z-]{1,32}$/, 'a word such as popular'))),
  price: decimalStringSchema,
  currency: priceCurrencySchema,
  /** Gold coins, which the user buys. */
  gold: coinsSchema(GOLD_COIN, 1n),
  /** Sweep coins, which are free. */
  sweep: v.optional(coinsSchema(SWEEP_COIN, 0n), '0'),
  /** The total number of boxes for sale. Absent: unlimited. */
  stock: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000_000))),
  availableFrom: v.optional(askedInstantSchema),
  availableUntil: v.optional(askedInstantSchema),
};

const isPriced = ({ price, currency }: { readonly price: string; readonly currency: string }): boolean =>
  minorOf(price, currency) >= 1n;
const PRICED = 'a price above zero in this currency';

export const boxTermsSchema = v.pipe(
  v.strictObject(boxTermsEntries),
  v.check((box) => isPriced(box), PRICED),
);
export type BoxTerms = v.InferOutput<typeof boxTermsSchema>;

export const boxesFileSchema = v.array(
  v.pipe(
    v.strictObject({ ...boxTermsEntries, boxId: boxIdSchema }),
    v.check((box) => isPriced(box), PRICED),
  ),
);

/** A box as its operator reads it back. */
export const operatorBoxSchema = v.object({
  ...boxTermsEntries,
  boxId: boxIdSchema,
  /** Boxes that were sold or are being paid for, counted while the stock is limited. */
  taken: v.number(),
});
export type OperatorBox = v.InferOutput<typeof operatorBoxSchema>;

/** The largest bigint of the database. */
const LARGEST = 2n ** 63n - 1n;

/** Minor units; -1 for a text that is not an amount in the currency. */
export function minorOf(text: string, code: string): bigint {
  const parsed = parseDecimal(text, decimalsOf(code));
  return parsed.ok && parsed.minor <= LARGEST ? parsed.minor : -1n;
}
