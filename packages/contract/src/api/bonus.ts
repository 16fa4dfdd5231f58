/** Deposit and free-spin bonuses (§3, BON-1 to BON-3). */
import * as v from 'valibot';
import { currencySchema, decimalStringSchema, instantSchema } from './scalar.ts';

const multiplierSchema = v.pipe(v.number(), v.minValue(0));

export const bonusSchema = v.object({
  id: v.string(),
  type: v.picklist(['freespin', 'deposit']),
  currency: currencySchema,
  content: v.object({ title: v.string(), subtitle: v.optional(v.string()) }),
  /** After this instant the bonus is gone. */
  mustAccruedBefore: v.optional(instantSchema),
  depositBonusData: v.optional(
    v.object({
      minDeposit: decimalStringSchema,
      maxBonusAmount: decimalStringSchema,
      /** 100 means the deposit is doubled. */
      percent: multiplierSchema,
      payoutMultiplier: multiplierSchema,
      wagerMultiplier: multiplierSchema,
    }),
  ),
  freespinBonusData: v.optional(
    v.object({
      count: v.pipe(v.number(), v.integer(), v.minValue(1)),
      minDeposit: decimalStringSchema,
      maxSpinWin: decimalStringSchema,
      payoutMultiplier: multiplierSchema,
      wagerMultiplier: multiplierSchema,
      gamesContent: v.optional(v.array(v.object({ nameEn: v.string() }))),
    }),
  ),
  /** Free spins only: whether a deposit is needed to get them. */
  depositRequired: v.optional(v.boolean()),
});
export type Bonus = v.InferOutput<typeof bonusSchema>;
