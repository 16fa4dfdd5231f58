/** What reads the ledger while a month of it leaves. The embedded database has one connection, so nothing reads there meanwhile. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayAfter } from '@opencashier/core/reconciliation/line';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { intercepted } from '../database/testing/intercepted.fixture.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { decideClose, proposeClose } from '../day-closes/close-day.ts';
import { totalsOf } from '../day-closes/day-totals.ts';
import { verifyCloses } from '../day-closes/verify-closes.ts';
import { storeAuditPoints } from '../ledger/audit-points.ts';
import { makeOlder, makeOldPartitions } from '../ledger/older-ledger.fixture.ts';
import { SECRET, seedOperator } from '../payments/testing/payments.fixture.ts';
import { createDataKeys } from '../sealing/data-keys.ts';
import { playerFunds } from '../settlements/player-funds.ts';
import { archive } from './archive-command.ts';
import { businessOn } from './archive-ledger.fixture.ts';
import { monthAgo } from './archive-lines.fixture.ts';

const MONTHS = 18;
const silent = { out: () => undefined, error: () => undefined, progress: () => undefined };

describe.runIf(process.env['TEST_DATABASE'] === 'postgres')('[SRV-2] while a month of the ledger leaves', () => {
  let opened: TestDatabase;
  let database: Database;
  let folder: string;
  /** A day of that month with one deposit of 500.00 INR. Another deposit is of today. */
  let day: string;
  beforeEach(async () => {
    opened = await openTestDatabase({ mayUseSecond: true });
    database = opened.database;
    folder = mkdtempSync(join(tmpdir(), 'archive-'));
    await seedOperator(database);
    await makeOldPartitions(database, 21, 17);
    const business = businessOn(database);
    await business.deposit('ann');
    await makeOlder(database, 20);
    await business.deposit('ann');
    await database.transaction((transaction) => storeAuditPoints(transaction));
    const [first] = await database.query<{ day: string }>({
      text: `select (min(at) at time zone 'UTC')::date::text as day from journal`,
    });
    day = first?.day ?? '';
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await opened.drop();
  });

  /** Returns when a statement waits for a lock of another transaction. */
  async function someoneWaits(): Promise<void> {
    const waiting = `select 1 from pg_locks where not granted
      and database = (select oid from pg_database where datname = current_database())`;
    await expect.poll(() => database.query({ text: waiting })).not.toHaveLength(0);
  }

  const archiveMonth = (on: Database): Promise<number> =>
    archive(on, { before: monthAgo(MONTHS), folder, months: MONTHS, isDryRun: false, isKept: false }, silent);

  /** Archives the month, and begins to read when its partitions have left and the transaction has not ended. */
  async function readMeanwhile<Result>(read: () => Promise<Result>): Promise<PromiseSettledResult<Result> | undefined> {
    let reading: Promise<PromiseSettledResult<Result>[]> | undefined;
    const partition = `posting_${day.slice(0, 7).replace('-', '_')}`;
    const watched = intercepted(database, async ({ text }) => {
      if (text !== `alter table "${partition}" set schema archive`) return;
      reading = Promise.allSettled([read()]);
      await someoneWaits();
    });
    expect(await archiveMonth(watched)).toBe(0);
    const [result] = (await reading) ?? [];
    return result;
  }

  /** Tries to archive the month once, before the first statement that reads postings. */
  function archivedBeforePostings(): { readonly reader: Database; readonly answer: () => unknown } {
    let answer: unknown;
    const reader = intercepted(database, async ({ text }) => {
      if (answer === undefined && text.includes('from posting')) {
        answer = await archiveMonth(database).catch((error: unknown) => error);
      }
    });
    return { reader, answer: () => answer };
  }

  const refused = { status: 'rejected', reason: { code: 'state-conflict' } };

  test('a statement of player funds of that month is refused', async () => {
    expect(await playerFunds(database, 'op', `${day}T00:00:00Z`)).toMatchObject({
      currencies: [{ owedToUsers: '0.00', inTransit: '0.00' }],
    });
    expect(await readMeanwhile(() => playerFunds(database, 'op', `${day}T00:00:00Z`))).toMatchObject(refused);
  });

  test('a statement of player funds of now has the sums of that month', async () => {
    expect(await readMeanwhile(() => playerFunds(database, 'op'))).toMatchObject({
      status: 'fulfilled',
      value: { currencies: [{ currency: 'INR', owedToUsers: '1000.00', inTransit: '1000.00', surplus: '0.00' }] },
    });
  });

  test('the totals of a day have its postings, and the month leaves afterwards', async () => {
    const { reader, answer } = archivedBeforePostings();
    const asked = { operatorId: 'op', partnerKey: 'pk', day, asOf: new Date().toISOString() };
    const totals = await reader.transaction((transaction) => totalsOf(transaction, asked));
    expect(totals).toMatchObject({
      accounts: [
        { account: 'provider_clearing', opening: '0.00', moved: '-500.00', closing: '-500.00' },
        { account: 'user', opening: '0.00', moved: '500.00', closing: '500.00' },
      ],
      movements: [{ provider: 'fake', count: 1, amount: '-500.00' }],
    });
    expect(String(answer())).toContain('its table is in use');
    expect(await archiveMonth(database)).toBe(0);
  });

  test('a close of a day of that month is refused', async () => {
    expect(await readMeanwhile(() => proposeClose(database, 'op', { day, decidedBy: 'eve' }))).toMatchObject(refused);
  });

  test('its closed days do not look as if somebody had changed the ledger', async () => {
    const closing = { database, dataKeys: createDataKeys([SECRET]) };
    for (const one of [day, dayAfter(day, 1)]) {
      const { closeId } = await proposeClose(database, 'op', { day: one, decidedBy: 'eve' });
      await decideClose(closing, 'op', closeId, { decision: 'confirm', decidedBy: 'max' });
    }
    const verify = () => verifyCloses(database, { operatorId: 'op', partnerKey: 'pk' });
    expect(await verify()).toMatchObject({ days: 2, faults: [], notes: [] });
    expect(await readMeanwhile(verify)).toMatchObject({
      status: 'fulfilled',
      value: { days: 2, faults: [], notes: [] },
    });
    expect(await verify()).toMatchObject({ days: 2, faults: [], notes: [] });
  });
});
