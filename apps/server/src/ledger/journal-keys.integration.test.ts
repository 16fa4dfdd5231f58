/** What stays unique over all partitions of the journals, and what time an id may name (docs/adr/0022). */
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { rolledBack } from '../database/testing/rolled-back.fixture.ts';
import { withOperator } from '../database/testing/with-operator.fixture.ts';
import { type JournalEntry, postJournal, userBalance } from './ledger.ts';
import { auditLedger } from './ledger-audit.ts';
import { withoutTriggers } from './without-triggers.fixture.ts';

let database: Database;
withOperator((made) => {
  database = made;
});

const entry = (ref: string): JournalEntry => ({
  operatorId: 'op',
  kind: 'test_credit',
  source: 'sandbox',
  ref,
  lines: [
    { owner: 'ann', asset: 'INR', kind: 'user', amount: 5n },
    { owner: 'sandbox', asset: 'INR', kind: 'provider_clearing', amount: -5n },
  ],
});
const post = (ref: string) => database.transaction((transaction) => postJournal(transaction, entry(ref)));

/** Books the lines of {@link entry} by hand, under an id that `id` makes. */
const byHand = (ref: string, id = 'time_id()', at = 'now()') => `with fact as (
    insert into journal (id, operator_id, kind, ext_source, ext_ref, at)
    values (${id}, 'op', 'test_credit', 'sandbox', '${ref}', ${at}) returning id)
  insert into posting (operator_id, journal_id, account_id, asset, amount)
  select 'op', fact.id, account.id, 'INR', case kind when 'user' then 5 else -5 end
  from fact, account where owner in ('ann', 'sandbox') and asset = 'INR' and kind in ('user', 'provider_clearing')`;

/** The rule that refuses statements; undefined: they were accepted. */
const refusal = (...statements: string[]) =>
  database
    .transaction(async (transaction) => {
      for (const text of statements) await transaction.query({ text });
    })
    .then(() => undefined, constraintOf);

const extend = (from: string) =>
  `select extend_partitions(part, '${from}', '${from}'::timestamptz + interval '1 day', 'month')
   from (values ('journal'), ('posting')) as each(part)`;

test('[SRV-2] a fact of an old month is not booked again, whoever reports it', async () => {
  const booked = await rolledBack(database, async (transaction) => {
    await postJournal(transaction, entry('first'));
    await transaction.query({ text: 'set constraints all immediate' });
    await transaction.query({ text: extend('2021-05-04') });
    await withoutTriggers(transaction, [
      byHand('old', `time_id_at('2021-05-04')`, `'2021-05-04'`),
      `insert into journal_key (operator_id, source, ref, kind, journal_id)
        values ('op', 'sandbox', 'old', 'test_credit', time_id_at('2021-05-04'))`,
    ]);
    const parts = await transaction.query({
      text: `select distinct tableoid::regclass::text as part from journal where ext_ref in ('old', 'first')`,
    });
    return [parts.length, await postJournal(transaction, entry('old'))];
  });
  expect(booked).toEqual([2, 'duplicate']);
});

test('[SRV-2] a second journal of a fact is refused, also if the statement does not look for the first', async () => {
  expect(await post('twice')).toBe('posted');
  expect(await refusal(byHand('twice'))).toBe('journal_fact_once');
  expect(await userBalance(database, 'op', 'ann', 'INR')).toBe(5n);
});

test('[SRV-2] no program chooses the month of a journal', async () => {
  await post('month');
  expect(await refusal(byHand('later', `time_id_at(now() + interval '1 month')`))).toBe('journal_of_now');
  expect(await refusal(byHand('earlier', `time_id_at(now() - interval '2 ms')`))).toBe('journal_of_now');
  await expect(database.query({ text: byHand('random', 'gen_random_uuid()') })).rejects.toThrow('no partition');
});

test('[SRV-2] keys are append-only, and the audit finds a journal without its key', async () => {
  await post('kept');
  for (const text of [
    'update journal_key set journal_id = time_id()',
    'delete from journal_key',
    'truncate journal_key',
  ]) {
    expect(await refusal(text), text).toBe('ledger_immutable');
  }
  const { faults } = await rolledBack(database, async (transaction) => {
    await withoutTriggers(transaction, [`delete from journal_key where ref = 'kept'`]);
    return auditLedger(transaction);
  });
  expect(faults.map(({ rule }) => rule)).toEqual(['journal_fact_once']);
  expect((await auditLedger(database)).isSound).toBe(true);
});

test('[SRV-2] a key that names the hold of another fact ends no hold', async () => {
  await post('rich');
  const journal = (kind: string, ref: string, held: number) => `with entry as (
      insert into journal (operator_id, kind, ext_source, ext_ref, note) values ('op', '${kind}', 'hold', '${ref}',
        case '${kind}' when 'hold_end' then 'void' end) returning id),
    fact as (insert into journal_key (operator_id, source, ref, kind, journal_id)
      select 'op', 'hold', '${ref}', '${kind}', id from entry)
    insert into posting (operator_id, journal_id, account_id, asset, amount)
    select 'op', entry.id, account.id, 'INR', case kind when 'user_hold' then ${held} else ${-held} end
    from entry, account where owner = 'ann' and asset = 'INR' and kind in ('user', 'user_hold')`;
  const faultOf = (ref: string) =>
    rolledBack(database, async (transaction) => {
      await withoutTriggers(transaction, [
        `insert into account (operator_id, owner, asset, kind, balance) values ('op', 'ann', 'INR', 'user_hold', 0)`,
        journal('hold', 'real', 5),
        `insert into journal_key (operator_id, source, ref, kind, journal_id)
          select operator_id, source, 'forged', kind, journal_id from journal_key where ref = 'real'`,
        journal('hold_end', ref, -5),
      ]);
      return transaction.query<{ fault: string | null }>({
        text: `select journal_fault(journal) as fault from journal where kind = 'hold_end'`,
      });
    });
  expect(await faultOf('real')).toEqual([{ fault: null }]);
  expect(await faultOf('forged')).toEqual([{ fault: 'hold_ends_exactly' }]);
});

test('a search by the id of a journal looks into one partition', async () => {
  await post('searched');
  const [found] = await database.query<{ id: string; part: string }>({
    text: `select id, tableoid::regclass::text as part from journal where ext_ref = 'searched'`,
  });
  const plan = await database.query<Record<string, string>>({
    text: `explain (costs off) select * from journal
      join posting on posting.operator_id = journal.operator_id and posting.journal_id = journal.id
      where journal.operator_id = 'op' and journal.id = '${found?.id}' and posting.journal_id = '${found?.id}'`,
  });
  const read = new Set(JSON.stringify(plan).match(/ on (journal|posting)_\w+/g));
  expect(read).toEqual(new Set([` on ${found?.part}`, ` on ${found?.part.replace('journal', 'posting')}`]));
});
