import type { Bonus } from '@opencashier/contract/api';
import { factorFromNumber, multiply, percent } from '../money/arithmetic.ts';
import { decimalsOf } from '../money/currencies.ts';
import { type Money, parseDecimal } from '../money/money.ts';

/** Colours of bonus banners, by turns (BON-1). */
const COLOURS = ['pink', 'purple', 'blue', 'orange'] as const;
export type BonusColour = (typeof COLOURS)[number] | 'freespin';

/** The colour of a bonus (BON-1): deposit bonuses take turns by id, free spins have their own. Stable for an id. */
export function bonusColour({ id, type }: Pick<Bonus, 'id' | 'type'>): BonusColour {
  if (type === 'freespin') return 'freespin';
  const turn = /^\d+$/.test(id)
    ? Number(BigInt(id) % BigInt(COLOURS.length))
    : [...id].reduce((sum, char) => sum + (char.codePointAt(0) ?? 0), 0) % COLOURS.length;
  return COLOURS[turn] ?? COLOURS[0];
}

/** When a bonus ends, in milliseconds since the epoch; undefined when it does not. An unreadable instant has ended. */
export function bonusEndsAt({ mustAccruedBefore }: Pick<Bonus, 'mustAccruedBefore'>): number | undefined {
  if (mustAccruedBefore === undefined) return undefined;
  const instant = Date.parse(mustAccruedBefore);
  return Number.isNaN(instant) ? Number.NEGATIVE_INFINITY : instant;
}

/** Whether a bonus is over at `now`, by the server's clock (BON-2). */
export function isBonusOver(bonus: Pick<Bonus, 'mustAccruedBefore'>, now: number): boolean {
  const endsAt = bonusEndsAt(bonus);
  return endsAt !== undefined && endsAt <= now;
}

/** Bonuses and the one that stands in the banner. */
export interface BonusShelf {
  readonly bonuses: readonly Bonus[];
  readonly activeId: string | undefined;
}

/**
 * The shelf without what is over (BON-2); asked every second. If the active bonus is over, its neighbour becomes active: the
 * next one that is left, else the one before. Answers the very same object when nothing changed.
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

/** What decides whether a bonus is applied. */
export interface BonusQuestion {
  readonly bonus: Bonus | undefined;
  /** The switch; on by default (BON-2). */
  readonly isEnabled: boolean;
  /** The method's `bonusRestricted` flag. */
  readonly isRestricted: boolean;
  readonly amount: Money | undefined;
  /** The amount is only the least that may come: the minimum is judged by what is credited, by `bonusAmount`. Default false. */
  readonly isOpenAmount?: boolean;
  /** The server's clock, milliseconds since the epoch. */
  readonly now: number;
}

/** Whether a bonus is chosen, and whether this deposit earns it. */
export interface BonusStanding {
  readonly isSelected: boolean;
  readonly isActivated: boolean;
  /** What is missing to the minimum deposit, in minor units; undefined when nothing is, or nothing can be said. */
  readonly missing: bigint | undefined;
}

/**
 * Where a bonus stands (BON-2, section 4 'Bonus'), the same in the widget and on the server: selected when enabled and chosen;
 * activated when selected and the amount reaches its minimum deposit, or is open. A restricted method, another currency or an ended bonus
 * never activates.
 */
export function bonusStanding(question: BonusQuestion): BonusStanding {
  const { bonus, isEnabled, isRestricted, amount, isOpenAmount = false, now } = question;
  const isSelected = bonus !== undefined && isEnabled && !isRestricted && !isBonusOver(bonus, now);
  if (!isSelected || amount === undefined || amount.currency !== bonus.currency) {
    return { isSelected, isActivated: false, missing: undefined };
  }
  const minimum = minimumDeposit(bonus);
  if (minimum === undefined) return { isSelected, isActivated: false, missing: undefined };
  const isActivated = isOpenAmount || amount.minor >= minimum;
  return { isSelected, isActivated, missing: isActivated ? undefined : minimum - amount.minor };
}

/** The smallest deposit that earns a bonus, in minor units; undefined when the bonus names none that can be read. */
export function minimumDeposit(bonus: Bonus): bigint | undefined {
  if (bonus.type === 'freespin' && bonus.depositRequired === false) return 0n;
  const data = bonus.type === 'freespin' ? bonus.freespinBonusData : bonus.depositBonusData;
  return data === undefined ? undefined : readMinor(data.minDeposit, bonus.currency);
}

function readMinor(decimal: string, currency: string): bigint | undefined {
  const result = parseDecimal(decimal, decimalsOf(currency));
  return result.ok ? result.minor : undefined;
}

/** What the create call says about the bonus, or that the user must be asked again (BON-2). */
export type BonusForCreate =
  | { readonly kind: 'apply'; readonly isActivatedBonus: true; readonly bonusId: string }
  | { readonly kind: 'none'; readonly isActivatedBonus: false }
  | { readonly kind: 'ask-again' };

/**
 * The bonus of the create call (BON-2, BON-3): the very one that was on screen at the tap. If that one was shown as activated
 * and does not activate any more, the user is asked again; nothing else is put in its place.
 * @param shown what the screen showed at the tap: the bonus's id if it was shown as activated
 */
export function bonusForCreate(shown: string | undefined, question: BonusQuestion): BonusForCreate {
  if (shown === undefined) return { kind: 'none', isActivatedBonus: false };
  const { isActivated } = bonusStanding(question);
  if (!isActivated || question.bonus?.id !== shown) return { kind: 'ask-again' };
  return { kind: 'apply', isActivatedBonus: true, bonusId: shown };
}

/** The most that a deposit bonus can give and let a user withdraw. */
export interface BonusBounds {
  readonly maxBonus: Money;
  readonly maxWithdrawal: Money;
}

/**
 * Max bonus = maxBonusAmount × percent / 100; max withdrawal = that × payout multiplier, in whole units rounded down (BON-3,
 * section 9). Exact; undefined when the bonus is no deposit bonus.
 */
export function bonusBounds(bonus: Bonus): BonusBounds | undefined {
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
