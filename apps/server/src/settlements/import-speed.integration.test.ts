/**
 * A large settlement file is matched whole, in bounded memory. `SETTLEMENT_LINES=1000000` measures a large one and prints what it took
 * (docs/reconciliation.md); without it the file is small.
 */
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import { importFile } from './import-file.ts';
import { putMapping } from './mappings.ts';

const lines = Number(process.env['SETTLEMENT_LINES'] ?? 6_000);
const payments = lines - 2;

let opened: TestDatabase;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cashier-lines-'));
  opened = await openTestDatabase();
  await seedOperator(opened.database);
  await opened.database.transaction(async (transaction) => {
    await transaction.query({ text: 'set local session_replication_role = replica; set local statement_timeout = 0' });
    await transaction.query({
      text: `insert into payment (operator_id, id, deposit_id, provider, provider_ref, origin, state, currency, amount, created_at)
        select 'op', gen_random_uuid(), gen_random_uuid(), 'fake', 'pi_' || n, 'deposit', 'credited', 'EUR', 1000 + n,
          '2026-01-01T12:00:00Z'::timestamptz + (n % 28) * interval '1 day' from generate_series(1, $1::int) n`,
      values: [payments],
    });
  });
  await opened.database.query({ text: 'analyze payment' });
}, 400_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await opened.drop();
}, 120_000);

/** Every payment but the last, one twice, and two that nobody knows. */
function* rows(): Generator<string> {
  yield 'id,amount,fee,date\n';
  const row = (reference: string, n: number) =>
    `${reference},${((1000 + n) / 100).toFixed(2)},0.10,2026-01-${String((n % 28) + 1).padStart(2, '0')}\n`;
  for (let n = 1; n < payments; n += 1) yield row(`pi_${n}`, n);
  yield row('pi_1', 1);
  yield row('unknown_1', 1);
  yield `unknown_2,1.00,0,2026-02-20\n`;
}

test('[SRV-2] every line of a large file is matched, and its few faults are named', async () => {
  const file = join(folder, 'large.csv');
  await pipeline(Readable.from(rows()), createWriteStream(file));
  const columns = { reference: 'id', amount: 'amount', fee: 'fee', date: 'date' };
  const mapping = {
    format: 'csv',
    encoding: 'utf-8',
    delimiter: ',',
    linesAbove: 0,
    endsWithLineBreak: true,
    columns,
    currency: 'EUR',
    kind: 'payment',
    kinds: {},
    unit: 'major',
    decimalSeparator: '.',
    sign: 'signed',
    feeSign: 'positive',
    dateForm: 'yyyy-mm-dd',
    settlesWithinDays: 3,
    daysApart: 3,
  } as const;
  await putMapping(opened.database, 'op', { by: 'eve' }, { provider: 'fake', name: 'all', mapping });
  const started = performance.now();
  const cpuBefore = process.cpuUsage();
  const { file: imported } = await importFile(opened.database, {
    operatorId: 'op',
    provider: 'fake',
    mapping: 'all',
    name: 'large.csv',
    by: 'eve',
    open: () => createReadStream(file),
  });
  const seconds = (performance.now() - started) / 1000;
  expect(imported).toMatchObject({
    lines,
    matched: payments - 1,
    mismatches: { duplicate: 1, 'missing-here': 2, 'missing-there': 1 },
  });
  if (process.env['SETTLEMENT_LINES'] !== undefined) {
    const { user, system } = process.cpuUsage(cpuBefore);
    // KiB. The most that the process ever had, with the test itself.
    const { maxRSS } = process.resourceUsage();
    process.stdout.write(
      `${lines} lines: ${seconds.toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of CPU in Node, ${Math.round(maxRSS / 1024)} MiB resident at most\n`,
    );
  }
}, 600_000);
