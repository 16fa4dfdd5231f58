/** Two people take a settlement file back. Afterwards the books are as if it had never been imported. */
import { randomUUID } from 'node:crypto';
import {
  bookingPageSchema,
  mismatchPageSchema,
  type SettlementFileView,
  settlementFilePageSchema,
} from '@opencashier/contract/operator';
import * as v from 'valibot';
import { beforeEach, expect, test } from 'vitest';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import type { Database } from '../database/database.ts';
import { intercepted } from '../database/testing/intercepted.fixture.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { type OperatorApi, withOperatorApi } from '../operator-api/operator-api.fixture.ts';
import { type Bench, commandOf, refOf, reportOf } from '../payments/testing/payments.fixture.ts';
import { importFile } from './import-file.ts';
import { decideTakeBack } from './take-back.ts';

let database: Database;
let bench: Bench;
let api: OperatorApi;
withOperatorApi((made) => {
  ({ database, bench, api } = made);
});

const today = new Date().toISOString().slice(0, 10);
const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const mapping = {
  format: 'csv',
  columns: { reference: 'id', amount: 'amount', fee: 'fee', date: 'date', batch: 'batch' },
  currency: 'INR',
  kind: 'payment',
};
const provider = 'fake';
const BANK = { ...mapping, kind: 'settlement', columns: { reference: 'id', amount: 'amount', date: 'date' } };
beforeEach(async () => {
  await database.query({ text: 'alter table settlement_file disable trigger user' });
  // Files of earlier tests are a year older than those of this one.
  await database.query({
    text: `update settlement_file set at = at - interval '1 year', done_at = done_at - interval '1 year' where done_at is not null`,
  });
  await database.query({ text: 'alter table settlement_file enable trigger user' });
  for (const [name, about] of [
    ['fake/all', mapping],
    ['fake/minor', { ...mapping, unit: 'minor' }],
    ['mybank/all', BANK],
  ] as const) {
    await api.ask(`/settlement-mappings/${name}`, { mapping: about }, 'op', 'PUT');
  }
});

const csv = (...rows: string[]) => ['id,amount,fee,date,batch', ...rows, ''].join('\n');
let files = 0;
async function send(
  content: string,
  more: object = {},
): Promise<{ outcome: unknown; file: SettlementFileView & { fileId: string } }> {
  files += 1;
  const body = { provider, mapping: 'all', name: `taken-${files}.csv`, staff: 'eve', ...more };
  const answer = await api.ask('/settlement-files', { ...body, content: Buffer.from(content).toString('base64') });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as never;
}
const propose = (fileId: string, decisionId: string = randomUUID(), decidedBy = 'maria', reason = 'wrong unit') =>
  api.ask(`/settlement-files/${fileId}/take-back`, { decisionId, decidedBy, reason });
const decide = (takeBackId: string, decidedBy = 'ivan', decision = 'confirm', caller = 'op') =>
  api.ask(`/settlement-take-backs/${takeBackId}/decide`, { decision, decidedBy }, caller);
async function takeBack(fileId: string) {
  const takeBackId = randomUUID();
  expect(await propose(fileId, takeBackId)).toMatchObject({ status: 200 });
  const answer = await decide(takeBackId);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200, body: { state: 'taken-back' } });
}
const mismatches = async (query = '') =>
  v.parse(mismatchPageSchema, (await api.ask(`/settlement-mismatches?limit=200${query}`)).body).mismatches;
const bookings = async (fileId: string) =>
  v
    .parse(bookingPageSchema, (await api.ask('/settlement-bookings?limit=200')).body)
    .bookings.filter((booking) => booking.fileId === fileId);
const messageOf = ({ body }: { body: unknown }) => (body as { error: { message: string } }).error.message;
const listed = async (fileId: string) =>
  v
    .parse(settlementFilePageSchema, (await api.ask('/settlement-files?limit=200')).body)
    .files.find((file) => file.fileId === fileId);

async function paidDeposit(): Promise<string> {
  const { request } = commandOf();
  await bench.payments.createDeposit(commandOf(request));
  await bench.payments.apply(reportOf(request.depositId));
  return request.depositId;
}
const sound = async () => expect((await auditLedger(database)).faults).toEqual([]);

test('[SRV-2] a file of a wrong unit is taken back by two people, and its bytes are imported again', async () => {
  const depositId = await paidDeposit();
  const content = csv(`${refOf(depositId)},500.00,7.50,${today},po-1`.replaceAll('.', ''));
  const wrong = await send(content);
  expect(wrong.file).toMatchObject({ state: 'done', matched: 1, mismatches: { amount: 1 } });
  const { fileId } = wrong.file;
  const takeBackId = randomUUID();
  const proposal = { takeBackId, state: 'proposed', reason: 'wrong unit', proposedBy: 'maria' };
  expect((await propose(fileId, takeBackId)).body).toMatchObject({ state: 'done', takeBacks: [proposal] });
  expect((await propose(fileId, takeBackId)).body).toMatchObject({ state: 'done', takeBacks: [proposal] });
  expect(await propose(fileId, takeBackId, 'maria', 'another')).toMatchObject({ code: 'idempotency-conflict' });
  expect(await propose(fileId)).toMatchObject({ status: 409, code: 'state-conflict' });
  for (const same of ['maria', 'MARIA']) expect(await decide(takeBackId, same)).toMatchObject({ status: 409 });
  expect(await decide(takeBackId, 'ivan', 'confirm', 'other')).toMatchObject({ status: 404 });
  expect(await listed(fileId)).toMatchObject({ state: 'done' });
  const confirmed = { state: 'taken-back', takeBacks: [{ ...proposal, state: 'confirmed', decidedBy: 'ivan' }] };
  for (let n = 0; n < 2; n += 1) expect((await decide(takeBackId)).body).toMatchObject(confirmed);
  expect(await decide(takeBackId, 'ann')).toMatchObject({ status: 409 });
  expect(await listed(fileId)).toMatchObject({ ...confirmed, lines: 1, matched: 1, mismatches: { amount: 1 } });
  expect(await propose(fileId)).toMatchObject({ status: 409 });
  expect(await mismatches(`&fileId=${fileId}`)).toEqual([]);
  expect(await mismatches(`&fileId=${fileId}&state=taken-back`)).toMatchObject([{ class: 'amount', line: 2 }]);
  expect(await bookings(fileId)).toMatchObject([{ kind: 'fees', state: 'rejected', decidedBy: 'the-cashier' }]);
  const right = await send(content, { mapping: 'minor' });
  expect(right).toMatchObject({ outcome: 'imported', file: { matched: 1, mismatches: {} } });
  expect(right.file.fileId).not.toBe(fileId);
  expect(await send(content, { mapping: 'minor' })).toMatchObject({
    outcome: 'known',
    file: { fileId: right.file.fileId },
  });
  await sound();
});

test('[SRV-2] what a file cleared is open again, and lines of earlier files find nothing any more', async () => {
  const { request } = commandOf();
  await bench.payments.createDeposit(commandOf(request));
  const [short, late] = [await paidDeposit(), request.depositId];
  const missing = await paidDeposit();
  const first = await send(
    csv(`${refOf(short)},490.00,0,${today},po-2`, `${refOf(late)},500.00,0,${today},po-2`, `x,1.00,0,${later(9)},`),
  );
  await bench.payments.apply(reportOf(late));
  const about = async () =>
    (await mismatches('&state=open'))
      .filter(({ reference }) => [short, late, missing].map(refOf).includes(reference ?? ''))
      .map((one) => [one.class, one.fileId === first.file.fileId, one.expected, one.found]);
  const before = await about();
  const sums = () =>
    database.query({
      text: `select reference, amount, day::text, file_id from settlement_batch where reference in ('po-2', 'po-3') order by 1`,
    });
  const sumsBefore = await sums();
  expect(before.map(([name]) => name).toSorted()).toEqual(['amount', 'missing-here', 'missing-there']);
  const [waits] = await mismatches('&state=open&class=amount');
  await api.ask(`/settlement-mismatches/${waits?.mismatchId}/resolve`, {
    decisionId: randomUUID(),
    account: 'write_off',
    decidedBy: 'eve',
    reason: 'short',
  });
  const second = await send(csv(`${refOf(short)},4.00,0,${today},po-2`, `${refOf(missing)},500.00,0,${today},po-3`));
  expect((await about()).map(([name]) => name)).toEqual(['amount']);
  expect(await sums()).not.toEqual(sumsBefore);
  await takeBack(second.file.fileId);
  expect(await about()).toEqual(before);
  expect(await sums()).toEqual(sumsBefore);
  const settled = await database.query({
    text: `select 1 from settlement_match match join settlement_line line on line.id = match.line_id
      where line.file_id = $1 or line.reference_list[1] = $2`,
    values: [second.file.fileId, refOf(late)],
  });
  expect(settled).toEqual([]);
  await sound();
  // The next file finds both again.
  await send(csv(`${refOf(short)},10.00,0,${today},po-2`, `${refOf(missing)},500.00,0,${today},po-3`));
  expect(await about()).toEqual([]);
  await sound();
});

test('[SRV-2] a file whose fees were booked stays, and so does one whose mismatch ended with a journal', async () => {
  const content = csv(`${refOf(await paidDeposit())},499.00,2.00,${today},po-4`);
  const { fileId } = (await send(content)).file;
  const [mismatch] = await mismatches(`&fileId=${fileId}`);
  const takeBackId = randomUUID();
  await propose(fileId, takeBackId);
  const ended = randomUUID();
  const resolve = { decisionId: ended, account: 'none', decidedBy: 'eve', reason: 'later' };
  await api.ask(`/settlement-mismatches/${mismatch?.mismatchId}/resolve`, resolve);
  const [fees] = (await bookings(fileId)).filter(({ kind }) => kind === 'fees');
  const approve = (id = '') => api.ask(`/settlement-bookings/${id}/decide`, { decision: 'approve', decidedBy: 'ann' });
  // Nothing is booked, so this one is no obstacle.
  await approve(ended);
  await approve(fees?.bookingId);
  const refused = await decide(takeBackId);
  expect(refused).toMatchObject({ status: 409, code: 'state-conflict' });
  expect(messageOf(refused)).toContain(`booking ${fees?.bookingId}`);
  expect(await listed(fileId)).toMatchObject({ state: 'done' });
  await decide(takeBackId, 'ivan', 'reject');
  expect(messageOf(await propose(fileId))).toContain(`booking ${fees?.bookingId}`);
  expect(await listed(fileId)).toMatchObject({ takeBacks: [{ state: 'rejected', decidedBy: 'ivan' }] });
});

test('[SRV-2] a mismatch that two people ended without a booking does not keep its file', async () => {
  const { fileId } = (await send(csv(`${refOf(await paidDeposit())},500.00,0,${later(9)},po-5`))).file;
  const [mismatch] = await mismatches(`&fileId=${fileId}&class=date`);
  const decisionId = randomUUID();
  const resolve = { decisionId, account: 'none', decidedBy: 'eve', reason: 'slow' };
  await api.ask(`/settlement-mismatches/${mismatch?.mismatchId}/resolve`, resolve);
  await api.ask(`/settlement-bookings/${decisionId}/decide`, { decision: 'approve', decidedBy: 'ann' });
  await takeBack(fileId);
  await sound();
});

test('[SRV-2] the last file leaves first', async () => {
  const line = `${refOf(await paidDeposit())},500.00,0,${today},po-6`;
  const first = await send(csv(line));
  const statement = await send(`id,amount,date\npo-6,500.00,${today}\n`, { provider: 'mybank' });
  const second = await send(csv(line, `nobody,1.00,0,${today},`));
  const refusedBy = async (fileId: string) => {
    const answer = await propose(fileId);
    return { code: answer.code, by: (answer.body['error'] as { params?: { fileId?: string } }).params?.fileId };
  };
  expect(await refusedBy(first.file.fileId)).toEqual({ code: 'state-conflict', by: second.file.fileId });
  // A later file of a provider changes nothing that a statement has settled.
  await takeBack(statement.file.fileId);
  await takeBack(second.file.fileId);
  const again = await send(`id,amount,date\npo-6,500.00,${today}\n`, { provider: 'mybank' });
  expect(again).toMatchObject({ outcome: 'imported', file: { matched: 1, mismatches: {} } });
  expect(await refusedBy(first.file.fileId)).toEqual({ code: 'state-conflict', by: again.file.fileId });
  await takeBack(again.file.fileId);
  await takeBack(first.file.fileId);
  await sound();
});

test('[SRV-2] a comparison that was interrupted is finished first, and files that were compared at once stay', async () => {
  const line = `${refOf(await paidDeposit())},500.00,0,${today},po-7`;
  const { fileId } = (await send(csv(line))).file;
  const open = async function* () {
    yield Buffer.from(csv(line, `stranger,1.00,0,${today},`));
  };
  const request = { operatorId: 'op', provider: 'fake', mapping: 'all', name: 'dies.csv', by: 'eve', open };
  const failing = intercepted(database, async ({ text }) => {
    if (text.includes(`set state = 'done'`)) throw new Error('the node died');
  });
  await expect(importFile(failing, request)).rejects.toThrow('the node died');
  expect(messageOf(await propose(fileId))).toContain('dies.csv');
  const beside = (await send(csv(`other,1.00,0,${today},`))).file.fileId;
  await database.query({ text: `update settlement_file set busy_until = now() where name = 'dies.csv'` });
  const { file } = await importFile(database, request);
  expect(messageOf(await propose(beside))).toContain('at the same time');
  expect(messageOf(await propose(file.fileId ?? ''))).toContain('at the same time');
});

test('[SRV-2] a file that a close of a day counts stays', async () => {
  const { fileId } = (await send(csv(`${refOf(await paidDeposit())},500.00,0,${today},po-8`))).file;
  const takeBackId = randomUUID();
  await propose(fileId, takeBackId);
  const close = await api.ask('/day-closes', { day: later(-1), decidedBy: 'eve' });
  expect(close.status).toBe(200);
  expect(messageOf(await decide(takeBackId))).toContain(`The proposed close of ${later(-1)}`);
  await api.ask(`/day-closes/${close.body['closeId']}/decide`, { decision: 'confirm', decidedBy: 'max' });
  expect(messageOf(await decide(takeBackId))).toContain(`The signed close of ${later(-1)}`);
  const next = await send(csv(`late,1.00,0,${today},`));
  await takeBack(next.file.fileId);
});

test('[SRV-2] a server that dies in between has changed nothing', async () => {
  const { fileId } = (await send(csv(`${refOf(await paidDeposit())},499.00,1.00,${today},po-9`))).file;
  const takeBackId = randomUUID();
  await propose(fileId, takeBackId);
  const [before, found] = [await listed(fileId), await mismatches(`&fileId=${fileId}`)];
  const failing = intercepted(database, async ({ text }) => {
    if (text.startsWith('delete from settlement_batch')) throw new Error('the node died');
  });
  const request = { decision: 'confirm', decidedBy: 'ivan' } as const;
  await expect(decideTakeBack(failing, 'op', takeBackId, request)).rejects.toThrow('the node died');
  expect(await listed(fileId)).toEqual(before);
  expect(await mismatches(`&fileId=${fileId}`)).toEqual(found);
  await sound();
  expect((await decide(takeBackId)).status).toBe(200);
});

test('[SRV-2] of two confirmations at once one counts, and a proposal to end a mismatch meanwhile books nothing', async () => {
  const { fileId } = (await send(csv(`${refOf(await paidDeposit())},499.00,1.00,${today},po-10`))).file;
  const [mismatch] = await mismatches(`&fileId=${fileId}`);
  const takeBackId = randomUUID();
  await propose(fileId, takeBackId);
  const decisionId = randomUUID();
  const resolve = { decisionId, account: 'write_off', decidedBy: 'eve', reason: 'short' };
  const [one, two, ended] = await Promise.all([
    decide(takeBackId, 'ivan'),
    decide(takeBackId, 'olga'),
    api.ask(`/settlement-mismatches/${mismatch?.mismatchId}/resolve`, resolve),
  ]);
  expect([one.status, two.status].toSorted()).toEqual([200, 409]);
  const approved = await api.ask(`/settlement-bookings/${decisionId}/decide`, {
    decision: 'approve',
    decidedBy: 'ann',
  });
  expect(approved.status).toBe(ended.status === 200 ? 409 : 404);
  expect((await bookings(fileId)).every(({ state }) => state === 'rejected')).toBe(true);
  await sound();
});

test('[SRV-2] beside imports of the same bytes and of another file, each payment is settled once or not at all', async () => {
  for (let n = 0; n < 4; n += 1) {
    const depositId = await paidDeposit();
    const content = csv(`${refOf(depositId)},500.00,0,${today},race-${n}`);
    const { fileId } = (await send(content)).file;
    const takeBackId = randomUUID();
    await propose(fileId, takeBackId);
    const sent = (text: string) =>
      api.ask('/settlement-files', {
        provider,
        mapping: 'all',
        name: `race-${n}.csv`,
        content: Buffer.from(text).toString('base64'),
      });
    const [decided, same, other] = await Promise.all([
      decide(takeBackId),
      sent(content),
      sent(csv(`race-${n},1.00,0,${today},race-${n}`)),
    ]);
    // A file that is being compared beside it is in the way.
    expect([200, 409]).toContain(decided.status);
    for (const answer of [same, other]) expect([200, 409], JSON.stringify(answer.body)).toContain(answer.status);
    expect((await listed(fileId))?.state).toBe(decided.status === 200 ? 'taken-back' : 'done');
    expect((await sent(content)).status).toBe(200);
    const settled = await database.query({
      text: `select match.amount, file.state from settlement_match match join settlement_line line on line.id = match.line_id
        join settlement_file file on file.id = line.file_id where line.reference_list[1] = $1`,
      values: [refOf(depositId)],
    });
    expect(settled).toEqual([{ amount: 50_000n, state: 'done' }]);
  }
  await sound();
});

test('[SRV-2] the command line proposes, confirms and rejects', async () => {
  const { fileId } = (await send(csv(`${refOf(await paidDeposit())},499.00,1.00,${today},po-11`))).file;
  const run = (command: string) =>
    runCommand(`settlements ${command}`, {
      environment: { DATABASE_URL: 'postgres://none/none' },
      open: keptOpen(database),
    });
  const proposed = async () => {
    const { out, exitCode } = await run(`take-back propose pk ${fileId} --by maria --reason test`);
    expect(exitCode).toBe(0);
    return /Proposed as (\S+):/.exec(out)?.[1] ?? '';
  };
  const first = await proposed();
  expect((await run('list pk')).out).toContain(first);
  expect((await run(`take-back reject pk ${first} --by ivan`)).out).toContain('stays as it is');
  const second = await proposed();
  expect(await run(`take-back confirm pk ${second} --by maria`)).toMatchObject({ exitCode: 1 });
  expect((await run(`take-back confirm pk ${second} --by ivan`)).out).toContain('settles nothing');
  expect((await run('list pk')).out).toContain('taken-back');
  expect(await run(`take-back propose pk ${fileId} --by maria --reason test`)).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining('was taken back before'),
  });
});
