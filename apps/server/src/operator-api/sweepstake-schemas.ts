/** What the backends of operators ask of the sweepstake, and are answered; also for the reference page. */
import { decimalStringSchema } from '@opencashier/contract/api';
import { GOLD_COIN, SWEEP_COIN } from '@opencashier/core/sweepstake/coins';
import * as v from 'valibot';
import { boxTermsSchema, minorOf, operatorBoxSchema } from '../sweepstake/box-schemas.ts';

/** How the operator names a grant or a play of its own; opaque to the cashier. */
const ownIdSchema = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,128}$/, 'printable characters without spaces'));
const coinSchema = v.picklist([GOLD_COIN, SWEEP_COIN]);

const coinAmount = (least: bigint) =>
  v.pipe(
    decimalStringSchema,
    v.check((text) => minorOf(text, SWEEP_COIN) >= least, 'an amount of coins'),
  );

export const grantRequestSchema = v.strictObject({
  /** The same grant again under the same id gives nothing more. */
  grantId: ownIdSchema,
  currency: coinSchema,
  amount: coinAmount(1n),
  /** Why, for whoever reads the journal. */
  note: v.optional(v.pipe(v.string(), v.maxLength(200), v.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'one line of text'))),
});

export const playRequestSchema = v.strictObject({
  /** The same play again under the same id counts nothing more. */
  playId: ownIdSchema,
  currency: coinSchema,
  staked: coinAmount(1n),
  /** What came back, the stake included; 0: all was lost. */
  won: coinAmount(0n),
});

export const coinStateSchema = v.object({
  currency: coinSchema,
  balance: decimalStringSchema,
  /** What must still be played before it can be redeemed, and what can be redeemed now; of gold both zero. */
  unplayed: decimalStringSchema,
  redeemable: decimalStringSchema,
});

export const boxRequestSchema = boxTermsSchema;
export const boxResponseSchema = operatorBoxSchema;
export const boxListSchema = v.object({ boxes: v.array(operatorBoxSchema) });
