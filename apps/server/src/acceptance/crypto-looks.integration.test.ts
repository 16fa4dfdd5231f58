/** Which addresses are checked for a pending payment, and that the others cost nothing. */
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';
import { AddressStore } from '../providers/crypto/addresses/address-store.ts';

const LIFETIME_S = 86_400;
let database: Database;
withPayments((made) => {
  ({ database } = made);
});

beforeEach(async () => {
  for (const table of ['crypto_output', 'crypto_address', 'crypto_chain']) {
    await database.query({ text: `delete from ${table}` });
  }
  await database.query({ text: `insert into crypto_chain (chain, account) values ('bitcoin', 'a')` });
});

/** Addresses `<name>1`, `<name>2` …, all due, the older first. */
async function give(name: string, count: number, agedS: number): Promise<void> {
  await database.query({
    text: `insert into crypto_address
        (chain, address, deposit_id, account, index, coin, contract, watched_until, created_at, look_at)
      select 'bitcoin', $1::text || n, gen_random_uuid(), $1::text, n, 'BTC', '', now() + interval '31 days',
        now() - make_interval(secs => $3), now() - make_interval(secs => $3)
      from generate_series(1, $2::int) as n`,
    values: [name, count, agedS],
  });
}
async function pay(name: string, isSettled: boolean): Promise<void> {
  await database.query({
    text: `insert into crypto_output (chain, txid, address, contract, raw, height, block_hash, is_settled)
      select chain, 'tx-' || address, address, '', 1, 7, 'b', $2 from crypto_address where account = $1`,
    values: [name, isSettled],
  });
}
async function dueOf(name: string): Promise<number> {
  const [row] = await database.query<{ due: number }>({
    text: 'select count(*)::int as due from crypto_address where account = $1 and look_at <= now()',
    values: [name],
  });
  return row?.due ?? -1;
}
async function endedOf(name: string): Promise<number> {
  const [row] = await database.query<{ ended: number }>({
    text: `select count(*)::int as ended from crypto_address where account = $1 and look_at = 'infinity'`,
    values: [name],
  });
  return row?.ended ?? -1;
}

test('[SRV-4] expired and settled addresses are never due again, and take no place from those that wait', async () => {
  await give('expired', 100, LIFETIME_S + 60);
  await give('settled', 100, 7200);
  await pay('settled', true);
  await give('fresh', 5, 60);
  const store = new AddressStore(database);
  const taken = await store.takeDueLooks('bitcoin', LIFETIME_S, 30);
  expect(taken.toSorted()).toEqual(['fresh1', 'fresh2', 'fresh3', 'fresh4', 'fresh5']);
  expect([await endedOf('expired'), await endedOf('settled')]).toEqual([100, 100]);
  expect([await dueOf('fresh'), await endedOf('fresh')]).toEqual([0, 0]);
  expect(await store.takeDueLooks('bitcoin', LIFETIME_S, 30)).toEqual([]);
});

test('[SRV-4] an address whose payment a fork may still drop is put off, and looked at when it waits again', async () => {
  await give('paid', 3, 60);
  await pay('paid', false);
  const store = new AddressStore(database);
  expect(await store.takeDueLooks('bitcoin', LIFETIME_S, 30)).toEqual([]);
  expect([await dueOf('paid'), await endedOf('paid')]).toEqual([0, 0]);
  await database.query({ text: 'update crypto_output set height = null, block_hash = null' });
  await database.query({ text: 'update crypto_address set look_at = now()' });
  expect(await store.takeDueLooks('bitcoin', LIFETIME_S, 30)).toHaveLength(3);
});

test('[SRV-4] one look takes as many as it is asked for', async () => {
  await give('fresh', 50, 60);
  const store = new AddressStore(database);
  expect(await store.takeDueLooks('bitcoin', LIFETIME_S, 30)).toHaveLength(30);
  expect(await store.takeDueLooks('bitcoin', LIFETIME_S, 30)).toHaveLength(20);
});
