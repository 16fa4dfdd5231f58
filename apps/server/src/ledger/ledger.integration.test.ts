import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { withOperator } from '../database/testing/with-operator.fixture.ts';
import { createHold, endHold } from './holds.ts';
import {
  FrozenAccountError,
  freezeUser,
  InsufficientFundsError,
  type JournalEntry,
  postJournal,
  userBalance,
} from './ledger.ts';
import { auditLedger } from './ledger-audit.ts';

let database: Database;
withOperator((made) => {
  database = made;
});

let facts = 0;
function credit(userId: string, amount: bigint, asset = 'INR'): JournalEntry {
  facts += 1;
  return {
    operatorId: 'op',
    kind: 'test_credit',
    source: 'sandbox',
    ref: `fact-${facts}`,
    lines: [
      { owner: userId, asset, kind: 'user', amount },
      { owner: 'sandbox', asset, kind: 'provider_clearing', amount: -amount },
    ],
  };
}
const post = (entry: JournalEntry) => database.transaction((transaction) => postJournal(transaction, entry));

async function violated(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
  } catch (error) {
    return constraintOf(error) ?? `no constraint: ${String(error)}`;
  }
  return undefined;
}

async function anyJournal(): Promise<string> {
  await post(credit('someone', 100n));
  const [row] = await database.query<{ id: string }>({ text: 'select id from journal order by at desc limit 1' });
  if (row === undefined) throw new Error('nothing was posted');
  return row.id;
}

test('[SRV-2] a balanced journal moves the user’s balance and sums to zero', async () => {
  await post(credit('ann', 2500n));
  await post(credit('ann', 100n));
  expect(await userBalance(database, 'op', 'ann', 'INR')).toBe(2600n);
  expect(await userBalance(database, 'op', 'ann', 'USD')).toBe(0n);
  expect((await auditLedger(database)).isSound).toBe(true);
});

test('[SRV-2] a fact is booked once per kind, even ten times at once', async () => {
  const entry = credit('bob', 700n);
  const results = await Promise.all(Array.from({ length: 10 }, () => post(entry)));
  expect(results.filter((result) => result === 'posted')).toHaveLength(1);
  expect(await userBalance(database, 'op', 'bob', 'INR')).toBe(700n);
});

describe('[SRV-2] the database itself refuses', () => {
  test('a journal that does not sum to zero', async () => {
    const entry = credit('carl', 100n);
    const broken = {
      ...entry,
      lines: entry.lines.map((line) => ({ ...line, amount: line.amount > 0n ? 101n : -100n })),
    };
    expect(await violated(post(broken))).toBe('journal_balanced');
    expect(await userBalance(database, 'op', 'carl', 'INR')).toBe(0n);
  });

  test('a journal that sums to zero only over two assets', async () => {
    const entry = credit('carl', 100n);
    const broken = { ...entry, lines: entry.lines.map((line, i) => (i === 0 ? { ...line, asset: 'USD' } : line)) };
    expect(await violated(post(broken))).toBe('journal_balanced');
  });

  test('a journal without postings, and a posting added later', async () => {
    const insert = database.query({
      text: `insert into journal (operator_id, kind, ext_source, ext_ref) values ('op', 'empty', 'test', 'empty')`,
    });
    expect(await violated(insert)).toBe('journal_balanced');
    const journal = await anyJournal();
    const late = database.query({
      text: `insert into posting (operator_id, journal_id, account_id, asset, amount)
        select 'op', $1, id, asset, 1 from account where owner = 'ann' and kind = 'user'`,
      values: [journal],
    });
    expect(await violated(late)).toBe('journal_balanced');
  });

  test('a posting of zero, and a posting in another asset than its account', async () => {
    const entry = credit('carl', 100n);
    const zero = {
      ...entry,
      lines: [...entry.lines, { owner: '', asset: 'INR', kind: 'suspense' as const, amount: 0n }],
    };
    expect(await violated(post(zero))).toBe('posting_not_zero');
    const journal = await anyJournal();
    const foreign = database.query({
      text: `insert into posting (operator_id, journal_id, account_id, asset, amount)
        select 'op', $1, id, 'USD', 1 from account where owner = 'bob' and kind = 'user'`,
      values: [journal],
    });
    expect(await violated(foreign)).toBe('posting_account_id_asset_fkey');
  });

  test('a change or removal of booked rows', async () => {
    const journal = await anyJournal();
    for (const text of [
      `update journal set kind = 'other' where id = $1`,
      'delete from journal where id = $1',
      'update posting set amount = amount * 2 where journal_id = $1',
      'delete from posting where journal_id = $1',
    ]) {
      expect(await violated(database.query({ text, values: [journal] }))).toBe('ledger_immutable');
    }
    expect(await violated(database.query({ text: 'truncate journal cascade' }))).toBe('ledger_immutable');
  });

  test('a user’s balance below zero', async () => {
    await post(credit('dan', 50n));
    await expect(post(credit('dan', -51n))).rejects.toBeInstanceOf(InsufficientFundsError);
    expect(await userBalance(database, 'op', 'dan', 'INR')).toBe(50n);
  });

  test('an account that changes its owner, a second account with the same name, an unknown kind', async () => {
    expect(await violated(database.query({ text: `update account set owner = 'eve' where owner = 'ann'` }))).toBe(
      'account_immutable',
    );
    const insert = (owner: string, kind: string) =>
      database.query({
        text: `insert into account (operator_id, owner, asset, kind, balance) values ('op', $1, 'INR', $2, 0)`,
        values: [owner, kind],
      });
    expect(await violated(insert('ann', 'user'))).toBe('account_once');
    expect(await violated(insert('x', 'pocket'))).toMatch(/^account_(kind|balance_of_users)$/);
    expect(await violated(insert('x', 'suspense'))).toBe('account_balance_of_users');
  });

  test('a second credit of one deposit, under any reference', async () => {
    const id = '00000000-0000-4000-8000-000000000001';
    await database.query({
      text: `with taken as (
          insert into deposit_key (operator_id, user_id, client_key, deposit_id) values ('op', 'ann', $1, $1))
        insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, currency, amount,
          country, state, rank, request, lifetime_s, expires_at)
        values ($1, 'op', 'ann', $1, sha256('x'), 'card', 'sandbox', 'INR', 100, 'IN', 'created', 10, '{}', 600, now())`,
      values: [id],
    });
    await database.transaction(async (transaction) => {
      await transaction.query({
        text: `insert into deposit_event (provider, event_id, body, body_hash, deposit_id, status, outcome)
          values ('sandbox', 'e1', '{"outcome": "paid", "paidMinor": "100"}', '', $1, 'applied', 'credit')`,
        values: [id],
      });
      const entry = { ...credit('ann', 100n), kind: 'deposit_credit', depositId: id, paymentId: id };
      await transaction.query({
        text: `insert into payment (id, operator_id, deposit_id, provider, provider_ref, origin, state, currency, amount)
          values ($1, 'op', $1, 'sandbox', $2, 'deposit', 'credited', 'INR', 100)`,
        values: [id, entry.ref],
      });
      await postJournal(transaction, entry);
      await transaction.query({
        text: `update deposit set state = 'credited', provider_ref = $2, paid = 100, credited = 100 where id = $1`,
        values: [id, entry.ref],
      });
    });
    expect(await violated(post({ ...credit('ann', 100n), kind: 'deposit_credit', depositId: id }))).toBe('one_credit');
  });
});

test('[SRV-2] a hold is posted or voided once', async () => {
  await post(credit('fay', 1000n));
  const hold = { operatorId: 'op', holdId: 'h1', userId: 'fay', asset: 'INR', amount: 600n };
  expect(await database.transaction((t) => createHold(t, hold))).toBe('posted');
  expect(await database.transaction((t) => createHold(t, hold))).toBe('duplicate');
  expect(await userBalance(database, 'op', 'fay', 'INR')).toBe(400n);
  await expect(
    database.transaction((t) => createHold(t, { ...hold, holdId: 'h2', amount: 401n })),
  ).rejects.toBeInstanceOf(InsufficientFundsError);
  const ends = await Promise.all([
    ...Array.from({ length: 5 }, () =>
      database.transaction((t) => endHold(t, { operatorId: 'op', holdId: 'h1', how: 'void' })),
    ),
    ...Array.from({ length: 5 }, () =>
      database.transaction((t) =>
        endHold(t, {
          operatorId: 'op',
          holdId: 'h1',
          how: 'post',
          pays: [{ owner: 'sandbox', asset: 'INR', kind: 'provider_clearing', amount: 600n }],
        }),
      ),
    ),
  ]);
  expect(ends.filter((end) => end === 'posted')).toHaveLength(1);
  expect([400n, 1000n]).toContain(await userBalance(database, 'op', 'fay', 'INR'));
  expect(await database.query({ text: `select 1 from account where kind = 'user_hold' and balance <> 0` })).toEqual([]);
});

test('[SRV-2] of fifty concurrent withdrawals of the whole balance one succeeds', async () => {
  await post(credit('gus', 900n));
  const tries = await Promise.allSettled(
    Array.from({ length: 50 }, (_, i) =>
      database.transaction((t) =>
        createHold(t, { operatorId: 'op', holdId: `g${i}`, userId: 'gus', asset: 'INR', amount: 900n }),
      ),
    ),
  );
  expect(tries.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  expect(await userBalance(database, 'op', 'gus', 'INR')).toBe(0n);
});

test('[SRV-2] no money leaves a frozen account', async () => {
  await post(credit('hal', 100n));
  await database.transaction((t) => freezeUser(t, 'op', 'hal', 'INR'));
  await expect(
    database.transaction((t) =>
      createHold(t, { operatorId: 'op', holdId: 'h9', userId: 'hal', asset: 'INR', amount: 1n }),
    ),
  ).rejects.toBeInstanceOf(FrozenAccountError);
});

test('[SRV-2] a frozen main account blocks the additional account, too', async () => {
  const hold = (holdId: string) =>
    database.transaction((t) =>
      createHold(t, { operatorId: 'op', holdId, userId: 'ida', asset: 'INR', account: 'user_additional', amount: 10n }),
    );
  await post({
    ...credit('ida', 100n),
    lines: [
      { owner: 'ida', asset: 'INR', kind: 'user_additional', amount: 100n },
      { owner: 'sandbox', asset: 'INR', kind: 'provider_clearing', amount: -100n },
    ],
  });
  expect(await hold('i1')).toBe('posted');
  await database.transaction((t) => freezeUser(t, 'op', 'ida', 'INR'));
  await expect(hold('i2')).rejects.toBeInstanceOf(FrozenAccountError);
});

test('[SRV-2] concurrent random transfers conserve money: the bank test', async () => {
  const users = Array.from({ length: 8 }, (_, i) => `bank-${i}`);
  await Promise.all(users.map((user) => post(credit(user, 100n, 'BTC'))));
  const transfers = fc.sample(
    fc.record({ from: fc.nat(7), to: fc.nat(7), amount: fc.bigInt({ min: 1n, max: 60n }) }),
    200,
  );
  const outcomes = await Promise.allSettled(
    transfers
      .filter(({ from, to }) => from !== to)
      .map(({ from, to, amount }, i) =>
        post({
          operatorId: 'op',
          kind: 'test_transfer',
          source: 'bank',
          ref: String(i),
          lines: [
            { owner: `bank-${from}`, asset: 'BTC', kind: 'user', amount: -amount },
            { owner: `bank-${to}`, asset: 'BTC', kind: 'user', amount },
          ],
        }),
      ),
  );
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(InsufficientFundsError);
  }
  const balances = await Promise.all(users.map((user) => userBalance(database, 'op', user, 'BTC')));
  expect(balances.reduce((sum, balance) => sum + balance, 0n)).toBe(800n);
  expect(balances.every((balance) => balance >= 0n)).toBe(true);
  expect((await auditLedger(database)).unbalancedAssets).toEqual([]);
  expect((await auditLedger(database)).wrongBalances).toEqual([]);
});
