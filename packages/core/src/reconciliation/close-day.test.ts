import type { DayTotals } from '@opencashier/contract/operator';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AccountMovement, amountsOf, changedSince, closeAccounts, closeFaults, fundsOf } from './close-day.ts';
import { dayAfter } from './line.ts';

const of = (account: string, amount: bigint, owner = '', currency = 'EUR'): AccountMovement => ({
  account,
  owner,
  currency,
  amount,
});

function totalsOf(day: string, accounts: DayTotals['accounts'], previous?: string): DayTotals {
  return {
    format: 'opencashier-day-close/1',
    operator: 'acme',
    day,
    asOf: `${dayAfter(day, 1)}T08:00:00.000Z`,
    ...(previous !== undefined && { previous }),
    accounts,
    movements: [],
    files: [],
    lateLines: [],
    open: [],
    funds: fundsOf(accounts),
  };
}

test('[SRV-2] a close has the opening balance, late bookings and movements of each account, and the player funds', () => {
  const accounts = closeAccounts({
    opening: [of('user', 1_000n), of('provider_clearing', -1_000n, 'stripe')],
    countedBefore: [of('user', 400n), of('provider_clearing', -400n, 'stripe')],
    before: [of('user', 450n), of('provider_clearing', -450n, 'stripe')],
    moved: [of('settlement_account', -600n), of('provider_clearing', 600n, 'stripe')],
  });
  expect(accounts).toEqual([
    {
      account: 'provider_clearing',
      owner: 'stripe',
      currency: 'EUR',
      opening: '-10.00',
      late: '-0.50',
      moved: '6.00',
      closing: '-4.50',
    },
    {
      account: 'settlement_account',
      owner: '',
      currency: 'EUR',
      opening: '0.00',
      late: '0.00',
      moved: '-6.00',
      closing: '-6.00',
    },
    { account: 'user', owner: '', currency: 'EUR', opening: '10.00', late: '0.50', moved: '0.00', closing: '10.50' },
  ]);
  expect(fundsOf(accounts)).toEqual([
    { currency: 'EUR', owedToUsers: '10.50', inReview: '0.00', bank: '6.00', inTransit: '4.50', surplus: '0.00' },
  ]);
});

/** Balanced movements of a day between two of the accounts. */
const dayOfMovements = fc.array(
  fc.record({
    from: fc.constantFrom('user', 'user_hold', 'provider_clearing', 'provider_fee', 'settlement_account'),
    to: fc.constantFrom('user', 'suspense', 'provider_clearing', 'write_off', 'deposit_fee'),
    currency: fc.constantFrom('EUR', 'JPY', 'BTC'),
    amount: fc.bigInt(1n, 10n ** 12n),
    isLate: fc.boolean(),
  }),
  { maxLength: 12 },
);

type Day = typeof dayOfMovements extends fc.Arbitrary<infer Movements> ? Movements : never;
const booked = (movements: Day): AccountMovement[] =>
  movements.flatMap(({ from, to, currency, amount }) => [
    of(from, -amount, '', currency),
    of(to, amount, '', currency),
  ]);

/** Closes one day after the other. Late movements are booked after the close of their day. */
function closed(days: readonly Day[]): DayTotals[] {
  const closes: DayTotals[] = [];
  for (const [n, movements] of days.entries()) {
    const before = closes[n - 1];
    const accounts = closeAccounts({
      opening: before === undefined ? [] : amountsOf(before.accounts, 'closing'),
      countedBefore: before === undefined ? [] : amountsOf(before.accounts, 'moved'),
      before: booked(days[n - 1] ?? []),
      moved: booked(movements.filter(({ isLate }) => !isLate)),
    });
    closes.push(totalsOf(dayAfter('2026-01-01', n), accounts));
  }
  return closes;
}

const anyDays = fc.array(dayOfMovements, { minLength: 1, maxLength: 6 });

test('[SRV-2] closes of any days are sound, and no booking is lost: late ones are in the next close', () => {
  fc.assert(
    fc.property(anyDays, (days) => {
      const closes = closed(days);
      for (const [n, totals] of closes.entries()) {
        expect(closeFaults(totals, closes[n - 1])).toEqual([]);
        if (n + 1 < closes.length) expect(changedSince(totals, booked(days[n] ?? []), closes[n + 1])).toEqual([]);
      }
      const last = closes.at(-1);
      const late = booked((days.at(-1) ?? []).filter(({ isLate }) => isLate));
      const all = closeAccounts({ opening: booked(days.flat()), countedBefore: late, before: [], moved: [] });
      expect(
        last?.accounts
          .filter(({ closing }) => Number(closing) !== 0)
          .map(({ account, currency, closing }) => [account, currency, closing]),
      ).toEqual(
        all
          .filter(({ closing }) => Number(closing) !== 0)
          .map(({ account, currency, closing }) => [account, currency, closing]),
      );
    }),
  );
});

test('[SRV-2] every changed amount of a close is found', () => {
  fc.assert(
    fc.property(
      anyDays,
      fc.nat(),
      fc.nat(),
      fc.constantFrom('opening' as const, 'late' as const, 'moved' as const, 'closing' as const),
      (days, whichDay, whichRow, column) => {
        const closes = closed(days);
        const n = whichDay % closes.length;
        const totals = closes[n] as DayTotals;
        fc.pre(totals.accounts.length > 0);
        const at = whichRow % totals.accounts.length;
        const changed = {
          ...totals,
          accounts: totals.accounts.map((row, index) => (index === at ? { ...row, [column]: '7777777777777' } : row)),
        };
        expect(closeFaults(changed, closes[n - 1])).not.toEqual([]);
      },
    ),
  );
});

test('[SRV-2] a close that skips a day, has another operator or another opening balance does not follow', () => {
  const accounts = closeAccounts({
    opening: [],
    countedBefore: [],
    before: [],
    moved: [of('user', 5n), of('suspense', -5n)],
  });
  const first = totalsOf('2026-01-01', accounts);
  const next = closeAccounts({ opening: amountsOf(accounts, 'closing'), countedBefore: [], before: [], moved: [] });
  expect(closeFaults(totalsOf('2026-01-02', next), first)).toEqual([]);
  expect(closeFaults(totalsOf('2026-01-03', next), first)).toEqual(['it does not follow 2026-01-01']);
  expect(closeFaults({ ...totalsOf('2026-01-02', next), operator: 'other' }, first)).toEqual([
    'it is of another operator than the day before',
  ]);
  expect(closeFaults(totalsOf('2026-01-02', []), first)).toHaveLength(2);
  const grown = closeAccounts({
    opening: [of('user', 6n), of('suspense', -6n)],
    countedBefore: [],
    before: [],
    moved: [],
  });
  expect(closeFaults(totalsOf('2026-01-02', grown), first)).toEqual([
    'suspense EUR opens with another balance than 2026-01-01 closed with',
    'user EUR opens with another balance than 2026-01-01 closed with',
  ]);
  expect(changedSince(first, [of('user', 9n)], undefined)).toEqual(['user EUR by 0.04', 'suspense EUR by 0.05']);
});
