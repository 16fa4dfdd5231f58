import { randomUUID } from 'node:crypto';
import { DEPOSIT_STATES, depositRank, judgeDepositMove } from '@opencashier/core/deposit/deposit-lifecycle';
import { DISPUTE_MOVES, PAYMENT_MOVES, REFUND_MOVES } from '@opencashier/core/payment/payment-lifecycle';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { accountBalance, postJournal, userBalance } from '../ledger/ledger.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { Contradiction } from '../provider-events/apply-report.ts';
import type { DepositReport } from '../providers/provider.ts';
import { ReviewError } from '../reviews/review-decision.ts';
import { ann, type Bench, commandOf, createBench, refOf, reportOf } from './testing/payments.fixture.ts';
import { creditsOf, openDepositOf, withPayments } from './testing/with-payments.fixture.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});

const openDeposit = () => openDepositOf(bench);
const balanceOf = (userId: string) => userBalance(database, 'op', userId, 'INR');
const suspense = (asset = 'INR') => accountBalance(database, 'op', { owner: '', asset, kind: 'suspense' });

interface State {
  readonly state: string;
  readonly rank: number;
  readonly review: string | null;
}
async function stateOf(depositId: string): Promise<State> {
  const [row] = await database.query<State>({
    text: 'select state, rank, review from deposit where id = $1',
    values: [depositId],
  });
  if (row === undefined) throw new Error('no such deposit');
  return row;
}
async function historyOf(depositId: string): Promise<string[]> {
  const rows = await database.query<{ to_state: string }>({
    text: 'select to_state from deposit_history where deposit_id = $1 order by n',
    values: [depositId],
  });
  return rows.map((row) => row.to_state);
}
async function violated(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
  } catch (error) {
    return constraintOf(error);
  }
  return undefined;
}

test('[SRV-3] the database enforces core’s table of deposit states', async () => {
  const states = await database.query<{ state: string; rank: number }>({
    text: 'select state, rank from deposit_state',
  });
  expect(Object.fromEntries(states.map(({ state, rank }) => [state, rank]))).toEqual(
    Object.fromEntries(DEPOSIT_STATES.map((state) => [state, depositRank(state)])),
  );
  const moves = await database.query<{ move: string }>({
    text: `select from_state || ' ' || to_state as move from deposit_transition`,
  });
  const wanted = DEPOSIT_STATES.flatMap((from) =>
    DEPOSIT_STATES.filter((to) => judgeDepositMove(from, to) === 'move').map((to) => `${from} ${to}`),
  );
  expect(moves.map(({ move }) => move).sort()).toEqual(wanted.sort());
});

test('[SRV-3] the database enforces core’s moves of payments, refunds and disputes', async () => {
  const movesOf = ({ first, next }: { first: readonly string[]; next: Readonly<Record<string, readonly string[]>> }) =>
    [
      ...first.map((to) => `- ${to}`),
      ...Object.entries(next).flatMap(([from, to]) => to.map((one) => `${from} ${one}`)),
    ].sort();
  const stored = async (table: string) =>
    (
      await database.query<{ move: string }>({
        text: `select coalesce(from_state, '-') || ' ' || to_state as move from ${table}`,
      })
    )
      .map(({ move }) => move)
      .sort();
  expect(await stored('payment_transition')).toEqual(movesOf(PAYMENT_MOVES));
  expect(await stored('refund_transition')).toEqual(movesOf(REFUND_MOVES));
  expect(DISPUTE_MOVES).toEqual({ first: ['open'], next: { open: ['won'], won: [] } });
});

test('[SRV-3] the database refuses a backward move, a skipped state, another amount and a lost history', async () => {
  const { depositId } = await openDeposit();
  await bench.payments.apply(reportOf(depositId));
  const run = (text: string) => violated(database.query({ text, values: [depositId] }));
  expect(await run(`update deposit set state = 'awaiting_payment' where id = $1`)).toBe('deposit_transition_allowed');
  expect(await run(`update deposit set state = 'declined' where id = $1`)).toBe('deposit_transition_allowed');
  expect(await run('update deposit set rank = 30 where id = $1')).toBe('deposit_rank_rises');
  expect(await run('update deposit set amount = amount * 100 where id = $1')).toBe('deposit_immutable');
  expect(await run('update deposit set open_amount = not open_amount where id = $1')).toBe('deposit_immutable');
  expect(await run(`update deposit set user_id = 'mallory' where id = $1`)).toBe('deposit_immutable');
  expect(await run(`update deposit set provider_ref = 'other' where id = $1`)).toBe('deposit_immutable');
  expect(await run('delete from deposit where id = $1')).toBe('ledger_immutable');
  expect(await run('delete from deposit_history where deposit_id = $1')).toBe('ledger_immutable');
  expect(await historyOf(depositId)).toEqual(['created', 'awaiting_payment', 'credited']);
});

test('[SRV-2] [SRV-3] a paid deposit is credited once, and push and webhook are queued in the same transaction', async () => {
  const { userId, depositId, caller } = await openDeposit();
  const report = reportOf(depositId);
  expect(await bench.payments.apply(report)).toEqual({ outcome: 'credited', id: depositId });
  expect(await bench.payments.apply(report)).toEqual({ outcome: 'unchanged', id: depositId });
  expect(await bench.payments.apply({ ...report, eventId: 'another-word' })).toMatchObject({ outcome: 'unchanged' });
  expect(await balanceOf(userId)).toBe(50_000n);
  expect(await bench.payments.depositStatus(caller, depositId)).toMatchObject({ status: 1, finalAmount: '500.00' });
  await bench.payments.runDueWork();
  const pushed = bench.pushes.filter((push) => push.userId === userId).map((push) => push.body);
  expect(pushed.at(-1)).toMatchObject({ depositId, status: 1, finalAmount: '500.00' });
});

test('what the user entered is deleted once the provider no longer needs it', async () => {
  const command = commandOf({ paymentType: 'upi', fields: { vpa: 'ann@bank' } }, { ...ann, userId: 'forgotten' });
  const { depositId } = command.request;
  await bench.payments.createDeposit(command);
  const typed = () =>
    database.query({ text: `select request -> 'fields' as fields from deposit where id = $1`, values: [depositId] });
  expect(await typed()).toEqual([{ fields: { vpa: 'ann@bank' } }]);
  await bench.payments.apply(reportOf(depositId));
  expect(await typed()).toEqual([{ fields: {} }]);
});

test('[SRV-2] ten equal reports at once, and ten different events about one payment, make one credit', async () => {
  const { userId, depositId } = await openDeposit();
  const same = reportOf(depositId);
  const reports = [...Array.from({ length: 10 }, () => same), ...Array.from({ length: 10 }, () => reportOf(depositId))];
  const results = await Promise.all(reports.map((report) => bench.payments.apply(report)));
  expect(results.filter((result) => result.outcome === 'credited')).toHaveLength(1);
  expect(await balanceOf(userId)).toBe(50_000n);
  expect(await creditsOf(database, depositId)).toBe(1);
});

test('[SRV-3] all 24 orders of four reports, and many concurrent ones, give the same result', async () => {
  const reportsOf = (depositId: string): DepositReport[] => [
    reportOf(depositId, { outcome: 'pending' }),
    reportOf(depositId),
    reportOf(depositId),
    reportOf(depositId, { outcome: 'reversed' }),
  ];
  const orders = permutations([0, 1, 2, 3]);
  const random = fc.sample(fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), 176);
  const deposits = [];
  for (const [index, order] of [...orders, ...random].entries()) {
    const deposit = await openDeposit();
    const reports = reportsOf(deposit.depositId);
    const work = order.map((position) => reports[position]).filter((report) => report !== undefined);
    if (index < orders.length) for (const report of work) await bench.payments.apply(report);
    else await Promise.all(work.map((report) => bench.payments.apply(report)));
    deposits.push(deposit);
  }
  await bench.payments.runDueWork();
  for (const { userId, depositId } of deposits) {
    expect(await stateOf(depositId)).toEqual({ state: 'reversed', rank: 99, review: null });
    expect(await creditsOf(database, depositId)).toBe(1);
    expect(await balanceOf(userId)).toBe(0n);
  }
});

describe('[SRV-3] a verified payment with a wrong amount or currency goes into suspense, never to the balance', () => {
  test.each([
    ['underpaid', { paidMinor: 49_999n }, 49_999n, 'INR'],
    ['overpaid', { paidMinor: 5_000_000n }, 5_000_000n, 'INR'],
    ['wrong-currency', { currency: 'USD' }, 50_000n, 'USD'],
  ] as const)('%s', async (review, more, amount, asset) => {
    const before = await suspense(asset);
    const { userId, depositId, caller } = await openDeposit();
    expect(await bench.payments.apply(reportOf(depositId, more))).toMatchObject({ outcome: 'suspended' });
    // Another event about the same payment adds nothing.
    expect(await bench.payments.apply(reportOf(depositId, more))).toMatchObject({ outcome: 'unchanged' });
    expect(await balanceOf(userId)).toBe(0n);
    expect((await suspense(asset)) - before).toBe(amount);
    expect(await stateOf(depositId)).toMatchObject({ state: 'detected', review });
    const view = await bench.payments.depositStatus(caller, depositId);
    expect(view).toMatchObject({ status: 3, reason: `transaction.reason.${review}` });
    expect(view.finalAmount).toBeUndefined();
    expect(bench.logs).toContainEqual(expect.objectContaining({ level: 'error', message: 'money put into suspense' }));
  });

  test('staff credit the paid amount, or send it back, once', async () => {
    const before = await suspense();
    const one = await openDeposit();
    await bench.payments.apply(reportOf(one.depositId, { paidMinor: 30_000n }));
    expect(await bench.payments.resolveReview({ operatorId: 'op', id: one.depositId }, 'credit', 'sam')).toMatchObject({
      status: 1,
      finalAmount: '300.00',
    });
    expect(await balanceOf(one.userId)).toBe(30_000n);
    await expect(
      bench.payments.resolveReview({ operatorId: 'op', id: one.depositId }, 'refund', 'sam'),
    ).rejects.toBeInstanceOf(ReviewError);

    const two = await openDeposit();
    await bench.payments.apply(reportOf(two.depositId, { paidMinor: 30_000n }));
    expect((await bench.payments.resolveReview({ operatorId: 'op', id: two.depositId }, 'refund', 'sam')).status).toBe(
      2,
    );
    expect(await balanceOf(two.userId)).toBe(0n);

    const three = await openDeposit();
    await bench.payments.apply(reportOf(three.depositId, { currency: 'USD' }));
    await expect(
      bench.payments.resolveReview({ operatorId: 'op', id: three.depositId }, 'credit', 'sam'),
    ).rejects.toBeInstanceOf(ReviewError);
    expect(await suspense()).toBe(before);
  });

  test('a report with another deposit’s reference, another provider or no amount is parked', async () => {
    const one = await openDeposit();
    const two = await openDeposit();
    const crossed = reportOf(one.depositId, { providerRef: refOf(two.depositId) });
    expect((await bench.payments.apply(crossed)).outcome).toBe('unmatched');
    expect((await bench.payments.apply(reportOf(one.depositId, { provider: 'stranger' }))).outcome).toBe('unmatched');
    const { paidMinor: _paid, ...bare } = reportOf(one.depositId);
    expect((await bench.payments.apply(bare)).outcome).toBe('unmatched');
    expect(await balanceOf(one.userId)).toBe(0n);
    expect(await balanceOf(two.userId)).toBe(0n);
  });

  test('a second payment of one deposit is kept, in either order', async () => {
    const before = await suspense();
    const { userId, depositId } = await openDeposit();
    await bench.payments.apply(reportOf(depositId, { providerRef: `second-${depositId}` }));
    await bench.payments.apply(reportOf(depositId, { providerRef: `second-${depositId}` }));
    expect(await balanceOf(userId)).toBe(0n);
    await bench.payments.apply(reportOf(depositId));
    expect(await balanceOf(userId)).toBe(50_000n);
    expect((await suspense()) - before).toBe(50_000n);
    await expect(
      bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'credit', 'sam'),
    ).rejects.toBeInstanceOf(ReviewError);
    expect((await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'refund', 'sam')).status).toBe(1);
    expect(await suspense()).toBe(before);
    expect(await balanceOf(userId)).toBe(50_000n);
  });

  test('a duplicate event with other content: the first content is kept, and staff are alerted', async () => {
    const { userId, depositId } = await openDeposit();
    const first = reportOf(depositId);
    await bench.payments.apply(first);
    expect((await bench.payments.apply({ ...first, paidMinor: 9_999_999n })).outcome).toBe('unchanged');
    expect(await balanceOf(userId)).toBe(50_000n);
    expect(bench.logs.some(({ level, message }) => level === 'error' && message.includes('other content'))).toBe(true);
  });
});

describe('[SRV-3] [DEP-11] expiry and late payments', () => {
  async function expire(depositId: string): Promise<void> {
    await database.query({
      text: `update deposit set expires_at = now() - interval '1 s' where id = $1`,
      values: [depositId],
    });
    await bench.payments.runDueWork();
  }

  test('expiry uses the database’s clock and asks once more, so that a last-second payment is credited', async () => {
    const unpaid = await openDeposit();
    await bench.payments.runDueWork();
    expect((await stateOf(unpaid.depositId)).state).toBe('awaiting_payment');
    await expire(unpaid.depositId);
    expect((await stateOf(unpaid.depositId)).state).toBe('expired');
    expect(await bench.payments.depositStatus(unpaid.caller, unpaid.depositId)).toMatchObject({
      status: 2,
      reason: 'transaction.reason.expired',
    });
    const paid = await openDeposit();
    bench.provider.onInquire = async () => reportOf(paid.depositId);
    await expire(paid.depositId);
    expect((await stateOf(paid.depositId)).state).toBe('credited');
  });

  test('a silent provider keeps the deposit open for ten more minutes only', async () => {
    const { depositId } = await openDeposit();
    bench.provider.onInquire = async () => {
      throw new Error('down');
    };
    await expire(depositId);
    expect((await stateOf(depositId)).state).toBe('awaiting_payment');
    await database.query({
      text: `update deposit set expires_at = now() - interval '11 min', busy_until = null where id = $1`,
      values: [depositId],
    });
    await bench.payments.runDueWork();
    expect((await stateOf(depositId)).state).toBe('expired');
  });

  test('a payment after expiry is kept as late, and staff credit it', async () => {
    const { userId, depositId, caller } = await openDeposit();
    await expire(depositId);
    expect((await bench.payments.apply(reportOf(depositId))).outcome).toBe('suspended');
    expect(await bench.payments.depositStatus(caller, depositId)).toMatchObject({ status: 3, isLate: true });
    expect(await balanceOf(userId)).toBe(0n);
    await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'credit', 'sam');
    expect(await balanceOf(userId)).toBe(50_000n);
    expect(await historyOf(depositId)).toEqual(['created', 'awaiting_payment', 'expired', 'late_paid', 'credited']);
  });

  test('a payment after expiry that is charged back leaves nothing in suspense', async () => {
    const before = await suspense();
    const { depositId } = await openDeposit();
    await expire(depositId);
    await bench.payments.apply(reportOf(depositId));
    await bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }));
    expect((await stateOf(depositId)).state).toBe('refunded');
    expect(await suspense()).toBe(before);
  });
});

test('[SRV-2] a chargeback of spent money leaves a debt and a frozen account, and the ledger balances', async () => {
  const { userId, depositId } = await openDeposit();
  await bench.payments.apply(reportOf(depositId));
  await database.transaction((transaction) =>
    postJournal(transaction, {
      operatorId: 'op',
      kind: 'test_spend',
      source: 'test',
      ref: depositId,
      lines: [
        { owner: userId, asset: 'INR', kind: 'user', amount: -40_000n },
        { owner: 'fake', asset: 'INR', kind: 'provider_clearing', amount: 40_000n },
      ],
    }),
  );
  await bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }));
  expect(await balanceOf(userId)).toBe(0n);
  expect(await accountBalance(database, 'op', { owner: userId, asset: 'INR', kind: 'reversal_debt' })).toBe(-40_000n);
  const frozen = await database.query({
    text: `select 1 from account where owner = $1 and kind = 'user' and frozen_at is not null`,
    values: [userId],
  });
  expect(frozen).toHaveLength(1);
});

describe('[SRV-3] reports before their deposit', () => {
  test('by our id or the provider’s reference are parked and applied once the deposit exists', async () => {
    const caller = { ...ann, userId: 'early' };
    for (const { depositId: ourId, ...byRef } of [reportOf(randomUUID()), reportOf(randomUUID())]) {
      if (ourId === undefined) throw new Error('The report must name its deposit');
      const isByRef = byRef.eventId.endsWith('1');
      const report = isByRef ? byRef : { ...byRef, depositId: ourId };
      expect((await bench.payments.apply(report)).outcome).toBe('unmatched');
      await bench.payments.createDeposit(commandOf({ depositId: ourId }, caller));
      await bench.payments.runDueWork();
      expect((await stateOf(ourId)).state).toBe('credited');
    }
  });

  test('of a deposit that never comes are kept', async () => {
    const report = reportOf('not-an-id-of-ours', { providerRef: 'nobody' });
    expect((await bench.payments.apply(report)).outcome).toBe('unmatched');
    await bench.payments.runDueWork();
    const kept = await database.query({
      text: `select 1 from deposit_event where event_id = $1 and status = 'parked' and next_at is not null`,
      values: [report.eventId],
    });
    expect(kept).toHaveLength(1);
  });
});

test('[SRV-3] an event that another node applied meanwhile stays applied, although this node met a contradiction', async () => {
  const { depositId } = await openDeposit();
  const paid = reportOf(depositId);
  let isFirst = true;
  const slower = createBench({
    ...database,
    async transaction(work) {
      if (!isFirst) return database.transaction(work);
      isFirst = false;
      await bench.payments.apply(paid);
      throw new Contradiction('booked-before');
    },
  });
  await slower.payments.apply(paid);
  expect(await creditsOf(database, depositId)).toBe(1);
  const kept = await database.query({
    text: 'select status, outcome from deposit_event where provider = $1 and event_id = $2',
    values: [paid.provider, paid.eventId],
  });
  expect(kept).toEqual([{ status: 'applied', outcome: 'credit' }]);
});

test('[SRV-3] reconciliation credits a payment whose callback never came', async () => {
  const { userId, depositId } = await openDeposit();
  bench.provider.onInquire = async ({ depositId: asked }) => (asked === depositId ? reportOf(depositId) : undefined);
  await database.query({ text: 'update deposit set check_at = now() where id = $1', values: [depositId] });
  await bench.payments.runDueWork();
  expect(await balanceOf(userId)).toBe(50_000n);
});

test('[SRV-2] the ledger is sound after all these tests', async () => {
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});

function permutations(items: readonly number[]): number[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}
