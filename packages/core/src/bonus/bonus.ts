import type { Bonus } from '@opencashier/contract/api';
import { factorFromNumber, multiply, percent } from '../money/arithmetic.ts';
import { decimalsOf } from '../money/currencies.ts';
import { type Money, parseDecimal } from '../money/money.ts';

/** The colours of bonus banners, used in turn (BON-1). */
const COLOURS = ['pink', 'purple', 'blue', 'orange'] as const;
export type BonusColour = (typeof COLOURS)[number] | 'freespin';

/**
 * The colour of a bonus (BON-1). Deposit bonuses take a colour by id, and free spins have their own. An id keeps its colour.
 */
export function bonusColour({ id, type }: Pick<Bonus, 'id' | 'type'>): BonusColour {
  if (type === 'freespin') return 'freespin';
  const turn = /^\d+$/.test(id)
    ? Number(BigInt(id) % BigInt(COLOURS.length))
    : [...id].reduce((sum, char) => sum + (char.codePointAt(0) ?? 0), 0) % COLOURS.length;
  return COLOURS[turn] ?? COLOURS[0];
}

/** The largest percentage of a deposit that an operator can offer as bonus money. More is a slip of the keyboard, such as 10000 for 100. */
export const MOST_BONUS_PERCENT = 1_000;

/** When a bonus ends, in milliseconds since the epoch; undefined when it never ends. An unreadable date counts as past. */
export function bonusEndsAt({ mustAccruedBefore }: Pick<Bonus, 'mustAccruedBefore'>): number | undefined {
  if (mustAccruedBefore === undefined) return undefined;
  const instant = Date.parse(mustAccruedBefore);
  return Number.isNaN(instant) ? Number.NEGATIVE_INFINITY : instant;
}

/** Whether a bonus has ended at `now`, in milliseconds of the server's clock (BON-2). */
export function isBonusOver(bonus: Pick<Bonus, 'mustAccruedBefore'>, now: number): boolean {
  const endsAt = bonusEndsAt(bonus);
  return endsAt !== undefined && endsAt <= now;
}

/** The offered bonuses, and the id of the bonus shown in the banner. */
export interface BonusShelf {
  readonly bonuses: readonly Bonus[];
  readonly activeId: string | undefined;
}

/**
 * Removes the bonuses that have ended (BON-2). The banner calls it every second.
 * If the active bonus has ended, the next remaining bonus becomes active, or else the previous one.
 * Returns the same object when nothing changed, so that nothing renders again.
 */
export function withoutExpired(shelf: BonusShelf, now: number): BonusShelf {
  const left = shelf.bonuses.filter((bonus) => !isBonusOver(bonus, now));
  if (left.length === shelf.bonuses.length) return shelf;
  if (left.some(({ id }) => id === shelf.activeId)) return { bonuses: left, activeId: shelf.activeId };
  const index = shelf.bonuses.findIndex(({ id }) => id === shelf.activeId);
  const isLeft = (bonus: Bonus): boolean => !isBonusOver(bonus, now);
  const neighbour =
    index < 0
      ? undefined
      : (shelf.bonuses.slice(index + 1).find(isLeft) ?? shelf.bonuses.slice(0, index).findLast(isLeft));
  return { bonuses: left, activeId: neighbour?.id };
}

/** The inputs that decide whether a bonus applies. */
export interface BonusInput {
  readonly bonus: Bonus | undefined;
  /** The bonus switch; on by default (BON-2). */
  readonly isEnabled: boolean;
  /** The method's `bonusRestricted` flag. */
  readonly isRestricted: boolean;
  readonly amount: Money | undefined;
  /**
   * The amount is only a minimum, so the final amount is not known yet. `bonusAmount` then checks the minimum deposit
   * against the credited amount. Default false.
   */
  readonly isOpenAmount?: boolean;
  /** The server's clock, milliseconds since the epoch. */
  readonly now: number;
}

/** Whether a bonus is selected, and whether this deposit earns it. */
export interface BonusEligibility {
  readonly isSelected: boolean;
  readonly isActivated: boolean;
  /**
   * How much more the user must deposit to reach the minimum, in minor units. Undefined when nothing is missing or unknown.
   */
  readonly missing: bigint | undefined;
}

/**
 * Whether a bonus is selected and activated (BON-2, section 4 'Bonus'). Widget and server use the same rule.
 * Selected: chosen and enabled. Activated: selected, and the amount reaches the minimum deposit or is open.
 * A bonus never activates for a restricted method, in another currency, or after its end.
 */
export function bonusEligibility(input: BonusInput): BonusEligibility {
  const { bonus, isEnabled, isRestricted, amount, isOpenAmount = false, now } = input;
  const isSelected = bonus !== undefined && isEnabled && !isRestricted && !isBonusOver(bonus, now);
  if (!isSelected || amount === undefined || amount.currency !== bonus.currency) {
    return { isSelected, isActivated: false, missing: undefined };
  }
  const minimum = minimumDeposit(bonus);
  if (minimum === undefined) return { isSelected, isActivated: false, missing: undefined };
  const isActivated = isOpenAmount || amount.minor >= minimum;
  return { isSelected, isActivated, missing: isActivated ? undefined : minimum - amount.minor };
}

/** The minimum deposit of a bonus, in minor units; undefined when the bonus has no minimum that can be read. */
export function minimumDeposit(bonus: Bonus): bigint | undefined {
  if (bonus.type === 'freespin' && bonus.depositRequired === false) return 0n;
  const data = bonus.type === 'freespin' ? bonus.freespinBonusData : bonus.depositBonusData;
  return data === undefined ? undefined : readMinor(data.minDeposit, bonus.currency);
}

function readMinor(decimal: string, currency: string): bigint | undefined {
  const result = parseDecimal(decimal, decimalsOf(currency));
  return result.ok ? result.minor : undefined;
}

/** The bonus fields of the create call, or the instruction to ask the user again (BON-2). */
export type BonusForCreate =
  | { readonly kind: 'apply'; readonly isActivatedBonus: true; readonly bonusId: string }
  | { readonly kind: 'none'; readonly isActivatedBonus: false }
  | { readonly kind: 'ask-again' };

/**
 * The bonus of the create call (BON-2, BON-3): exactly the bonus on screen when the user pressed the button.
 * If that bonus no longer activates, the user is asked again. No other bonus replaces it.
 * @param shown the id of the bonus that the screen showed as activated, if there was one
 */
export function bonusForCreate(shown: string | undefined, input: BonusInput): BonusForCreate {
  if (shown === undefined) return { kind: 'none', isActivatedBonus: false };
  const { isActivated } = bonusEligibility(input);
  if (!isActivated || input.bonus?.id !== shown) return { kind: 'ask-again' };
  return { kind: 'apply', isActivatedBonus: true, bonusId: shown };
}

/** The largest bonus that a deposit bonus can give, and the largest withdrawal from it. */
export interface BonusBounds {
  readonly maxBonus: Money;
  readonly maxWithdrawal: Money;
}

/**
 * The upper bounds of a deposit bonus (BON-3, section 9). Both are exact, in whole units, rounded down.
 * Max bonus = maxBonusAmount × percent / 100. Max withdrawal = max bonus × payout multiplier.
 * @returns undefined when the bonus is not a deposit bonus
 */
export function bonusBounds(bonus: Pick<Bonus, 'currency' | 'depositBonusData'>): BonusBounds | undefined {
  const data = bonus.depositBonusData;
  const top = data === undefined ? undefined : readMinor(data.maxBonusAmount, bonus.currency);
  const share = data === undefined ? undefined : factorFromNumber(data.percent);
  const multiplier = data === undefined ? undefined : factorFromNumber(data.payoutMultiplier);
  if (top === undefined || share === undefined || multiplier === undefined) return undefined;
  const maxBonus = percent({ currency: bonus.currency, minor: top }, share, 'down');
  const payout = multiply(maxBonus, multiplier, 'down').minor;
  const unit = 10n ** BigInt(decimalsOf(bonus.currency));
  return { maxBonus, maxWithdrawal: { currency: bonus.currency, minor: (payout / unit) * unit } };
}
