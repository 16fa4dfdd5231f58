/**
 * A chain with many payments is compared within the time that its sums have. `CHAIN_PAYMENTS=1000000` measures a large one and prints what
 * it took (docs/reconciliation.md); without it the chain is small.
 */
import { OUTPUT_REPORTS, reportsThatAre } from '@opencashier/core/reconciliation/output-in-balance';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import type { ChainReading } from '../providers/chain-reading.ts';
import { coinBalances } from './chain-books.ts';
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
async function fill({ isShared = false, count = payments } = {}): Promise<void> {
  const address = isShared ? `'${WALLET}/' || n` : `'address-' || n`;
  const id = `('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
  const operator = `case n % 2 when 0 then 'one' else 'two' end`;
  const places = isShared
    ? `select '${WALLET}', ${RAW * BigInt(count)}`
    : `select ${address}, ${RAW} from generate_series(1, ${count}) n`;
  await opened.database.transaction(async (transaction) => {
    await transaction.query({ text: 'set local session_replication_role = replica; set local statement_timeout = 0' });
    const each = `from generate_series(1, ${count}) n`;
    for (const text of [
      `insert into crypto_chain (chain, account) values ('${CHAIN}', 'account')`,
      `insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, country, currency, amount, provider, lifetime_s,
          request, state, rank, expires_at, paid, credited)
        select ${id}, ${operator}, 'user-' || n, ${id}, sha256('request'), 'coin', 'DE', 'ETH', ${MINOR}, 'crypto', 86400, '{}', 'credited', 90,
          now(), ${MINOR}, ${MINOR} ${each}`,
      `insert into payment (operator_id, id, deposit_id, provider, provider_ref, origin, state, currency, amount, credited_at)
        select ${operator}, ${id}, ${id}, 'crypto', 'tx-' || n, 'deposit', 'credited', 'ETH', ${MINOR}, now() ${each}`,
      `insert into crypto_address (chain, address, deposit_id, account, index, coin, contract, watched_until)
        select '${CHAIN}', ${address}, ${id}, 'account', n, 'ETH', '', now() ${each}`,
      `insert into crypto_output (chain, txid, address, contract, raw, height, block_hash, told, is_settled)
        select '${CHAIN}', 'tx-' || n, ${address}, '', ${RAW}, n, 'hash', 'paid', true ${each}`,
      `insert into crypto_balance (chain, address, contract, raw, height, last_height)
        select '${CHAIN}', place.address, '', place.raw, ${count}, ${count} from (${places}) place(address, raw)`,
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

test('[SRV-1] all payments of a chain are added up, for each operator', async () => {
  await fill();
  const balances = await timed('addresses', () => coinBalances(opened.database, reading));
  const half = (MINOR * BigInt(payments)) / 2n;
  expect(balances).toMatchObject(
    ['one', 'two'].map((operatorId) => ({ operatorId, found: half, expected: half, booked: half })),
  );
}, 600_000);

test('[SRV-1] all payments to a wallet that operators share are added up', async () => {
  await fill({ isShared: true });
  const balances = await timed('a shared wallet', () =>
    sharedBalances(opened.database, { ...reading, sharedWallet: WALLET }),
  );
  const all = MINOR * BigInt(payments);
  expect(balances).toMatchObject([{ found: all, expected: all, booked: all }]);
}, 600_000);

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
      await transaction.query({ text: 'update crypto_output set told = $1', values: [report] });
      await transaction.query({ text: `update payment set provider = '${isCredited ? 'crypto' : 'other'}'` });
    });
    const [one] = await coinBalances(opened.database, reading);
    const half = (MINOR * BigInt(count)) / 2n;
    expect([report, one?.expected, one?.booked]).toEqual([report, isExpected ? half : 0n, isCredited ? half : 0n]);
  }
});
