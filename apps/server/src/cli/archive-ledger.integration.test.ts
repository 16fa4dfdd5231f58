/** Months of journals and postings leave the database, and every balance, rule and audit stays right (docs/adr/0025). */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { rolledBack } from '../database/testing/rolled-back.fixture.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { storeAuditPoints } from '../ledger/audit-points.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { makeOlder, makeOldPartitions } from '../ledger/older-ledger.fixture.ts';
import { withoutTriggers } from '../ledger/without-triggers.fixture.ts';
import { findPayments } from '../operator-api/lookup/payment-lookup.ts';
import { debtPage } from '../operator-api/money/debts.ts';
import { reversalPage } from '../operator-api/reports/reversals.ts';
import { seedOperator } from '../payments/testing/payments.fixture.ts';
import { type ArchiveStep, archive } from './archive-command.ts';
import { type Business, balancesOf, businessOn, findingsOf } from './archive-ledger.fixture.ts';
import { keptOpen, runCommand } from './run-command.fixture.ts';

let opened: TestDatabase;
let database: Database;
let business: Business;
let folder: string;
let dataDir: string;
beforeEach(async () => {
  opened = await openTestDatabase({ mayUseSecond: true });
  database = opened.database;
  folder = mkdtempSync(join(tmpdir(), 'archive-'));
  dataDir = mkdtempSync(join(tmpdir(), 'archive-data-'));
  mkdirSync(join(dataDir, 'database'));
  await seedOperator(database);
  business = businessOn(database);
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  rmSync(dataDir, { recursive: true });
  await opened.drop();
});

const run = (command: string) =>
  runCommand(command, {
    environment: { DATA_DIR: dataDir, DATABASE_URL: '', SANDBOX: '1' },
    open: keptOpen(database),
  });

/** The month so many months ago, such as 2024-11. */
function monthAgo(months: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString().slice(0, 7);
}
const partition = (table: string, months: number): string => `${table}_${monthAgo(months).replace('-', '_')}`;
const archiveBefore = (months: number, more = '') => run(`archive --before ${monthAgo(months)} --to ${folder} ${more}`);
const checkNow = () => database.transaction((transaction) => storeAuditPoints(transaction));

/** Three months: 20 and 19 months ago, and now. */
async function threeMonths() {
  await makeOldPartitions(database, 21, 17);
  const plain = await business.deposit('ann');
  const disputed = await business.deposit('bob');
  const reviewed = await business.deposit('cid');
  await business.payTwice(reviewed);
  await business.resolve(reviewed, 'refund');
  await business.resolve(await business.deposit('cid', 40_000n), 'credit');
  const refunded = await business.deposit('dan');
  await business.refund(refunded);
  await business.transfer('ann', 'main', '00000000-0000-4000-8000-00000000aaaa');
  const paidOut = await business.withdraw('ann');
  await business.payOut(paidOut);
  const declined = await business.withdraw('bob');
  await business.decline(declined);
  await makeOlder(database, 1);
  const later = await business.deposit('ann');
  await business.chargeBack(disputed);
  await business.transfer('cid', 'main');
  await makeOlder(database, 19);
  await business.deposit('ann');
  await checkNow();
  return { plain, disputed, reviewed, refunded, paidOut, declined, later };
}

const ledgerPartitions = async () =>
  (
    await database.query<{ name: string }>({
      text: `select name from time_partition where parent in ('journal', 'posting') and until <= now() - interval '18 months' order by name`,
    })
  ).map(({ name }) => name);

describe('[SRV-2] a month of the ledger leaves', () => {
  test('and every balance, both audits and what staff see stay right', async () => {
    const { plain, disputed, paidOut } = await threeMonths();
    const before = await balancesOf(database);
    const reversals = await reversalPage(database, 'op', { limit: 10 });
    const told = async () => {
      const { payments } = await findPayments(database, 'op', disputed);
      return payments.flatMap(({ reports }) => reports.map(({ outcome, status, amount }) => [outcome, status, amount]));
    };
    const toldBefore = await told();
    expect(toldBefore).toEqual([
      ['paid', 'applied', '500.00'],
      ['reversed', 'applied', '500.00'],
    ]);
    const dry = await archiveBefore(18, '--dry-run');
    expect(dry).toMatchObject({ exitCode: 0 });
    expect(dry.out).toContain(`${partition('journal', 20)} would leave with`);
    const done = await archiveBefore(18);
    expect(done, done.errors).toMatchObject({ exitCode: 0 });
    expect(await ledgerPartitions()).toEqual([]);
    expect(readdirSync(folder)).toContain(`${partition('posting', 20)}.jsonl`);
    expect(readdirSync(folder)).toContain(`${partition('event_body', 20)}.jsonl`);
    expect(await balancesOf(database)).toEqual(before);
    expect(await findingsOf(database)).toEqual(['sound', 'sound']);
    expect(await reversalPage(database, 'op', { limit: 10 })).toEqual(reversals);
    const { payments } = await findPayments(database, 'op', disputed);
    expect(payments).toMatchObject([{ id: disputed }]);
    // The words of its reports have left. What they said of the money stays.
    expect(await told()).toEqual(toldBefore);
    expect((await findPayments(database, 'op', plain)).payments).toMatchObject([{ id: plain }]);
    expect((await findPayments(database, 'op', paidOut)).payments).toMatchObject([{ id: paidOut }]);
    // Points go on.
    await business.deposit('eve');
    await checkNow();
    expect(await findingsOf(database)).toEqual(['sound', 'sound']);
  });

  test('and its payments can still be charged back, refunded, returned and paid', async () => {
    const { plain, disputed, later, paidOut } = await threeMonths();
    expect(await archiveBefore(18)).toMatchObject({ exitCode: 0 });
    const start = await balancesOf(database);
    await business.chargeBack(plain);
    await business.refund(later);
    await business.winDispute(disputed);
    await business.resolve(disputed, 'credit');
    await business.returnPayout(paidOut);
    await business.transfer('ann', 'operator');
    await business.payOut(await business.withdraw('ann'));
    const end = await balancesOf(database);
    const change = Object.fromEntries(
      Object.entries(end).flatMap(([name, balance]) =>
        balance === start[name] ? [] : [[name, balance - (start[name] ?? 0n)]],
      ),
    );
    // Charged back and refunded: -1000.00. The payout came back: +200.00. Transferred: +100.00. Paid out: -200.00.
    expect(change['ann INR user']).toBe(-90_000n);
    expect(await findingsOf(database)).toEqual(['sound', 'sound']);
    await checkNow();
    expect(await findingsOf(database)).toEqual(['sound', 'sound']);
  });

  test('and its facts that come again change nothing', async () => {
    const { plain, refunded } = await threeMonths();
    await archiveBefore(18);
    const before = await balancesOf(database);
    await business.transfer('ann', 'main', '00000000-0000-4000-8000-00000000aaaa');
    await business.bench.payments.apply({
      provider: 'fake',
      providerRef: `ref-${plain}`,
      depositId: plain,
      outcome: 'paid',
      paidMinor: 50_000n,
      currency: 'INR',
      eventId: 'again',
      at: '2026-01-01T00:00:00.000Z',
    });
    await expect(business.refund(refunded)).rejects.toThrow();
    expect(await balancesOf(database)).toEqual(before);
    expect(await findingsOf(database)).toEqual(['sound', 'sound']);
  });

  test('and an old debt keeps its time', async () => {
    await makeOldPartitions(database, 21, 17);
    const depositId = await business.deposit('ann');
    for (let n = 0; n < 5; n += 1) await business.transfer('ann', 'main');
    await business.chargeBack(depositId);
    await makeOlder(database, 20);
    await checkNow();
    const before = await debtPage(database, 'op', { limit: 10 });
    expect(before.debts).toMatchObject([{ userId: 'ann', debt: '500.00' }]);
    expect(await archiveBefore(18)).toMatchObject({ exitCode: 0 });
    expect(await debtPage(database, 'op', { limit: 10 })).toEqual(before);
  });
});

test('[SRV-2] a kept month stays readable, and its later drop would lock no other table', async () => {
  await makeOldPartitions(database, 21, 17);
  await business.deposit('ann');
  await makeOlder(database, 20);
  await checkNow();
  expect(await archiveBefore(18, '--keep')).toMatchObject({ exitCode: 0 });
  const table = `archive.${partition('journal', 20)}`;
  expect(await database.query({ text: `select 1 from ${table}` })).toHaveLength(1);
  const text = `select conname from pg_constraint where conrelid = $1::regclass and contype = 'f'`;
  expect(await database.query({ text, values: [table] })).toEqual([]);
});

describe('[SRV-2] a month of the ledger stays', () => {
  test('if a hold, a suspended payment or an earlier month is open', async () => {
    await makeOldPartitions(database, 21, 17);
    await business.deposit('ann');
    const open = await business.withdraw('ann');
    await makeOlder(database, 1);
    await business.deposit('ann');
    await makeOlder(database, 19);
    await checkNow();
    const refused = await archiveBefore(18);
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.out).toContain(`${partition('journal', 20)} stays: 1 journal still waiting.`);
    expect(refused.out).toContain(
      `${partition('journal', 19)} stays: an earlier month of the ledger is still in the database.`,
    );
    await business.payOut(open);
    expect(await archiveBefore(18)).toMatchObject({ exitCode: 0 });
    expect(await findingsOf(database)).toEqual(['sound', 'sound']);

    const reviewed = await business.deposit('bob');
    await business.payTwice(reviewed);
    await makeOlder(database, 18);
    await checkNow();
    expect((await archiveBefore(17, '--least-months 13')).out).toContain('stays: 1 journal still waiting.');
  });

  test('if no audit has checked it, or the audit was before its end', async () => {
    await makeOldPartitions(database, 21, 17);
    await business.deposit('ann');
    await makeOlder(database, 20);
    expect((await archiveBefore(18)).out).toContain(
      `${partition('journal', 20)} stays: no audit has checked the ledger up to its end (operators: 1, such as op).`,
    );
  });

  test('if it is younger than 13 months, whatever the option says', async () => {
    await makeOldPartitions(database, 13, 11);
    await business.deposit('ann');
    await makeOlder(database, 12);
    await checkNow();
    const refused = await archiveBefore(11, '--least-months 1');
    expect(refused.out).toContain(`${partition('journal', 12)} stays: it is too young.`);
  });

  test('if a journal was changed after its point', async () => {
    await threeMonths();
    await database.transaction((transaction) =>
      withoutTriggers(transaction, [
        `update posting set amount = amount * 2 where journal_id = (select min(journal_id::text)::uuid from posting)`,
      ]),
    );
    expect((await archiveBefore(18)).out).toContain('its journals do not agree with its checked points (wrong: 1).');
  });
});

test.each(['detached', 'copied', 'finished'] as const)(
  '[SRV-2] a crash after "%s" keeps every balance, and the next run goes on',
  async (step: ArchiveStep) => {
    await threeMonths();
    const before = await balancesOf(database);
    const options = { before: monthAgo(18), folder, months: 18, isDryRun: false, isKept: false };
    const silent = { out: () => undefined, error: () => undefined, progress: () => undefined };
    for (let crashes = 0; crashes < 2; crashes += 1) {
      const crashed = archive(database, options, silent, (at, name) => {
        if (at === step && /^(?:journal|posting)_/.test(name)) throw new Error('crash');
      });
      await expect(crashed).rejects.toThrow(/^crash$/);
      expect(await balancesOf(database)).toEqual(before);
      expect(await findingsOf(database)).toEqual(['sound', 'sound']);
    }
    expect(await archive(database, options, silent)).toBe(0);
    expect(await ledgerPartitions()).toEqual([]);
    expect(await balancesOf(database)).toEqual(before);
    expect(await findingsOf(database)).toEqual(['sound', 'sound']);
  },
);

test('[SRV-2] the full audit finds every change of what stays of a month', async () => {
  await threeMonths();
  await archiveBefore(18);
  for (const statement of [
    `update archived_balance set sum = sum + 1 where account_id = (select id from account where owner = 'ann' and kind = 'user')`,
    `update archived_balance set sum = sum + 1 where account_id = (select id from account where kind = 'operator_clearing')`,
    // The total stays, but two months are wrong.
    `update archived_balance set sum = sum + case until when (select min(until) from archived_balance) then 1 else -1 end
      where account_id = (select id from account where owner = 'ann' and kind = 'user')`,
    `delete from archived_balance where until = (select max(until) from archived_month)`,
    'delete from archived_month where until = (select min(until) from archived_month)',
    'update archived_month set journals = journals + 1',
    `update archived_journal set note = 'void' where kind = 'hold_end' and note = 'post'`,
    `update archived_journal set lines = '[]' where kind = 'hold'`,
    `delete from archived_journal where kind = 'suspense_out'`,
    `delete from journal_key where ref = '00000000-0000-4000-8000-00000000aaaa'`,
    `update journal_key set ref = ref || 'x' where kind = 'deposit_credit' and journal_id < archived_before()`,
    `insert into journal_key (operator_id, source, ref, kind, journal_id)
      select operator_id, 'fake', 'forged', 'deposit_credit', id from archived_journal limit 1`,
    `update archived_partition set until = now() + interval '1 month' where parent = 'journal'`,
    'delete from archived_partition',
  ]) {
    const isSound = await rolledBack(database, async (transaction) => {
      await withoutTriggers(transaction, [statement]);
      return (await auditLedger(transaction)).isSound;
    });
    expect(isSound, statement).toBe(false);
  }
});

test('[SRV-2] what stays of a month is written once', async () => {
  await threeMonths();
  await archiveBefore(18);
  for (const table of ['archived_month', 'archived_balance', 'archived_journal']) {
    for (const text of [`delete from ${table}`, `truncate ${table}`]) {
      await expect(database.query({ text }), text).rejects.toThrow('written once');
    }
  }
});

test('[SRV-2] a file is compared with the sums, the journals and its checksum', async () => {
  await threeMonths();
  await archiveBefore(18);
  for (const table of ['posting', 'journal']) {
    const path = join(folder, `${partition(table, 20)}.jsonl`);
    const sound = await run(`archive --verify ${path}`);
    expect(sound, sound.out + sound.errors).toMatchObject({ exitCode: 0 });
    expect(sound.out).toMatch(
      table === 'posting' ? /agrees with the database: \d+ rows, and the sums of \d+ accounts/ : /rows, and their keys/,
    );
  }
  const postings = join(folder, `${partition('posting', 20)}.jsonl`);
  const journals = join(folder, `${partition('journal', 20)}.jsonl`);
  await database.transaction((transaction) =>
    withoutTriggers(transaction, [
      `update archived_balance set sum = sum + 1 where account_id = (select id from account where owner = 'ann' and kind = 'user')`,
      `update archived_journal set note = 'void' where kind = 'hold_end' and note = 'post'`,
    ]),
  );
  expect(await run(`archive --verify ${postings}`)).toMatchObject({
    exitCode: 1,
    out: expect.stringContaining('but its postings sum to'),
  });
  expect(await run(`archive --verify ${journals}`)).toMatchObject({
    exitCode: 1,
    out: expect.stringContaining('or its keys were changed'),
  });
  writeFileSync(journals, readFileSync(journals, 'utf8').replace(/^.*\n/, ''));
  expect((await run(`archive --verify ${journals}`)).out).toContain('its SHA-256 is another one');
  expect(await run(`archive --verify ${join(folder, 'none.jsonl')}`)).toMatchObject({ exitCode: 1 });
});
