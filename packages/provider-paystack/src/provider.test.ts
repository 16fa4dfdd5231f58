/** What the provider answers where Paystack declines, fails, repeats itself and comes late. */
import { createHmac, randomUUID } from 'node:crypto';
import type { Provider, ProviderDeposit, ProviderRefund } from '@opencashier/provider-kit';
import { testDeposit } from '@opencashier/provider-kit/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProvider } from './index.ts';
import { FakePaystack } from './testing/fake-paystack.ts';

let company: FakePaystack;
let provider: Provider;

const naira = { currency: 'NGN', country: 'NG', fields: { email: 'payer@example.com' } };
const deposit = (more: Partial<ProviderDeposit> = {}) => testDeposit({ ...naira, ...more });

beforeEach(async () => {
  company = new FakePaystack();
  const settings = { apiUrl: await company.open() };
  provider = await createProvider({ secrets: { secretKey: company.secretKey }, settings, now: Date.now });
});
afterEach(() => company.close());

async function created(more: Partial<ProviderDeposit> = {}): Promise<ProviderDeposit> {
  const one = deposit(more);
  expect(await provider.create(one)).toMatchObject({ kind: 'created', providerRef: one.depositId });
  return one;
}

const read = ({ rawBody }: { readonly rawBody: Uint8Array }) => provider.read(rawBody);
const state = ({ depositId }: ProviderDeposit) => provider.inquire({ depositId, providerRef: depositId });
const asked = ({ depositId, amountMinor, currency }: ProviderDeposit): ProviderRefund => ({
  refundId: randomUUID(),
  depositId,
  providerRef: depositId,
  amountMinor,
  currency,
});

describe('[SRV-3] a create at Paystack', () => {
  test('the transaction has our reference, the payer’s address and the channel', async () => {
    const { depositId } = await created({ operatorId: 'operator-7', providerOptions: { channel: 'card' } });
    expect(company.transaction(depositId)).toMatchObject({
      requested_amount: 2_500,
      currency: 'NGN',
      email: 'payer@example.com',
      channels: ['card'],
      metadata: { deposit_id: depositId, operator_id: 'operator-7', cancel_action: 'https://shop.example/return' },
    });
    expect(company.transaction((await created()).depositId).channels).toBeUndefined();
  });

  test.each([
    [400, 'failed'],
    [401, 'failed'],
    [403, 'failed'],
    [429, 'failed'],
    [404, 'unknown'],
    [409, 'unknown'],
    [500, 'unknown'],
    [504, 'unknown'],
  ])('a status of %i is %s', async (status, kind) => {
    company.failNext('POST /transaction', status);
    expect(await provider.create(deposit())).toEqual({ kind, code: `http-${status}` });
  });

  test('a page that a lost answer took with it stays unknown, and nobody can pay there', async () => {
    const one = deposit();
    company.failNext('POST /transaction', 500, true);
    expect((await provider.create(one)).kind).toBe('unknown');
    expect(await provider.create(one)).toEqual({ kind: 'unknown', code: 'page-lost' });
    expect(await state(one)).toMatchObject({ outcome: 'pending' });
    expect(company.transactions.size).toBe(1);
  });

  test('no answer, and an answer without a page, throw: the outcome is unknown', async () => {
    const answerAgain = company.silence();
    await expect(provider.create(deposit())).rejects.toThrow();
    answerAgain();
    company.failNext('POST /transaction', 200);
    await expect(provider.create(deposit())).rejects.toThrow('data is no object');
  });
});

describe('[SRV-6] reports of Paystack', () => {
  test('the signature is HMAC SHA-512 of the body by the secret key, also by the old key', async () => {
    const body = '{"paystack":"request","body":"to_string"}';
    const signature = createHmac('sha512', 'old').update(body).digest('hex');
    const callback = { headers: { 'x-paystack-signature': signature }, rawBody: Buffer.from(body), receivedAt: 0 };
    const settings = { apiUrl: 'https://api.paystack.co' };
    const rotating = await createProvider({ secrets: { secretKey: 'new,old' }, settings, now: Date.now });
    expect(await rotating.verify(callback)).toEqual({ kind: 'verified', messageId: signature });
    expect((await provider.verify(callback)).kind).toBe('rejected');
  });

  test('a fee that the payer bears is no part of the deposit, and a smaller payment is what was paid', async () => {
    const one = await created();
    expect(await read(company.pay(one.depositId, 2_590))).toMatchObject({ outcome: 'paid', paidMinor: 2_500n });
    const other = await created();
    expect(await read(company.pay(other.depositId, 1_000))).toMatchObject({ outcome: 'paid', paidMinor: 1_000n });
  });

  test('a refused payment ends the deposit without a cause, and a later payment is still reported', async () => {
    const one = await created();
    company.fail(one.depositId, 'Suspected fraud');
    const report = await state(one);
    expect(report).toMatchObject({
      outcome: 'declined',
      reason: 'Suspected fraud',
      eventId: `${one.depositId}:failed`,
    });
    expect(report).not.toHaveProperty('cause');
    company.pay(one.depositId);
    expect(await state(one)).toMatchObject({ outcome: 'paid', eventId: `${one.depositId}:paid` });
  });

  test.each(['abandoned', 'ongoing', 'pending', 'processing', 'queued', 'a-new-one'])(
    'the status %s is pending',
    async (status) => {
      const one = await created();
      company.transaction(one.depositId).status = status;
      expect(await state(one)).toMatchObject({ outcome: 'pending' });
    },
  );

  test('transactions of others, and events that move nothing, are about no deposit', async () => {
    const one = await created();
    const webhook = company.pay(one.depositId);
    company.transactions.set('shop-1', { ...company.transaction(one.depositId), reference: 'shop-1', metadata: '' });
    expect(await read(company.sign({ event: 'charge.success', data: { reference: 'shop-1' } }))).toBeUndefined();
    expect(await read(company.sign({ event: 'charge.success', data: { reference: 'unknown' } }))).toBeUndefined();
    for (const event of ['transfer.success', 'refund.pending', 'charge.dispute.create', 'charge.dispute.remind']) {
      expect(await read(company.sign({ event, data: {} })), event).toBeUndefined();
    }
    expect(await read(webhook)).toMatchObject({ outcome: 'paid' });
  });

  test('while the API does not answer, nothing is reported, and the webhook is read again', async () => {
    const webhook = company.pay((await created()).depositId);
    company.failNext('GET /transaction', 500);
    await expect(async () => read(webhook)).rejects.toThrow('status 500');
    expect(await read(webhook)).toMatchObject({ outcome: 'paid' });
  });
});

describe('[SRV-3] refunds and disputes at Paystack', () => {
  test('a refund is accepted, made later, and reported under our id', async () => {
    const one = await created();
    const paid = company.pay(one.depositId);
    const refund = asked(one);
    expect(await provider.refund?.(refund)).toEqual({ kind: 'accepted', isDone: false });
    expect(await read(company.settleRefund(one.depositId))).toMatchObject({
      outcome: 'reversed',
      providerRef: one.depositId,
      refundId: refund.refundId,
      eventId: expect.stringMatching(`^${one.depositId}:refund-\\d+$`),
    });
    expect(await provider.refund?.(refund)).toEqual({ kind: 'accepted', isDone: true });
    // The webhook of the payment comes late: the money was taken, and the refund is a fact of its own.
    expect(await read(paid)).toMatchObject({ outcome: 'paid', paidMinor: 2_500n });
  });

  test('a server error after the refund is unknown, and the next question finds it', async () => {
    const one = await created();
    company.pay(one.depositId);
    const refund = asked(one);
    company.failNext('POST /refund', 500, true);
    expect(await provider.refund?.(refund)).toEqual({ kind: 'unknown', code: 'http-500' });
    expect(await provider.refund?.(refund)).toEqual({ kind: 'accepted', isDone: false });
    expect(company.refundsOf(one.depositId)).toEqual([2_500]);
  });

  test('a refused refund that an earlier try made after all is accepted', async () => {
    const one = await created();
    company.pay(one.depositId);
    const refund = asked(one);
    const [first, second] = await Promise.all([provider.refund?.(refund), provider.refund?.(refund)]);
    expect([first?.kind, second?.kind]).toEqual(['accepted', 'accepted']);
    expect(company.refundsOf(one.depositId)).toEqual([2_500]);
  });

  test('declined: unpaid, a part, and what Paystack could not pay out', async () => {
    const one = await created();
    expect(await provider.refund?.(asked(one))).toEqual({ kind: 'declined', code: 'not-paid' });
    company.pay(one.depositId);
    expect(await provider.refund?.({ ...asked(one), amountMinor: 100n })).toEqual({
      kind: 'declined',
      code: 'whole-payments-only',
    });
    const refund = asked(one);
    await provider.refund?.(refund);
    expect(await read(company.settleRefund(one.depositId, 'failed'))).toBeUndefined();
    expect(await provider.refund?.(refund)).toEqual({ kind: 'declined', code: 'refund-failed' });
  });

  test('a part in the dashboard is reported as a part, and two equal ones are left to staff', async () => {
    const one = await created();
    company.pay(one.depositId);
    const report = await read(company.refundByHand(one.depositId, 500));
    expect(report).toMatchObject({ outcome: 'reversed', part: expect.stringMatching(/^refund-/), paidMinor: 500n });
    expect(report).not.toHaveProperty('refundId');
    const twice = company.refundByHand(one.depositId, 500);
    await expect(async () => read(twice)).rejects.toThrow('Several refunds');
  });

  test('an accepted dispute and its refund are one fact, and a declined dispute is none', async () => {
    const one = await created();
    company.pay(one.depositId);
    expect(await read(company.disputeWebhook(one.depositId, 358_949, 'declined'))).toBeUndefined();
    const dispute = await read(company.disputeWebhook(one.depositId, 358_949, 'auto-accepted'));
    expect(dispute).toMatchObject({ outcome: 'reversed', eventId: `${one.depositId}:dispute-358949` });
    const refund = await read(company.refundByHand(one.depositId, 2_500, 358_949));
    expect({ ...refund, at: dispute?.at }).toEqual(dispute);
    const more = await read(company.disputeWebhook(one.depositId, 358_950, 'merchant-accepted', 9_999));
    expect(more).toMatchObject({ contradiction: 'more-than-was-paid' });
  });
});
