/**
 * The arithmetic of the close of a day, and what a close must agree with in the close before. Amounts are signed minor units, and decimal
 * strings in documents.
 */
import type { ClosedAccount, ClosedFunds, DayTotals } from '@opencashier/contract/operator';
import { decimalsOf, findCurrency } from '../money/currencies.ts';
import { parseDecimal, toDecimalString } from '../money/money.ts';
import { dayAfter } from './line.ts';

/** What the ledger booked on one kind of account. */
export interface AccountMovement {
  readonly account: string;
  readonly owner: string;
  readonly currency: string;
  readonly amount: bigint;
}

export interface DayOfAccounts {
  /** The closing balances of the day before; of the first day: the balances at its beginning. */
  readonly opening: readonly AccountMovement[];
  /** What the close of the day before counted as that day's movements. */
  readonly countedBefore: readonly AccountMovement[];
  /** What the ledger has of the day before by now. */
  readonly before: readonly AccountMovement[];
  /** What the ledger has of the day. */
  readonly moved: readonly AccountMovement[];
}

/** The accounts of a close, in a fixed order. Accounts without a balance and without movements are left out. */
export function closeAccounts({ opening, countedBefore, before, moved }: DayOfAccounts): ClosedAccount[] {
  const rows = new Map<string, { readonly of: AccountMovement; opening: bigint; late: bigint; moved: bigint }>();
  const add = (movements: readonly AccountMovement[], part: 'opening' | 'late' | 'moved', sign: bigint): void => {
    for (const of of movements) {
      const row = rows.get(keyOf(of)) ?? { of, opening: 0n, late: 0n, moved: 0n };
      row[part] += sign * of.amount;
      rows.set(keyOf(of), row);
    }
  };
  add(opening, 'opening', 1n);
  add(before, 'late', 1n);
  add(countedBefore, 'late', -1n);
  add(moved, 'moved', 1n);
  return [...rows]
    .filter(([, row]) => row.opening !== 0n || row.late !== 0n || row.moved !== 0n)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([
        ,
        {
          of: { account, owner, currency },
          ...row
        },
      ]) => {
        const written = (minor: bigint): string => toDecimalString(minor, decimalsOf(currency));
        return {
          account,
          owner,
          currency,
          opening: written(row.opening),
          late: written(row.late),
          moved: written(row.moved),
          closing: written(row.opening + row.late + row.moved),
        };
      },
    );
}

/** Amounts of one column of a close, for the next close. */
export function amountsOf(accounts: readonly ClosedAccount[], column: 'late' | 'moved' | 'closing'): AccountMovement[] {
  return accounts.map((row) => ({
    account: row.account,
    owner: row.owner,
    currency: row.currency,
    amount: minorOf(row[column], row.currency),
  }));
}

const OWED = ['user', 'user_additional', 'user_hold', 'wallet_transit'];

/** The statement of player funds at the end of the day. Coins that are only played with are no money. */
export function fundsOf(accounts: readonly ClosedAccount[]): ClosedFunds[] {
  const currencies = [...new Set(accounts.map(({ currency }) => currency))].filter((code) => {
    const kind = findCurrency(code)?.kind;
    return kind === 'fiat' || kind === 'crypto';
  });
  return currencies.toSorted().map((currency) => {
    const sum = (...kinds: readonly string[]): bigint =>
      accounts
        .filter((row) => row.currency === currency && kinds.includes(row.account))
        .reduce((total, row) => total + minorOf(row.closing, currency), 0n);
    const written = (minor: bigint): string => toDecimalString(minor, decimalsOf(currency));
    const owed = sum(...OWED);
    const inReview = sum('suspense');
    const bank = -sum('settlement_account');
    const inTransit = -sum('provider_clearing');
    return {
      currency,
      owedToUsers: written(owed),
      inReview: written(inReview),
      bank: written(bank),
      inTransit: written(inTransit),
      surplus: written(bank + inTransit - owed - inReview),
    };
  });
}

/**
 * What is wrong with the totals of a day, in sentences; empty when they are sound. Each account adds up, each currency sums to zero, and
 * the day continues the day before.
 * @param before the totals of the day before; absent: this is the operator's first close
 */
export function closeFaults(totals: DayTotals, before?: DayTotals): string[] {
  const faults: string[] = [];
  const sums = new Map<string, bigint>();
  for (const row of totals.accounts) {
    const [opening, late, moved, closing] = [row.opening, row.late, row.moved, row.closing].map((text) =>
      minorOf(text, row.currency),
    ) as [bigint, bigint, bigint, bigint];
    if (opening + late + moved !== closing) faults.push(`${nameOf(row)} does not add up`);
    sums.set(row.currency, (sums.get(row.currency) ?? 0n) + closing);
  }
  for (const [currency, sum] of sums) if (sum !== 0n) faults.push(`the accounts in ${currency} do not sum to zero`);
  if (JSON.stringify(fundsOf(totals.accounts)) !== JSON.stringify(totals.funds))
    faults.push('the player funds do not follow from the accounts');
  if (before === undefined) return faults;
  if (totals.operator !== before.operator) faults.push('it is of another operator than the day before');
  if (totals.day !== dayAfter(before.day, 1)) faults.push(`it does not follow ${before.day}`);
  const opening = new Map(totals.accounts.map((row) => [keyOf(row), minorOf(row.opening, row.currency)]));
  for (const row of before.accounts) {
    const closed = minorOf(row.closing, row.currency);
    if ((opening.get(keyOf(row)) ?? 0n) !== closed)
      faults.push(`${nameOf(row)} opens with another balance than ${before.day} closed with`);
    opening.delete(keyOf(row));
  }
  for (const [key, amount] of opening)
    if (amount !== 0n)
      faults.push(`${key.split('\0').join(' ').trim()} opens with a balance that ${before.day} does not have`);
  return faults;
}

/**
 * The accounts whose movements of a closed day are no longer those of its close and of the late bookings in the next close, in words.
 * @param now what the ledger has of the day by now
 * @param next the totals of the next day; absent: it is not closed
 */
export function changedSince(totals: DayTotals, now: readonly AccountMovement[], next?: DayTotals): string[] {
  const known = new Map<string, { readonly of: AccountMovement; amount: bigint }>();
  const add = (of: AccountMovement, sign: bigint): void => {
    const row = known.get(keyOf(of)) ?? { of, amount: 0n };
    row.amount += sign * of.amount;
    known.set(keyOf(of), row);
  };
  for (const row of now) add(row, 1n);
  for (const row of amountsOf(totals.accounts, 'moved')) add(row, -1n);
  for (const row of amountsOf(next?.accounts ?? [], 'late')) add(row, -1n);
  return [...known.values()]
    .filter(({ amount }) => amount !== 0n)
    .map(({ of, amount }) => `${nameOf(of)} by ${toDecimalString(amount, decimalsOf(of.currency))}`);
}

function nameOf({ account, owner, currency }: Pick<AccountMovement, 'account' | 'owner' | 'currency'>): string {
  return [account, owner, currency].filter((part) => part !== '').join(' ');
}

function keyOf({ account, owner, currency }: Pick<AccountMovement, 'account' | 'owner' | 'currency'>): string {
  return [account, owner, currency].join('\0');
}

/** @throws Error for a text that is no amount of the currency: schemas are checked before */
function minorOf(text: string, currency: string): bigint {
  const read = parseDecimal(text, decimalsOf(currency), { signed: true });
  if (!read.ok) throw new Error(`${text} is no amount in ${currency}`);
  return read.minor;
}
