/** Rules that the schema keeps without a reference to a shared row, and indexes that must not change with a row. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Database } from './database.ts';
import { constraintOf } from './pool-database.ts';
import { withOperator } from './testing/with-operator.fixture.ts';

let database: Database;
withOperator((made) => {
  database = made;
});

async function violated(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(() => undefined, constraintOf);
}

test('[SRV-3] a new deposit has a state of the table of states, and no other', async () => {
  const insert = (state: string) =>
    database.query({
      text: `with taken as (
          insert into deposit_key (operator_id, user_id, client_key, deposit_id) values ('op', 'cheap', $1, $1))
        insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, currency, amount,
          country, state, rank, request, lifetime_s, expires_at)
        values ($1, 'op', 'cheap', $1, sha256('x'), 'card', 'fake', 'INR', 100, 'IN', $2, 30, '{}', 600, now())`,
      values: [randomUUID(), state],
    });
  for (const state of ['', 'Created', 'unknown']) expect(await violated(insert(state))).toBe('deposit_state_known');
  const [check] = await database.query<{ states: string[] }>({
    text: `select array(select (regexp_matches(pg_get_constraintdef(oid), '''([a-z_]+)''', 'g'))[1] order by 1) as states
      from pg_constraint where conname = 'deposit_state_known'`,
  });
  const states = await database.query<{ state: string }>({ text: 'select state from deposit_state order by state' });
  expect([...(check?.states ?? [])].sort()).toEqual(states.map(({ state }) => state).sort());
});

test('[SRV-3] a state of deposits is never removed or renamed', async () => {
  for (const text of [
    `delete from deposit_state where state = 'reversed'`,
    `update deposit_state set rank = 1 where state = 'reversed'`,
  ]) {
    expect(await violated(database.query({ text }))).toBe('ledger_immutable');
  }
});

test('[SRV-2] a posting names an account that exists', async () => {
  const book = database.query({
    text: `with entry as (
        insert into journal (operator_id, kind, ext_source, ext_ref) values ('op', 'test', 'test', $1) returning id)
      insert into posting (operator_id, journal_id, account_id, asset, amount)
      select 'op', entry.id, line.account, 'INR', line.amount from entry, (values (-1, 5), (-2, -5)) as line(account, amount)`,
    values: [randomUUID()],
  });
  expect(await violated(book)).toBe('posting_account_id_asset_fkey');
});

test('[SRV-2] no index changes with a balance, so that a payment writes no index of its account', async () => {
  const found = await database.query({
    text: `select indexname from pg_indexes where tablename = 'account' and indexdef ~ 'balance'`,
  });
  expect(found).toEqual([]);
});

test('[SRV-5] no index changes when a push is claimed, and its page has room for the claimed row', async () => {
  const changing = await database.query({
    text: `select indexname from pg_indexes where tablename = 'outbox' and indexdef ~ '(next_at|attempts)'`,
  });
  expect(changing).toEqual([]);
  const [table] = await database.query<{ options: string[] }>({
    text: `select reloptions as options from pg_class where relname = 'outbox'`,
  });
  expect(table?.options).toContain('fillfactor=50');
});

test('[SRV-3] the journals of a payment are found by its deposit, so that a credit writes one index less', async () => {
  const found = await database.query({
    text: `select indexname from pg_indexes where tablename = 'journal' and indexdef ~ 'payment_id'`,
  });
  expect(found).toEqual([]);
});

test('[SRV-6] two deposits never have one reference of a provider; another provider may use it', async () => {
  const insert = (provider: string) =>
    database.query({
      text: `with taken as (
          insert into deposit_key (operator_id, user_id, client_key, deposit_id) values ('op', 'cheap', $1, $1))
        insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, provider_ref, currency,
          amount, country, state, rank, request, lifetime_s, expires_at)
        values ($1, 'op', 'cheap', $1, sha256('x'), 'card', $2, 'one-ref', 'INR', 100, 'IN', 'created', 10, '{}', 600, now())`,
      values: [randomUUID(), provider],
    });
  expect(await violated(insert('fake'))).toBeUndefined();
  expect(await violated(insert('other'))).toBeUndefined();
  expect(await violated(insert('fake'))).toBe('deposit_provider_ref_once');
});
