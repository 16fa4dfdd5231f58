import { randomUUID } from 'node:crypto';
import { type Review, reviewPageSchema } from '@opencashier/contract/operator';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../database/database.ts';
import { accountBalance, userBalance } from '../../ledger/ledger.ts';
import { ann, type Bench, commandOf, refOf, reportOf } from '../../payments/testing/payments.fixture.ts';
import { intent, reportOn, richUser } from '../../withdrawals/withdrawals.fixture.ts';
import { everyPage, type OperatorApi, withOperatorApi } from '../operator-api.fixture.ts';

let database: Database;
let bench: Bench;
let api: OperatorApi;
withOperatorApi((made) => {
  ({ database, bench, api } = made);
});

const underReview = async (more: Parameters<typeof reportOf>[1]): Promise<string> => {
  const { request } = commandOf();
  await bench.payments.createDeposit(commandOf(request));
  await bench.payments.apply(reportOf(request.depositId, more));
  return request.depositId;
};

async function lateWithdrawal(): Promise<{ withdrawalId: string; userId: string }> {
  const caller = await richUser(database, 100_000n);
  const command = intent(caller);
  const { withdrawalId } = command.request;
  await bench.payments.withdrawals.create(command);
  await bench.payments.withdrawals.cancel(caller, withdrawalId);
  await bench.payments.withdrawals.apply(reportOn(withdrawalId));
  return { withdrawalId, userId: caller.userId };
}

const everything = (limit = 200) =>
  everyPage(api, '/reviews', reviewPageSchema, { limit, rowsOf: ({ reviews }) => reviews });

const reviewOf = async (id: string): Promise<Review> => {
  const found = (await everything()).find((review) => review.id === id);
  if (found === undefined) throw new Error(`No review of ${id}`);
  return found;
};

const resolve = (reviewId: string, decision: string, staff = 'eve', operatorId?: string) =>
  api.ask(`/reviews/${reviewId}/resolve`, { decision, staff }, operatorId);

const inSuspense = () => accountBalance(database, 'op', { owner: '', asset: 'INR', kind: 'suspense' });

describe('[SRV-1] money in suspense', () => {
  test('is listed, the oldest first and page by page, with the received amount and the possible decisions', async () => {
    const under = await underReview({ paidMinor: 30_000n });
    const wrong = await underReview({ paidMinor: 1_234n, currency: 'USD' });
    const { withdrawalId, userId } = await lateWithdrawal();
    const list = await everything();
    expect(list.map(({ id }) => id)).toEqual([under, wrong, withdrawalId]);
    expect(list[0]).toMatchObject({
      type: 'deposit',
      userId: 'ann',
      paymentMethod: 'card',
      reason: 'underpaid',
      amount: '500.00',
      currency: 'INR',
      suspense: [{ currency: 'INR', amount: '300.00' }],
      decisions: ['credit', 'refund'],
    });
    expect(list[1]).toMatchObject({
      reason: 'wrong-currency',
      suspense: [{ currency: 'USD', amount: '12.34' }],
      decisions: ['refund'],
    });
    expect(list[2]).toMatchObject({ type: 'withdrawal', userId, reason: 'late', decisions: ['charge', 'bear'] });
    expect(list[2]?.suspense).toHaveLength(1);
    expect(await everything(1)).toEqual(list);
    expect((await api.ask('/reviews', undefined, 'other')).body).toEqual({ reviews: [] });
    const hooks = await database.query<{ body: string }>({
      text: `select body from webhook_delivery where type like '%.under_review' and body like '%' || $1 || '%'`,
      values: [list[0]?.reviewId],
    });
    expect(hooks.map(({ body }) => JSON.parse(body).data)).toMatchObject([{ reason: 'underpaid', depositId: under }]);
    const before = await inSuspense();
    expect(await resolve(list[0]?.reviewId ?? '', 'credit')).toMatchObject({ status: 200 });
    expect(before - (await inSuspense())).toBe(30_000n);
    await resolve(list[1]?.reviewId ?? '', 'refund');
    await resolve(list[2]?.reviewId ?? '', 'bear');
    expect(await everything()).toEqual([]);
    expect(await inSuspense()).toBe(0n);
  });

  test('of a currency that the cashier does not know is kept with its report, and the lists still work', async () => {
    const depositId = await underReview({ paidMinor: 30_000n, currency: 'ZZCOIN' });
    const nobodys = reportOf(randomUUID(), { paidMinor: 30_000n, currency: 'ZZCOIN', unassigned: { operator: 'pk' } });
    expect(bench.logs.at(-1)).toMatchObject({
      level: 'error',
      fields: { deposit: depositId, why: 'unknown-currency' },
    });
    expect(await bench.payments.apply(nobodys)).toEqual({ outcome: 'unmatched' });
    expect(await everything()).toEqual([]);
    const { body } = await api.ask('/transactions?limit=1');
    expect(body).toMatchObject({ transactions: [{ depositId, currency: 'INR' }] });
    const kept = await database.query({
      text: `select outcome from deposit_event where status = 'parked' and body ->> 'currency' = 'ZZCOIN' order by outcome`,
    });
    expect(kept).toEqual([{ outcome: 'unknown-currency' }, { outcome: 'unknown-deposit' }]);
  });

  test('is decided once, even if many people decide at the same time', async () => {
    const depositId = await underReview({ paidMinor: 30_000n });
    const { reviewId } = await reviewOf(depositId);
    const balance = () => userBalance(database, 'op', ann.userId, 'INR');
    const before = await balance();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => resolve(reviewId, 'credit', `person-${index}`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await balance()) - before).toBe(30_000n);
    expect(await resolve(reviewId, 'refund')).toMatchObject({
      code: 'state-conflict',
      body: { error: { params: { decision: 'credit' } } },
    });
  });

  test('[SRV-3] [WD-2] that ended because the late payout came back is known, and no decision applies to it any more', async () => {
    const { withdrawalId } = await lateWithdrawal();
    const { reviewId } = await reviewOf(withdrawalId);
    await bench.payments.withdrawals.apply(reportOn(withdrawalId, { outcome: 'returned' }));
    expect(await everything()).toEqual([]);
    for (const decision of ['charge', 'bear'])
      expect(await resolve(reviewId, decision)).toMatchObject({ status: 409, code: 'state-conflict' });
    expect((await resolve(reviewId, 'charge', 'eve', 'other')).code).toBe('not-found');
    expect(await inSuspense()).toBe(0n);
  });

  test('that staff sent back is not changed by the provider’s later report of it', async () => {
    const depositId = await underReview({ paidMinor: 30_000n });
    expect((await resolve((await reviewOf(depositId)).reviewId, 'refund')).status).toBe(200);
    const told = await bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }));
    expect(told).toEqual({ outcome: 'unchanged', id: depositId });
    expect(await inSuspense()).toBe(0n);
  });

  test('of each further payment is a separate review: an earlier decision does not apply to it', async () => {
    const { request } = commandOf();
    const { depositId } = request;
    await bench.payments.createDeposit(commandOf(request));
    await bench.payments.apply(reportOf(depositId));
    const again = (ref: string) =>
      bench.payments.apply(reportOf(depositId, { providerRef: `${refOf(depositId)}-${ref}` }));
    await again('second');
    const first = await reviewOf(depositId);
    expect(first).toMatchObject({ reason: 'second-payment', suspense: [{ amount: '500.00' }], decisions: ['refund'] });
    expect(await resolve(first.reviewId, 'refund')).toMatchObject({ status: 200 });
    await again('third');
    const next = await reviewOf(depositId);
    expect(next.reviewId).not.toBe(first.reviewId);
    expect(next.suspense).toEqual([{ currency: 'INR', amount: '500.00' }]);
    expect(await resolve(first.reviewId, 'refund')).toMatchObject({ status: 200 });
    expect((await reviewOf(depositId)).reviewId).toBe(next.reviewId);
    expect(await resolve(next.reviewId, 'refund')).toMatchObject({ status: 200 });
    expect(await everything()).toEqual([]);
  });

  test.each<[string, (depositId: string, reviewId: string) => Promise<unknown>]>([
    ['credited', (_depositId, reviewId) => resolve(reviewId, 'credit')],
    ['refunded', (_depositId, reviewId) => resolve(reviewId, 'refund')],
    ['taken back', (depositId) => bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }))],
  ])('[SRV-3] of a payment that came during another review is listed when that one is %s', async (_how, end) => {
    const depositId = await underReview({ paidMinor: 30_000n });
    const first = await reviewOf(depositId);
    await bench.payments.apply(reportOf(depositId, { providerRef: `${refOf(depositId)}-second` }));
    expect((await everything()).map(({ reviewId }) => reviewId)).toEqual([first.reviewId]);
    await end(depositId, first.reviewId);
    const next = await reviewOf(depositId);
    expect(next.reviewId).not.toBe(first.reviewId);
    expect(next).toMatchObject({ reason: 'second-payment', suspense: [{ amount: '500.00' }], decisions: ['refund'] });
    expect(await resolve(next.reviewId, 'refund')).toMatchObject({ status: 200 });
    expect(await everything()).toEqual([]);
    expect(await inSuspense()).toBe(0n);
  });

  test.each(['returned', 'second'])(
    '[SRV-2] [SRV-3] is decided payment by payment: what came back and a second payment never count for each other (%s first)',
    async (before) => {
      const caller = { ...ann, userId: `both-${randomUUID()}` };
      const command = commandOf({}, caller);
      const { depositId } = command.request;
      await bench.payments.createDeposit(command);
      await bench.payments.apply(reportOf(depositId));
      await bench.payments.apply(reportOf(depositId, { outcome: 'reversed' }));
      const come = {
        returned: { outcome: 'returned', providerRef: `${refOf(depositId)}-won` },
        second: { providerRef: `${refOf(depositId)}-second`, paidMinor: 70_000n },
      } as const;
      const after = before === 'returned' ? 'second' : 'returned';
      for (const what of [before, after] as ('returned' | 'second')[])
        await bench.payments.apply(reportOf(depositId, come[what]));
      const seen: Review[] = [];
      for (let review = await reviewOf(depositId); seen.length < 2; ) {
        seen.push(review);
        const [decision = ''] = review.decisions;
        expect(await resolve(review.reviewId, decision)).toMatchObject({ status: 200 });
        if (seen.length < 2) review = await reviewOf(depositId);
      }
      const shown = seen.map(({ reason, suspense, decisions }) => ({ reason, suspense, decisions }));
      const both = {
        returned: {
          reason: 'returned',
          suspense: [{ currency: 'INR', amount: '500.00' }],
          decisions: ['credit', 'refund'],
        },
        second: { reason: 'second-payment', suspense: [{ currency: 'INR', amount: '700.00' }], decisions: ['refund'] },
      };
      expect(shown).toEqual(before === 'returned' ? [both.returned, both.second] : [both.second, both.returned]);
      expect(await userBalance(database, 'op', caller.userId, 'INR')).toBe(50_000n);
      expect(await everything()).toEqual([]);
      expect(await inSuspense()).toBe(0n);
    },
  );

  test('of the deposit’s own payment is another review if it arrives while a second payment is under review', async () => {
    const { request } = commandOf();
    const { depositId } = request;
    await bench.payments.createDeposit(commandOf(request));
    const own = { providerRef: refOf(depositId) };
    await bench.payments.apply(reportOf(depositId, { providerRef: `${own.providerRef}-second`, paidMinor: 70_000n }));
    const second = await reviewOf(depositId);
    expect(second).toMatchObject({ reason: 'second-payment', suspense: [{ amount: '700.00' }] });
    await bench.payments.apply(reportOf(depositId, { ...own, paidMinor: 30_000n }));
    const under = await reviewOf(depositId);
    expect(under).toMatchObject({ reason: 'underpaid', suspense: [{ amount: '300.00' }] });
    expect(under.reviewId).not.toBe(second.reviewId);
    // A decision about the review that staff saw before does not apply to the other payment.
    expect((await resolve(second.reviewId, 'refund')).code).toBe('state-conflict');
    expect((await resolve(under.reviewId, 'refund')).status).toBe(200);
    expect((await resolve((await reviewOf(depositId)).reviewId, 'refund')).status).toBe(200);
    expect(await inSuspense()).toBe(0n);
  });

  test('is not decided by a decision of another kind, nor by another operator', async () => {
    const depositId = await underReview({ paidMinor: 1_234n, currency: 'USD' });
    const { reviewId } = await reviewOf(depositId);
    expect((await resolve(reviewId, 'credit')).code).toBe('state-conflict');
    expect((await resolve(reviewId, 'bear')).code).toBe('invalid-request');
    expect((await resolve(reviewId, 'keep')).code).toBe('invalid-request');
    expect((await resolve(reviewId, 'refund', '')).code).toBe('invalid-request');
    expect((await resolve(reviewId, 'refund', 'eve', 'other')).code).toBe('not-found');
    expect((await resolve(`deposit-${depositId}-2`, 'refund')).code).toBe('not-found');
    expect((await resolve(`withdrawal-${depositId}-1`, 'bear')).code).toBe('not-found');
    expect((await resolve('x', 'refund')).code).toBe('not-found');
    expect((await api.ask('/reviews?cursor=x')).code).toBe('invalid-request');
    expect((await resolve(reviewId, 'refund')).status).toBe(200);
  });
});
