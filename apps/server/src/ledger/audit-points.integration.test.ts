import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database, Transaction } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { rolledBack } from '../database/testing/rolled-back.fixture.ts';
import { withOperator } from '../database/testing/with-operator.fixture.ts';
import { findChangedPoints, storeAuditPoints } from './audit-points.ts';
import { InsufficientFundsError, postJournal } from './ledger.ts';
import { auditLedger, auditSincePoints, type LedgerAudit } from './ledger-audit.ts';
import { withoutTriggers } from './without-triggers.fixture.ts';

let database: Database;
withOperator((made) => {
  database = made;
});

const tried = <Result>(work: (transaction: Transaction) => Promise<Result>) => rolledBack(database, work);

interface BothAudits {
  readonly full: LedgerAudit;
  readonly since: LedgerAudit;
}

/** What both audits find after statements that ran with the triggers off and left no trace of that. */
function audited(statements: readonly string[]): Promise<BothAudits> {
  return tried(async (transaction) => {
    await withoutTriggers(transaction, statements);
    return { full: await auditLedger(transaction), since: await auditSincePoints(transaction) };
  });
}

let facts = 0;
async function move(from: string, to: string, amount: bigint): Promise<string> {
  facts += 1;
  const ref = `move-${facts}`;
  const account = (owner: string) =>
    ({ owner, asset: 'INR', kind: owner === 'bank' ? 'provider_clearing' : 'user' }) as const;
  await database.transaction((transaction) =>
    postJournal(transaction, {
      operatorId: 'op',
      kind: 'test_credit',
      source: 'test',
      ref,
      lines: [
        { ...account(from), amount: -amount },
        { ...account(to), amount },
      ],
    }),
  );
  return ref;
}

/** Stores a point that covers everything until now. */
async function checkNow(): Promise<void> {
  await database.transaction((transaction) => storeAuditPoints(transaction, new Date(Date.now() + 1)));
  // The next rows must be after the point.
  const isAhead = { text: 'select 1 from audit_point where until >= now()' };
  while ((await database.query(isAhead)).length > 0);
}

const postingOf = (ref: string, owner: string): string =>
  `journal_id = (select id from journal where ext_ref = '${ref}') and account_id = (select id from account where owner = '${owner}')`;

describe('[SRV-2] the audit since the checked point', () => {
  let old: string;
  let late: string;
  beforeAll(async () => {
    await move('bank', 'ann', 1000n);
    old = await move('ann', 'bob', 100n);
    await checkNow();
    late = await move('ann', 'bob', 10n);
  });

  test('finds nothing in a sound ledger, and the point covers the journals before it', async () => {
    const { full, since } = await audited([]);
    expect(full).toMatchObject({ isSound: true, faults: [] });
    expect(since).toMatchObject({ isSound: true, faults: [] });
    const [point] = await database.query({
      text: 'select journals, postings from audit_point order by until desc limit 1',
    });
    expect(point).toEqual({ journals: 2n, postings: 4n });
  });

  test('finds a changed balance of an account without later postings', async () => {
    await move('bank', 'idle', 5n);
    await checkNow();
    const { full, since } = await audited([`update account set balance = 6 where owner = 'idle'`]);
    expect(since.wrongBalances).toMatchObject([{ balance: 6n, sum: '5' }]);
    expect(since.wrongBalances).toEqual(full.wrongBalances);
    late = await move('ann', 'bob', 10n);
  });

  test('finds changed, deleted and added rows after the point', async () => {
    for (const statement of [
      `update posting set amount = amount + 1 where ${postingOf(late, 'bob')}`,
      `delete from posting where ${postingOf(late, 'bob')}`,
      `update journal set kind = 'unknown' where ext_ref = '${late}'`,
      `insert into journal (operator_id, kind, ext_source, ext_ref) values ('op', 'test_credit', 'test', 'empty')`,
    ]) {
      const { since, full } = await audited([statement]);
      expect(since.isSound, statement).toBe(false);
      expect(full.isSound, statement).toBe(false);
    }
  });

  test('leaves a change before the point to the full audit, which finds it by the digest', async () => {
    const { full, since } = await audited([`update journal set note = 'changed' where ext_ref = '${old}'`]);
    expect(since.isSound).toBe(true);
    expect(full.faults.map(({ rule }) => rule)).toEqual(['audit_point_agrees']);
    // The next points include the digest of this one, but the full audit names the point that changed, too.
    const gone = await audited([`delete from posting where ${postingOf(old, 'bob')}`]);
    expect(gone.full.faults.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['audit_point_agrees', 'audit_sum_agrees', 'journal_balanced']),
    );
  });

  test('a journal that was put before the point shows in the balances or in the digest', async () => {
    const backdated = `insert into journal (operator_id, kind, ext_source, ext_ref, at) values ('op', 'test_credit', 'test', 'past', '2020-01-01')`;
    const { full } = await audited([backdated]);
    expect(full.faults.map(({ rule }) => rule)).toContain('audit_point_agrees');
    const line = (owner: string, amount: number) =>
      `insert into posting (operator_id, journal_id, account_id, asset, amount)
        select operator_id, (select id from journal where ext_ref = 'past'), id, asset, ${amount} from account where owner = '${owner}'`;
    const moved = await audited([
      backdated,
      line('ann', -7),
      line('bob', 7),
      `update account set balance = balance - 7 where owner = 'ann'`,
      `update account set balance = balance + 7 where owner = 'bob'`,
    ]);
    expect(moved.since.wrongBalances).toHaveLength(2);
    expect(moved.full.wrongBalances).toEqual([]);
    expect(moved.full.isSound).toBe(false);
  });

  test('a forged point in the future hides nothing, and the full audit reports the point', async () => {
    const { full, since } = await audited([
      `insert into audit_point (operator_id, until, journals, postings, digest) values ('op', '2999-01-01', 0, 0, sha256(''))`,
      `update posting set amount = amount + 1 where ${postingOf(late, 'bob')}`,
    ]);
    expect(since.isSound).toBe(false);
    expect(full.faults.map(({ rule }) => rule)).toContain('audit_point_agrees');
  });

  test('points are append-only', async () => {
    for (const text of ['update audit_point set journals = 0', 'delete from audit_sum', 'truncate audit_point']) {
      await expect(tried((transaction) => transaction.query({ text })).catch(constraintOf)).resolves.toBe(
        'ledger_immutable',
      );
    }
  });

  test('a point is stored for the last midnight only after an hour, once, and also for an operator without journals', async () => {
    const points = await tried(async (transaction) => {
      await transaction.query({
        text: 'alter table audit_point disable trigger user; alter table audit_sum disable trigger user',
      });
      await transaction.query({ text: 'delete from audit_point; delete from audit_sum' });
      await storeAuditPoints(transaction);
      await storeAuditPoints(transaction);
      return transaction.query({
        text: `select until = date_trunc('day', now() - interval '1 hour', 'UTC') as midnight, journals from audit_point`,
      });
    });
    expect(points).toEqual([{ midnight: true, journals: 0n }]);
  });
});

test('[SRV-2] each of many points covers the journals before its time, and a journal of another time is found', async () => {
  const refs: string[] = [];
  for (let n = 0; n < 4; n += 1) {
    refs.push(await move('bank', 'cleo', 10n));
    await checkNow();
  }
  const last = await move('bank', 'cleo', 10n);
  const at = `at = date_trunc('milliseconds', at)`;
  const pointsAfter = (change: readonly string[]) =>
    tried(async (transaction) => {
      await withoutTriggers(transaction, [`update journal set ${at} where ext_ref = '${last}'`]);
      const [time] = await transaction.query<{ at: Date }>({
        text: 'select at from journal where ext_ref = $1',
        values: [last],
      });
      const end = time?.at.getTime() ?? 0;
      // The first of these two ends at the very time of the journal, so only the second covers it.
      for (const until of [end, end + 1]) await storeAuditPoints(transaction, new Date(until));
      await withoutTriggers(transaction, change);
      const counts = await transaction.query<{ journals: bigint }>({
        text: 'select journals from audit_point order by until desc limit 2',
      });
      return { counts: counts.map(({ journals }) => journals), changed: await findChangedPoints(transaction) };
    });
  expect(await pointsAfter([])).toEqual({ counts: [1n, 0n], changed: [] });
  const moved = `at = (select at from journal where ext_ref = '${refs[1]}')`;
  const { changed } = await pointsAfter([`update journal set ${moved} where ext_ref = '${refs[2]}'`]);
  // The span that has lost the journal, and the one that got it.
  expect(changed.map(({ rule }) => rule)).toEqual(['audit_point_agrees', 'audit_point_agrees']);
  // By its id, a journal belongs to the span of its first time. So only that point is wrong, and the later one stays right.
  const later = `at = (select at from journal where ext_ref = '${refs[2]}')`;
  const { changed: missing } = await pointsAfter([`update journal set ${later} where ext_ref = '${refs[1]}'`]);
  expect(missing.map(({ rule }) => rule)).toEqual(['audit_point_agrees']);
});

test('[SRV-2] after any history the audit since the point finds what the full audit finds in later rows', async () => {
  const owners = ['bank', 'u1', 'u2', 'u3'];
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.nat(3), fc.nat(3), fc.bigInt({ min: 1n, max: 50n })) },
    { weight: 1, arbitrary: fc.constant('point' as const) },
  );
  const tampering = fc.constantFrom(
    (ref: string) =>
      `update posting set amount = -amount where journal_id = (select id from journal where ext_ref = '${ref}')`,
    (ref: string) => `update posting set amount = amount + 1 where ${postingOf(ref, 'bank')}`,
    (ref: string) => `delete from posting where journal_id = (select id from journal where ext_ref = '${ref}')`,
    (ref: string) => `update journal set kind = 'unknown' where ext_ref = '${ref}'`,
    () => `update account set balance = balance + 1 where owner = 'u1' and balance is not null`,
    () => `update account set frozen_at = '2020-01-01' where owner = 'u1' and kind = 'user'`,
    () => 'select 1',
  );
  const play = async (steps: readonly ('point' | readonly [number, number, bigint])[]): Promise<void> => {
    for (const one of steps) {
      if (one === 'point') await checkNow();
      else if (one[0] !== one[1]) {
        await move(owners[one[0]] ?? '', owners[one[1]] ?? '', one[2]).catch((error: unknown) => {
          if (!(error instanceof InsufficientFundsError)) throw error;
        });
      }
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), tampering, async (steps, tamper) => {
      await play(steps);
      await checkNow();
      const last = await move('bank', 'u1', 60n);
      const { full, since } = await audited([tamper(last)]);
      const known = ({ faults, ...rest }: LedgerAudit) => ({
        ...rest,
        faults: faults.map(({ rule, subject }) => `${rule} ${subject}`).toSorted(),
      });
      expect(known(since)).toEqual(known(full));
    }),
    { numRuns: 15 },
  );
});
