/**
 * What the cashier finds wrong with a bonus. This package is published alone, so it repeats the rules: a test compares both
 * (scripts/sdk/engine-check.test.ts).
 */
import { minorOf } from '../check/amounts.ts';
import { currenciesByDecimals, mostBonusPercent, ownBonusSchema } from '../generated/bonus-rules.ts';
import type { OwnBonus } from '../generated/operator-api.ts';
import { type Fault, schemaFault } from './schema-faults.ts';

const decimalsByCurrency = new Map(
  Object.entries(currenciesByDecimals).flatMap(([decimals, codes]) =>
    codes.split(' ').map((code): [string, number] => [code, Number(decimals)]),
  ),
);
/** A smaller factor above zero is refused. */
const leastFactor = 0.000_001;

/** The decimals of a currency at the cashier: 2 for every currency of a country. Undefined: the cashier does not know it. */
export function decimalsOf(currency: string): number | undefined {
  return decimalsByCurrency.get(currency);
}

/**
 * The first fault of a bonus alone.
 * @param asked the currency of the question; undefined: it asked for every currency
 */
export function bonusFault(value: unknown, asked: string | undefined): Fault | undefined {
  const fault = schemaFault(ownBonusSchema, value);
  if (fault !== undefined) return fault;
  if (hasUnstorableText(value)) {
    return { path: '', message: 'It has a text with a NUL character or an unpaired surrogate.' };
  }
  const bonus = value as OwnBonus;
  return termsFault(bonus) ?? timesFault(bonus) ?? textsFault(bonus) ?? otherCurrency(bonus, asked);
}

/** Bonuses whose ids the cashier cannot tell apart. Paths begin with the place in the list. */
export function idFaults(bonuses: readonly { readonly bonus: OwnBonus; readonly place: number }[]): Fault[] {
  return bonuses.flatMap(({ bonus: { id }, place }, index) => {
    const path = `${place}.id`;
    const twin = bonuses.slice(0, index).find(({ bonus }) => bonus.id === id);
    if (twin !== undefined) return [{ path, message: `bonuses.${twin.place} has the id ${id}, too.` }];
    const [, start] = /^(.+)-\d+$/.exec(id) ?? [];
    const hasRounds = bonuses.some(({ bonus }) => bonus.id === start && bonus.roundMinutes !== undefined);
    return hasRounds ? [{ path, message: `A round of the bonus ${start} can have the id ${id}, too.` }] : [];
  });
}

function termsFault(bonus: OwnBonus): Fault | undefined {
  const { type, currency, depositBonusData: money, freespinBonusData: spins } = bonus;
  const decimals = decimalsOf(currency);
  if (decimals === undefined)
    return { path: 'currency', message: `The cashier does not know the currency ${currency}.` };
  const [needed, other] =
    type === 'deposit'
      ? (['depositBonusData', 'freespinBonusData'] as const)
      : (['freespinBonusData', 'depositBonusData'] as const);
  if (bonus[needed] === undefined) return { path: needed, message: `A bonus of the type ${type} needs it.` };
  if (bonus[other] !== undefined) return { path: other, message: `A bonus of the type ${type} has none. Remove it.` };
  if (type === 'deposit' && bonus.depositRequired !== undefined) {
    return { path: 'depositRequired', message: 'Only free spins can come without a deposit. Remove it.' };
  }
  const amountFault = (path: string, amount: string | undefined, least = 0n): Fault | undefined => {
    const minor = amount === undefined ? least : minorOf(amount, decimals);
    if (typeof minor === 'string') {
      return { path, message: `${minor}. ${currency} has ${decimals} decimals at the cashier.` };
    }
    return minor < least ? { path, message: 'Give an amount above zero.' } : undefined;
  };
  const fault =
    amountFault('depositBonusData.minDeposit', money?.minDeposit) ??
    amountFault('depositBonusData.maxBonusAmount', money?.maxBonusAmount, money === undefined ? 0n : 1n) ??
    amountFault('freespinBonusData.minDeposit', spins?.minDeposit) ??
    amountFault('freespinBonusData.maxSpinWin', spins?.maxSpinWin);
  if (fault !== undefined) return fault;
  if (money?.percent === 0) return { path: 'depositBonusData.percent', message: 'Give a percentage above zero.' };
  if (money !== undefined && money.percent > mostBonusPercent) {
    return { path: 'depositBonusData.percent', message: `Give at most ${mostBonusPercent}. 100 doubles the deposit.` };
  }
  const factors = { ...money, ...spins };
  const small = (['percent', 'payoutMultiplier', 'wagerMultiplier'] as const).find((name) => {
    const factor = factors[name];
    return factor !== undefined && factor > 0 && factor < leastFactor;
  });
  return small && { path: `${needed}.${small}`, message: 'It must be zero, or a millionth at least.' };
}

function timesFault({ startsAt, endsAt }: OwnBonus): Fault | undefined {
  const isOver = startsAt !== undefined && endsAt !== undefined && Date.parse(endsAt) <= Date.parse(startsAt);
  return isOver
    ? { path: 'endsAt', message: `The bonus ends before it begins: ${endsAt} is not after ${startsAt}.` }
    : undefined;
}

function textsFault(bonus: OwnBonus): Fault | undefined {
  const field = (['title', 'subtitle'] as const).find(
    (name) => bonus[name] !== undefined && bonus[name]['en'] === undefined,
  );
  return field && { path: field, message: 'It has no English text (en). Users of a language without a text see it.' };
}

function otherCurrency({ currency }: OwnBonus, asked: string | undefined): Fault | undefined {
  if (asked === undefined || currency === asked) return undefined;
  return { path: 'currency', message: `It is ${currency}, and the question asked for bonuses in ${asked}.` };
}

function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || /\p{Surrogate}/u.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => hasUnstorableText(key) || hasUnstorableText(item));
}
