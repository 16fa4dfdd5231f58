/** What is owed when money is taken back that is not there any more, and what pays it (SRV-2). Minor units of one currency. */
import { decimalsOf } from './currencies.ts';
import { parseDecimal, toDecimalString } from './money.ts';

/** What of a sum is taken from a balance, and what of it becomes a debt; the two make the sum. */
export interface Taken {
  readonly taken: bigint;
  readonly owed: bigint;
}

/**
 * Takes a sum back from what is there: never more than that, so that no balance falls below zero.
 * @param amount not negative
 * @param balance not negative: what may be taken
 */
export function takeBack(amount: bigint, balance: bigint): Taken {
  const taken = least(amount, balance);
  return { taken, owed: amount - taken };
}

/** How money that comes to somebody who owes is shared out; the two make the sum. */
export interface Shared {
  readonly toDebt: bigint;
  readonly toUser: bigint;
}

/**
 * Pays a debt first: never more than is owed, so that no debt turns into a claim.
 * @param amount not negative
 * @param debt not negative: what is owed
 */
export function payDebtFirst(amount: bigint, debt: bigint): Shared {
  const toDebt = least(amount, debt);
  return { toDebt, toUser: amount - toDebt };
}

/**
 * What of a credited deposit is on the balance, where a part of it paid a debt (DEP-15). Decimal strings of `currency`, as on the wire.
 * @returns undefined where one of them cannot be read: more than there is must not be said
 */
export function restOnBalance(finalAmount: string, paidDebt: string, currency: string): string | undefined {
  const decimals = decimalsOf(currency);
  const [credited, toDebt] = [parseDecimal(finalAmount, decimals), parseDecimal(paidDebt, decimals)];
  return credited.ok && toDebt.ok ? toDecimalString(credited.minor - toDebt.minor, decimals) : undefined;
}

/** What a decision about a debt pays; or that so much is not owed, or not there. */
export type Settlement =
  | { readonly kind: 'pays'; readonly amount: bigint }
  | { readonly kind: 'not-owed' }
  | { readonly kind: 'not-there' };

/**
 * How much of a debt a decision pays (SRV-2): what was asked, or all that can be. Never more than is owed or than is there.
 * @param asked above zero; undefined: as much as can be
 * @param available what lies where it is paid from; undefined: without an end
 */
export function settlementOf(
  debt: bigint,
  { asked, available }: { readonly asked: bigint | undefined; readonly available: bigint | undefined },
): Settlement {
  if (debt <= 0n || (asked !== undefined && asked > debt)) return { kind: 'not-owed' };
  const amount = asked ?? (available === undefined ? debt : least(debt, available));
  return amount === 0n || (available !== undefined && amount > available)
    ? { kind: 'not-there' }
    : { kind: 'pays', amount };
}

/** Of two bigints, which Math.min cannot compare. */
function least(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
