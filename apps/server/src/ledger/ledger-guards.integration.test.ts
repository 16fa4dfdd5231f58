/** The audit watches every trigger of the schema, on every table and its partitions (SRV-2). */
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { schema } from '../database/schema-files.ts';
import { guardedRows, triggersOf } from '../database/schema-triggers.ts';
import { rolledBack } from '../database/testing/rolled-back.fixture.ts';
import { withOperator } from '../database/testing/with-operator.fixture.ts';
import { storeAuditPoints } from './audit-points.ts';
import { auditLedger, auditSincePoints } from './ledger-audit.ts';
import { guards } from './ledger-guards.ts';

let database: Database;
withOperator((opened) => {
  database = opened;
});
beforeAll(() => database.transaction((transaction) => storeAuditPoints(transaction)));

test('[SRV-2] the guards are exactly the triggers that the database has', async () => {
  const found = await database.query<{ guard: string }>({
    text: `select relname || '.' || tgname as guard from pg_trigger join pg_class on pg_class.oid = tgrelid
      where relnamespace = current_schema()::regnamespace and not tgisinternal and not relispartition`,
  });
  expect(guards.map(({ table, name }) => `${table}.${name}`).sort()).toEqual(found.map(({ guard }) => guard).sort());
});

test('[SRV-2] the rights of the application follow from the triggers that the database has', async () => {
  // The bits of `tgtype`: 1 for each row, 2 before, 8 delete, 16 update. A trigger with a condition or for some columns does not count.
  const found = await database.query<{ place: string; events: number }>({
    text: `select relname as place, bit_or(tgtype & 24)::int as events from pg_trigger join pg_class on pg_class.oid = tgrelid
      where relnamespace = current_schema()::regnamespace and not relispartition and tgfoid = 'refuse_change'::regproc
        and tgtype & 3 = 3 and tgqual is null and tgattr = '' group by relname`,
  });
  const placesOf = (wanted: number) => found.filter(({ events }) => events === wanted).map(({ place }) => place);
  const { appendOnly, neverDeleted } = guardedRows(triggersOf(schema));
  expect(appendOnly.toSorted()).toEqual(placesOf(24).toSorted());
  expect(neverDeleted.toSorted()).toEqual(placesOf(8).toSorted());
});

test.each([
  ['setting_change_immutable', 'setting_change'],
  ['user_note_immutable', 'user_note'],
  ['catalogue_change_not_truncated', 'catalogue_change'],
  ['own_texts_change_immutable', 'own_texts_change'],
  ['routing_change_immutable', 'routing_change'],
  ['routing_change_by_trigger', 'routing_change'],
  ['bonus_change_immutable', 'bonus_change'],
  ['user_policy_kept', 'user_policy'],
  ['deposit_bonus_kept', 'deposit'],
])('[SRV-2] the audit names %s when it is gone', async (name, table) => {
  const faults = await rolledBack(database, async (transaction) => {
    await transaction.query({ text: `drop trigger ${name} on ${table}` });
    const audits = [await auditLedger(transaction), await auditSincePoints(transaction)];
    return audits.map((audit) => audit.faults);
  });
  const fault = { rule: 'trigger_missing', subject: `trigger ${name} on ${table}` };
  expect(faults).toEqual([[fault], [fault]]);
});

test('[SRV-1] nobody can delete what staff set for a user, and so lift a block without a record', async () => {
  const refused = rolledBack(database, async (transaction) => {
    await transaction.query({ text: `insert into user_policy (operator_id, user_id, version) values ('op', 'u', 1)` });
    await transaction.query({ text: 'delete from user_policy' });
  });
  await expect(refused).rejects.toThrow('user_policy is written once');
});

test.each([
  ['another text of a version', `update routing_change set staff = 'nobody'`, 'ledger_immutable'],
  ['a version less', 'delete from routing_change', 'ledger_immutable'],
  ['no versions', 'truncate routing_change', 'ledger_immutable'],
  ['no routes and so another first version', 'truncate routing_policy', 'ledger_immutable'],
  [
    'a version that never was in force',
    `insert into routing_change (operator_id, version, routes, staff) values ('op', 2, '[]', 'eve')`,
    'ledger_immutable',
  ],
  ['a version left out', 'update routing_policy set version = 3', 'routing_version_moves'],
])('[SRV-2] the history of routes takes no change: %s', async (_what, text, rule) => {
  const before = `insert into routing_policy (operator_id, version, routes, staff) values ('op', 1, '[]', 'maria')`;
  const refused = rolledBack(database, async (transaction) => {
    await transaction.query({ text: before });
    await transaction.query({ text });
  });
  expect(await refused.catch(constraintOf)).toBe(rule);
});
