import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase, type TestDatabase } from '../database/testing/test-database.ts';
import type { Caller } from '../operators/caller.ts';
import { createSeal } from '../outbox/sealed-data.ts';
import { type Bench, createBench, SECRET, seedOperator } from '../payments/testing/payments.fixture.ts';
import { codeOf, failureOf } from '../payments/testing/with-payments.fixture.ts';
import { books, CARD, intent, richUser } from '../withdrawals/withdrawals.fixture.ts';
import type { CreateWithdrawal, Withdrawals } from '../withdrawals/withdrawals.ts';
import { wrongCodesToday } from './wrong-codes.ts';

let opened: TestDatabase;
let database: Database;
let bench: Bench;
let withdrawals: Withdrawals;
beforeAll(async () => {
  opened = await openTestDatabase();
  database = opened.database;
});
afterAll(() => opened.drop());
beforeEach(async () => {
  // No server listens there, so queued webhooks stay readable.
  await seedOperator(database, { url: 'https://operator.example/hook', secrets: [] });
  bench = createBench(database);
  withdrawals = bench.payments.withdrawals;
});

const coded = (caller: Caller, more: Partial<CreateWithdrawal['request']> = {}): CreateWithdrawal =>
  intent(caller, { paymentMethod: 'payout_coded', ...more });

/** All codes queued for the operator, the newest last. */
async function codesFor(withdrawalId: string): Promise<string[]> {
  const rows = await database.query<{ sealed: Buffer }>({
    text: `select sealed from webhook_delivery delivery join webhook_queue queued on delivery_id = delivery.id
      where withdrawal_id = $1 and type = 'withdrawal.confirmation_requested' order by delivery.id`,
    values: [withdrawalId],
  });
  return rows.map(({ sealed }) => createSeal(SECRET).open(sealed)?.['code'] ?? '');
}

const newestCode = async (withdrawalId: string): Promise<string> => (await codesFor(withdrawalId)).at(-1) ?? '';

/** The nth wrong code. */
const wrong = (right: string, n: number): string => String((Number(right) + n) % 1_000_000).padStart(6, '0');

/** Lets time pass. */
const later = (withdrawalId: string, seconds: number) =>
  database.query({
    text: `update withdrawal_code set sent_at = sent_at - make_interval(secs => $2),
      expires_at = expires_at - make_interval(secs => $2) where withdrawal_id = $1`,
    values: [withdrawalId, seconds],
  });

async function held(): Promise<{ ann: Caller; withdrawalId: string; code: string }> {
  const ann = await richUser(database);
  const command = coded(ann);
  const { withdrawalId } = command.request;
  await withdrawals.create(command);
  return { ann, withdrawalId, code: await newestCode(withdrawalId) };
}

test('[WD-2] a method with a code announces its channel, the right code submits, and no readable code is stored', async () => {
  const ann = await richUser(database);
  const command = coded(ann);
  const { withdrawalId } = command.request;
  const answer = await withdrawals.create(command);
  expect(answer.confirmation).toMatchObject({ kind: 'code', channel: 'sms', length: 6, attemptsLeft: 5 });
  const { expires = '', resendAt = '', serverTime = '' } = answer.confirmation ?? {};
  expect(Date.parse(expires) - Date.parse(serverTime)).toBeLessThanOrEqual(600_000);
  expect(Date.parse(resendAt) - Date.parse(serverTime)).toBeLessThanOrEqual(60_000);
  const { confirmation: again } = await withdrawals.create(command);
  expect(again).toMatchObject({ expires, resendAt, attemptsLeft: 5 });
  expect((await withdrawals.status(ann, withdrawalId)).confirmation).toMatchObject({ expires, attemptsLeft: 5 });
  const codes = await codesFor(withdrawalId);
  expect(codes).toEqual([expect.stringMatching(/^\d{6}$/)]);
  const code = codes[0] ?? '';

  const tables = ['withdrawal', 'withdrawal_code', 'webhook_delivery', 'webhook_queue', 'outbox', 'withdrawal_history'];
  const kept = await Promise.all(
    tables.map((table) => database.query({ text: `select row_to_json(t)::text from ${table} t` })),
  );
  // Six digits can occur by chance inside a time or an id, but not as a whole value.
  expect(JSON.stringify(kept)).not.toMatch(new RegExp(`[\\\\": ]${code}[\\\\", }]`));

  expect(await failureOf(withdrawals.confirm(ann, withdrawalId))).toMatchObject({
    code: 'invalid-request',
    fields: [{ path: 'code' }],
  });
  expect(bench.provider.withdraws).toEqual([]);
  expect(await withdrawals.confirm(ann, withdrawalId, ` ${code.slice(0, 3)} ${code.slice(3)}`)).toMatchObject({
    status: 3,
  });
  expect(bench.provider.withdraws).toMatchObject([{ withdrawalId, fields: CARD }]);
  // A retry gets the present state, with any code.
  expect(await withdrawals.confirm(ann, withdrawalId, wrong(code, 1))).toMatchObject({ status: 3 });
  expect((await withdrawals.status(ann, withdrawalId)).confirmation).toBeUndefined();
  expect(JSON.stringify(bench.logs)).not.toContain(code);
});

test('[WD-2] five wrong codes cancel the withdrawal and release the hold; a repeated wrong code is no attempt', async () => {
  const { ann, withdrawalId, code } = await held();
  for (let n = 1; n <= 4; n += 1) {
    const refused = { code: 'code-wrong', params: { attemptsLeft: String(5 - n) } };
    expect(await failureOf(withdrawals.confirm(ann, withdrawalId, wrong(code, n)))).toMatchObject(refused);
    expect(await failureOf(withdrawals.confirm(ann, withdrawalId, wrong(code, n)))).toMatchObject(refused);
  }
  expect(await books(database, ann)).toMatchObject({ free: 0n, held: 100_000n });
  expect(await failureOf(withdrawals.confirm(ann, withdrawalId, wrong(code, 5)))).toMatchObject({
    code: 'code-attempts',
  });
  expect(await books(database, ann)).toMatchObject({ free: 100_000n, held: 0n });
  expect(await failureOf(withdrawals.confirm(ann, withdrawalId, code))).toMatchObject({ code: 'code-attempts' });
  expect(await withdrawals.status(ann, withdrawalId)).toMatchObject({ status: 2, reason: 'withdrawal.reason.code' });
  expect(bench.provider.withdraws).toEqual([]);
});

test('[WD-2] fifty concurrent guesses count as five attempts', async () => {
  const { ann, withdrawalId, code } = await held();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_unused, n) => failureOf(withdrawals.confirm(ann, withdrawalId, wrong(code, n + 1)))),
  );
  expect(answers.filter((answer) => answer.code === 'code-wrong')).toHaveLength(4);
  expect(answers.filter((answer) => answer.code === 'code-attempts')).toHaveLength(46);
  expect(await books(database, ann)).toMatchObject({ free: 100_000n, held: 0n });
});

describe('[WD-2] another code', () => {
  test('is sent only after the cool-down, replaces the code before, and adds no attempts', async () => {
    const { ann, withdrawalId, code } = await held();
    await failureOf(withdrawals.confirm(ann, withdrawalId, wrong(code, 1)));
    await Promise.all(Array.from({ length: 5 }, () => withdrawals.sendCode(ann, withdrawalId)));
    expect(await codesFor(withdrawalId)).toHaveLength(1);
    await later(withdrawalId, 60);
    const answers = await Promise.all(Array.from({ length: 5 }, () => withdrawals.sendCode(ann, withdrawalId)));
    for (const { confirmation } of answers) expect(confirmation).toMatchObject({ attemptsLeft: 4 });
    const codes = await codesFor(withdrawalId);
    expect(codes).toHaveLength(2);
    if (codes[0] !== codes[1]) {
      expect(await failureOf(withdrawals.confirm(ann, withdrawalId, code))).toMatchObject({
        code: 'code-wrong',
        params: { attemptsLeft: '3' },
      });
    }
    expect(await withdrawals.confirm(ann, withdrawalId, codes[1] ?? '')).toMatchObject({ status: 3 });
    expect(await failureOf(withdrawals.sendCode(ann, withdrawalId))).toMatchObject({ code: 'state-conflict' });
  });

  test('is sent at most four times', async () => {
    const { ann, withdrawalId } = await held();
    let last: Awaited<ReturnType<Withdrawals['sendCode']>> | undefined;
    for (let n = 0; n < 6; n += 1) {
      await later(withdrawalId, 60);
      last = await withdrawals.sendCode(ann, withdrawalId);
    }
    expect(last?.confirmation).not.toHaveProperty('resendAt');
    expect(await codesFor(withdrawalId)).toHaveLength(5);
  });

  test('is only sent for a withdrawal that needs a code', async () => {
    const { withdrawalId } = await held();
    const bob = await richUser(database);
    expect(await failureOf(withdrawals.sendCode(bob, withdrawalId))).toMatchObject({ code: 'not-found' });
    const plain = intent(bob);
    expect(await withdrawals.create(plain)).not.toHaveProperty('confirmation');
    expect(await failureOf(withdrawals.sendCode(bob, plain.request.withdrawalId))).toMatchObject({
      code: 'state-conflict',
    });
    expect(await withdrawals.confirm(bob, plain.request.withdrawalId, '123456')).toMatchObject({ status: 3 });
  });
});

test('[WD-2] an expired code uses no attempt, and a new code confirms', async () => {
  const { ann, withdrawalId, code } = await held();
  await later(withdrawalId, 600);
  expect(await failureOf(withdrawals.confirm(ann, withdrawalId, code))).toEqual({ code: 'code-expired' });
  expect((await withdrawals.sendCode(ann, withdrawalId)).confirmation).toMatchObject({ attemptsLeft: 5 });
  expect(await withdrawals.confirm(ann, withdrawalId, await newestCode(withdrawalId))).toMatchObject({ status: 3 });
});

test('[WD-2] the operator can require codes by its own rules', async () => {
  const ann = await richUser(database);
  const bound = createBench(database, {
    codeChannelOf: (_caller, { amountMinor }) => (amountMinor >= 50_000n ? 'email' : undefined),
  }).payments.withdrawals;
  expect(await bound.create(intent(ann, { amount: '499.99' }))).not.toHaveProperty('confirmation');
  expect((await bound.create(intent(ann, { amount: '500.00' }))).confirmation).toMatchObject({ channel: 'email' });
});

test('[WD-2] without a webhook address nothing is held', async () => {
  await seedOperator(database);
  const ann = await richUser(database);
  expect(await failureOf(withdrawals.create(coded(ann)))).toMatchObject({ code: 'method-unavailable' });
  expect(await books(database, ann)).toMatchObject({ free: 100_000n, held: 0n });
});

test('[WD-2] a new withdrawal gives a guessing user no new attempts', async () => {
  const ann = await richUser(database);
  for (let round = 0; round < 4; round += 1) {
    const command = coded(ann);
    const { withdrawalId } = command.request;
    await withdrawals.create(command);
    const code = await newestCode(withdrawalId);
    for (let n = 1; n <= 4; n += 1) await failureOf(withdrawals.confirm(ann, withdrawalId, wrong(code, n)));
    await withdrawals.cancel(ann, withdrawalId);
  }
  expect(await failureOf(withdrawals.create(coded(ann)))).toMatchObject({ code: 'rate-limited' });
  expect(await books(database, ann)).toMatchObject({ free: 100_000n, held: 0n });
});

test('[WD-2] thirty open withdrawals and 120 concurrent codes are still fifteen attempts a day', async () => {
  const ann = await richUser(database, 3_000_000n);
  const opened = Array.from({ length: 30 }, () => coded(ann));
  for (const command of opened) await withdrawals.create(command);
  const codes = new Map(
    await Promise.all(
      opened.map(async ({ request: { withdrawalId } }) => [withdrawalId, await newestCode(withdrawalId)] as const),
    ),
  );
  const guesses = [1, 2, 3, 4].flatMap((n) => [...codes].map(([id, code]) => [id, wrong(code, n)] as const));
  const answers = await Promise.all(guesses.map(([id, code]) => failureOf(withdrawals.confirm(ann, id, code))));
  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['code-wrong', 'code-attempts']));
  expect(await wrongCodesToday(database, ann)).toBe(15);
  const [counted] = await database.query<{ wrong: number }>({
    text: `select sum(5 - attempts_left)::int as wrong from withdrawal_code join withdrawal on withdrawal.id = withdrawal_id
      where user_id = $1`,
    values: [ann.userId],
  });
  expect(counted?.wrong).toBe(15);
  // The right code no longer confirms a held withdrawal either. Its amount is returned.
  for (const [id, code] of codes) expect(await codeOf(withdrawals.confirm(ann, id, code))).not.toBe('ok');
  expect(bench.provider.withdraws).toEqual([]);
  expect(await books(database, ann)).toMatchObject({ free: 3_000_000n, held: 0n });
});

test('[WD-2] attempts are back after a day, and other users are not affected', async () => {
  const { ann, withdrawalId, code } = await held();
  const spend = (hours: number) =>
    database.query({
      text: `insert into wrong_code (operator_id, user_id, tried_at)
        values ('op', $1, array_fill(now() - make_interval(hours => $2), array[15]))
        on conflict (operator_id, user_id) do update set tried_at = excluded.tried_at`,
      values: [ann.userId, hours],
    });
  await spend(25);
  expect(await failureOf(withdrawals.confirm(ann, withdrawalId, wrong(code, 1)))).toMatchObject({
    code: 'code-wrong',
    params: { attemptsLeft: '4' },
  });
  expect(await withdrawals.confirm(ann, withdrawalId, code)).toMatchObject({ status: 3 });
  await spend(23);
  const other = await held();
  expect(await withdrawals.confirm(other.ann, other.withdrawalId, other.code)).toMatchObject({ status: 3 });
});
