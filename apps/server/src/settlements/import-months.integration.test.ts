/** Months of settlements with known faults, imported by the command line: every fault is found and named, and none is invented. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayAfter } from '@opencashier/core/reconciliation/line';
import { faults, firstDay, type Movement, monthsOf } from '@opencashier/core/reconciliation/settlement-months.fixture';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import { bookEntries, csvOf, monthsMapping, uuidOf } from './months-in-database.fixture.ts';

let opened: TestDatabase;
let folder: string;
beforeAll(async () => {
  opened = await openTestDatabase();
  await seedOperator(opened.database);
  folder = mkdtempSync(join(tmpdir(), 'cashier-months-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await opened.drop();
});

const run = (command: string) =>
  runCommand(command, {
    environment: { DATABASE_URL: 'postgres://none/none', TOKEN_SECRET: 't'.repeat(32) },
    open: keptOpen(opened.database),
  });

const kinds = ['payment', 'refund', 'chargeback', 'payout', 'return'] as const;
const namings = ['reference', 'own-id', 'nothing'] as const;
/** Half of the movements are right. Every kind meets every fault and every way to name an entry. */
const movements = Array.from(
  { length: 480 },
  (_none, n): Movement => ({
    kind: kinds[n % 5] ?? 'payment',
    fault: n % 2 === 0 ? 'none' : (faults[Math.floor(n / 2) % faults.length] ?? 'none'),
    // Distinct, since the ledger knows no payee: equal amounts of the same days would be exchangeable.
    amount: 1_000 + n * 101,
    day: (n * 7) % 90,
    lag: n % 4,
    naming: namings[Math.floor(n / 3) % 3] ?? 'reference',
  }),
);

interface Listed {
  readonly class: string;
  readonly line?: number;
  readonly entryId?: string;
  readonly ageDays: number;
}

test('[SRV-1] [SRV-2] three months have exactly the mismatches that were made, on both databases', async () => {
  const months = monthsOf(movements);
  await bookEntries(opened.database, months.entries);
  const mapping = join(folder, 'mapping.json');
  writeFileSync(mapping, JSON.stringify(monthsMapping));
  expect(await run(`settlements set-mapping pk fake all ${mapping} --by eve`)).toMatchObject({ exitCode: 0 });
  // A month for each file. A line on the last day makes the last file answer for all entries.
  const last = {
    ...months.lines[0],
    id: 'last',
    references: ['unknown-last'],
    ownId: undefined,
    date: dayAfter(firstDay, 120),
  };
  const all = [...months.lines, last as (typeof months.lines)[number]];
  const lineIds = new Map<string, string>();
  const listed: string[] = [];
  const nameOf = new Map(months.entries.map(({ id }) => [uuidOf(id), id]));
  for (const month of ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05']) {
    const lines = all.filter(({ date }) => date.startsWith(month));
    if (lines.length === 0) continue;
    const file = join(folder, `${month}.csv`);
    writeFileSync(file, csvOf(lines));
    const printed = await run(`settlements import pk ${file} --provider fake --mapping all --by eve --json`);
    expect(printed).toMatchObject({ exitCode: 0, errors: '' });
    const { file: imported } = JSON.parse(printed.out);
    for (const [at, { id }] of lines.entries()) lineIds.set(`${imported.fileId} ${at + 2}`, id);
  }
  for (let cursor = ''; ; ) {
    const printed = await run(`settlements mismatches pk --state open --limit 200 --json ${cursor}`);
    for (const text of printed.out.trim().split('\n')) {
      const one: Listed & { fileId: string } = JSON.parse(text);
      const line = one.line === undefined ? '-' : lineIds.get(`${one.fileId} ${one.line}`);
      listed.push(`${one.class} line ${line} entry ${nameOf.get(one.entryId ?? '') ?? '-'}`);
    }
    const next = /--cursor (\S+)/.exec(printed.errors)?.[1];
    if (next === undefined) break;
    cursor = `--cursor ${next}`;
  }
  expect(listed.toSorted()).toEqual([...months.expected, 'missing-here line last entry -'].toSorted());
  expect(new Set(listed.map((one) => one.split(' ')[0])).size).toBe(6);
});
