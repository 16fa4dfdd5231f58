/** Nobody takes a file back alone or past its obstacles, and what was taken back stays so. The audit finds what the triggers would refuse. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Database, Transaction } from '../database/database.ts';
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

const today = new Date().toISOString().slice(0, 10);
let isReady = false;

/** The file `stands.csv`, which cleared a mismatch of `first.csv` and changed its sum, and `gone.csv`, which was taken back. */
async function makeFiles(): Promise<void> {
  if (isReady) return;
  isReady = true;
  const { request } = commandOf();
  await bench.payments.createDeposit(commandOf(request));
  await bench.payments.apply(reportOf(request.depositId));
  const columns = { reference: 'id', amount: 'amount', fee: 'fee', date: 'date', batch: 'batch' };
  const mapping = { format: 'csv', columns, currency: 'INR', kind: 'payment' };
  await api.ask('/settlement-mappings/fake/all', { mapping }, 'op', 'PUT');
  const send = async (name: string, ...rows: string[]): Promise<string> => {
    const content = Buffer.from(`id,amount,fee,date,batch\n${rows.join('\n')}\n`).toString('base64');
    const { body } = await api.ask('/settlement-files', { provider: 'fake', mapping: 'all', name, content });
    return (body['file'] as { fileId: string }).fileId;
  };
  const part = (amount: string) => `${refOf(request.depositId)},${amount},1.00,${today},po-1`;
  await send('first.csv', part('490.00'));
  await send('stands.csv', part('4.00'), `nobody,9.00,0,${today},po-2`);
  const fileId = await send('gone.csv', part('6.00'), `nobody,8.00,0,${today},po-3`);
  const decisionId = randomUUID();
  await api.ask(`/settlement-files/${fileId}/take-back`, { decisionId, decidedBy: 'maria', reason: 'test' });
  const decided = await api.ask(`/settlement-take-backs/${decisionId}/decide`, {
    decision: 'confirm',
    decidedBy: 'ivan',
  });
  expect(decided.body).toMatchObject({ state: 'taken-back' });
}

const file = (name: string) => `(select id from settlement_file where name = '${name}.csv')`;
const PROPOSED = `insert into settlement_take_back (operator_id, id, file_id, reason, proposed_by)
  select 'op', gen_random_uuid(), id, 'wrong', 'maria' from settlement_file where name = 'stands.csv'`;
const CONFIRMED = `update settlement_take_back set state = 'confirmed', decided_by = 'ivan', decided_at = now() where state = 'proposed'`;
const TAKEN = `update settlement_file set state = 'taken-back' where name = 'stands.csv'`;
const booking = (
  of: string,
  amount: number,
) => `insert into settlement_booking (operator_id, kind, provider, file_id, account, currency, amount,
  reason, proposed_by) select 'op', 'fees', 'fake', id, 'provider_fee', 'INR', ${amount}, 'fee', 'eve' from settlement_file where name = '${of}.csv'`;

/** What the last of some statements is refused for. */
async function refusalOf(...statements: string[]): Promise<string | undefined> {
  await makeFiles();
  return rolledBack(database, (transaction) => run(transaction, statements).then(() => 'accepted', constraintOf));
}
async function run(transaction: Transaction, statements: readonly string[]): Promise<void> {
  for (const text of statements) await transaction.query({ text });
}

const refused: readonly [what: string, statements: readonly string[], rule: string][] = [
  ['a file that nobody proposed to take back', [TAKEN], 'settlement_file_immutable'],
  ['a file that one person proposed to take back', [PROPOSED, TAKEN], 'settlement_file_immutable'],
  [
    'a proposal that begins confirmed',
    [
      `insert into settlement_take_back (operator_id, id, file_id, reason, state, proposed_by, decided_by, decided_at)
        select 'op', gen_random_uuid(), id, 'wrong', 'confirmed', 'maria', 'ivan', now() from settlement_file where name = 'stands.csv'`,
    ],
    'settlement_take_back_proposed_first',
  ],
  [
    'a proposal that its own person confirms',
    [PROPOSED, CONFIRMED.replace('ivan', 'MARIA')],
    'settlement_take_back_by_two',
  ],
  ['a second proposal', [PROPOSED, PROPOSED], 'settlement_take_back_once'],
  ['another reason', [PROPOSED, `update settlement_take_back set reason = 'right'`], 'settlement_take_back_immutable'],
  ['another end', [`update settlement_take_back set decided_by = 'olga'`], 'settlement_take_back_immutable'],
  ['a deleted proposal', ['delete from settlement_take_back'], 'ledger_immutable'],
  [
    'a file that changes as it is taken back',
    [PROPOSED, CONFIRMED, TAKEN.replace(`state = 'taken-back'`, `state = 'taken-back', lines = 0`)],
    'settlement_file_immutable',
  ],
  [
    'a file whose fees two people have booked',
    [
      booking('stands', 5),
      `update settlement_booking set state = 'approved', decided_by = 'ann', decided_at = now() where amount = 5`,
      PROPOSED,
      CONFIRMED,
      TAKEN,
    ],
    'settlement_file_immutable',
  ],
  [
    'a file that a close of a day counts',
    [
      `insert into day_close (operator_id, day, as_of, totals, proposed_by) values ('op', current_date - 2, clock_timestamp(), '{}', 'eve')`,
      PROPOSED,
      CONFIRMED,
      TAKEN,
    ],
    'settlement_file_immutable',
  ],
  [
    'a file of which lines have left for an archive',
    [
      `insert into archived_line_sum (operator_id, file_id, until, currency, lines, amount, fee)
        select 'op', id, now(), 'INR', 1, 1, 0 from settlement_file where name = 'stands.csv'`,
      PROPOSED,
      CONFIRMED,
      TAKEN,
    ],
    'settlement_file_immutable',
  ],
  [
    'a mismatch that is taken back without its file',
    [`update settlement_mismatch set state = 'taken-back', ended_at = now() where file_id = ${file('stands')}`],
    'settlement_mismatch_immutable',
  ],
  [
    'a mismatch that a standing file cleared, and that is open again',
    [
      `update settlement_mismatch set state = 'open', ended_at = null, cleared_by = null where cleared_by = ${file('stands')}`,
    ],
    'settlement_mismatch_immutable',
  ],
  [
    'a mismatch of a taken file that is open again',
    [`update settlement_mismatch set state = 'open', ended_at = null where file_id = ${file('gone')}`],
    'settlement_mismatch_immutable',
  ],
  [
    'a deleted mismatch of a taken file',
    [`delete from settlement_mismatch where file_id = ${file('gone')}`],
    'settlement_mismatch_immutable',
  ],
  [
    'a deleted line of a taken file',
    [`delete from settlement_line where file_id = ${file('gone')}`],
    'settlement_line_immutable',
  ],
  [
    'a taken file that stands again',
    [`update settlement_file set state = 'done' where name = 'gone.csv'`],
    'settlement_file_immutable',
  ],
  [
    'an import that is taken back before it is compared',
    [
      `insert into settlement_file (operator_id, provider, source, mapping, name, hash, state, by)
        values ('op', 'fake', 'provider', 'all', 'begun.csv', sha256('begun'), 'reading', 'eve')`,
      `update settlement_file set state = 'taken-back', done_at = now() where name = 'begun.csv'`,
    ],
    'settlement_file_immutable',
  ],
  ['a booking for a taken file', [booking('gone', 7)], 'settlement_booking_of_file'],
  ['a deleted sum of a standing file', [`delete from settlement_batch`], 'settlement_batch_immutable'],
  ['another earlier sum', ['update settlement_batch_before set amount = 1'], 'ledger_immutable'],
  ['a deleted earlier sum', ['delete from settlement_batch_before'], 'ledger_immutable'],
];

test.each(refused)('[SRV-2] the database refuses %s', async (_what, statements, rule) => {
  expect(await refusalOf(...statements)).toBe(rule);
});

test('[SRV-2] with two people and nothing in the way the same statements are accepted', async () => {
  expect(await refusalOf(PROPOSED, CONFIRMED, TAKEN)).toBe('accepted');
});

test.each([
  ['a file that nobody took back', [TAKEN]],
  ['a confirmed proposal whose file stands', [PROPOSED, CONFIRMED]],
  [
    'a line of a taken file that settles',
    [
      `insert into settlement_match (operator_id, line_id, entry_kind, entry_id, by, amount)
        select operator_id, id, 'payment', gen_random_uuid(), 'reference', amount from settlement_line where file_id = ${file('gone')}`,
    ],
  ],
  [
    'a mismatch of a taken file that is open',
    [`update settlement_mismatch set state = 'open', ended_at = null where file_id = ${file('gone')}`],
  ],
  [
    'a mismatch that a taken file still clears',
    [
      `update settlement_mismatch set state = 'cleared', ended_at = now(), cleared_by = ${file('gone')} where state = 'open'`,
    ],
  ],
  [
    'a mismatch of a standing file that was taken back',
    [`update settlement_mismatch set state = 'taken-back', ended_at = now() where file_id = ${file('stands')}`],
  ],
  ['a booking that waits for a taken file', [booking('gone', 7)]],
  ['a sum of a taken file', [`update settlement_batch set file_id = ${file('gone')}`]],
])('[SRV-2] with the triggers off, the audit finds %s', async (_what, statements) => {
  await makeFiles();
  const faults = await rolledBack(database, async (transaction) => {
    expect((await auditLedger(transaction)).faults).toEqual([]);
    await withoutTriggers(transaction, statements);
    return (await auditLedger(transaction)).faults.map((fault) => fault.rule);
  });
  expect(faults).toContain('settlement_take_back_agrees');
});
