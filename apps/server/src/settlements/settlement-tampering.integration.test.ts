/** The database refuses changes of what was imported, and with the triggers off the audit finds them. */
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { rolledBack } from '../database/testing/rolled-back.fixture.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { withoutTriggers } from '../ledger/without-triggers.fixture.ts';
import { type OperatorApi, withOperatorApi } from '../operator-api/operator-api.fixture.ts';
import { type Bench, commandOf, refOf, reportOf } from '../payments/testing/payments.fixture.ts';

let database: Database;
let bench: Bench;
let api: OperatorApi;
withOperatorApi((made) => {
  ({ database, bench, api } = made);
});

let isImported = false;
async function importOnce(): Promise<void> {
  if (isImported) return;
  isImported = true;
  const { request } = commandOf();
  await bench.payments.createDeposit(commandOf(request));
  await bench.payments.apply(reportOf(request.depositId));
  const today = new Date().toISOString().slice(0, 10);
  const columns = { reference: 'id', amount: 'amount', fee: 'fee', date: 'date', batch: 'batch' };
  const mapping = { format: 'csv', columns, currency: 'INR', kind: 'payment' };
  await api.ask('/settlement-mappings/fake/all', { mapping }, 'op', 'PUT');
  const content = `id,amount,fee,date,batch\n${refOf(request.depositId)},500.00,5.00,${today},po-1\nnobody,9.00,0,${today},po-1\n`;
  const answer = await api.ask('/settlement-files', {
    provider: 'fake',
    mapping: 'all',
    name: 'day.csv',
    content: Buffer.from(content).toString('base64'),
  });
  expect(answer.body).toMatchObject({ outcome: 'imported', file: { matched: 1, mismatches: { 'missing-here': 1 } } });
}

const cases: readonly [what: string, text: string, rule: string][] = [
  ['a changed line', 'update settlement_line set amount = 1', 'ledger_immutable'],
  ['a deleted line', 'delete from settlement_line', 'settlement_line_immutable'],
  [
    'a line more',
    `insert into settlement_line (operator_id, file_id, n, kind, reference_list, name, currency, amount, fee, day)
      select operator_id, id, 9, 'payment', '{}', '', 'INR', 5, 0, current_date from settlement_file`,
    'settlement_line_immutable',
  ],
  [
    'a line of no file',
    `insert into settlement_line (operator_id, file_id, n, kind, reference_list, name, currency, amount, fee, day)
      values ('op', gen_random_uuid(), 9, 'payment', '{}', '', 'INR', 5, 0, current_date)`,
    'settlement_line_immutable',
  ],
  ['a changed match', 'update settlement_match set entry_id = gen_random_uuid()', 'ledger_immutable'],
  ['a deleted match', 'delete from settlement_match', 'settlement_match_immutable'],
  ['a changed file', 'update settlement_file set lines = 7', 'settlement_file_immutable'],
  [
    'a file that is read again',
    `update settlement_file set state = 'reading', done_at = null`,
    'settlement_file_immutable',
  ],
  ['a deleted file', 'delete from settlement_file', 'ledger_immutable'],
  ['a changed mismatch', 'update settlement_mismatch set found = 0', 'settlement_mismatch_immutable'],
  ['a deleted mismatch', 'delete from settlement_mismatch', 'settlement_mismatch_immutable'],
  ['a renamed sum', `update settlement_batch set reference = 'po-2'`, 'settlement_batch_immutable'],
  ['a deleted sum', 'delete from settlement_batch', 'settlement_batch_immutable'],
];

test.each(cases)('[SRV-2] the database refuses %s', async (_what, text, rule) => {
  await importOnce();
  expect(await database.query({ text }).then(() => 'accepted', constraintOf)).toBe(rule);
});

test('[SRV-2] the database refuses a mismatch that ended and is open again', async () => {
  await importOnce();
  const refused = await database
    .transaction(async (transaction) => {
      await transaction.query({ text: `update settlement_mismatch set state = 'cleared', ended_at = now()` });
      await transaction.query({ text: `update settlement_mismatch set state = 'open', ended_at = null` });
    })
    .then(() => 'accepted', constraintOf);
  expect(refused).toBe('settlement_mismatch_immutable');
});

test.each([
  ['a changed line', 'update settlement_line set amount = amount + 1 where n = 2', 'settlement_file_agrees'],
  ['a changed fee', 'update settlement_line set fee = fee + 1 where n = 3', 'settlement_file_agrees'],
  ['a deleted line', 'delete from settlement_line where n = 3', 'settlement_file_agrees'],
  ['a changed sum of a file', `update settlement_file set totals = '[]'`, 'settlement_file_agrees'],
  ['a match of another amount', 'update settlement_match set amount = amount - 1', 'settlement_match_agrees'],
  [
    'a match without its line',
    `insert into settlement_match (operator_id, line_id, entry_kind, entry_id, by, amount)
      values ('op', time_id(), 'payment', gen_random_uuid(), 'reference', 5)`,
    'settlement_match_agrees',
  ],
])('[SRV-2] with the triggers off, the full audit finds %s', async (_what, text, rule) => {
  await importOnce();
  const faults = await rolledBack(database, async (transaction) => {
    expect((await auditLedger(transaction)).faults).toEqual([]);
    await withoutTriggers(transaction, [text]);
    return (await auditLedger(transaction)).faults.map((fault) => fault.rule);
  });
  expect(faults).toContain(rule);
});
