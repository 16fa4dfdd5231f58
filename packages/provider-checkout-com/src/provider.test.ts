/** What the provider answers where Checkout.com declines, fails, repeats itself and comes late. */
import { randomUUID } from 'node:crypto';
import type { Provider, ProviderDeposit, ProviderRefund } from '@opencashier/provider-kit';
import { testDeposit } from '@opencashier/provider-kit/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProvider } from './index.ts';
import { FakeCheckoutCom } from './testing/fake-checkout-com.ts';

let company: FakeCheckoutCom;
let provider: Provider;

const providerOf = async (apiUrl: string, afterDecline: string) => {
  const { secretKey, webhookSecret } = company;
  const settings = { apiUrl, processingChannelId: 'pc_test', afterDecline };
  return createProvider({ secrets: { secretKey, webhookSecret }, settings, now: Date.now });
};

beforeEach(async () => {
  company = new FakeCheckoutCom();
  provider = await providerOf(await company.open(), 'end');
});
afterEach(() => company.close());

async function created(more: Partial<ProviderDeposit> = {}): Promise<ProviderDeposit> {
  const deposit = testDeposit(more);
  expect(await provider.create(deposit)).toMatchObject({ kind: 'created', providerRef: deposit.depositId });
  return deposit;
}

const read = ({ rawBody }: { readonly rawBody: Uint8Array }) => provider.read(rawBody);
const state = ({ depositId }: ProviderDeposit) => provider.inquire({ depositId, providerRef: depositId });

describe('[SRV-3] a create at Checkout.com', () => {
  test('the page names our ids, captures at once, and asks for 3-D Secure', async () => {
    const { depositId } = await created({ operatorId: 'operator-7' });
    expect(company.pages).toEqual([
      {
        id: expect.stringMatching(/^hpp_/),
        amount: 2_500,
        currency: 'EUR',
        reference: depositId,
        metadata: { deposit_id: depositId, operator_id: 'operator-7' },
        capture: true,
      },
    ]);
  });

  test.each([
    [401, 'failed'],
    [403, 'failed'],
    [422, 'failed'],
    [429, 'failed'],
    [404, 'unknown'],
    [409, 'unknown'],
    [500, 'unknown'],
    [502, 'unknown'],
    [503, 'unknown'],
  ])('a status of %i is %s', async (status, kind) => {
    company.failNext('POST /hosted', status);
    expect(await provider.create(testDeposit())).toEqual({ kind, code: `http-${status}` });
  });

  test('a server error after the work is unknown, and the repeated create gives a page', async () => {
    company.failNext('POST /hosted', 500, true);
    const deposit = testDeposit();
    expect((await provider.create(deposit)).kind).toBe('unknown');
    expect(await provider.inquire({ depositId: deposit.depositId })).toBeUndefined();
    expect((await provider.create(deposit)).kind).toBe('created');
  });

  test('no answer, and an answer without a page, throw: the outcome is unknown', async () => {
    const answerAgain = company.silence();
    await expect(provider.create(testDeposit())).rejects.toThrow();
    answerAgain();
    company.failNext('POST /hosted', 201);
    await expect(provider.create(testDeposit())).rejects.toThrow('_links is no object');
  });

  test('of two pages that a lost answer made, only the one stored first is given out', async () => {
    let kept: string | undefined;
    const keepRequest = async (request: string) => {
      kept ??= request;
      return kept;
    };
    const deposit = testDeposit({ keepRequest });
    const answers = [await provider.create(deposit), await provider.create(deposit)];
    expect(company.pages).toHaveLength(2);
    expect(answers[1]).toEqual(answers[0]);
    expect(JSON.stringify(answers)).not.toContain(company.pages[1]?.id);
  });
});

describe('[SRV-6] reports of Checkout.com', () => {
  test('an authorization credits nothing, and its capture what was captured', async () => {
    const deposit = await created();
    const id = company.attempt(deposit.depositId, 'Authorized');
    const approved = company.webhook('payment_approved', id);
    expect(await read(approved)).toMatchObject({ outcome: 'pending' });
    company.capture(id, 2_000);
    const paid = { outcome: 'paid', paidMinor: 2_000n, currency: 'EUR', providerRef: deposit.depositId };
    expect(await read(company.webhook('payment_captured', id))).toMatchObject({ ...paid, eventId: `${id}:paid` });
    // The first webhook comes again, after the second: it says what is true by now.
    expect(await read(approved)).toMatchObject({ ...paid, eventId: `${id}:paid` });
    expect(await state(deposit)).toMatchObject({ ...paid, eventId: `${id}:paid` });
  });

  test.each([
    ['20051', { cause: 'insufficient-funds' }],
    ['20054', { cause: 'card-expired' }],
    ['20061', { cause: 'limit-exceeded' }],
    ['20087', { cause: 'wrong-details' }],
    ['20151', { cause: 'authentication-failed' }],
    ['20057', { cause: 'bank-refused' }],
  ])('the code %s tells the payer the cause', async (code, cause) => {
    const deposit = await created();
    const id = company.attempt(deposit.depositId, 'Declined', code);
    const report = await read(company.webhook('payment_declined', id, { response_code: code }));
    expect(report).toMatchObject({ outcome: 'declined', eventId: `${id}:declined`, ...cause });
    expect({ ...(await state(deposit)), at: report?.at }).toEqual(report);
  });

  test.each(['20005', '20059', '30041', '30043', '40101', '99999'])('the code %s tells no cause', async (code) => {
    const deposit = await created();
    company.attempt(deposit.depositId, 'Declined', code);
    expect(await state(deposit)).not.toHaveProperty('cause');
  });

  test('afterDecline: wait keeps the deposit open, and a second attempt pays it', async () => {
    await company.close();
    provider = await providerOf(await company.open(), 'wait');
    const deposit = await created();
    const id = company.attempt(deposit.depositId, 'Declined', '20051');
    expect(await read(company.webhook('payment_declined', id))).toMatchObject({ outcome: 'pending' });
    company.attempt(deposit.depositId, 'Captured');
    expect(await state(deposit)).toMatchObject({ outcome: 'paid' });
  });

  test('one attempt that is pending keeps a deposit open beside a declined one', async () => {
    const deposit = await created();
    company.attempt(deposit.depositId, 'Declined', '20051');
    company.attempt(deposit.depositId, 'Pending');
    expect(await state(deposit)).toMatchObject({ outcome: 'pending' });
  });

  test('a second payment on a page is a payment of its own, whichever was asked for first', async () => {
    const deposit = await created();
    const slow = company.attempt(deposit.depositId, 'Authorized');
    const quick = company.attempt(deposit.depositId, 'Captured');
    expect(await read(company.webhook('payment_captured', quick))).toMatchObject({ providerRef: deposit.depositId });
    company.capture(slow);
    expect(await read(company.webhook('payment_captured', slow))).toMatchObject({ outcome: 'paid', providerRef: slow });
    expect(await state(deposit)).toMatchObject({ eventId: `${quick}:paid`, providerRef: deposit.depositId });
  });

  test('events about payments of others, payouts and cards are about no deposit', async () => {
    const { depositId } = await created();
    const id = company.attempt(depositId, 'Captured');
    const payment = company.payments.get(id);
    if (payment === undefined) throw new Error('No payment');
    company.payments.set('pay_other', { ...payment, id: 'pay_other', metadata: {} });
    expect(await read(company.webhook('payment_captured', 'pay_other'))).toBeUndefined();
    expect(await read(company.sign({ type: 'card_verified', data: {} }))).toBeUndefined();
    company.payments.delete('pay_other');
    expect(await read(company.webhook('payment_captured', id))).toMatchObject({ outcome: 'paid' });
  });

  test('while the API does not answer, nothing is reported, and the webhook is read again', async () => {
    const deposit = await created();
    const webhook = company.webhook('payment_captured', company.attempt(deposit.depositId, 'Captured'));
    company.failNext('GET /payments', 500);
    await expect(async () => read(webhook)).rejects.toThrow('status 500');
    company.failNext('GET /payments', 429);
    await expect(state(deposit)).rejects.toThrow('status 429');
    expect(await read(webhook)).toMatchObject({ outcome: 'paid' });
  });
});

describe('[SRV-3] refunds at Checkout.com', () => {
  const asked = ({ depositId, amountMinor, currency }: ProviderDeposit): ProviderRefund => ({
    refundId: randomUUID(),
    depositId,
    providerRef: depositId,
    amountMinor,
    currency,
  });

  test('accepted, made later, and reported under our id', async () => {
    const deposit = await created();
    const id = company.attempt(deposit.depositId, 'Captured');
    const refund = asked(deposit);
    expect(await provider.refund?.(refund)).toEqual({ kind: 'accepted', isDone: false });
    const webhook = company.settleRefund(deposit.depositId);
    expect(await read(webhook)).toEqual({
      provider: 'checkout-com',
      providerRef: deposit.depositId,
      depositId: deposit.depositId,
      operatorId: 'operator-1',
      outcome: 'reversed',
      currency: 'EUR',
      refundId: refund.refundId,
      eventId: expect.stringMatching(`^${id}:refunded:act_`),
      at: expect.any(String),
    });
    expect(await provider.refund?.(refund)).toEqual({ kind: 'accepted', isDone: true });
    expect(company.refundsOf(deposit.depositId)).toEqual([2_500]);
  });

  test('a server error after the refund is unknown, and the next question finds it', async () => {
    const deposit = await created();
    company.attempt(deposit.depositId, 'Captured');
    const refund = asked(deposit);
    company.failNext('GET /payments', 500);
    await expect(provider.refund?.(refund)).rejects.toThrow('status 500');
    company.failNext('POST /payments', 500, true);
    expect(await provider.refund?.(refund)).toEqual({ kind: 'unknown', code: 'http-500' });
    expect(await provider.refund?.(refund)).toEqual({ kind: 'accepted', isDone: false });
    expect(company.refundsOf(deposit.depositId)).toEqual([2_500]);
  });

  test('declined by the bank, and not for a payment that is not there', async () => {
    const deposit = await created();
    expect(await provider.refund?.(asked(deposit))).toEqual({ kind: 'declined', code: 'not-paid' });
    company.attempt(deposit.depositId, 'Captured');
    const refund = asked(deposit);
    await provider.refund?.(refund);
    expect(await read(company.settleRefund(deposit.depositId, false))).toBeUndefined();
    expect((await provider.refund?.(refund))?.kind).toBe('declined');
  });

  test('of a part in the dashboard, reported as a part without our id', async () => {
    const deposit = await created();
    const id = company.attempt(deposit.depositId, 'Captured');
    const action = company.refundByHand(id, 500);
    const report = await read(company.webhook('payment_refunded', id, { action_id: action }));
    expect(report).toMatchObject({ outcome: 'reversed', part: action, paidMinor: 500n, currency: 'EUR' });
    expect(report).not.toHaveProperty('refundId');
    await expect(async () => read(company.webhook('payment_refunded', id))).rejects.toThrow('does not list');
  });
});

describe('[SRV-3] disputes at Checkout.com', () => {
  test('the money leaves once, and comes back once when the dispute is won', async () => {
    const deposit = await created();
    const id = company.attempt(deposit.depositId, 'Captured');
    const taken = await read(company.disputeWebhook('dispute_evidence_required', id, 'dsp_one'));
    expect(taken).toMatchObject({ outcome: 'reversed', providerRef: deposit.depositId, eventId: 'dsp_one:taken' });
    expect(taken).not.toHaveProperty('part');
    const lost = await read(company.disputeWebhook('dispute_lost', id, 'dsp_one'));
    expect({ ...lost, at: taken?.at }).toEqual(taken);
    expect(await read(company.disputeWebhook('dispute_won', id, 'dsp_one'))).toMatchObject({
      outcome: 'returned',
      providerRef: 'dsp_one:returned',
      paidMinor: 2_500n,
      eventId: 'dsp_one:returned',
    });
    // The same amount does not come back a second time.
    const arbitrated = await read(company.disputeWebhook('dispute_arbitration_won', id, 'dsp_one'));
    expect(arbitrated).toMatchObject({ outcome: 'returned', paidMinor: 2_500n, eventId: 'dsp_one:returned' });
  });

  test('of a part, of more than was paid, and events that move nothing', async () => {
    const deposit = await created();
    const id = company.attempt(deposit.depositId, 'Captured');
    const part = await read(company.disputeWebhook('dispute_lost', id, 'dsp_part', 500));
    expect(part).toMatchObject({ outcome: 'reversed', part: 'dsp_part', paidMinor: 500n });
    const more = await read(company.disputeWebhook('dispute_lost', id, 'dsp_more', 9_999));
    expect(more).toMatchObject({ contradiction: 'more-than-was-paid' });
    const foreign = await read(company.disputeWebhook('dispute_lost', id, 'dsp_jpy', 500, 'JPY'));
    expect(foreign).toMatchObject({ contradiction: 'other-currency' });
    expect(foreign).not.toHaveProperty('part');
    for (const type of ['dispute_received', 'dispute_resolved', 'dispute_evidence_submitted']) {
      expect(await read(company.disputeWebhook(type, id, 'dsp_none')), type).toBeUndefined();
    }
  });
});
