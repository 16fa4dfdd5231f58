import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../database/database.ts';
import { type AccountKind, accountBalance, freezeUser } from '../../ledger/ledger.ts';
import type { Caller } from '../../operators/caller.ts';
import { ann, type Bench, commandOf, createBench, reportOf } from '../../payments/testing/payments.fixture.ts';
import { type OperatorApi, openOperatorApi, withOperatorApi } from '../operator-api.fixture.ts';
import { reviewPage } from './reviews.ts';

let database: Database;
let bench: Bench;
let api: OperatorApi;
withOperatorApi((made) => {
  ({ database, bench, api } = made);
});

interface Paid {
  readonly depositId: string;
  readonly caller: Caller;
}

/** Creates a user with a credited deposit of 500.00 INR. */
async function credited(): Promise<Paid> {
  const caller = { ...ann, userId: `user-${randomUUID()}` };
  const command = commandOf({}, caller);
  const { depositId } = command.request;
  await bench.payments.createDeposit(command);
  await bench.payments.apply(reportOf(depositId));
  return { depositId, caller };
}

const refund = (depositId: string, refundId: string = randomUUID(), operatorId?: string) =>
  api.ask(`/transactions/${depositId}/refund`, { refundId, staff: 'eve' }, operatorId);

const reversed = (depositId: string, eventId?: string) =>
  bench.payments.apply(reportOf(depositId, { outcome: 'reversed', ...(eventId !== undefined && { eventId }) }));

/** The user's balance, hold and debt, the state of the deposit, and the provider's clearing account. */
async function books({ depositId, caller: { userId } }: Paid) {
  const of = (kind: AccountKind) => accountBalance(database, 'op', { owner: userId, asset: 'INR', kind });
  const [row] = await database.query<{ state: string; clearing: bigint }>({
    text: `select state, (select coalesce(sum(posting.amount), 0)::bigint from journal
        join posting on posting.journal_id = journal.id
        join account on account.id = posting.account_id and account.kind = 'provider_clearing'
        where journal.deposit_id = deposit.id) as clearing from deposit where id = $1`,
    values: [depositId],
  });
  return { user: await of('user'), held: await of('user_hold'), debt: await of('reversal_debt'), ...row };
}
const kept = { user: 50_000n, held: 0n, debt: 0n, state: 'credited', clearing: -50_000n };
const waiting = { user: 0n, held: 50_000n, debt: 0n, state: 'credited', clearing: -50_000n };
const sentBack = { user: 0n, held: 0n, debt: 0n, state: 'refunded', clearing: 0n };

async function reconcile(): Promise<void> {
  await database.query({ text: 'update refund set check_at = now() where check_at is not null' });
  await bench.payments.runDueWork();
}

const hooksOf = async (depositId: string): Promise<string[]> => {
  const rows = await database.query<{ type: string }>({
    text: 'select type from webhook_delivery where deposit_id = $1 order by created_at',
    values: [depositId],
  });
  return rows.map(({ type }) => type);
};

describe('[SRV-1] a refund', () => {
  test('holds the amount, is requested from the provider once, and is booked when the money has left', async () => {
    const paid = await credited();
    const refundId = randomUUID();
    const answers = await Promise.all(Array.from({ length: 5 }, () => refund(paid.depositId, refundId)));
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ refundId, depositId: paid.depositId, state: 'pending', amount: '500.00' });
    }
    expect(bench.provider.refunds).toHaveLength(1);
    expect(bench.provider.refunds[0]).toMatchObject({
      amountMinor: 50_000n,
      currency: 'INR',
      depositId: paid.depositId,
    });
    expect(await books(paid)).toEqual(waiting);
    await reversed(paid.depositId, `${refundId}-a`);
    await reversed(paid.depositId, `${refundId}-b`);
    expect(await books(paid)).toEqual(sentBack);
    expect(await bench.payments.depositStatus(paid.caller, paid.depositId)).toMatchObject({
      status: 2,
      reason: 'transaction.reason.refunded',
    });
    expect(await hooksOf(paid.depositId)).toEqual(['deposit.processed', 'deposit.refunded']);
    expect((await refund(paid.depositId, refundId)).body).toMatchObject({ state: 'refunded' });
    expect((await refund(paid.depositId)).code).toBe('state-conflict');
    const next = await credited();
    expect((await refund(next.depositId, refundId)).code).toBe('idempotency-conflict');
    expect(await books(next)).toEqual(kept);
  });

  test('that is declined returns the amount, and another refund may follow', async () => {
    const paid = await credited();
    bench.provider.onRefund = async () => ({ kind: 'declined', code: 'no' });
    expect((await refund(paid.depositId)).body).toMatchObject({ state: 'declined' });
    expect(await books(paid)).toEqual(kept);
    expect(await hooksOf(paid.depositId)).toEqual(['deposit.processed', 'deposit.refund_declined']);
    bench.provider.onRefund = async () => ({ kind: 'accepted', isDone: true });
    expect((await refund(paid.depositId)).body).toMatchObject({ state: 'refunded' });
    expect(await books(paid)).toEqual(sentBack);
  });

  test('of an unknown outcome stays held and is requested again under the same key, even after a crash', async () => {
    const paid = await credited();
    bench.provider.onRefund = () => Promise.reject(new Error('the line broke'));
    expect((await refund(paid.depositId)).body).toMatchObject({ state: 'pending' });
    await reconcile();
    expect(await books(paid)).toEqual(waiting);
    bench.provider.onRefund = async () => ({ kind: 'accepted', isDone: true });
    await reconcile();
    expect(await books(paid)).toEqual(sentBack);
    expect(new Set(bench.provider.refunds.map((asked) => asked.refundId)).size).toBe(1);

    const crashing = createBench(database, {
      failpoint(name) {
        if (name === 'refund-answered') throw new Error('crash');
      },
    });
    const other = await credited();
    const door = await openOperatorApi(database, crashing.payments);
    expect(
      (await door.ask(`/transactions/${other.depositId}/refund`, { refundId: randomUUID(), staff: 'eve' })).status,
    ).toBe(500);
    expect(await books(other)).toEqual(waiting);
    await reconcile();
    expect(await books(other)).toEqual(sentBack);
  });

  test('is refused if the money is spent, frozen or not credited, or belongs to another operator', async () => {
    const spent = await credited();
    const transfer = { transferId: randomUUID(), currency: 'INR', from: 'main', to: 'operator', amount: '0.01' };
    await api.ask(`/users/${spent.caller.userId}/transfers`, transfer);
    expect(await refund(spent.depositId)).toMatchObject({
      code: 'insufficient-funds',
      body: { error: { params: { max: '499.99' } } },
    });
    const frozen = await credited();
    await database.transaction((transaction) => freezeUser(transaction, 'op', frozen.caller.userId, 'INR'));
    expect((await refund(frozen.depositId)).code).toBe('state-conflict');
    const { request } = commandOf();
    await bench.payments.createDeposit(commandOf(request));
    expect((await refund(request.depositId)).code).toBe('state-conflict');
    const paid = await credited();
    expect((await refund(paid.depositId, randomUUID(), 'other')).code).toBe('not-found');
    expect((await refund(randomUUID())).code).toBe('not-found');
    expect((await refund(paid.depositId, 'x')).code).toBe('invalid-request');
    expect((await refund('x')).code).toBe('invalid-request');
    await reversed(paid.depositId);
    expect((await refund(paid.depositId)).code).toBe('state-conflict');
    expect(bench.provider.refunds).toEqual([]);
  });

  test('[SRV-2] is sent and booked once, or not at all, in every order of answers and reports', async () => {
    const answer = fc.constantFrom('declined', 'accepted', 'done', 'lost', 'taken-unheard', 'told-before-answer');
    const step = fc.constantFrom('reconcile', 'report', 'report-again', 'ask-again', 'ask-other');
    const play = async (answers: readonly string[], steps: readonly string[]): Promise<void> => {
      const paid = await credited();
      const refundId = randomUUID();
      let isSent = false;
      let asked = 0;
      let isDeclined = false;
      bench.provider.onRefund = async () => {
        const how = answers[asked] ?? 'done';
        asked += 1;
        if (isSent) return { kind: 'accepted', isDone: how === 'done' || how === 'declined' };
        if (how === 'lost') throw new Error('it never arrived');
        if (how === 'declined') {
          isDeclined = true;
          return { kind: 'declined', code: 'no' };
        }
        isSent = true;
        if (how === 'told-before-answer') await reversed(paid.depositId, `${refundId}-a`);
        if (how === 'taken-unheard') throw new Error('it arrived');
        return { kind: 'accepted', isDone: how === 'done' };
      };
      const run: Record<string, () => Promise<unknown>> = {
        reconcile,
        report: async () => isSent && reversed(paid.depositId, `${refundId}-a`),
        'report-again': async () => isSent && reversed(paid.depositId, `${refundId}-b`),
        'ask-again': () => refund(paid.depositId, refundId),
        'ask-other': async () => !isDeclined && expect((await refund(paid.depositId)).code).toBe('state-conflict'),
      };
      await refund(paid.depositId, refundId);
      for (const name of steps) await run[name]?.();
      for (let round = 0; round < 8; round += 1) await reconcile();
      expect(await books(paid)).toEqual(isSent ? sentBack : kept);
      expect(isDeclined && isSent).toBe(false);
    };
    await fc.assert(fc.asyncProperty(fc.array(answer, { maxLength: 4 }), fc.array(step, { maxLength: 5 }), play), {
      numRuns: 20,
    });
  });
});

/** The provider reports that the money has come back to it. */
const returned = (depositId: string, eventId: string, refundId?: string) =>
  bench.payments.apply(
    reportOf(depositId, {
      outcome: 'returned',
      providerRef: `returned-${eventId}`,
      eventId,
      paidMinor: 50_000n,
      currency: 'INR',
      ...(refundId !== undefined && { refundId }),
    }),
  );
const suspense = () => accountBalance(database, 'op', { owner: '', asset: 'INR', kind: 'suspense' });
const ourRefund = async (depositId: string, state: string): Promise<string> => {
  const [row] = await database.query<{ id: string }>({
    text: 'select id from refund where deposit_id = $1 and state = $2',
    values: [depositId, state],
  });
  return row?.id ?? '';
};
const openReview = async (depositId: string) =>
  (await reviewPage(database, 'op', { limit: 50 })).reviews.find(({ id }) => id === depositId);

describe('[SRV-2] [SRV-3] a returned payment', () => {
  test('of a refund that did not arrive is reviewed once, and goes to the user if staff decide so', async () => {
    const paid = await credited();
    bench.provider.onRefund = async () => ({ kind: 'accepted', isDone: true });
    await refund(paid.depositId);
    const before = await suspense();
    const id = await ourRefund(paid.depositId, 'succeeded');
    for (let told = 0; told < 3; told += 1) await returned(paid.depositId, 'failed-1', id);
    expect((await suspense()) - before).toBe(50_000n);
    expect(await books(paid)).toMatchObject({ user: 0n, state: 'refunded' });
    const review = await openReview(paid.depositId);
    expect(review).toMatchObject({
      reason: 'returned',
      decisions: ['credit', 'refund'],
      suspense: [{ amount: '500.00' }],
    });
    await bench.payments.resolveReview({ operatorId: 'op', id: paid.depositId }, 'credit', 'eve');
    expect(await books(paid)).toEqual({ ...kept, state: 'refunded' });
    expect(await suspense()).toBe(before);
    expect(await openReview(paid.depositId)).toBeUndefined();
    await returned(paid.depositId, 'failed-1', id);
    expect(await books(paid)).toEqual({ ...kept, state: 'refunded' });
    await reversed(paid.depositId, 'disputed-1');
    expect(await books(paid)).toEqual(sentBack);
    // The report of the refund itself may be this late.
    await bench.payments.apply(reportOf(paid.depositId, { outcome: 'reversed', refundId: id }));
    expect(await books(paid)).toEqual(sentBack);
    expect(await hooksOf(paid.depositId)).toEqual([
      'deposit.processed',
      'deposit.refunded',
      'deposit.under_review',
      'deposit.reinstated',
      'deposit.reversed',
    ]);
  });

  test('of an earlier refund never ends or undoes a later refund', async () => {
    const paid = await credited();
    bench.provider.onRefund = async () => ({ kind: 'declined', code: 'failed' });
    await refund(paid.depositId);
    const first = await ourRefund(paid.depositId, 'declined');
    bench.provider.onRefund = async () => ({ kind: 'accepted', isDone: false });
    await refund(paid.depositId);
    const second = await ourRefund(paid.depositId, 'accepted');
    await returned(paid.depositId, 'late-failure', first);
    expect(await returned(paid.depositId, 'early-failure', second)).toMatchObject({ outcome: 'unmatched' });
    expect(await books(paid)).toEqual(waiting);
    bench.provider.onRefund = async () => ({ kind: 'declined', code: 'failed' });
    await reconcile();
    expect(await books(paid)).toEqual(kept);
    expect(await openReview(paid.depositId)).toBeUndefined();
    // The outcome of the refund explains the parked report, so it is resolved at once.
    await bench.payments.runDueWork();
    const parked = await database.query({
      text: `select 1 from deposit_event where deposit_id = $1 and status = 'parked'`,
      values: [paid.depositId],
    });
    expect(parked).toEqual([]);
  });

  test('of a won dispute pays the user’s debt first, in either order of the two reports', async () => {
    const paid = await credited();
    const spent = { transferId: randomUUID(), currency: 'INR', amount: '400.00', from: 'main', to: 'operator' };
    expect((await api.ask(`/users/${paid.caller.userId}/transfers`, spent)).status).toBe(200);
    expect(await returned(paid.depositId, 'won-1')).toMatchObject({ outcome: 'unmatched' });
    await reversed(paid.depositId);
    expect(await books(paid)).toMatchObject({ user: 0n, debt: -40_000n, state: 'reversed' });
    await database.query({ text: `update deposit_event set next_at = now() where status = 'parked'` });
    await bench.payments.runDueWork();
    expect(await openReview(paid.depositId)).toMatchObject({ reason: 'returned' });
    await bench.payments.resolveReview({ operatorId: 'op', id: paid.depositId }, 'credit', 'eve');
    expect(await books(paid)).toMatchObject({ user: 10_000n, debt: 0n, state: 'reversed' });
  });

  test('may be sent to the payer in another way: it leaves the ledger', async () => {
    const paid = await credited();
    await reversed(paid.depositId);
    await returned(paid.depositId, 'won-2');
    const before = await suspense();
    await bench.payments.resolveReview({ operatorId: 'op', id: paid.depositId }, 'refund', 'eve');
    expect(before - (await suspense())).toBe(50_000n);
    expect(await books(paid)).toMatchObject({ user: 0n, clearing: 0n, state: 'reversed' });
  });
});
