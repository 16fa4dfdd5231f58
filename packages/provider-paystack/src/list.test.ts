/** What the list of Paystack has where the payer bears the fee, a shop uses the same account, a dispute ended, or an answer has no sense. */
import { type ListedTransaction, type Provider, readListAnswer } from '@opencashier/provider-kit';
import { testDeposit } from '@opencashier/provider-kit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProvider } from './index.ts';
import { FakePaystack } from './testing/fake-paystack.ts';

let company: FakePaystack;
let provider: Provider;
beforeEach(async () => {
  company = new FakePaystack();
  const settings = { apiUrl: await company.open() };
  provider = await createProvider({ secrets: { secretKey: company.secretKey }, settings, now: Date.now });
});
afterEach(() => company.close());

const HOUR_MS = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();
const around = () => ({ from: iso(Date.now() - HOUR_MS), to: iso(Date.now() + HOUR_MS) });

async function page(asked: { from: string; to: string; cursor?: string }) {
  return readListAnswer(await provider.list?.({ ...asked, signal: new AbortController().signal }), asked);
}

async function listed(period = around()): Promise<ListedTransaction[]> {
  const transactions: ListedTransaction[] = [];
  for (let cursor: string | undefined; ; ) {
    const answer = await page({ ...period, ...(cursor !== undefined && { cursor }) });
    if (answer.kind !== 'page') throw new Error(answer.code);
    transactions.push(...answer.transactions);
    if (answer.next === undefined) return transactions;
    cursor = answer.next;
  }
}

async function paid(amount?: number): Promise<string> {
  const deposit = testDeposit({ currency: 'NGN', country: 'NG', fields: { email: 'payer@example.com' } });
  await provider.create(deposit);
  company.pay(deposit.depositId, amount);
  return deposit.depositId;
}

test('[SRV-1] Paystack’s fee is what it keeps, and not what the payer bears', async () => {
  const kept = await paid();
  const borne = await paid(2_538);
  const [first, second] = (await listed()).toReversed();
  expect(first).toMatchObject({ kind: 'payment', references: [kept], ownId: kept, amount: '25.00', fee: '0.38' });
  expect(second).toMatchObject({ kind: 'payment', ownId: borne, amount: '25.00', fee: '0.00' });
});

test('[SRV-1] a payment of a shop on the same account is listed, and has no id of ours', async () => {
  const reference = await paid();
  const shop = {
    ...company.transaction(reference),
    reference: 'shop-1',
    metadata: '',
    created_at: iso(Date.now() - 1),
  };
  company.transactions.clear();
  company.transactions.set('shop-1', shop);
  const [one, ...others] = await listed();
  expect([one?.references, others]).toEqual([['shop-1'], []]);
  expect(one).not.toHaveProperty('ownId');
});

test('[SRV-1] a refund has our id, one by hand has none, a dispute is a chargeback, and one in progress is not listed', async () => {
  const [ours, byHand, disputed, open] = [await paid(), await paid(), await paid(), await paid()];
  const refund = { refundId: 'refund-1', amountMinor: 2_500n, currency: 'NGN' };
  await provider.refund?.({ ...refund, depositId: ours, providerRef: ours });
  company.settleRefund(ours);
  company.refundByHand(byHand, 1_000);
  company.refundByHand(disputed, 2_500, 77);
  await provider.refund?.({ ...refund, refundId: 'refund-2', depositId: open, providerRef: open });
  const moved = (await listed()).filter(({ kind }) => kind !== 'payment');
  expect(moved.map(({ kind, ownId, amount, references }) => [kind, ownId, amount, references])).toEqual([
    ['chargeback', undefined, '-25.00', []],
    ['refund', undefined, '-10.00', []],
    ['refund', 'refund-1', '-25.00', []],
  ]);
  expect((await listed()).filter(({ kind }) => kind === 'payment')).toHaveLength(4);
});

test('[SRV-1] a transaction at the end of the period is left to the next one', async () => {
  const reference = await paid();
  const at = Date.parse(company.transaction(reference).created_at);
  expect(await listed({ from: iso(at - HOUR_MS), to: iso(at) })).toEqual([]);
  expect(await listed({ from: iso(at), to: iso(at + HOUR_MS) })).toHaveLength(1);
});

test('[SRV-2] a wrong key is refused, and an answer without the number of pages is an error', async () => {
  company.failNext('GET /transaction', 403);
  expect(await page(around())).toEqual({ kind: 'refused', code: 'http-403' });
  company.failNext('GET /transaction', 500);
  await expect(page(around())).rejects.toThrow('status 500');
  company.failNext('GET /transaction', 200);
  await expect(page(around())).rejects.toThrow('meta is no object');
  company.failNext('GET /refund', 429);
  await expect(listed()).rejects.toThrow('status 429');
});

test('[SRV-2] a cursor of another provider is an error, and does not begin again', async () => {
  await expect(page({ ...around(), cursor: 'page 2' })).rejects.toThrow('cursor');
});
