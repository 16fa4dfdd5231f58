/**
 * Further transfers to one address, through the ledger. Each is credited once as its own payment, or kept for review.
 */
import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { accountBalance, userBalance } from '../ledger/ledger.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import type { DepositReport } from '../providers/provider.ts';
import { type Bench, reportOf } from './testing/payments.fixture.ts';
import { openDepositOf, withPayments } from './testing/with-payments.fixture.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});

const openAddress = (paymentType = 'coin') => openDepositOf(bench, { paymentType });
const [first, second, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];
const chainOf = (txid: string, confirmations = 20) => ({
  txid,
  blockchain: 'Tron',
  cryptoCurrency: 'USDT',
  confirmations,
  requiredConfirmations: 20,
});
const transfer = (depositId: string, txid: string, paidMinor: bigint, more: Partial<DepositReport> = {}) =>
  bench.payments.apply(reportOf(depositId, { chain: chainOf(txid), paidMinor, ...more }));
const balanceOf = (userId: string) => userBalance(database, 'op', userId, 'INR');
const depositsOf = (userId: string) =>
  database.query<{
    id: string;
    state: string;
    review: string | null;
    credited: bigint | null;
    further_of: string | null;
  }>({
    text: 'select id, state, review, credited, further_of from deposit where user_id = $1 order by created_at',
    values: [userId],
  });

describe('[CRY-1] [SRV-3] a further transfer to an address', () => {
  test.each([
    ['under the reference of the address', {}],
    ['under a reference of its own', { providerRef: 'own' }],
  ])('%s is credited once as its own payment, despite concurrent duplicates', async (_name, more) => {
    const { depositId, userId, caller } = await openAddress();
    await transfer(depositId, first, 60_000n);
    const ref = 'providerRef' in more ? { providerRef: `own-${userId}` } : {};
    const results = await Promise.all(Array.from({ length: 6 }, () => transfer(depositId, second, 70_000n, ref)));
    expect(results.filter(({ outcome }) => outcome === 'credited')).toHaveLength(1);
    await transfer(depositId, second, 70_000n, ref);
    await transfer(depositId, first, 60_000n);
    expect(await balanceOf(userId)).toBe(130_000n);
    expect(await depositsOf(userId)).toMatchObject([
      { id: depositId, state: 'credited', review: null, credited: 60_000n, further_of: null },
      { state: 'credited', review: null, credited: 70_000n, further_of: depositId },
    ]);
    const own = results.find(({ outcome }) => outcome === 'credited')?.id ?? '';
    expect(await bench.payments.depositStatus(caller, own)).toMatchObject({
      status: 1,
      finalAmount: '700.00',
      receivedAmount: '700.00',
      txid: second,
    });
    expect(await bench.payments.depositStatus(caller, depositId)).toMatchObject({ finalAmount: '600.00', txid: first });
    await transfer(depositId, third, 50_000n);
    expect(await balanceOf(userId)).toBe(180_000n);
    // Each payment is charged back separately.
    await transfer(depositId, second, 70_000n, { outcome: 'reversed', ...ref });
    expect(await balanceOf(userId)).toBe(110_000n);
    await transfer(depositId, first, 60_000n, { outcome: 'reversed' });
    expect(await balanceOf(userId)).toBe(50_000n);
  });

  test('sends its own webhook and push, with its own id', async () => {
    const { depositId, userId } = await openAddress();
    await transfer(depositId, first, 60_000n);
    const { id: own = '' } = await transfer(depositId, second, 70_000n);
    const pushed = await database.query<{ body: { status: number; depositId: string } }>({
      text: `select body from outbox where topic = 'push' and user_id = $1 order by id`,
      values: [userId],
    });
    expect(pushed.map(({ body }) => body.depositId)).toEqual([depositId, own]);
    expect(pushed.at(-1)?.body).toMatchObject({ status: 1, finalAmount: '700.00' });
  });

  test('is checked by the limits of the method, not by the first deposit’s amount', async () => {
    const { depositId, userId } = await openAddress();
    await transfer(depositId, first, 60_000n);
    await transfer(depositId, second, 10_000n);
    await transfer(depositId, third, 9_999n);
    await transfer(depositId, 'd'.repeat(64), 5_000_001n);
    expect(await balanceOf(userId)).toBe(70_000n);
    expect((await depositsOf(userId)).map(({ review }) => review).sort()).toEqual([
      'above-maximum',
      'below-minimum',
      null,
      null,
    ]);
  });

  test('is credited while the first deposit is under review, and that review stays open', async () => {
    const { depositId, userId, caller } = await openAddress();
    await transfer(depositId, first, 40_000n);
    await transfer(depositId, second, 10_000n);
    expect(await balanceOf(userId)).toBe(10_000n);
    expect(await bench.payments.depositStatus(caller, depositId)).toMatchObject({
      status: 3,
      reason: 'transaction.reason.below-minimum',
      receivedAmount: '400.00',
      txid: first,
    });
    await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'credit', 'sam');
    expect(await balanceOf(userId)).toBe(50_000n);
  });

  test('while pending changes nothing that the first deposit shows', async () => {
    const { depositId, caller } = await openAddress();
    await transfer(depositId, first, 60_000n);
    await transfer(depositId, second, 70_000n, { outcome: 'pending', chain: chainOf(second, 3) });
    expect(await bench.payments.depositStatus(caller, depositId)).toMatchObject({ txid: first, confirmations: 20 });
    expect(bench.logs.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test.each([
    ['comes after the expiry', async (id: string) => expire(id), {}],
    ['is in another currency', async () => undefined, { currency: 'USD' }],
    ['comes without a transaction', async () => undefined, { chain: undefined, providerRef: 'bare' }],
  ])(
    'that %s is kept for review and can be sent back; the first deposit stays credited',
    async (name, prepare, more) => {
      const { depositId, userId, caller } = await openAddress();
      await transfer(depositId, first, 60_000n);
      await prepare(depositId);
      const asset = 'currency' in more ? 'USD' : 'INR';
      const suspense = () => accountBalance(database, 'op', { owner: '', asset, kind: 'suspense' });
      const before = await suspense();
      const { chain: _chain, ...bare } = reportOf(depositId, { paidMinor: 70_000n });
      const report =
        'chain' in more
          ? { ...bare, providerRef: `bare-${userId}` }
          : reportOf(depositId, { chain: chainOf(second), paidMinor: 70_000n, ...more });
      expect((await bench.payments.apply(report)).outcome, name).toBe('suspended');
      expect(await balanceOf(userId)).toBe(60_000n);
      expect((await suspense()) - before).toBe(70_000n);
      expect(await bench.payments.depositStatus(caller, depositId)).toMatchObject({
        status: 1,
        finalAmount: '600.00',
        reason: 'transaction.reason.second-payment',
      });
      await bench.payments.resolveReview({ operatorId: 'op', id: depositId }, 'refund', 'sam');
      expect(await suspense()).toBe(before);
      expect(await balanceOf(userId)).toBe(60_000n);
    },
  );

  test('to a deposit of a fixed amount is a second payment, also under the same reference', async () => {
    const { depositId, userId } = await openAddress('card');
    await transfer(depositId, first, 50_000n);
    await transfer(depositId, second, 50_000n);
    expect(await balanceOf(userId)).toBe(50_000n);
    expect(await depositsOf(userId)).toMatchObject([{ state: 'credited', review: 'second-payment' }]);
  });

  test('whose chargeback comes first: the chargeback waits for the payment', async () => {
    const { depositId, userId } = await openAddress();
    await transfer(depositId, first, 60_000n);
    await transfer(depositId, second, 70_000n, { outcome: 'reversed' });
    await transfer(depositId, second, 70_000n);
    await bench.payments.runDueWork();
    expect(await balanceOf(userId)).toBe(60_000n);
  });
});

async function expire(depositId: string): Promise<void> {
  await database.query({
    text: `update deposit set expires_at = now() - interval '1 second' where id = $1`,
    values: [depositId],
  });
}

test('[SRV-2] the ledger is sound after all these tests', async () => {
  expect(await auditLedger(database)).toMatchObject({ isSound: true });
});
