/** Fees, settlements and differences are booked after two people agreed, and the audit knows their journals. */
import { randomUUID } from 'node:crypto';
import { bookingPageSchema, mismatchPageSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import { beforeEach, expect, test } from 'vitest';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import type { Database } from '../database/database.ts';
import { intercepted } from '../database/testing/intercepted.fixture.ts';
import { type AccountKind, accountBalance } from '../ledger/ledger.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { type OperatorApi, withOperatorApi } from '../operator-api/operator-api.fixture.ts';
import { type Bench, commandOf, refOf, reportOf } from '../payments/testing/payments.fixture.ts';
import { resolveOnce } from './bookings.ts';

let database: Database;
let bench: Bench;
let api: OperatorApi;
withOperatorApi((made) => {
  ({ database, bench, api } = made);
});
beforeEach(async () => {
  const columns = { reference: 'id', amount: 'amount', fee: 'fee', date: 'date', batch: 'batch' };
  const mapping = { format: 'csv', columns, currency: 'INR', kind: 'payment' };
  await api.ask('/settlement-mappings/fake/all', { mapping }, 'op', 'PUT');
});

const today = new Date().toISOString().slice(0, 10);
const balance = (kind: AccountKind, owner = '') => accountBalance(database, 'op', { owner, asset: 'INR', kind });
const bookings = async (state = 'proposed') =>
  v.parse(bookingPageSchema, (await api.ask(`/settlement-bookings?state=${state}`)).body).bookings;

/** A paid deposit of 500.00 INR, settled with another amount. Returns its mismatch. */
async function settled(amount: string, fee: string): Promise<string> {
  const { request } = commandOf();
  await bench.payments.createDeposit(commandOf(request));
  await bench.payments.apply(reportOf(request.depositId));
  const content = `id,amount,fee,date,batch\n${refOf(request.depositId)},${amount},${fee},${today},po-${request.depositId}\n`;
  const answer = await api.ask('/settlement-files', {
    provider: 'fake',
    mapping: 'all',
    name: 'day.csv',
    staff: 'eve',
    content: Buffer.from(content).toString('base64'),
  });
  expect(answer.status).toBe(200);
  const page = v.parse(mismatchPageSchema, (await api.ask('/settlement-mismatches?state=open')).body);
  return page.mismatches.find(({ reference }) => reference === refOf(request.depositId))?.mismatchId ?? '';
}
const resolve = (mismatchId: string, more: object = {}, caller = 'op') =>
  api.ask(
    `/settlement-mismatches/${mismatchId}/resolve`,
    { decisionId: randomUUID(), account: 'write_off', decidedBy: 'eve', reason: 'lost on the way', ...more },
    caller,
  );
const decide = (bookingId: unknown, decidedBy: string, decision = 'approve', caller = 'op') =>
  api.ask(`/settlement-bookings/${bookingId}/decide`, { decision, decidedBy }, caller);

test('[SRV-2] a short settlement is written off only after a second person approved it', async () => {
  const mismatchId = await settled('490.00', '0');
  const before = await balance('provider_clearing', 'fake');
  const decisionId = randomUUID();
  const proposed = await resolve(mismatchId, { decisionId });
  expect(proposed.body).toMatchObject({
    bookingId: decisionId,
    state: 'proposed',
    amount: '10.00',
    account: 'write_off',
    proposedBy: 'eve',
  });
  expect((await resolve(mismatchId, { decisionId })).body).toEqual(proposed.body);
  expect(await resolve(mismatchId, { decisionId, account: 'none' })).toMatchObject({
    status: 422,
    code: 'idempotency-conflict',
  });
  expect(await resolve(mismatchId)).toMatchObject({ status: 409, code: 'state-conflict' });
  expect(await decide(decisionId, 'EVE')).toMatchObject({ status: 409, code: 'state-conflict' });
  expect(await decide(decisionId, 'max', 'approve', 'other')).toMatchObject({ status: 404 });
  expect(await balance('write_off')).toBe(0n);
  const approved = await decide(decisionId, 'max');
  expect(approved.body).toMatchObject({ state: 'approved', decidedBy: 'max' });
  expect((await decide(decisionId, 'max')).body).toEqual(approved.body);
  expect(await decide(decisionId, 'max', 'reject')).toMatchObject({ status: 409 });
  expect(await balance('write_off')).toBe(-1_000n);
  expect(await balance('provider_clearing', 'fake')).toBe(before + 1_000n);
  expect((await api.ask('/settlement-mismatches?state=resolved')).body).toMatchObject({ mismatches: [{ mismatchId }] });
  expect((await auditLedger(database)).isSound).toBe(true);
});

// The embedded database runs one transaction at a time.
test.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
  '[SRV-2] one decisionId for two mismatches at once ends one of them, and the other answer names the conflict',
  async () => {
    const [first, second] = [await settled('440.00', '0'), await settled('430.00', '0')];
    const decisionId = randomUUID();
    const request = { decisionId, account: 'write_off', decidedBy: 'eve', reason: 'lost on the way' } as const;
    const whileDeciding = intercepted(database, async ({ text }) => {
      if (text.startsWith('insert into settlement_booking'))
        expect(await resolve(second, { decisionId })).toMatchObject({ status: 200, body: { mismatchId: second } });
    });
    await expect(resolveOnce(whileDeciding, 'op', first, request)).rejects.toMatchObject({
      code: 'idempotency-conflict',
    });
    const states = await database.query({
      text: 'select id, state from settlement_mismatch where id = any($1::uuid[]) order by state',
      values: [[first, second]],
    });
    expect(states).toEqual([
      { id: first, state: 'open' },
      { id: second, state: 'proposed' },
    ]);
  },
);

test('[SRV-2] a rejected proposal leaves the mismatch open, and another decision can end it without a journal', async () => {
  const mismatchId = await settled('480.00', '0');
  const first = await resolve(mismatchId, { account: 'provider_fee' });
  expect((await decide(first.body['bookingId'], 'eve', 'reject')).body).toMatchObject({ state: 'rejected' });
  const second = await resolve(mismatchId, { account: 'none', decidedBy: 'max' });
  expect(second.body).toMatchObject({ amount: '0.00', account: 'none' });
  const journals = () => database.query({ text: `select 1 from journal where kind = 'settlement_booking'` });
  const known = (await journals()).length;
  expect((await decide(second.body['bookingId'], 'eve')).body).toMatchObject({ state: 'approved' });
  expect(await journals()).toHaveLength(known);
});

test('[SRV-2] fees of a file and the sum on the bank account are booked on the command line by two people', async () => {
  await settled('500.00', '7.50');
  const [fee] = (await bookings()).filter(({ kind, amount }) => kind === 'fees' && amount === '7.50');
  expect(fee).toMatchObject({ proposedBy: 'eve', provider: 'fake', account: 'provider_fee' });
  const run = (command: string) =>
    runCommand(command, {
      environment: { DATABASE_URL: 'postgres://none/none', TOKEN_SECRET: 't'.repeat(32) },
      open: keptOpen(database),
    });
  expect(await run(`settlements approve pk ${fee?.bookingId} --by eve`)).toMatchObject({ exitCode: 1 });
  const approved = await run(`settlements approve pk ${fee?.bookingId} --by max`);
  expect(approved).toMatchObject({
    exitCode: 0,
    out: 'Approved: 7.50 INR from the account of fake to provider_fee.\n',
  });
  expect(await balance('provider_fee')).toBe(-750n);
  await api.ask('/settlement-mappings/mybank/all', { mapping: { format: 'mt940' } }, 'op', 'PUT');
  const [batch] = await database.query<{ reference: string }>({
    text: `select reference from settlement_batch where amount = 49250`,
  });
  const day = today.slice(2).replaceAll('-', '');
  const statement = `:20:X\n:60F:C${day}INR0,00\n:61:${day}C492,50NTRFX\n:86:${batch?.reference}\n:62F:C${day}INR492,50\n`;
  const file = {
    provider: 'mybank',
    mapping: 'all',
    name: 'bank.sta',
    staff: 'eve',
    content: Buffer.from(statement).toString('base64'),
  };
  expect((await api.ask('/settlement-files', file)).body).toMatchObject({ outcome: 'imported', file: { matched: 1 } });
  const [paid] = (await bookings()).filter(({ kind }) => kind === 'settlement');
  expect(paid).toMatchObject({ provider: 'fake', account: 'settlement_account', amount: '492.50' });
  expect((await run('settlements bookings pk --state proposed')).out).toContain(paid?.bookingId ?? 'none');
  expect(await run(`settlements reject pk ${paid?.bookingId} --by max`)).toMatchObject({ exitCode: 0 });
  expect(await balance('settlement_account')).toBe(0n);
});

test('[SRV-2] with differentKeys the approval needs another API key', async () => {
  await database.query({ text: `update operator set approvals_by_different_keys = true where id = 'op'` });
  const mismatchId = await settled('470.00', '0');
  const [one, other] = [`op#${randomUUID()}`, `op#${randomUUID()}`];
  const { body } = await resolve(mismatchId, {}, one);
  expect(await decide(body['bookingId'], 'max', 'approve', one)).toMatchObject({ status: 409 });
  expect(await decide(body['bookingId'], 'max', 'approve', other)).toMatchObject({ status: 200 });
  await database.query({ text: `update operator set approvals_by_different_keys = false where id = 'op'` });
});

test('[SRV-2] the database refuses a booking by one person, and a journal that nobody approved', async () => {
  const mismatchId = await settled('460.00', '0');
  const { body } = await resolve(mismatchId);
  const approve = (by: string) =>
    database.query({
      text: `update settlement_booking set state = 'approved', decided_by = $2, decided_at = now() where operator_id = 'op' and id = $1`,
      values: [body['bookingId'], by],
    });
  await expect(approve('Eve')).rejects.toMatchObject({ constraint: 'settlement_booking_by_two' });
  const { postJournal } = await import('../ledger/ledger.ts');
  const journal = database.transaction((transaction) =>
    postJournal(transaction, {
      operatorId: 'op',
      kind: 'settlement_booking',
      source: 'settlement',
      ref: String(body['bookingId']),
      lines: [
        { owner: 'fake', asset: 'INR', kind: 'provider_clearing', amount: 4_000n },
        { owner: '', asset: 'INR', kind: 'write_off', amount: -4_000n },
      ],
    }),
  );
  await expect(journal).rejects.toMatchObject({ constraint: 'settlement_booking_agrees' });
  expect(await decide(body['bookingId'], 'max')).toMatchObject({ status: 200 });
});

/** Imports one line about a payment. */
const lineOf = async (reference: string, amount: string, date = today) => {
  const content = `id,amount,fee,date,batch\n${reference},${amount},0,${date},po-${randomUUID()}\n`;
  const file = {
    provider: 'fake',
    mapping: 'all',
    name: 'late.csv',
    staff: 'eve',
    content: Buffer.from(content).toString('base64'),
  };
  expect(await api.ask('/settlement-files', file)).toMatchObject({ status: 200 });
};
const mismatchOf = async (mismatchId: string) =>
  v
    .parse(mismatchPageSchema, (await api.ask('/settlement-mismatches?limit=200')).body)
    .mismatches.find((one) => one.mismatchId === mismatchId);

test('[SRV-2] a line that arrives while a mismatch waits for the second person ends it, and rejects the booking', async () => {
  const mismatchId = await settled('450.00', '0');
  const { reference = '' } = (await mismatchOf(mismatchId)) ?? {};
  const { body } = await resolve(mismatchId);
  await lineOf(reference, '50.00');
  expect(await mismatchOf(mismatchId)).toMatchObject({ class: 'amount', state: 'cleared' });
  const before = await balance('write_off');
  expect(await decide(body['bookingId'], 'max')).toMatchObject({ status: 409, code: 'state-conflict' });
  expect((await bookings('rejected')).find(({ bookingId }) => bookingId === body['bookingId'])).toMatchObject({
    decidedBy: 'the-cashier',
  });
  expect(await balance('write_off')).toBe(before);
});

test('[SRV-2] a line that arrives after its difference was written off is more than is due', async () => {
  const mismatchId = await settled('440.00', '0');
  const { reference = '' } = (await mismatchOf(mismatchId)) ?? {};
  const { body } = await resolve(mismatchId);
  expect(await decide(body['bookingId'], 'max')).toMatchObject({ status: 200 });
  await lineOf(reference, '60.00');
  const page = v.parse(mismatchPageSchema, (await api.ask('/settlement-mismatches?state=open&class=duplicate')).body);
  expect(page.mismatches).toMatchObject([{ reference, expected: '0.00', found: '60.00' }]);
  expect((await auditLedger(database)).isSound).toBe(true);
});

test('[SRV-2] the fee of a line that settles an entry again is not proposed again', async () => {
  const content = async (name: string) => {
    const { request } = commandOf();
    await bench.payments.createDeposit(commandOf(request));
    await bench.payments.apply(reportOf(request.depositId));
    return `${refOf(request.depositId)},500.00,${name},${today},po-${request.depositId}\n`;
  };
  const [known, more] = [await content('6.25'), await content('2.50')];
  const send = (...lines: readonly string[]) =>
    api.ask('/settlement-files', {
      provider: 'fake',
      mapping: 'all',
      name: 'day.csv',
      staff: 'eve',
      content: Buffer.from(`id,amount,fee,date,batch\n${lines.join('')}`).toString('base64'),
    });
  const before = (await bookings()).filter(({ kind }) => kind === 'fees').length;
  expect((await send(known)).status).toBe(200);
  // Such as the list of the same provider, which has other bytes.
  expect((await send(known, more)).body).toMatchObject({ file: { mismatches: { duplicate: 1 } } });
  const fees = (await bookings()).filter(({ kind }) => kind === 'fees').map(({ amount }) => amount);
  expect(fees).toHaveLength(before + 2);
  expect(fees).toContain('6.25');
  expect(fees).toContain('2.50');
});
