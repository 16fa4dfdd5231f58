/** Deposit and free-spin bonuses (§3, BON-1 to BON-3). */
import * as v from 'valibot';
import { currencySchema, decimalStringSchema, instantSchema } from './scalar.ts';

/** A percentage or a factor: zero, or between a millionth and a million. */
const multiplierSchema = v.pipe(
  v.number(),
  v.minValue(0),
  v.maxValue(1_000_000),
  v.check((value) => value === 0 || value >= 0.000_001, 'zero, or a millionth at least'),
);
const wordsSchema = v.pipe(v.string(), v.maxLength(1000));

export const bonusSchema = v.object({
  id: v.pipe(v.string(), v.maxLength(128)),
  type: v.picklist(['freespin', 'deposit']),
  currency: currencySchema,
  content: v.object({ title: wordsSchema, subtitle: v.optional(wordsSchema) }),
  /** The bonus ends at this instant. */
  mustAccruedBefore: v.optional(instantSchema),
  depositBonusData: v.optional(
    v.object({
      minDeposit: decimalStringSchema,
      maxBonusAmount: decimalStringSchema,
      /** 100 doubles the deposit. */
      percent: multiplierSchema,
      payoutMultiplier: multiplierSchema,
      wagerMultiplier: multiplierSchema,
    }),
  ),
  freespinBonusData: v.optional(
    v.object({
      count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000)),
      minDeposit: decimalStringSchema,
      maxSpinWin: decimalStringSchema,
      payoutMultiplier: multiplierSchema,
      wagerMultiplier: multiplierSchema,
      gamesContent: v.optional(v.array(v.object({ nameEn: v.string() }))),
    }),
  ),
  /** Free spins only: whether the user must deposit to get them. */
  depositRequired: v.optional(v.boolean()),
});
export type Bonus = v.InferOutput<typeof bonusSchema>;
