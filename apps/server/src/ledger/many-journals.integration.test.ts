/** One statement writes the postings of many journals, of which several move one account. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { withOperator } from '../database/testing/with-operator.fixture.ts';
import { type AccountKind, freezeUser, postJournal, userBalance } from './ledger.ts';
import { auditLedger } from './ledger-audit.ts';

let database: Database;
withOperator((made) => {
  database = made;
});

/** A journal between a user and another account: what the user's account gets. */
interface Move {
  readonly user: string;
  readonly amount: bigint;
  readonly kind?: string;
  readonly account?: AccountKind;
  /** What the other account gets; absent: the same with the other sign. */
  readonly other?: bigint;
}

/** Writes all journals and all their postings by one statement. */
async function post(moves: readonly Move[]): Promise<string | undefined> {
  const lines = moves.flatMap(({ user, amount, account = 'user', other = -amount }, n) => [
    { n, owner: user, account, amount },
    { n, owner: 'sandbox', account: 'provider_clearing', amount: other },
  ]);
  const work = database.transaction(async (transaction) => {
    await transaction.query({
      text: `insert into account (operator_id, owner, asset, kind, balance)
        select distinct 'op', owner, 'INR', kind, case when kind <> 'provider_clearing' then 0 end
        from unnest($1::text[], $2::text[]) as name(owner, kind) order by 2, 4 on conflict do nothing`,
      values: [lines.map(({ owner }) => owner), lines.map(({ account }) => account)],
    });
    await transaction.query({
      text: `with fact as (select n - 1 as n, time_id() as id, kind from unnest($1::text[]) with ordinality as fact(kind, n)),
        entry as (insert into journal (id, operator_id, kind, ext_source, ext_ref) select id, 'op', kind, 'many', id::text from fact)
        insert into posting (operator_id, journal_id, account_id, asset, amount)
        select 'op', fact.id, account.id, 'INR', line.amount
        from unnest($2::int[], $3::text[], $4::text[], $5::bigint[]) as line(n, owner, kind, amount) join fact using (n)
        join account on account.operator_id = 'op' and account.owner = line.owner and account.asset = 'INR'
          and account.kind = line.kind`,
      values: [
        moves.map(({ kind = 'test_credit' }) => kind),
        lines.map(({ n }) => n),
        lines.map(({ owner }) => owner),
        lines.map(({ account }) => account),
        lines.map(({ amount }) => amount),
      ],
    });
  });
  return work.then(
    () => undefined,
    (error: unknown) => constraintOf(error) ?? String(error),
  );
}

const balanceOf = (user: string) => userBalance(database, 'op', user, 'INR');

test('[SRV-2] several journals of one statement move one account by their sum', async () => {
  const moves = [100n, -60n, 5n].map((amount) => ({ user: 'ann', amount }));
  expect(await post([...moves, { user: 'ben', amount: 7n }])).toBeUndefined();
  expect([await balanceOf('ann'), await balanceOf('ben')]).toEqual([45n, 7n]);
  const over = [-30n, -16n].map((amount) => ({ user: 'ann', amount }));
  expect(await post([...over, { user: 'ben', amount: 7n }])).toBe('account_not_overdrawn');
  expect([await balanceOf('ann'), await balanceOf('ben')]).toEqual([45n, 7n]);
});

test('[SRV-2] one bad journal refuses all journals of its statement', async () => {
  const good: Move = { user: 'cara', amount: 10n };
  const refused: Record<string, Move> = {
    journal_balanced: { user: 'dan', amount: 10n, other: -11n },
    journal_kind_known: { user: 'dan', amount: 10n, kind: 'invented' },
    journal_kind_credits: { user: 'dan', amount: 10n, kind: 'suspense_in' },
    hold_ends_exactly: { user: 'dan', amount: 10n, account: 'user_hold' },
  };
  for (const [rule, bad] of Object.entries(refused)) {
    for (const moves of [
      [bad, good, good],
      [good, good, bad],
    ]) {
      expect(await post(moves)).toBe(rule);
    }
  }
  expect(await balanceOf('cara')).toBe(0n);
  const posted = await database.query({
    text: `select 1 from posting join account on account.id = account_id where owner in ('cara', 'dan')`,
  });
  expect(posted).toEqual([]);
});

test('[SRV-2] no journal takes from a frozen account, even if its neighbours give more', async () => {
  expect(await post([{ user: 'eve', amount: 100n }])).toBeUndefined();
  expect(await post([{ user: 'eve', amount: 100n, account: 'user_additional' }])).toBeUndefined();
  await database.transaction((transaction) => freezeUser(transaction, 'op', 'eve', 'INR'));
  for (const account of ['user', 'user_additional'] as const) {
    expect(
      await post([
        { user: 'eve', amount: 50n, account },
        { user: 'eve', amount: -1n, account, kind: 'operator_transfer' },
      ]),
    ).toBe('account_frozen');
  }
  expect(await post([{ user: 'eve', amount: 50n }])).toBeUndefined();
  expect(await balanceOf('eve')).toBe(150n);
});

test('[SRV-2] statements that move the same accounts in any order never deadlock', async () => {
  const users = Array.from({ length: 8 }, (_, n) => `order-${n}`);
  await post(users.map((user) => ({ user, amount: 1000n })));
  const turned = (by: number) => [...users.slice(by), ...users.slice(0, by)];
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      n % 4 === 0
        ? database.transaction((transaction) =>
            postJournal(transaction, {
              operatorId: 'op',
              kind: 'test_transfer',
              source: 'alone',
              ref: randomUUID(),
              lines: [
                { owner: `order-${n % 8}`, asset: 'INR', kind: 'user', amount: -1n },
                { owner: `order-${(n + 3) % 8}`, asset: 'INR', kind: 'user', amount: 1n },
              ],
            }),
          )
        : post(turned(n % 8).map((user, at) => ({ user, amount: at % 2 === 0 ? 1n : -1n }))),
    ),
  );
  expect(new Set(results)).toEqual(new Set(['posted', undefined]));
  const balances = await Promise.all(users.map(balanceOf));
  expect(balances.reduce((sum, balance) => sum + balance, 0n)).toBe(8000n);
  const audit = await auditLedger(database);
  expect([audit.unbalancedAssets, audit.wrongBalances]).toEqual([[], []]);
});
