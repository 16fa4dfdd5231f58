/** Months of settlement lines leave the database after their payments, and what they settled stays known (docs/adr/0025). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dayAfter } from '@opencashier/core/reconciliation/line';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { rolledBack } from '../database/testing/rolled-back.fixture.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { withoutTriggers } from '../ledger/without-triggers.fixture.ts';
import { ann, commandOf, reportOf } from '../payments/testing/payments.fixture.ts';
import { type ArchiveStep, archive } from './archive-command.ts';
import { findingsOf } from './archive-ledger.fixture.ts';
import {
  closedDay,
  endedFile,
  type LinesBench,
  line,
  monthAgo,
  openLinesBench,
  partition,
} from './archive-lines.fixture.ts';

let bench: LinesBench;
beforeEach(async () => {
  bench = await openLinesBench();
});
afterEach(() => bench.drop());

describe('[SRV-2] a month of settlement lines', () => {
  test('leaves after its ledger, and audits, closes, the file and what it settled stay known', async () => {
    const { paid, short } = await endedFile(bench);
    expect(await bench.counts()).toEqual({ lines: 4, matches: 2 });
    const before = await bench.mismatchesOf();
    const archived = await bench.archiveNow();
    expect(archived, archived.errors).toMatchObject({ exitCode: 0 });
    expect(await bench.counts()).toEqual({ lines: 0, matches: 0 });
    expect(readdirSync(join(bench.folder, 'archive'))).toContain(`${partition('settlement_line')}.jsonl.sha256`);
    const rows = readFileSync(join(bench.folder, 'archive', `${partition('settlement_line')}.jsonl`), 'utf8')
      .trim()
      .split('\n');
    expect(rows.map((text) => JSON.parse(text).kind).toSorted()).toEqual(['fee', 'payment', 'payment', 'payment']);
    expect(await findingsOf(bench.database)).toEqual(['sound', 'sound']);
    expect(await bench.done('day-closes verify pk')).toContain(closedDay);
    for (const table of ['settlement_line', 'settlement_match']) {
      expect(await bench.done(`archive --verify ${bench.folder}/archive/${partition(table)}.jsonl`)).toContain(
        'agrees',
      );
    }
    // A mismatch stays, and no longer shows the number of its line.
    expect(await bench.mismatchesOf()).toEqual(
      before.map(({ line: _n, reference: _ref, ...one }) => expect.objectContaining(one)),
    );
    // The same file is known. Another one that names the same payments finds what they have settled.
    expect(await bench.importAgain('old.csv')).toMatchObject({ outcome: 'known', file: { lines: 4 } });
    await bench.importLines('twice.csv', line(paid), line(short, '1.00'));
    const later = (await bench.mismatchesOf()).filter(({ state }) => state === 'open');
    // The missing part of the short one is not short any more. It is only late.
    expect(later.map((one) => `${one.class} ${one.found}`).toSorted()).toEqual(['date 1.00', 'duplicate 500.00']);
    expect((await bench.archiveNow()).out).toContain('No partition');
  });

  test('makes no payment missing when a later file answers for the same days', async () => {
    await endedFile(bench);
    expect(await bench.archiveNow()).toMatchObject({ exitCode: 0 });
    const [{ day = '' } = {}] = await bench.database.query<{ day: string }>({
      text: `select (min(created_at) at time zone 'UTC')::date::text as day from payment`,
    });
    await bench.importLines('days.csv', `fee-2,fee,-1.00,0,${day}`);
    expect((await bench.mismatchesOf()).filter((one) => one.class === 'missing-there')).toEqual([]);
  });

  test('stays while files of it wait, and the command says for what', async () => {
    await bench.importLines('open.csv', line('nobody'));
    await bench.importLines('booked.csv', `fee-1,fee,-3.00,0,${closedDay}`);
    await bench.importLines('broken.csv', `fee-2,fee,-4.00,0,${closedDay}`);
    await bench.closeDay();
    await bench.importLines('after.csv', line(await bench.business.deposit('ann'), '500.00', '0'));
    await bench.importLines('later.csv', line(await bench.business.deposit('bob'), '500.00', '0'));
    await bench.makeAllOlder();
    await bench.database.transaction((transaction) =>
      withoutTriggers(transaction, [
        `update settlement_file set state = 'matching', done_at = null where name = 'broken.csv'`,
        // More than are judged together.
        `insert into settlement_file (operator_id, provider, source, mapping, name, hash, state, by)
          select operator_id, provider, source, mapping, 'copy-' || n, sha256(convert_to(n::text, 'UTF8')), state, by
          from settlement_file, generate_series(1, 120) n where name = 'broken.csv'`,
        `insert into settlement_line (operator_id, id, file_id, n, kind, reference_list, name, currency, amount, fee, day)
          select line.operator_id, (left(line.id::text, 24) || right(copy.id::text, 12))::uuid, copy.id, 1, kind, reference_list, line.name, currency,
            amount, fee, day
          from settlement_line line join settlement_file file on file.id = line.file_id and file.name = 'broken.csv'
          cross join settlement_file copy where copy.name like 'copy-%'`,
      ]),
    );
    const answer = await bench.archiveNow();
    expect(answer.exitCode).toBe(1);
    expect(answer.out).toContain(
      `${partition('settlement_line')} stays: 121 settlement files are not compared, such as broken.csv of pk; ` +
        '1 settlement file has open mismatches, such as open.csv of pk; ' +
        '1 settlement file has bookings that wait for a second person, such as booked.csv of pk; ' +
        '2 settlement files were compared after the last signed close of a day, such as after.csv of pk.',
    );
    expect(await bench.counts()).toEqual({ lines: 125, matches: 2 });
  });

  test('stays while the first close waits for its second person, since the second close counts later files', async () => {
    await bench.done(`day-closes propose pk ${closedDay} --by ann`);
    await bench.importLines('old.csv', line(await bench.business.deposit('ann'), '500.00', '0'));
    await bench.makeAllOlder();
    const answer = await bench.archiveNow();
    expect(answer).toMatchObject({ exitCode: 1, out: expect.stringContaining('was compared after the last') });
    expect(await bench.counts()).toEqual({ lines: 1, matches: 1 });
  });

  test('leaves with files of an operator that closes no days, and of files in two months', async () => {
    await bench.database.query({ text: `insert into operator (id, partner_key, name) values ('op2', 'pk2', 'Other')` });
    const other = commandOf({}, { ...ann, operatorId: 'op2', partnerKey: 'pk2' });
    await bench.business.bench.payments.createDeposit(other);
    await bench.business.bench.payments.apply(reportOf(other.request.depositId));
    await bench.importLines(
      'wide.csv',
      line(await bench.business.deposit('ann'), '500.00', '0'),
      line(await bench.business.deposit('bob'), '500.00', '0'),
    );
    await bench.importOf('pk2', 'other.csv', line(other.request.depositId, '500.00', '0'));
    await bench.makeAllOlder(
      `case when file.name = 'wide.csv' and line.n = (select max(n) from settlement_line) then 20 else 19 end`,
    );
    expect(await bench.archiveNow()).toMatchObject({ exitCode: 0 });
    expect(await bench.counts()).toEqual({ lines: 0, matches: 0 });
    expect(await findingsOf(bench.database)).toEqual(['sound', 'sound']);
    const verify = (table: string) => bench.run(`archive --verify ${bench.folder}/archive/${partition(table)}.jsonl`);
    expect((await verify('settlement_line')).out).toContain(
      'agrees with the database: 2 rows, and the sums of files: 2.',
    );
    expect((await verify('settlement_match')).out).toContain('2 rows, and what was settled of entries: 2.');
    expect(await bench.importAgain('wide.csv')).toMatchObject({ outcome: 'known', file: { lines: 2 } });
    // The first close of a day is proposed and signed afterwards, and so is the next one.
    await bench.closeDay();
    await bench.closeDay(dayAfter(closedDay, 1));
    expect(await bench.done('day-closes verify pk')).toContain(closedDay);
    await bench.database.transaction((transaction) =>
      withoutTriggers(transaction, [
        `update archived_match set amount = amount + 1`,
        `insert into operator (id, partner_key, name) values ('op3', 'pk3', 'Third')`,
        `insert into archived_match (operator_id, entry_id, entry_kind, until, lines, amount)
          select 'op3', entry_id, 'payment', until, 1, 9 from archived_match where operator_id = 'op2'`,
      ]),
    );
    const changed = (await verify('settlement_match')).out.trim().split('\n');
    expect(changed.map((text) => /\["(\w+)", .*\] (.*)\.$/.exec(text)?.slice(1).join(': '))).toEqual([
      'op: has 1 50001, but its lines give 1 50000',
      'op2: has 1 50001, but its lines give 1 50000',
      'op3: has 1 9, but its lines give none',
    ]);
  });

  test('stays while the ledger of a payment that it names is here, and leaves in the next run', async () => {
    await bench.importLines('old.csv', line(await bench.business.deposit('ann')));
    await bench.closeDay();
    await bench.endAll();
    const held = await bench.business.withdraw('ann');
    await bench.makeAllOlder();
    const answer = await bench.archiveNow();
    expect(answer).toMatchObject({ exitCode: 1, out: expect.stringContaining('names payments whose ledger is still') });
    expect(await bench.counts()).toEqual({ lines: 1, matches: 1 });
    await bench.business.payOut(held);
    expect(await bench.archiveNow()).toMatchObject({ exitCode: 0 });
    expect(await bench.counts()).toEqual({ lines: 0, matches: 0 });
  });

  test('may leave before an earlier one that waits, and the audit stays sound when that one leaves, too', async () => {
    const [early, late] = [await bench.business.deposit('ann'), await bench.business.deposit('bob')];
    await bench.importLines('early.csv', line(early), line('nobody'));
    await bench.importLines('late.csv', line(late));
    await bench.approveAll();
    await bench.closeDay();
    await bench.makeAllOlder(`case file.name when 'early.csv' then 20 else 19 end`);
    const answer = await bench.archiveNow();
    expect(answer).toMatchObject({ exitCode: 1 });
    expect(answer.out).toContain(`${partition('settlement_line', 20)} stays: 1 settlement file`);
    expect(await bench.counts()).toEqual({ lines: 2, matches: 1 });
    await bench.endAll();
    expect(await bench.archiveNow()).toMatchObject({ exitCode: 0 });
    expect(await bench.counts()).toEqual({ lines: 0, matches: 0 });
    expect(await findingsOf(bench.database)).toEqual(['sound', 'sound']);
  });

  test.each<ArchiveStep>(['detached', 'copied', 'finished'])(
    'is whole after a run that died when it was %s',
    async (step) => {
      await endedFile(bench);
      const options = {
        before: monthAgo(18),
        folder: join(bench.folder, 'archive'),
        months: 18,
        isDryRun: false,
        isKept: false,
      };
      const output = { out: () => undefined, error: () => undefined, progress: () => undefined };
      const dying = archive(bench.database, options, output, (reached, name) => {
        if (reached === step && name.startsWith('settlement_line')) throw new Error('died');
      });
      await expect(dying).rejects.toThrow('died');
      expect(await findingsOf(bench.database)).toEqual(['sound', 'sound']);
      expect(await bench.archiveNow()).toMatchObject({ exitCode: 0 });
      expect(await bench.counts()).toEqual({ lines: 0, matches: 0 });
      expect(await findingsOf(bench.database)).toEqual(['sound', 'sound']);
    },
  );

  test('cannot be changed afterwards, and with the triggers off the audit or the file finds it', async () => {
    await endedFile(bench);
    expect(await bench.archiveNow()).toMatchObject({ exitCode: 0 });
    for (const table of ['archived_settlement', 'archived_line_sum', 'archived_match']) {
      for (const text of [`delete from ${table}`, `update ${table} set lines = 9`]) {
        expect(await bench.database.query({ text }).then(() => 'accepted', constraintOf), text).toBe(
          'ledger_immutable',
        );
      }
    }
    const faultsAfter = (text: string) =>
      rolledBack(bench.database, async (transaction) => {
        await withoutTriggers(transaction, [text]);
        return (await auditLedger(transaction)).faults.map(({ rule }) => rule);
      });
    expect(await faultsAfter('update archived_match set amount = amount + 1')).toEqual(['archived_settlement_agrees']);
    expect(await faultsAfter('delete from archived_match')).toEqual(['archived_settlement_agrees']);
    expect(await faultsAfter('delete from archived_settlement')).toContain('archived_settlement_agrees');
    expect(await faultsAfter('update archived_line_sum set fee = fee + 1')).toEqual([
      'settlement_file_agrees',
      'archived_settlement_agrees',
    ]);
  });

  test('of which a sum was changed before its digest was calculated is found by the file only', async () => {
    await endedFile(bench);
    const changed: Database = {
      ...bench.database,
      transaction: (work) =>
        bench.database.transaction((inner) =>
          work({
            isTransaction: true,
            query: (statement) =>
              inner.query({
                ...statement,
                text: statement.text.replace(
                  'sum(amount) from settlement_match',
                  'sum(amount) + 1 from settlement_match',
                ),
              }),
          }),
        ),
    };
    expect(await bench.archiveNow(changed)).toMatchObject({ exitCode: 0 });
    expect(await findingsOf(bench.database)).toEqual(['sound', 'sound']);
    const verified = await bench.run(`archive --verify ${bench.folder}/archive/${partition('settlement_match')}.jsonl`);
    expect(verified).toMatchObject({ exitCode: 1, out: expect.stringContaining('its lines give 1 50000') });
  });
});
