/** Days are closed by two people, signed and chained; late bookings are in the next close, and tampering shows. */
import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  closeDocumentSchema,
  closeKeyListSchema,
  type DayCloseView,
  dayClosePageSchema,
  dayCloseSchema,
} from '@opencashier/contract/operator';
import { dayAfter } from '@opencashier/core/reconciliation/line';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { rolledBack } from '../database/testing/rolled-back.fixture.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { withoutTriggers } from '../ledger/without-triggers.fixture.ts';
import { type OperatorApi, withOperatorApi } from '../operator-api/operator-api.fixture.ts';
import { type Bench, commandOf, refOf, reportOf } from '../payments/testing/payments.fixture.ts';
import { setHours as setHoursOf, today } from './hours-of-today.fixture.ts';

let database: Database;
let bench: Bench;
let api: OperatorApi;
withOperatorApi((made) => {
  ({ database, bench, api } = made);
});
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cashier-closes-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const setHours = (hours: number): Promise<void> => setHoursOf(database, hours);

async function paidDeposit(): Promise<string> {
  const { request } = commandOf();
  await bench.payments.createDeposit(commandOf(request));
  await bench.payments.apply(reportOf(request.depositId));
  return request.depositId;
}
const propose = (day: string, decidedBy = 'eve', caller = 'op') => api.ask('/day-closes', { day, decidedBy }, caller);
const decide = (closeId: string, decidedBy: string, decision = 'confirm', caller = 'op') =>
  api.ask(`/day-closes/${closeId}/decide`, { decision, decidedBy }, caller);
const viewOf = (body: unknown): DayCloseView => v.parse(dayCloseSchema, body);
const run = (command: string) =>
  runCommand(command, {
    environment: { DATABASE_URL: 'postgres://none/none', TOKEN_SECRET: 't'.repeat(32) },
    open: keptOpen(database),
  });
/** Fails if a command opens a database. */
const withoutDatabase = { environment: {}, open: () => Promise.reject(new Error('No database is needed')) };
async function closed(day: string): Promise<DayCloseView> {
  const { closeId } = viewOf((await propose(day)).body);
  const answer = await decide(closeId, 'max');
  expect(answer).toMatchObject({ status: 200 });
  return viewOf(answer.body);
}

test('[SRV-2] a day that is over is closed by two people, and anybody can verify the signature', async () => {
  await setHours(0);
  const depositId = await paidDeposit();
  expect(await propose(today)).toMatchObject({ status: 409, code: 'state-conflict' });
  await setHours(12.05);
  expect(await propose(today)).toMatchObject({ status: 409 });
  await setHours(13);
  expect(await propose('2026-02-30')).toMatchObject({ status: 400 });
  const proposed = viewOf((await propose(today)).body);
  expect(proposed).toMatchObject({ day: today, state: 'proposed', proposedBy: 'eve' });
  expect(proposed.signed).toBeUndefined();
  expect(proposed.totals).toMatchObject({
    operator: 'pk',
    accounts: [
      {
        account: 'provider_clearing',
        owner: 'fake',
        currency: 'INR',
        opening: '0.00',
        moved: '-500.00',
        closing: '-500.00',
      },
      { account: 'user', owner: '', opening: '0.00', late: '0.00', moved: '500.00', closing: '500.00' },
    ],
    movements: [{ provider: 'fake', currency: 'INR', kind: 'deposit_credit', count: 1, amount: '-500.00' }],
    funds: [{ owedToUsers: '500.00', inTransit: '500.00', surplus: '0.00' }],
  });
  expect(viewOf((await propose(today)).body).closeId).toBe(proposed.closeId);
  expect(await propose(today, 'max')).toMatchObject({ status: 409 });
  expect(await decide(proposed.closeId, 'EVE')).toMatchObject({ status: 409, code: 'state-conflict' });
  expect(await decide(proposed.closeId, 'max', 'confirm', 'other')).toMatchObject({ status: 404 });
  const rejected = await decide(proposed.closeId, 'max', 'reject');
  expect(rejected.body).toMatchObject({ state: 'rejected' });
  expect(await decide(proposed.closeId, 'max')).toMatchObject({ status: 409 });

  const close = await closed(today);
  expect((await decide(close.closeId, 'max')).body).toEqual(close);
  const { document = '', signature = '', keyId } = close.signed ?? {};
  expect(v.parse(closeDocumentSchema, JSON.parse(document))).toEqual({
    ...close.totals,
    closeId: close.closeId,
    proposedBy: 'eve',
    confirmedBy: 'max',
    confirmed: close.decided,
  });
  const { keys } = v.parse(closeKeyListSchema, (await api.ask('/day-close-keys')).body);
  expect(keys.map((key) => key.keyId)).toEqual([keyId]);
  const key = createPublicKey(keys[0]?.publicKey ?? '');
  expect(verify(null, Buffer.from(document), key, Buffer.from(signature, 'base64'))).toBe(true);
  expect(verify(null, Buffer.from(document.replace('500.00', '400.00')), key, Buffer.from(signature, 'base64'))).toBe(
    false,
  );
  expect((await api.ask('/day-closes', undefined, 'other')).body).toEqual({ closes: [] });
  expect(await api.ask(`/day-closes/${close.closeId}`, undefined, 'other')).toMatchObject({ status: 404 });
  expect(depositId).not.toBe('');
});

test('[SRV-2] what is booked late, a late file and open mismatches are in the close of the next day', async () => {
  const next = dayAfter(today, 1);
  // A transaction of the closed day that commits after its close.
  await setHours(11.9);
  const late = await paidDeposit();
  await setHours(15);
  const mapping = {
    format: 'csv',
    columns: { reference: 'id', amount: 'amount', date: 'date' },
    currency: 'INR',
    kind: 'payment',
  };
  await api.ask('/settlement-mappings/fake/all', { mapping }, 'op', 'PUT');
  const content = `id,amount,date\n${refOf(late)},490.00,${today}\nnobody,20.00,${today}\n`;
  const file = {
    provider: 'fake',
    mapping: 'all',
    name: 'a.csv',
    staff: 'eve',
    content: Buffer.from(content).toString('base64'),
  };
  expect((await api.ask('/settlement-files', file)).body).toMatchObject({ outcome: 'imported' });
  expect(await propose(dayAfter(today, 2))).toMatchObject({ status: 409 });
  expect(await propose(today)).toMatchObject({ status: 409 });
  await setHours(24 * 4);
  expect(await propose(dayAfter(today, 2))).toMatchObject({ status: 409, body: { error: { params: { day: next } } } });
  const { totals } = await closed(next);
  expect(totals).toMatchObject({
    accounts: [
      { account: 'provider_clearing', opening: '-500.00', late: '-500.00', moved: '0.00', closing: '-1000.00' },
      { account: 'user', opening: '500.00', late: '500.00', moved: '0.00', closing: '1000.00' },
    ],
    movements: [],
    files: [{ provider: 'fake', source: 'provider', files: 1, lines: 2, matched: 1 }],
    lateLines: [{ provider: 'fake', currency: 'INR', lines: 2, amount: '510.00' }],
    open: [
      { class: 'amount', age: '2-7', count: 1, expected: '500.00', found: '490.00' },
      { class: 'missing-here', age: '2-7', count: 1, expected: '0.00', found: '20.00' },
    ],
  });
  await database.query({ text: `update operator set approvals_by_different_keys = true where id = 'op'` });
  const [one, other] = [`op#${randomUUID()}`, `op#${randomUUID()}`];
  const { closeId, totals: third } = viewOf((await propose(dayAfter(today, 2), 'eve', one)).body);
  expect(await decide(closeId, 'max', 'confirm', one)).toMatchObject({ status: 409 });
  expect(await decide(closeId, 'max', 'confirm', other)).toMatchObject({ status: 200 });
  await database.query({ text: `update operator set approvals_by_different_keys = false where id = 'op'` });
  expect(third).toMatchObject({ files: [], lateLines: [] });
  expect(third.accounts.map(({ late: none, closing }) => [none, closing])).toEqual([
    ['0.00', '-1000.00'],
    ['0.00', '1000.00'],
  ]);
  const page = v.parse(dayClosePageSchema, (await api.ask('/day-closes?state=closed&limit=2')).body);
  expect(page.closes.map(({ day }) => day)).toEqual([dayAfter(today, 2), next]);
  const rest = v.parse(
    dayClosePageSchema,
    (await api.ask(`/day-closes?state=closed&limit=2&cursor=${page.nextCursor}`)).body,
  );
  expect(rest.closes.map(({ day }) => day)).toEqual([today]);
});

test('[SRV-2] an export is verified without a database, and any change of it is found', async () => {
  const exported = await run('day-closes export pk');
  expect(exported).toMatchObject({ exitCode: 0, errors: '' });
  const lines = exported.out.trimEnd().split('\n');
  expect(lines).toHaveLength(5);
  const { keyId: key } = JSON.parse((await run('day-closes keys pk --json')).out);
  const file = join(folder, 'closes.jsonl');
  const offline = (content: string, trusted = key) => {
    writeFileSync(file, content);
    return runCommand(`day-closes verify --file ${file} --key ${trusted}`, withoutDatabase);
  };
  expect(await offline(exported.out)).toMatchObject({ exitCode: 0 });
  expect((await offline(exported.out)).out).toContain(`3 closed days from ${today} to ${dayAfter(today, 2)} agree.`);
  const pem = join(folder, 'key.pem');
  writeFileSync(pem, JSON.parse(lines[0] ?? '').keys[0].publicKey);
  expect(await offline(exported.out, pem)).toMatchObject({ exitCode: 0 });
  const changed: readonly [string, string][] = [
    ['signature is wrong', lines.map((line) => line.replace('490.00', '500.00')).join('\n')],
    ['previous|hash of the day before', [lines[0], lines[1], lines[3], lines[4]].join('\n')],
    ['days before it are missing', [lines[0], ...lines.slice(2)].join('\n')],
    ['cut off', lines.slice(0, 4).join('\n')],
    ['says 3', [...lines.slice(0, 3), lines[4]].join('\n')],
    ['not the head', lines.slice(1).join('\n')],
    [
      'another operator|is of the operator',
      lines.map((line) => line.replace('"operator":"pk"', '"operator":"other"')).join('\n'),
    ],
    ['is no closed day', [lines[0], '{}', ...lines.slice(1)].join('\n')],
  ];
  for (const [words, content] of changed) {
    const verified = await offline(`${content}\n`);
    expect(verified, words).toMatchObject({ exitCode: 1, out: expect.stringMatching(words) });
  }
  expect(await offline(exported.out.slice(0, -2))).toMatchObject({
    exitCode: 1,
    out: expect.stringContaining('cut off'),
  });
  expect(await offline(exported.out, 'f'.repeat(64))).toMatchObject({
    exitCode: 1,
    out: expect.stringContaining('not trusted'),
  });
  expect(await runCommand(`day-closes verify --file ${file}`, withoutDatabase)).toMatchObject({ exitCode: 2 });
  expect(await run('day-closes verify pk')).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining('3 closed days'),
  });
});

test('[SRV-2] the database refuses a changed, removed or skipped close, and the audit finds one that was changed past it', async () => {
  const attempts: readonly [string, string][] = [
    [`update day_close set totals = '{}' where state = 'closed'`, 'day_close_immutable'],
    [`update day_close set state = 'rejected', decided_by = 'x', decided_at = now()`, 'day_close_immutable'],
    ['delete from day_close', 'ledger_immutable'],
    ['truncate day_close cascade', 'ledger_immutable'],
    ['delete from day_close_key', 'ledger_immutable'],
    [
      `update day_close_key set public_key = public_key || ''::bytea, at = now() - interval '1 day'`,
      'day_close_key_immutable',
    ],
    [
      `insert into day_close (operator_id, day, as_of, totals, proposed_by) values ('op', '2030-01-01', now(), '{}', 'eve')`,
      'day_close_chained',
    ],
    [
      `insert into day_close (operator_id, day, as_of, totals, proposed_by, state, decided_by, decided_at)
        values ('op', '2020-01-01', now(), '{}', 'eve', 'closed', 'max', now())`,
      'day_close_proposed_first',
    ],
  ];
  for (const [text, rule] of attempts) {
    const refused = await database.query({ text }).then(() => 'accepted', constraintOf);
    expect(refused, text).toBe(rule);
  }
  const audited = (text: string) =>
    rolledBack(database, async (transaction) => {
      await withoutTriggers(transaction, [text]);
      return (await auditLedger(transaction)).faults.map(({ rule }) => rule);
    });
  expect(await audited('select 1')).toEqual([]);
  const [second] = await database.query<{ id: string }>({
    text: `select id from day_close where state = 'closed' order by day offset 1 limit 1`,
  });
  for (const text of [
    `delete from day_close where id = '${second?.id}'`,
    `update day_close set document = document || ' ', hash = sha256(convert_to(document || ' ', 'UTF8')) where id = '${second?.id}'`,
    `update day_close set day = day - 5 where id = '${second?.id}'`,
  ]) {
    expect(await audited(text), text).toContain('day_close_chained');
  }
});

test('[SRV-2] verify compares the closed days with the ledger', async () => {
  const found = await rolledBack(database, async (transaction) => {
    await withoutTriggers(transaction, [
      `update posting set amount = amount + 7 where account_id = (select id from account where kind = 'user' order by id limit 1)`,
    ]);
    const { verifyCloses } = await import('./verify-closes.ts');
    return verifyCloses(
      { ...database, query: transaction.query, transaction: (work) => work(transaction) },
      { operatorId: 'op', partnerKey: 'pk' },
    );
  });
  expect(found.faults).toEqual([`${today}: the ledger differs from what was closed: user INR by 0.14.`]);
});

test('[SRV-2] days are closed on the command line; a new key signs the next one, and older closes stay valid', async () => {
  const day = dayAfter(today, 3);
  expect(await run(`day-closes propose pk ${dayAfter(day, 9)} --by eve`)).toMatchObject({ exitCode: 1 });
  await setHours(24 * 6);
  const made = await run('day-closes new-key pk');
  expect(made).toMatchObject({ exitCode: 0, out: expect.stringContaining('signs from now on') });
  const proposed = await run(`day-closes propose pk ${day} --by eve`);
  expect(proposed).toMatchObject({ exitCode: 0, errors: '', out: expect.stringContaining('Open mismatches:') });
  const [, id = ''] = /Proposed as (\S+)\./.exec(proposed.out) ?? [];
  expect(await run(`day-closes confirm pk ${id} --by eve`)).toMatchObject({ exitCode: 1 });
  const confirmed = await run(`day-closes confirm pk ${id} --by max`);
  expect(confirmed).toMatchObject({
    exitCode: 0,
    out: expect.stringMatching(new RegExp(`^${day} is closed. SHA-256 [0-9a-f]{64}.\n$`)),
  });
  const { keys } = v.parse(closeKeyListSchema, (await api.ask('/day-close-keys')).body);
  expect(keys).toHaveLength(2);
  expect(JSON.parse((await run(`day-closes show pk ${id} --json`)).out).signed.keyId).toBe(keys[0]?.keyId);
  expect(await run('day-closes verify pk')).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining('4 closed days'),
  });
  expect((await run('day-closes list pk --state closed')).out).toContain(day);
  // The cashier has another secret than the command line, so it cannot open the new key.
  const { closeId } = viewOf((await propose(dayAfter(today, 4))).body);
  expect(await decide(closeId, 'max')).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('day-closes new-key') } },
  });
  expect(await run(`day-closes reject pk ${closeId} --by max --reason late`)).toMatchObject({ exitCode: 0 });
});
