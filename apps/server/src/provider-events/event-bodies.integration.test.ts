/** Bodies of reports are in months, and the narrow row that stays of each report serves every rule and search (docs/adr/0022). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Business, businessOn } from '../cli/archive-ledger.fixture.ts';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { rolledBack } from '../database/testing/rolled-back.fixture.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import { storeAuditPoints } from '../ledger/audit-points.ts';
import { auditLedger, auditSincePoints } from '../ledger/ledger-audit.ts';
import { withoutTriggers } from '../ledger/without-triggers.fixture.ts';
import { commandOf, reportOf, seedOperator } from '../payments/testing/payments.fixture.ts';

let opened: TestDatabase;
let database: Database;
let business: Business;
beforeAll(async () => {
  opened = await openTestDatabase();
  ({ database } = opened);
  await seedOperator(database);
  business = businessOn(database);
  await database.transaction((transaction) => storeAuditPoints(transaction));
});
afterAll(() => opened.drop());

const eventOf = async (deposit: string) => {
  const [event] = await database.query({
    text: `select status, event.body is not null as "isParked", reported, paid::text, currency, told.body ->> 'outcome' as told
      from deposit_event event left join event_body told on told.id = event.body_id where deposit_id = $1`,
    values: [deposit],
  });
  return event;
};
const bodies = async (): Promise<number> => (await database.query({ text: 'select 1 from event_body' })).length;

describe('[SRV-3] the body of a report', () => {
  test('waits in its row while it is parked, and moves to the month of its application', async () => {
    const command = commandOf({}, business.callerOf('ann'));
    const { depositId } = command.request;
    const report = reportOf(depositId);
    const before = await bodies();
    expect(await business.bench.payments.apply(report)).toEqual({ outcome: 'unmatched' });
    const parked = { status: 'parked', isParked: true, reported: 'paid', paid: '50000', currency: 'INR', told: null };
    expect(await eventOf(depositId)).toEqual(parked);
    expect(await bodies()).toBe(before);
    await business.bench.payments.createDeposit(command);
    expect(await business.bench.payments.apply(report)).toMatchObject({ outcome: 'credited' });
    expect(await eventOf(depositId)).toEqual({ ...parked, status: 'applied', isParked: false, told: 'paid' });
    expect(await bodies()).toBe(before + 1);
  });

  test('is stored once, however often and however the report comes', async () => {
    const command = commandOf({}, business.callerOf('ann'));
    await business.bench.payments.createDeposit(command);
    const report = reportOf(command.request.depositId);
    const before = await bodies();
    await Promise.all([1, 2, 3].map(() => business.bench.payments.apply(report)));
    await business.bench.payments.apply(report);
    expect(await bodies()).toBe(before + 1);
    expect(await eventOf(command.request.depositId)).toMatchObject({
      status: 'applied',
      isParked: false,
      told: 'paid',
    });
  });

  test('cannot be changed, and neither can its facts', async () => {
    const deposit = await business.deposit('ann');
    const own = `where deposit_id = '${deposit}'`;
    for (const text of [
      `update event_body set body = '{}' where id = (select body_id from deposit_event ${own})`,
      `delete from event_body where id = (select body_id from deposit_event ${own})`,
      'truncate event_body',
      ...['paid = 1', `reported = 'declined'`, `currency = 'USD'`, `txid = 'x'`, 'body_id = gen_random_uuid()'].map(
        (change) => `update deposit_event set ${change} ${own}`,
      ),
    ]) {
      const refused = rolledBack(database, (transaction) => transaction.query({ text }));
      await expect(refused.catch(constraintOf), text).resolves.toBe('ledger_immutable');
    }
    const bare = `insert into deposit_event (provider, event_id, body_hash, reported, status, outcome)
      values ('fake', '${randomUUID()}', '', 'paid', 'parked', 'new')`;
    const refused = rolledBack(database, (transaction) => transaction.query({ text: bare }));
    await expect(refused.catch(constraintOf)).resolves.toBe('deposit_event_body_kept');
  });

  test.each([
    ['changed', `update event_body set body = body || '{"paidMinor": "1"}'`],
    ['gone', 'delete from event_body'],
  ])('that was %s shows in both audits', async (_what, change) => {
    const deposit = await business.deposit('ann');
    const withdrawal = await business.withdraw('ann');
    await business.payOut(withdrawal);
    for (const [table, id] of [
      ['deposit', deposit],
      ['withdrawal', withdrawal],
    ]) {
      const rules = await rolledBack(database, async (transaction) => {
        await withoutTriggers(transaction, [
          `${change} where id in (select body_id from ${table}_event where ${table}_id = '${id}')`,
        ]);
        const audits = [await auditLedger(transaction), await auditSincePoints(transaction)];
        // A withdrawal has a report of its submission, too.
        return audits.map(({ faults }) => [...new Set(faults.map(({ rule }) => rule))]);
      });
      expect(rules, table).toEqual([['report_agrees'], ['report_agrees']]);
    }
    expect(await auditLedger(database)).toMatchObject({ isSound: true });
  });
});

describe('with three years of months', () => {
  beforeAll(async () => {
    await database.query({
      text: `select extend_partitions('event_body', now() - interval '36 months', now(), 'month')`,
    });
  });

  test('a body is read from its own month', async () => {
    const deposit = await business.deposit('ann');
    const [event] = await database.query<{ id: string; part: string }>({
      text: `select body_id as id, event_body.tableoid::regclass::text as part
        from deposit_event join event_body on event_body.id = body_id where deposit_id = $1`,
      values: [deposit],
    });
    const plan = await database.query<Record<string, string>>({
      text: `explain (costs off) select id from event_body where id = any('{${event?.id}}'::uuid[])`,
    });
    expect(new Set(JSON.stringify(plan).match(/ on event_body_\w+/g))).toEqual(new Set([` on ${event?.part}`]));
  });

  test('no rule, trigger or view opens the months of reports, except the trigger that fills them', async () => {
    const readers = await database.query<{ name: string }>({
      text: `select proname::text as name from pg_proc where pronamespace = current_schema()::regnamespace and prosrc ~ '\\mevent_body\\M'
        union all select viewname::text from pg_views where schemaname = current_schema() and definition ~ '\\mevent_body\\M'`,
    });
    expect(readers).toEqual([{ name: 'keep_event_body' }]);
  });
});
