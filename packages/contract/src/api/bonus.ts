/** Deposit and free-spin bonuses (§3, BON-1 to BON-3). */
import * as v from 'valibot';
import { currencySchema, decimalStringSchema, instantSchema } from './scalar.ts';

/** A percentage or a factor: zero, or between a millionth and a million. @example 1.5 */
const multiplierSchema = v.pipe(
  v.number(),
  v.minValue(0),
  v.maxValue(1_000_000),
  v.check((value) => value === 0 || value >= 0.000_001, 'zero, or a millionth at least'),
);
/** A text for the user, in the language of the request. @example "Welcome bonus" */
const wordsSchema = v.pipe(v.string(), v.maxLength(1000));

export const depositBonusDataSchema = v.object({
  /** The smallest deposit that gets the bonus. @example "10.00" */
  minDeposit: decimalStringSchema,
  /** The largest part of a deposit that counts: one deposit gets at most `percent` of it. @example "200.00" */
  maxBonusAmount: decimalStringSchema,
  /** 100 doubles the deposit. @example 100 */
  percent: multiplierSchema,
  /** The factor of the bonus that bounds the winnings. @example 5 */
  payoutMultiplier: multiplierSchema,
  /** How many times the user must stake the bonus before a withdrawal. @example 30 */
  wagerMultiplier: multiplierSchema,
});

export const freespinBonusDataSchema = v.object({
  /** The number of free spins. @example 50 */
  count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000)),
  /** The smallest deposit that gets the free spins. @example "10.00" */
  minDeposit: decimalStringSchema,
  /** The most that one spin can win. @example "100.00" */
  maxSpinWin: decimalStringSchema,
  /** The factor of the winnings that can be paid out. @example 5 */
  payoutMultiplier: multiplierSchema,
  /** How many times the user must stake the winnings before a withdrawal. @example 30 */
  wagerMultiplier: multiplierSchema,
  /** The games in which the spins can be played. Absent: all games. */
  gamesContent: v.optional(
    v.array(
      v.object({
        /** The English name of the game. @example "Book of Days" */
        nameEn: v.string(),
      }),
    ),
  ),
});

export const bonusSchema = v.object({
  /** The widget sends it as `bonusId` when the user chose this bonus. @example "welcome-100" */
  id: v.pipe(v.string(), v.maxLength(128)),
  /** What the user gets: free spins, or bonus money on top of a deposit. */
  type: v.picklist(['freespin', 'deposit']),
  currency: currencySchema,
  /** The texts of the bonus. */
  content: v.object({
    /** The title of the bonus. @example "Welcome bonus" */
    title: wordsSchema,
    /** A second line under the title. @example "100% up to 200 EUR" */
    subtitle: v.optional(wordsSchema),
  }),
  /** The bonus ends at this instant. */
  mustAccruedBefore: v.optional(instantSchema),
  /** The terms of bonus money. Present when `type` is `deposit`. */
  depositBonusData: v.optional(depositBonusDataSchema),
  /** The terms of free spins. Present when `type` is `freespin`. */
  freespinBonusData: v.optional(freespinBonusDataSchema),
  /** Free spins only: whether the user must deposit to get them. */
  depositRequired: v.optional(v.boolean()),
});
export type Bonus = v.InferOutput<typeof bonusSchema>;
