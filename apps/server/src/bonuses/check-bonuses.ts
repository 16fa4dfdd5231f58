/** Checks an operator's bonuses, field by field. */
import type { OwnBonus } from '@opencashier/contract/operator';
import { MOST_BONUS_PERCENT } from '@opencashier/core/bonus/bonus';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { parseDecimal } from '@opencashier/core/money/money';

/** A wrong field, and what is wrong in words for the operator. */
export interface BonusIssue {
  /** Such as `bonuses.0.depositBonusData.minDeposit`. */
  readonly path: string;
  readonly message: string;
}

type Say = (path: string, message: string) => void;

/** All problems of the bonuses together. */
export function checkBonuses(bonuses: readonly OwnBonus[]): BonusIssue[] {
  return issuesOf(bonuses, (bonus, index, say) => {
    checkId(bonus, bonuses.slice(0, index), bonuses, say);
    checkAlone(bonus, say);
  });
}

/** Only the problems that bonuses have with each other. */
export function checkIds(bonuses: readonly OwnBonus[]): BonusIssue[] {
  return issuesOf(bonuses, (bonus, index, say) => checkId(bonus, bonuses.slice(0, index), bonuses, say));
}

function issuesOf(
  bonuses: readonly OwnBonus[],
  check: (bonus: OwnBonus, index: number, say: Say) => void,
): BonusIssue[] {
  const issues: BonusIssue[] = [];
  for (const [index, bonus] of bonuses.entries()) {
    check(bonus, index, (path, message) => {
      issues.push({ path: `bonuses.${index}.${path}`, message });
    });
  }
  return issues;
}

function checkAlone(bonus: OwnBonus, say: Say): void {
  checkTerms(bonus, say);
  checkTimes(bonus, say);
  for (const field of ['title', 'subtitle'] as const) {
    if (bonus[field] !== undefined && bonus[field]['en'] === undefined) {
      say(field, `Give the text in English (en). Users of a language without a text see it.`);
    }
  }
}

function checkId({ id }: OwnBonus, earlier: readonly OwnBonus[], all: readonly OwnBonus[], say: Say): void {
  const twin = earlier.findIndex((bonus) => bonus.id === id);
  if (twin !== -1) say('id', `The id ${id} is used twice: bonuses.${twin} has it, too.`);
  const [, start] = /^(.+)-\d+$/.exec(id) ?? [];
  if (all.some((bonus) => bonus.id === start && bonus.roundMinutes !== undefined)) {
    say('id', `A round of the bonus ${start} can have the id ${id}, too. Choose another id.`);
  }
}

function checkTerms(bonus: OwnBonus, say: Say): void {
  const { type, currency, depositBonusData: money, freespinBonusData: spins } = bonus;
  const isKnown = findCurrency(currency) !== undefined;
  if (!isKnown) say('currency', `The cashier does not know the currency ${currency}.`);
  const [needed, other] =
    type === 'deposit'
      ? (['depositBonusData', 'freespinBonusData'] as const)
      : (['freespinBonusData', 'depositBonusData'] as const);
  if (bonus[needed] === undefined) say(needed, `A bonus of the type ${type} needs ${needed}.`);
  if (bonus[other] !== undefined) say(other, `A bonus of the type ${type} has no ${other}. Remove it.`);
  if (type === 'deposit' && bonus.depositRequired !== undefined) {
    say('depositRequired', 'Only free spins can come without a deposit. Remove it.');
  }
  if (!isKnown) return;
  const sayAmount = (path: string, amount: string | undefined, least: bigint) => {
    if (amount !== undefined) checkAmount(path, { amount, currency, least }, say);
  };
  sayAmount('depositBonusData.minDeposit', money?.minDeposit, 0n);
  sayAmount('depositBonusData.maxBonusAmount', money?.maxBonusAmount, 1n);
  sayAmount('freespinBonusData.minDeposit', spins?.minDeposit, 0n);
  sayAmount('freespinBonusData.maxSpinWin', spins?.maxSpinWin, 0n);
  if (money?.percent === 0) say('depositBonusData.percent', 'Give a percentage above zero, such as 100.');
  if (money !== undefined && money.percent > MOST_BONUS_PERCENT) {
    say('depositBonusData.percent', `Give at most ${MOST_BONUS_PERCENT}. 100 doubles the deposit.`);
  }
}

function checkAmount(
  path: string,
  { amount, currency, least }: { readonly amount: string; readonly currency: string; readonly least: bigint },
  say: Say,
): void {
  const decimals = decimalsOf(currency);
  const parsed = parseDecimal(amount, decimals);
  if (!parsed.ok) say(path, `${amount} is no amount in ${currency}, which has ${decimals} decimals.`);
  else if (parsed.minor < least) say(path, 'Give an amount above zero.');
}

function checkTimes({ startsAt, endsAt }: OwnBonus, say: Say): void {
  if (startsAt !== undefined && endsAt !== undefined && Date.parse(endsAt) <= Date.parse(startsAt)) {
    say('endsAt', `The bonus ends before it begins: ${endsAt} is not after ${startsAt}.`);
  }
}
