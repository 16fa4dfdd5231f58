/** An operator's description of a coin box, in the API for backends and in the file of seeded boxes. */
import { boxIdSchema, currencySchema, decimalStringSchema } from '@opencashier/contract/api';
import { boxTermsEntries } from '@opencashier/contract/operator';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { parseDecimal } from '@opencashier/core/money/money';
import { GOLD_COIN, SWEEP_COIN } from '@opencashier/core/sweepstake/coins';
import * as v from 'valibot';

/** Above zero and small enough for the ledger. */
export const coinsSchema = (code: string, least: bigint) =>
  v.pipe(
    decimalStringSchema,
    v.check((text) => minorOf(text, code) >= least, `an amount of this coin${least > 0n ? ' above zero' : ''}`),
  );

const priceCurrencySchema = v.pipe(
  currencySchema,
  v.check((code) => ['fiat', 'crypto'].includes(findCurrency(code)?.kind ?? ''), 'a currency that people pay in'),
);

/** The terms of the contract, with what only core knows: decimals of coins, and currencies that people pay in. */
const termsEntries = {
  ...boxTermsEntries,
  currency: priceCurrencySchema,
  /** Gold coins, which the user buys. */
  gold: coinsSchema(GOLD_COIN, 1n),
  /** Sweep coins, which are free. */
  sweep: v.optional(coinsSchema(SWEEP_COIN, 0n), '0'),
};

const isPriced = ({ price, currency }: { readonly price: string; readonly currency: string }): boolean =>
  minorOf(price, currency) >= 1n;
const PRICED = 'a price above zero in this currency, with its decimals';

export const boxTermsSchema = v.pipe(
  v.strictObject(termsEntries),
  v.forward(
    v.check((box) => isPriced(box), PRICED),
    ['price'],
  ),
);
export type BoxTerms = v.InferOutput<typeof boxTermsSchema>;

export const boxesFileSchema = v.array(
  v.pipe(
    v.strictObject({ ...termsEntries, boxId: boxIdSchema }),
    v.check((box) => isPriced(box), PRICED),
  ),
);

/** What a bigint of the database holds. */
const LARGEST = 2n ** 63n - 1n;

/** Minor units; -1 for a text that is not an amount in the currency. */
export function minorOf(text: string, code: string): bigint {
  const parsed = parseDecimal(text, decimalsOf(code));
  return parsed.ok && parsed.minor <= LARGEST ? parsed.minor : -1n;
}
