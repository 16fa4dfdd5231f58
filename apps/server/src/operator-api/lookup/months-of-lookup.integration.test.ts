/** A search of a payment opens the months of this payment only, however many months the database has (docs/adr/0022). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Business, businessOfThreeYears, findingsOf } from '../../cli/archive-ledger.fixture.ts';
import type { Database } from '../../database/database.ts';
import { openedPartitions } from '../../database/testing/opened-partitions.fixture.ts';
import { rolledBack } from '../../database/testing/rolled-back.fixture.ts';
import { openTestDatabase, type TestDatabase } from '../../database/testing/test-database.ts';
import { auditLedger } from '../../ledger/ledger-audit.ts';
import { makeOlder } from '../../ledger/older-ledger.fixture.ts';
import { withoutTriggers } from '../../ledger/without-triggers.fixture.ts';
import { findPayments } from './payment-lookup.ts';

let made: TestDatabase;
let database: Database;
let business: Business;
let disputed: string;
let reference: string;
beforeAll(async () => {
  made = await openTestDatabase();
  ({ database } = made);
  business = await businessOfThreeYears(database);
  disputed = await business.deposit('ann');
  await business.withdraw('ann');
  await makeOlder(database, 20);
  await business.chargeBack(disputed);
  await business.deposit('ann');
  const [row] = await database.query<{ ref: string }>({
    text: 'select provider_ref as ref from deposit where id = $1',
    values: [disputed],
  });
  reference = row?.ref ?? '';
});
afterAll(() => made.drop());

/** The number of partitions that the statements of a search open, by their table. */
async function opened(name: string): Promise<Readonly<Record<string, number>>> {
  const tables = await openedPartitions(database, (watched) => findPayments(watched, 'op', name));
  return Object.fromEntries([...tables].map(([table, parts]) => [table, parts.length]));
}

test('[SRV-3] a search opens the months in which the payment has journals or webhooks, and no other', async () => {
  // The chargeback is of today, so this deposit has two months.
  const two = { journal: 2, posting: 2, webhook_delivery: 2, webhook_attempt: 2 };
  for (const name of [disputed, reference]) expect(await opened(name), name).toMatchObject(two);
  const { payments } = await findPayments(database, 'op', reference);
  expect(payments).toMatchObject([{ id: disputed, state: 'reversed' }]);
  expect(payments[0]?.journals.map(({ kind }) => kind)).toEqual(['deposit_credit', 'deposit_reversal']);
  expect(payments[0]?.webhooks.map(({ type }) => type)).toContain('deposit.reversed');
});

test('[SRV-3] a new payment has one month, and a search of a user the months of the shown payments', async () => {
  const fresh = await business.deposit('ben');
  const one = { journal: 1, posting: 1, webhook_delivery: 1, webhook_attempt: 1, event_body: 1 };
  expect(await opened(fresh)).toEqual(one);
  expect(await opened('ben')).toEqual(one);
  expect(await opened('nobody')).toEqual({});
  expect(Object.values(await opened('ann')).every((parts) => parts <= 2)).toBe(true);
});

test('[SRV-2] triggers alone note a later month, and the audit finds one that is missing', async () => {
  const [noted] = await database.query({
    text: `select month = date_trunc('month', now() at time zone 'UTC')::date as "isNow" from later_month where payment_id = $1`,
    values: [disputed],
  });
  expect(noted).toEqual({ isNow: true });
  const byHand = `insert into later_month (operator_id, payment_id, month) values ('op', gen_random_uuid(), '2024-01-01')`;
  await expect(database.query({ text: byHand })).rejects.toThrow('only triggers may write later_month');
  await expect(database.query({ text: 'delete from later_month' })).rejects.toThrow('written once');
  expect(await findingsOf(database)).toEqual(['sound', 'sound']);
  const rules = await rolledBack(database, async (transaction) => {
    await withoutTriggers(transaction, [`delete from later_month where payment_id = '${disputed}'`]);
    return (await auditLedger(transaction)).faults.map(({ rule }) => rule);
  });
  expect(rules).toEqual(['later_month_noted']);
});
