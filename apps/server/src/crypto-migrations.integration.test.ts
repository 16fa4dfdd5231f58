/** The migrations of coins over tables that an older build has filled. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OldDatabase, openBefore } from './database/before-migration.fixture.ts';
import { createAddressStore } from './providers/crypto/address-store.ts';

const LIFETIME_S = 86_400;
const WATCHED_S = 31 * LIFETIME_S;
const SUMS = `select (select count(*)::int from crypto_address) as addresses,
  (select count(*)::int from crypto_output) as outputs, (select sum(raw)::text from crypto_output) as raw`;

let old: OldDatabase;
let before: unknown;
let applied: string[];
beforeAll(async () => {
  old = await openBefore('0440');
  await fill();
  [before] = await old.database.query({ text: SUMS });
  applied = await old.upgrade();
}, 120_000);
afterAll(() => old.drop());

/** As the build before series gave it out: `name` is its address, and its deposit has no other. */
async function give(chain: string, name: string, index: number, agedS: number): Promise<void> {
  await old.database.query({
    text: `insert into crypto_chain (chain, account) values ($1, $1 || '-key') on conflict do nothing`,
    values: [chain],
  });
  await old.database.query({
    text: `insert into crypto_address (chain, address, deposit_id, account, index, coin, contract, created_at, watched_until)
      values ($1, $2, gen_random_uuid(), $1 || '-key', $3, 'BTC', '', now() - make_interval(secs => $4),
        now() + make_interval(secs => $5 - $4))`,
    values: [chain, name, index, agedS, WATCHED_S],
  });
}
async function pay(
  chain: string,
  name: string,
  { isSettled = false, height = 7 as number | null } = {},
): Promise<void> {
  await old.database.query({
    text: `insert into crypto_output (chain, txid, address, contract, raw, height, block_hash, told, is_settled)
      values ($1, 'tx-' || $2, $2, '', 1, $3, case when $3::bigint is not null then 'b' end, 'seen', $4)`,
    values: [chain, name, height, isSettled],
  });
}

async function fill(): Promise<void> {
  await give('bitcoin', 'expired', 0, LIFETIME_S + 60);
  await give('bitcoin', 'expired but paid late', 1, LIFETIME_S + 60);
  await pay('bitcoin', 'expired but paid late', { height: null });
  await give('bitcoin', 'settled', 2, 3600);
  await pay('bitcoin', 'settled', { isSettled: true });
  await give('bitcoin', 'in a block', 3, 3600);
  await pay('bitcoin', 'in a block');
  await give('bitcoin', 'fresh', 4, 60);
  // The same name on another chain, settled there alone.
  await give('tron', 'fresh', 0, 60);
  await pay('tron', 'fresh', { isSettled: true });
}

test('[SRV-4] addresses and payments of before stay what they were, in a series of their own, and only those that wait are looked at', async () => {
  expect(applied.slice(0, 3)).toEqual(['0440_address_series', '0441_coin_watching', '0442_ended_looks']);

  expect(await old.database.query({ text: SUMS })).toEqual([before]);
  const ended = await old.database.query<{ name: string }>({
    text: `select chain || ' ' || address as name from crypto_address where look_at = 'infinity' order by chain, index`,
  });
  expect(ended.map(({ name }) => name)).toEqual([
    'bitcoin expired',
    'bitcoin expired but paid late',
    'bitcoin settled',
    'tron fresh',
  ]);
  const store = createAddressStore(old.database);
  expect(await store.takeDueLooks('bitcoin', LIFETIME_S, 30)).toEqual(['fresh']);
  expect(await store.series('bitcoin', 'bitcoin-key', 5)).toEqual([{ branch: 0, lastIndex: 4, acknowledgedTo: 0 }]);
  expect(await store.series('tron', 'tron-key', 5)).toEqual([{ branch: 0, lastIndex: 0, acknowledgedTo: 0 }]);
  const opened = await old.database.query({
    text: `select 1 from crypto_series where chain = 'bitcoin'
      and opened_at = (select min(created_at) from crypto_address where chain = 'bitcoin')`,
  });
  expect(opened).toHaveLength(1);
});

test('[SRV-4] after the migration a new series never meets a place of the old one, and the old one has no second owner', async () => {
  const store = createAddressStore(old.database);
  const branch = await store.openSeries('bitcoin', 'bitcoin-key', Date.now());
  expect(branch).toBeGreaterThan(0);
  const wish = { chain: 'bitcoin', account: 'bitcoin-key', coin: 'BTC', contract: '', watchedForS: WATCHED_S };
  const ids = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;
  const second = { ...wish, address: 'second', depositId: ids[0], place: { branch: 0, index: 0 } };
  expect(await store.keep(second)).toBeUndefined();
  const fresh = { ...wish, address: 'new', depositId: ids[1], place: { branch, index: 0 } };
  expect(await store.keep(fresh)).toMatchObject({ address: 'new', hasGoneBack: false });
});
