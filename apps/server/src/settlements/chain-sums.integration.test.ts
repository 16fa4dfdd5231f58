/**
 * A chain with many payments is compared by those of a day. `CHAIN_PAYMENTS=1000000` measures a large one and prints what it took
 * (docs/reconciliation.md); without it the chain is small.
 */
import { OUTPUT_REPORTS, reportsThatAre } from '@opencashier/core/reconciliation/output-in-balance';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import { intercepted } from '../database/testing/intercepted.fixture.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import type { ChainReading } from '../providers/chain-reading.ts';
import { type CoinBalance, coinBalances } from './chain-books.ts';
import { coinBalancesInFull, sharedBalancesInFull } from './chain-sums-in-full.fixture.ts';
import { foldOldChanges } from './fold-changes.ts';
import { sharedBalances } from './shared-books.ts';

const payments = Number(process.env['CHAIN_PAYMENTS'] ?? 2_000);
/** Of one payment: coins of 18 decimals on the chain and of 8 in the ledger. */
const RAW = 1_000_000_000_000_000n;
const MINOR = 100_000n;
const CHAIN = 'chain';
const WALLET = 'shared-wallet';

let opened: TestDatabase;
beforeEach(async () => {
  opened = await openTestDatabase();
  for (const id of ['one', 'two']) {
    const text = 'insert into operator (id, partner_key, name) values ($1, $1, $1)';
    await opened.database.query({ text, values: [id] });
  }
}, 60_000);
afterEach(() => opened.drop(), 120_000);

/** Payments of two operators in turn, past the triggers: how they come to be is proved elsewhere. */
async function fill({ isShared = false, count = payments, after = 0 } = {}): Promise<void> {
  const address = isShared ? `'${WALLET}/' || n` : `'address-' || n`;
  const id = `('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
  const operator = `case n % 2 when 0 then 'one' else 'two' end`;
  const places = isShared
    ? `select '${WALLET}', ${RAW * BigInt(count)}`
    : `select ${address}, ${RAW} from generate_series(${after + 1}, ${after + count}) n`;
  await opened.database.transaction(async (transaction) => {
    await transaction.query({ text: 'set local session_replication_role = replica; set local statement_timeout = 0' });
    const each = `from generate_series(${after + 1}, ${after + count}) n`;
    // Later payments are noted. The first ones are counted.
    for (const table of after > 0 ? ['payment', 'crypto_output'] : []) {
      await transaction.query({ text: `alter table ${table} enable always trigger ${table}_in_chain_sums` });
    }
    for (const text of [
      `insert into crypto_chain (chain, account) values ('${CHAIN}', 'account') on conflict do nothing`,
      `insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, country, currency, amount, provider, lifetime_s,
          request, state, rank, expires_at, paid, credited)
        select ${id}, ${operator}, 'user-' || n, ${id}, sha256('request'), 'coin', 'DE', 'ETH', ${MINOR}, 'crypto', 86400, '{}', 'credited', 90,
          now(), ${MINOR}, ${MINOR} ${each}`,
      `insert into crypto_address (chain, address, deposit_id, account, index, coin, contract, watched_until)
        select '${CHAIN}', ${address}, ${id}, 'account', n, 'ETH', '', now() ${each}`,
      `insert into payment (operator_id, id, deposit_id, provider, provider_ref, origin, state, currency, amount, credited_at)
        select ${operator}, ${id}, ${id}, 'crypto', 'tx-' || n, 'deposit', 'credited', 'ETH', ${MINOR}, now() ${each}`,
      `insert into crypto_output (chain, txid, address, contract, raw, height, block_hash, told, is_settled)
        select '${CHAIN}', 'tx-' || n, ${address}, '', ${RAW}, n, 'hash', 'paid', true ${each}`,
      `insert into crypto_balance (chain, address, contract, raw, height, last_height)
        select '${CHAIN}', place.address, '', place.raw, ${after + count}, ${after + count} from (${places}) place(address, raw)
        on conflict (chain, address, contract) do update set raw = crypto_balance.raw + excluded.raw, height = excluded.height,
          last_height = excluded.last_height`,
    ]) {
      await transaction.query({ text });
    }
  });
  await opened.database.query({ text: 'analyze deposit, payment, crypto_address, crypto_output, crypto_balance' });
}

const reading: ChainReading = {
  chain: CHAIN,
  height: payments,
  assets: [{ coin: 'ETH', contract: '', decimals: 18 }],
};

async function timed<Found>(what: string, run: () => Promise<Found>): Promise<Found> {
  const started = performance.now();
  const found = await run();
  const seconds = (performance.now() - started) / 1000;
  if (process.env['CHAIN_PAYMENTS'] !== undefined) {
    process.stdout.write(`${payments} payments, ${what}: ${seconds.toFixed(1)} s\n`);
  }
  return found;
}

/** A hundredth of the payments comes in a day. */
const day = Math.ceil(payments / 200) * 2;

test('[SRV-1] all payments of a chain are added up once, and then those of each day, for each operator', async () => {
  await fill();
  const { database } = opened;
  const sum = (count: number): readonly Partial<CoinBalance>[] => {
    const half = (MINOR * BigInt(count)) / 2n;
    return ['one', 'two'].map((operatorId) => ({ operatorId, found: half, expected: half, booked: half }));
  };
  const full = await timed('addresses, in full', () => coinBalancesInFull(database, reading));
  expect(full).toMatchObject(sum(payments));
  expect(await timed('addresses, counted once', () => coinBalances(database, reading))).toEqual(full);
  await fill({ count: day, after: payments });
  const isLate = { ...reading, height: payments + day };
  const next = await timed('addresses, a day later', () => coinBalances(database, isLate));
  expect(next).toEqual(await coinBalancesInFull(database, isLate));
  expect(next).toMatchObject(sum(payments + day));
  expect(await database.query({ text: 'select 1 from chain_change' })).toEqual([]);
  expect(await database.query({ text: 'select 1 from crypto_output where not is_summed' })).toEqual([]);
  await database.query({
    text: 'set statement_timeout = 0; update crypto_balance set raw = 0; analyze crypto_balance',
  });
  const swept = await timed('addresses, all swept', () => coinBalances(database, isLate));
  expect(swept).toMatchObject(sum(payments + day).map((one) => ({ ...one, found: 0n })));
}, 900_000);

test('[SRV-1] all payments to a wallet that operators share are added up once, and then those of each day', async () => {
  const { database } = opened;
  const shared = { ...reading, sharedWallet: WALLET };
  await fill({ isShared: true });
  const full = await timed('a shared wallet, in full', () => sharedBalancesInFull(database, shared));
  const all = MINOR * BigInt(payments);
  expect(full).toMatchObject([{ found: all, expected: all, booked: all }]);
  expect(await timed('a shared wallet, counted once', () => sharedBalances(database, shared))).toEqual(full);
  await fill({ isShared: true, count: day, after: payments });
  const isLate = { ...shared, height: payments + day };
  const next = await timed('a shared wallet, a day later', () => sharedBalances(database, isLate));
  expect(next).toEqual(await sharedBalancesInFull(database, isLate));
}, 900_000);

/** Lets all changes be of an earlier time, past the trigger that keeps them. */
async function age(hours: number): Promise<void> {
  await opened.database.transaction(async (transaction) => {
    await transaction.query({ text: 'set local session_replication_role = replica' });
    const text = `update chain_change set id = time_id(now() - make_interval(hours => $1))`;
    await transaction.query({ text, values: [hours] });
  });
}

const changes = async (): Promise<number> =>
  (await opened.database.query({ text: `select 1 from chain_change where chain = '${CHAIN}'` })).length;
const fold = (): Promise<readonly never[]> => foldOldChanges(opened.database).claim([]);
const recounted = () => {
  const environment = { DATABASE_URL: 'postgres://of-this-test' };
  return runCommand('recount-chains', { environment, open: keptOpen(opened.database) });
};

test('[SRV-1] old changes of a chain that nobody compares are added to its sums', async () => {
  await fill({ count: 10 });
  const { database } = opened;
  await coinBalances(database, reading);
  await fill({ count: 4, after: 10 });
  await age(35);
  await fold();
  // A comparison may still come.
  expect(await changes()).toBe(8);
  await age(37);
  await fold();
  expect(await changes()).toBe(0);
  expect(await recounted()).toMatchObject({ exitCode: 0, out: 'chain: right.\n' });
  const later = { ...reading, height: 14 };
  expect(await coinBalances(database, later)).toEqual(await coinBalancesInFull(database, later));
});

test('[SRV-1] old changes of a chain that was never counted are forgotten, and its first count is complete', async () => {
  const { database } = opened;
  await fill({ count: 10 });
  await fill({ count: 4, after: 10 });
  await age(37);
  await fold();
  expect(await changes()).toBe(0);
  expect(await coinBalances(database, reading)).toEqual(await coinBalancesInFull(database, reading));
  expect(await recounted()).toMatchObject({ exitCode: 0, out: 'chain: right.\n' });
});

test('[SRV-1] a chain whose changes cannot be added keeps no other one waiting', async () => {
  const { database } = opened;
  await fill({ count: 10 });
  await database.transaction(async (transaction) => {
    await transaction.query({ text: 'set local session_replication_role = replica' });
    await transaction.query({
      text: `insert into chain_change (operator_id, chain, wallet, contract) values ('one', 'a chain before', '', '')`,
    });
  });
  await age(37);
  const failing = intercepted(database, async ({ values }) => {
    if (values?.[0] === 'a chain before') throw new Error('a lock');
  });
  await expect(foldOldChanges(failing).claim([])).rejects.toThrow('some chains');
  expect(await changes()).toBe(0);
});

// The embedded database has one connection.
test.runIf(process.env['TEST_DATABASE'] === 'postgres')(
  '[SRV-1] a change that commits while its asset is counted for the first time is not forgotten',
  async () => {
    await fill({ count: 10 });
    const { database } = opened;
    const interrupted = intercepted(database, async ({ text }) => {
      if (!text.includes('count_chain')) return;
      await fill({ count: 4, after: 10 });
      await age(37);
      await fold();
    });
    const later = { ...reading, height: 14 };
    expect(await coinBalances(interrupted, later)).toEqual(await coinBalancesInFull(database, later));
    expect(await recounted()).toMatchObject({ exitCode: 0, out: 'chain: right.\n' });
  },
);

test('[SRV-1] a recount names what was changed past the triggers, and corrects it', async () => {
  await fill({ count: 10 });
  const { database } = opened;
  const environment = { DATABASE_URL: 'postgres://of-this-test' };
  const recount = (more = '') => runCommand(`recount-chains${more}`, { environment, open: keptOpen(database) });
  expect(await recount()).toMatchObject({ exitCode: 0, out: expect.stringContaining('No chain was counted yet') });
  const full = await coinBalances(database, reading);
  expect(await recount()).toMatchObject({ exitCode: 0, out: 'chain: right.\n' });

  const forged = `insert into chain_change (operator_id, chain, wallet, contract, sent) values ('one', 'chain', '', '', 5)`;
  await expect(database.query({ text: forged })).rejects.toMatchObject({ constraint: 'ledger_immutable' });
  await database.query({ text: `update chain_sum set credited = credited - 7 where operator_id = 'two'` });
  await database.query({ text: `update crypto_output set is_settled = false where txid in ('tx-1', 'tx-2')` });
  const found = await recount();
  expect(found.exitCode).toBe(1);
  expect(found.out).toContain('chain two: credited, in minor units: 499993 is kept, and 500000 was counted.');
  expect(found.out).toContain('chain: 2 payments no longer compared, but should be.\nchain: NOT right.');
  for (const nobody of ['', ' --by the-cashier']) {
    const refused = { exitCode: 2, errors: expect.stringContaining('--by') };
    expect(await recount(` --correct${nobody}`)).toMatchObject(refused);
  }
  expect(await recount(' --by maria')).toMatchObject({ exitCode: 2, errors: expect.stringContaining('--correct') });
  const corrected = { exitCode: 1, out: expect.stringContaining('chain: corrected.') };
  expect(await recount(' --correct --by maria')).toMatchObject(corrected);
  expect(await recount()).toMatchObject({ exitCode: 0, out: 'chain: right.\n' });
  expect(await coinBalances(database, reading)).toEqual(full);
  // Nothing was wrong any more, so nothing is recorded.
  expect(await recount(' --correct --by sam')).toMatchObject({ exitCode: 0 });
  const list = (more = '') => runCommand(`chain-corrections${more}`, { environment, open: keptOpen(database) });
  expect(JSON.parse((await list(' --json')).out)).toEqual({
    at: expect.any(String),
    by: 'maria',
    chain: 'chain',
    sums: [{ operatorId: 'two', wallet: '', contract: '', part: 'credited', kept: '499993', counted: '500000' }],
    paymentsReadAgain: 2,
  });
  const rows = (await list()).out.split('\n').map((line) => line.split(/ {2,}/));
  expect(rows.slice(0, 3)).toEqual([
    ['at', 'by', 'chain', 'operator', 'wallet', 'contract', 'what', 'kept', 'counted'],
    [expect.any(String), 'maria', 'chain', 'two', '–', '–', 'credited, in minor units', '499993', '500000'],
    [expect.any(String), 'maria', 'chain', '–', '–', '–', 'payments that are compared again', '–', '2'],
  ]);
  for (const text of [`update chain_sum_correction set by = 'eve'`, 'delete from chain_sum_correction']) {
    await expect(database.query({ text })).rejects.toMatchObject({ constraint: 'ledger_immutable' });
  }
});

test('[SRV-1] other decimals in the settings let all be counted again, and the record says so', async () => {
  await fill({ count: 10 });
  const { database } = opened;
  await coinBalances(database, reading);
  const list = (more = '') =>
    runCommand(`chain-corrections${more}`, {
      environment: { DATABASE_URL: 'postgres://of-this-test' },
      open: keptOpen(database),
    });
  // A first count replaces nothing.
  expect(await list()).toMatchObject({ exitCode: 0, out: 'None.\n' });
  const other: ChainReading = { ...reading, assets: [{ coin: 'ETH', contract: '', decimals: 24 }] };
  expect(await coinBalances(database, other)).toEqual(await coinBalancesInFull(database, other));
  await coinBalances(database, other);
  const rests = String(5n * RAW);
  const changed = { wallet: '', contract: '' };
  expect(JSON.parse((await list(' --json')).out)).toEqual({
    at: expect.any(String),
    by: 'server-settings',
    chain: 'chain',
    sums: [
      { ...changed, operatorId: '', part: 'unit', kept: '10000000000', counted: '10000000000000000' },
      { ...changed, operatorId: 'one', part: 'rests', kept: '0', counted: rests },
      { ...changed, operatorId: 'two', part: 'rests', kept: '0', counted: rests },
    ],
    paymentsReadAgain: 0,
  });
  expect((await list()).out).toMatch(
    /server-settings +chain +– +– +– +units of the chain in a minor unit +10000000000 +10000000000000000\n/,
  );
});

test('[SRV-1] [CRY-2] a payment counts by its last report, and the database knows no other report', async () => {
  const count = 100;
  await fill({ count });
  const [allowed] = await opened.database.query<{ definition: string }>({
    text: `select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'crypto_output_told'`,
  });
  const reports = [...(allowed?.definition ?? '').matchAll(/'([\w-]+)'/g)].map(([, report]) => report);
  expect(reports.toSorted()).toEqual(OUTPUT_REPORTS.toSorted());
  for (const report of OUTPUT_REPORTS) {
    // Of a payment that is not credited, the address has coins, and the ledger has no payment.
    const isCredited = reportsThatAre('credited').includes(report);
    const isExpected = isCredited || reportsThatAre('arrives').includes(report);
    await opened.database.transaction(async (transaction) => {
      await transaction.query({ text: 'set local session_replication_role = replica' });
      await transaction.query({ text: 'update crypto_output set told = $1, is_summed = false', values: [report] });
      await transaction.query({ text: `update payment set provider = '${isCredited ? 'crypto' : 'other'}'` });
      // Past the triggers nothing was noted, so all is counted again.
      await transaction.query({ text: 'delete from chain_sum_point' });
    });
    const [one] = await coinBalances(opened.database, reading);
    const half = (MINOR * BigInt(count)) / 2n;
    expect([report, one?.expected, one?.booked]).toEqual([report, isExpected ? half : 0n, isCredited ? half : 0n]);
  }
});
