import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { accountBalance } from '../ledger/ledger.ts';
import { type Bench, callbackOf, createBench, refOf } from '../payments/testing/payments.fixture.ts';
import { codeOf, failureOf, withPayments } from '../payments/testing/with-payments.fixture.ts';
import { books, CARD, intent, reportOn, richUser } from './withdrawals.fixture.ts';
import type { Withdrawals } from './withdrawals.ts';

let database: Database;
let bench: Bench;
let withdrawals: Withdrawals;
withPayments(
  (made) => {
    ({ database, bench } = made);
    withdrawals = bench.payments.withdrawals;
  },
  { hasWebhook: true },
);

async function hooksOf(withdrawalId: string): Promise<string[]> {
  const rows = await database.query<{ type: string }>({
    text: 'select type from webhook_delivery where withdrawal_id = $1 order by created_at',
    values: [withdrawalId],
  });
  return rows.map(({ type }) => type);
}

/** Lets time pass: the time to confirm is over, or no node is busy and the next question is due. */
async function later(withdrawalId: string): Promise<void> {
  await database.query({
    text: `update withdrawal set expires_at = now() - interval '1 s',
      busy_until = case when busy_until is not null then now() - interval '1 s' end,
      check_at = case when check_at is not null then now() end where id = $1`,
    values: [withdrawalId],
  });
}

test('[WD-2] create holds the amount and returns the fee and the received amount; confirm submits; the report pays out', async () => {
  const ann = await richUser(database);
  const command = intent(ann);
  const { withdrawalId } = command.request;
  const feesBefore = await accountBalance(database, 'op', { owner: '', asset: 'INR', kind: 'withdrawal_fee' });
  expect(await withdrawals.create(command)).toEqual({ withdrawalId, status: 0, fee: '26.00', receives: '974.00' });
  expect(await books(database, ann)).toMatchObject({ free: 0n, held: 100_000n });
  expect(bench.provider.withdraws).toEqual([]);

  bench.provider.onWithdraw = async () => {
    // The confirmation is committed before the call, so that a crash here is found.
    const [row] = await database.query({ text: 'select state from withdrawal where id = $1', values: [withdrawalId] });
    expect(row).toEqual({ state: 'submitted_unknown' });
    return { kind: 'accepted', providerRef: refOf(withdrawalId) };
  };
  expect(await withdrawals.confirm(ann, withdrawalId)).toMatchObject({ status: 3, canCancel: false });
  expect(bench.provider.withdraws).toMatchObject([
    { withdrawalId, amountMinor: 100_000n, receivesMinor: 97_400n, currency: 'INR', country: 'IN', fields: CARD },
  ]);
  expect(await books(database, ann)).toMatchObject({ free: 0n, held: 100_000n });

  const callback = callbackOf(reportOn(withdrawalId));
  await bench.payments.receiveCallback('fake', callback);
  await bench.payments.receiveCallback('fake', callback);
  await bench.payments.runDueWork();
  expect(await withdrawals.status(ann, withdrawalId)).toMatchObject({
    status: 1,
    amount: '1000.00',
    receives: '974.00',
  });
  expect(await books(database, ann)).toMatchObject({ free: 0n, held: 0n });
  const feesAfter = await accountBalance(database, 'op', { owner: '', asset: 'INR', kind: 'withdrawal_fee' });
  expect(feesAfter - feesBefore).toBe(2_600n);
  expect(await hooksOf(withdrawalId)).toEqual(['withdrawal.held', 'withdrawal.submitted', 'withdrawal.processed']);
  const pushed = bench.pushes.filter(({ userId }) => userId === ann.userId);
  expect(pushed.map(({ name, body }) => [name, (body as { status: number }).status])).toEqual([
    ['withdrawal.status', 0],
    ['withdrawal.status', 3],
    ['withdrawal.status', 3],
    ['withdrawal.status', 1],
  ]);
  // The destination is no longer needed.
  const [kept] = await database.query<{ request: { fields: object } }>({
    text: 'select request from withdrawal where id = $1',
    values: [withdrawalId],
  });
  expect(kept?.request.fields).toEqual({});
});

test('[WD-3] fifty concurrent withdrawals of the whole balance make exactly one hold', async () => {
  for (let round = 0; round < 3; round += 1) {
    const ann = await richUser(database);
    const codes = await Promise.all(Array.from({ length: 50 }, () => codeOf(withdrawals.create(intent(ann)))));
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(codes.filter((code) => code === 'insufficient-funds')).toHaveLength(49);
    expect(await books(database, ann)).toMatchObject({ free: 0n, held: 100_000n });
    const rows = await database.query({ text: 'select 1 from withdrawal where user_id = $1', values: [ann.userId] });
    expect(rows).toHaveLength(1);
  }
});

test('[WD-3] fifty concurrent creates, confirms, cancels and reports of one key: one hold, one submission, one end', async () => {
  const ann = await richUser(database, 300_000n);
  const command = intent(ann);
  const { withdrawalId } = command.request;
  const answers = await Promise.all(Array.from({ length: 50 }, () => withdrawals.create(command)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await books(database, ann)).toMatchObject({ free: 200_000n, held: 100_000n });
  const paid = reportOn(withdrawalId);
  const declined = reportOn(withdrawalId, { outcome: 'declined' });
  await Promise.all(
    Array.from({ length: 50 }, (_unused, index) => {
      if (index % 5 === 0) return withdrawals.apply(index % 2 === 0 ? paid : declined);
      return failureOf(
        index % 5 === 1 ? withdrawals.cancel(ann, withdrawalId) : withdrawals.confirm(ann, withdrawalId),
      );
    }),
  );
  const { held, free } = await books(database, ann);
  const { status } = await withdrawals.status(ann, withdrawalId);
  expect(held).toBe(0n);
  expect(free).toBe(status === 1 ? 200_000n : 300_000n);
  expect(bench.provider.withdraws.length).toBeLessThanOrEqual(1);
});

describe('[WD-2] a key', () => {
  test('used again gets the same terms, and is refused with another amount, destination or account', async () => {
    const ann = await richUser(database, 300_000n);
    const command = intent(ann);
    const first = await withdrawals.create(command);
    expect(await withdrawals.create({ ...command, request: { ...command.request, amount: '1000' } })).toEqual(first);
    const other = (request: object) => withdrawals.create({ caller: ann, request: { ...command.request, ...request } });
    expect(await codeOf(other({ amount: '1000.01' }))).toBe('idempotency-conflict');
    expect(await codeOf(other({ fields: { cardNumber: '5555555555554444' } }))).toBe('idempotency-conflict');
    expect(await codeOf(other({ accountType: 'additional' }))).toBe('idempotency-conflict');
    expect(await books(database, ann)).toMatchObject({ free: 200_000n, held: 100_000n });
  });

  test('of another user cannot be used, seen or confirmed', async () => {
    const [ann, bob] = [await richUser(database), await richUser(database)];
    const command = intent(ann);
    const { withdrawalId } = command.request;
    await withdrawals.create(command);
    expect(await codeOf(withdrawals.status(bob, withdrawalId))).toBe('not-found');
    expect(await codeOf(withdrawals.confirm(bob, withdrawalId))).toBe('not-found');
    expect(await withdrawals.create({ ...command, caller: bob })).toMatchObject({ withdrawalId, status: 0 });
    await withdrawals.confirm(bob, withdrawalId);
    expect(bench.provider.withdraws[0]?.withdrawalId).not.toBe(withdrawalId);
    expect(await withdrawals.status(ann, withdrawalId)).toMatchObject({ status: 0, canCancel: true });
    const carl = await richUser(database);
    expect(await withdrawals.cancel(carl, withdrawalId)).toEqual({ withdrawalId, status: 2 });
    expect(await withdrawals.status(ann, withdrawalId)).toMatchObject({ status: 0, canCancel: true });
  });

  test('and a reference never name withdrawals of two operators, because a callback names no operator', async () => {
    await database.query({ text: `insert into operator (id, partner_key, name) values ('two', 'two', 'Two')` });
    const [ann, eve] = [await richUser(database), await richUser(database, 100_000n, 'main', 'two')];
    const command = intent(ann);
    const { withdrawalId } = command.request;
    await withdrawals.create({ ...command, caller: eve });
    await withdrawals.confirm(eve, withdrawalId);
    await withdrawals.create(command);
    await withdrawals.confirm(ann, withdrawalId);
    const [ofEve, ofAnn] = bench.provider.withdraws;
    expect(ofEve?.withdrawalId).toBe(withdrawalId);
    expect(ofAnn?.withdrawalId).not.toBe(withdrawalId);
    const crossed = reportOn(ofAnn?.withdrawalId ?? '', { providerRef: refOf(withdrawalId) });
    expect(await withdrawals.apply(crossed)).toEqual({ outcome: 'unmatched' });
    expect(await withdrawals.apply(reportOn(withdrawalId))).toEqual({ outcome: 'moved', id: withdrawalId });
    expect(await books(database, eve)).toMatchObject({ free: 0n, held: 0n });
    expect(await books(database, ann)).toMatchObject({ free: 0n, held: 100_000n });
  });
});

describe('[WD-2] the held amount is returned once when', () => {
  test('the user cancels before the submission, and not later', async () => {
    const ann = await richUser(database);
    const command = intent(ann);
    const { withdrawalId } = command.request;
    await withdrawals.create(command);
    expect(await withdrawals.cancel(ann, withdrawalId)).toEqual({ withdrawalId, status: 2 });
    expect(await withdrawals.status(ann, withdrawalId)).toMatchObject({ reason: 'withdrawal.reason.cancelled' });
    expect(await withdrawals.cancel(ann, withdrawalId)).toMatchObject({ status: 2 });
    expect(await books(database, ann)).toMatchObject({ free: 100_000n, held: 0n });
    expect(await codeOf(withdrawals.confirm(ann, withdrawalId))).toBe('state-conflict');
    expect(bench.provider.withdraws).toEqual([]);
    expect(await hooksOf(withdrawalId)).toEqual(['withdrawal.held', 'withdrawal.cancelled']);

    const second = intent(ann);
    await withdrawals.create(second);
    await withdrawals.confirm(ann, second.request.withdrawalId);
    expect(await codeOf(withdrawals.cancel(ann, second.request.withdrawalId))).toBe('state-conflict');
    expect(await books(database, ann)).toMatchObject({ free: 0n, held: 100_000n });
  });

  test('the user does not confirm in time, by the database’s clock', async () => {
    const ann = await richUser(database);
    const command = intent(ann);
    const { withdrawalId } = command.request;
    await withdrawals.create(command);
    await bench.payments.runDueWork();
    expect(await withdrawals.status(ann, withdrawalId)).toMatchObject({ status: 0 });
    await later(withdrawalId);
    expect(await codeOf(withdrawals.confirm(ann, withdrawalId))).toBe('state-conflict');
    await bench.payments.runDueWork();
    expect(await withdrawals.status(ann, withdrawalId)).toMatchObject({
      status: 2,
      reason: 'withdrawal.reason.expired',
    });
    expect(await books(database, ann)).toMatchObject({ free: 100_000n, held: 0n });
  });

  test.each([
    [{ kind: 'declined', code: 'account-closed' }, 'provider-error'],
    [
      { kind: 'declined', code: 'account-closed', message: 'Your bank does not take it.' },
      'banking.merchantClientError',
    ],
    [{ kind: 'failed', code: 'down' }, 'provider-error'],
  ] as const)('the provider declines at the submission: %j', async (answer, code) => {
    const ann = await richUser(database);
    const command = intent(ann);
    const { withdrawalId } = command.request;
    await withdrawals.create(command);
    bench.provider.onWithdraw = async () => answer;
    expect(await codeOf(withdrawals.confirm(ann, withdrawalId))).toBe(code);
    expect(await codeOf(withdrawals.confirm(ann, withdrawalId))).toBe(code);
    expect(bench.provider.withdraws).toHaveLength(1);
    expect(await books(database, ann)).toMatchObject({ free: 100_000n, held: 0n });
    expect(await withdrawals.status(ann, withdrawalId)).toMatchObject({
      status: 2,
      reason: 'withdrawal.reason.declined',
    });
  });

  test('the provider declines later, or returns a paid payout, then with the fee', async () => {
    for (const outcome of ['declined', 'returned'] as const) {
      const ann = await richUser(database);
      const command = intent(ann);
      const { withdrawalId } = command.request;
      await withdrawals.create(command);
      await withdrawals.confirm(ann, withdrawalId);
      if (outcome === 'returned') {
        // The return is reported before the payment, so it waits.
        expect(
          await withdrawals.apply(reportOn(withdrawalId, { outcome, eventId: `back-${withdrawalId}` })),
        ).toMatchObject({
          outcome: 'unmatched',
        });
        await withdrawals.apply(reportOn(withdrawalId));
        expect(await books(database, ann)).toMatchObject({ free: 0n, held: 0n });
      }
      const report = reportOn(withdrawalId, { outcome, eventId: `back-${withdrawalId}` });
      expect(await withdrawals.apply(report)).toMatchObject({ outcome: 'moved' });
      expect(await withdrawals.apply(report)).toMatchObject({ outcome: 'unchanged' });
      expect(await books(database, ann)).toMatchObject({ free: 100_000n, held: 0n });
      expect(await withdrawals.status(ann, withdrawalId)).toMatchObject({ status: 2 });
    }
  });
});

test('[SRV-3] a return that is reported before the payment is booked after the payment, however late', async () => {
  const ann = await richUser(database);
  const command = intent(ann);
  const { withdrawalId } = command.request;
  await withdrawals.create(command);
  await withdrawals.confirm(ann, withdrawalId);
  expect(await withdrawals.apply(reportOn(withdrawalId, { outcome: 'returned' }))).toMatchObject({
    outcome: 'unmatched',
  });
  await database.query({
    text: `update withdrawal_event set next_at = now() + interval '6 hours' where withdrawal_id = $1 and status = 'parked'`,
    values: [withdrawalId],
  });
  await withdrawals.apply(reportOn(withdrawalId));
  await bench.payments.runDueWork();
  expect(await books(database, ann)).toMatchObject({ free: 100_000n, held: 0n });
});

describe('[WD-2] an unknown outcome is reconciled and never voided on a guess', () => {
  async function unknown(): Promise<{ ann: Awaited<ReturnType<typeof richUser>>; withdrawalId: string }> {
    const ann = await richUser(database);
    const command = intent(ann);
    await withdrawals.create(command);
    bench.provider.onWithdraw = async () => ({ kind: 'unknown', code: 'timeout' });
    expect(await codeOf(withdrawals.confirm(ann, command.request.withdrawalId))).toBe('unknown-outcome');
    return { ann, withdrawalId: command.request.withdrawalId };
  }

  test('the amount stays held while the provider is silent, also when a retry certainly fails', async () => {
    const { ann, withdrawalId } = await unknown();
    expect(await withdrawals.status(ann, withdrawalId)).toMatchObject({ status: 3, isOutcomeUnknown: true });
    bench.provider.onInquireWithdrawal = () => Promise.reject(new Error('away'));
    for (let passed = 0; passed < 8; passed += 1) {
      await later(withdrawalId);
      await bench.payments.runDueWork();
    }
    bench.provider.onInquireWithdrawal = async () => undefined;
    bench.provider.onWithdraw = async () => ({ kind: 'failed', code: 'down' });
    await later(withdrawalId);
    await bench.payments.runDueWork();
    expect(bench.provider.withdraws).toHaveLength(2);
    expect(await codeOf(withdrawals.cancel(ann, withdrawalId))).toBe('state-conflict');
    expect(await withdrawals.status(ann, withdrawalId)).toMatchObject({ status: 3, isOutcomeUnknown: true });
    expect(await books(database, ann)).toMatchObject({ free: 0n, held: 100_000n });
  });

  test('a provider that knows the withdrawal decides its outcome', async () => {
    const { ann, withdrawalId } = await unknown();
    bench.provider.onInquireWithdrawal = async () => reportOn(withdrawalId);
    await later(withdrawalId);
    await bench.payments.runDueWork();
    expect(await withdrawals.status(ann, withdrawalId)).toMatchObject({ status: 1 });
    expect(bench.provider.withdraws).toHaveLength(1);
    expect(await books(database, ann)).toMatchObject({ free: 0n, held: 0n });
  });

  test('when the node dies between commit and call, another node submits once, under the same id', async () => {
    const ann = await richUser(database);
    const command = intent(ann);
    const { withdrawalId } = command.request;
    const dying = createBench(database, {
      failpoint: (name) => {
        if (name === 'withdrawal-confirmed') throw new Error('the node dies');
      },
    });
    await withdrawals.create(command);
    await expect(dying.payments.withdrawals.confirm(ann, withdrawalId)).rejects.toThrow('the node dies');
    expect(dying.provider.withdraws).toEqual([]);
    expect(await codeOf(withdrawals.confirm(ann, withdrawalId))).toBe('in-flight');
    await later(withdrawalId);
    await bench.payments.runDueWork();
    expect(bench.provider.withdraws).toMatchObject([{ withdrawalId, fields: CARD }]);
    expect(await withdrawals.status(ann, withdrawalId)).toMatchObject({ status: 3 });
    expect(await books(database, ann)).toMatchObject({ free: 0n, held: 100_000n });
  });
});

test.each([
  ['another amount', { paidMinor: 97_401n }],
  ['a decline of another amount', { outcome: 'declined', paidMinor: 97_401n }],
  ['a decline in another currency', { outcome: 'declined', currency: 'USD' }],
  ['another currency', { currency: 'USD' }],
  ['another reference', { providerRef: 'somebody-elses' }],
  ['another provider', { provider: 'stranger' }],
] as const)('[WD-2] a report with %s changes nothing and is kept as unmatched', async (_what, more) => {
  const ann = await richUser(database);
  const command = intent(ann);
  const { withdrawalId } = command.request;
  await withdrawals.create(command);
  await withdrawals.confirm(ann, withdrawalId);
  expect(await withdrawals.apply(reportOn(withdrawalId, more))).toEqual({ outcome: 'unmatched', id: withdrawalId });
  expect(await books(database, ann)).toMatchObject({ free: 0n, held: 100_000n });
  expect(bench.logs.filter(({ level }) => level === 'error')).toHaveLength(1);
});

test('[SRV-8] later changes of limits and fees do not change a created withdrawal', async () => {
  const ann = await richUser(database, 300_000n);
  let most = '50000';
  const changing = createBench(database, { limitsOf: () => ({ min: '1', max: most }) });
  const promised = changing.payments.withdrawals;
  const command = intent(ann);
  const { withdrawalId } = command.request;
  const terms = await promised.create(command);
  most = '500';
  expect(await failureOf(promised.create(intent(ann)))).toMatchObject({ code: 'limit-max', params: { max: '500.00' } });
  // A retry of the create gets the same answer, also under the new limits.
  expect(await promised.create(command)).toEqual(terms);
  expect(await promised.confirm(ann, withdrawalId)).toMatchObject({ status: 3, fee: '26.00', receives: '974.00' });
  await promised.apply(reportOn(withdrawalId));
  expect(await books(database, ann)).toMatchObject({ free: 200_000n, held: 0n });
});
