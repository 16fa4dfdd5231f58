import { systemClock } from '@opencashier/core/time/clock';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase } from '../database/testing/test-database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import type { Caller } from '../operators/caller.ts';
import { type Bench, createBench, seedOperator } from '../payments/testing/payments.fixture.ts';
import { type ApprovalThreshold, writeApprovalSettings } from './approval-settings.ts';
import { intent, reportOn, richUser } from './withdrawals.fixture.ts';

let database: Database;
let bench: Bench;
/** Milliseconds by which the server's clock is ahead of the system's. */
let ahead = 0;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ database, drop } = await openTestDatabase());
  await seedOperator(database, { url: 'https://operator.example/hook', secrets: [] });
  bench = createBench(database, { clock: { ...systemClock, now: () => systemClock.now() + ahead } });
});
afterAll(async () => {
  expect((await auditLedger(database)).isSound).toBe(true);
  await drop();
});

const limit = (more: Partial<ApprovalThreshold> = {}) =>
  database.transaction((transaction) =>
    writeApprovalSettings(transaction, 'op', {
      thresholds: [{ currency: 'INR', one: null, two: null, day: 100_000n, ...more }],
      hours: 168,
      differentKeys: false,
    }),
  );
beforeEach(async () => {
  ahead = 0;
  await limit();
});

async function begun(caller: Caller, amount: string, more: Parameters<typeof intent>[1] = {}): Promise<string> {
  const command = intent(caller, { amount, ...more });
  await bench.payments.withdrawals.create(command);
  return command.request.withdrawalId;
}
async function stateOf(id: string): Promise<string> {
  const [row] = await database.query<{ state: string; because: string | null }>({
    text: 'select state, approval_because as because from withdrawal where id = $1',
    values: [id],
  });
  return row?.because ? `${row.state} for the ${row.because}` : String(row?.state);
}
/** Creates and confirms a withdrawal. */
async function confirmed(...asked: Parameters<typeof begun>): Promise<{ readonly id: string; readonly state: string }> {
  const id = await begun(...asked);
  await bench.payments.withdrawals.confirm(asked[0], id);
  return { id, state: await stateOf(id) };
}
const waits = 'awaiting_approval for the day';
const rich = () => richUser(database, 500_000n);

describe('[SRV-1] [WD-2] above the limit of a day', () => {
  test('a withdrawal waits for approval, per user, and the operator gets the reason', async () => {
    const caller = await rich();
    expect((await confirmed(caller, '600.00')).state).toBe('submitted');
    expect((await confirmed(caller, '400.00')).state).toBe('submitted');
    const beyond = await confirmed(caller, '100.00');
    expect(beyond.state).toBe(waits);
    expect((await confirmed(await rich(), '1000.00')).state).toBe('submitted');
    const hooks = await database.query<{ body: string }>({
      text: `select body from webhook_delivery where withdrawal_id = $1 and type = 'withdrawal.awaiting_approval'`,
      values: [beyond.id],
    });
    expect(hooks.map(({ body }) => JSON.parse(body).data)).toMatchObject([{ approvalsNeeded: 1, because: 'day' }]);
    await limit({ one: 50_000n, day: 100_000n });
    expect((await confirmed(caller, '500.01')).state).toBe('awaiting_approval for the amount');
    expect((await confirmed(await rich(), '500.00')).state).toBe('submitted');
    await limit({ day: null, one: 400_000n });
    expect((await confirmed(caller, '100.00')).state).toBe('submitted');
  });

  test('the last 24 hours count, without returned amounts', async () => {
    const caller = await rich();
    const first = await confirmed(caller, '700.00');
    // The provider declines the withdrawal. Its amount no longer counts.
    await bench.payments.withdrawals.apply(reportOn(first.id, { outcome: 'declined' }));
    const cancelled = await begun(caller, '700.00');
    await bench.payments.withdrawals.cancel(caller, cancelled);
    const paid = await confirmed(caller, '700.00');
    expect(paid.state).toBe('submitted');
    await bench.payments.withdrawals.apply(reportOn(paid.id, { paidMinor: 68_150n }));
    expect(await stateOf(paid.id)).toBe('paid');
    const waiting = await confirmed(caller, '400.00');
    expect(waiting.state).toBe(waits);
    // A waiting withdrawal counts, because it may still be paid.
    expect((await confirmed(caller, '200.00')).state).toBe(waits);
    ahead = 86_400_000 - 60_000;
    expect((await confirmed(caller, '200.00')).state).toBe(waits);
    ahead = 86_400_000 + 60_000;
    expect((await confirmed(caller, '200.00')).state).toBe('submitted');
  });

  test('[SRV-3] of twenty concurrent confirmations, at most the limit leaves without approval', async () => {
    const caller = await rich();
    const ids: string[] = [];
    for (let index = 0; index < 20; index += 1) ids.push(await begun(caller, '150.00'));
    await Promise.all(ids.map((id) => bench.payments.withdrawals.confirm(caller, id)));
    const states = await Promise.all(ids.map(stateOf));
    expect(states.filter((state) => state === 'submitted')).toHaveLength(6);
    expect(states.filter((state) => state === waits)).toHaveLength(14);
  });
});
