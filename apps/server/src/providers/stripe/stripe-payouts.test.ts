import { createTestClock } from '@opencashier/core/time/test-clock';
import type { PayoutRefund, ProviderWithdrawal, WithdrawalProvider } from '@opencashier/provider-kit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Provider } from '../provider.ts';
import { createStripeProvider } from './stripe.ts';
import { deposit, keepSessions, StripeApi } from './stripe-api.fixture.ts';

const WITHDRAWAL = '3d0b54c9-6c57-4a0c-9a51-2f1de0a3b7aa';
const ids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;
let api: StripeApi;
let stripe: Provider;
let payouts: WithdrawalProvider;
let sessions: ReturnType<typeof keepSessions>;
/** The usual answer of the stand-in. */
let usual: StripeApi['answer'];

beforeEach(async () => {
  api = new StripeApi();
  const address = await api.open();
  sessions = keepSessions(api);
  usual = api.answer;
  stripe = createStripeProvider({
    secretKey: 'sk_test_1',
    webhookSecrets: ['whsec_first'],
    api: address,
    clock: createTestClock(Date.UTC(2026, 10, 20)),
  });
  if (stripe.withdrawals === undefined) throw new Error('Stripe pays out');
  payouts = stripe.withdrawals;
});
afterEach(() => api.close());

/** A payment of 25 EUR by one card. */
async function paid(): Promise<string> {
  const made = await stripe.create(deposit({ depositId: crypto.randomUUID() }));
  if (made.kind !== 'created') throw new Error('No session');
  sessions.pay(made.providerRef, { fingerprint: 'fp_1', brand: 'visa', last4: '4242' });
  return made.providerRef;
}

const refundOf = (paymentRef: string, nth: 0 | 1, amountMinor: bigint): PayoutRefund => ({
  refundId: ids[nth],
  paymentRef,
  amountMinor,
});

const withdrawal = (refunds: readonly PayoutRefund[], more: Partial<ProviderWithdrawal> = {}): ProviderWithdrawal => {
  const sum = refunds.reduce((minor, { amountMinor }) => minor + amountMinor, 0n);
  return {
    withdrawalId: WITHDRAWAL,
    paymentMethod: 'card_stripe_payout',
    amountMinor: sum,
    receivesMinor: sum,
    currency: 'EUR',
    country: 'DE',
    fields: {},
    providerOptions: {},
    refunds,
    language: 'en',
    signal: new AbortController().signal,
    ...more,
  };
};

const event = (type: string, object: object, before?: object) =>
  Buffer.from(
    JSON.stringify({
      id: 'evt_1',
      object: 'event',
      livemode: false,
      type,
      created: 1_795_000_000,
      data: { object, ...(before && { previous_attributes: before }) },
    }),
  );

describe('a payout to a card', () => {
  test('[WD-2] refunds each payment under its own key, and names the withdrawal in the metadata', async () => {
    const [first, second] = [await paid(), await paid()];
    const refunds = [refundOf(first, 0, 2500n), refundOf(second, 1, 700n)];
    expect(await payouts.withdraw(withdrawal(refunds))).toEqual({
      kind: 'accepted',
      providerRef: `refunds-${WITHDRAWAL}`,
    });
    const created = api.asked.filter(({ method, path }) => method === 'POST' && path === '/v1/refunds');
    expect(created.map(({ headers }) => headers['idempotency-key'])).toEqual([...ids]);
    expect(created[1]?.form).toEqual({
      payment_intent: `pi_${second}`,
      amount: '700',
      'metadata[payout_id]': WITHDRAWAL,
      'metadata[payout_refund_id]': ids[1],
      'metadata[payout_total]': '3200',
    });
    expect(await payouts.inquire({ withdrawalId: WITHDRAWAL, refunds })).toMatchObject({
      outcome: 'paid',
      paidMinor: 3200n,
      currency: 'EUR',
      eventId: `${WITHDRAWAL}:paid`,
    });
  });

  test('[WD-2] asked again, also after Stripe forgot the key, it makes no second refund', async () => {
    const refunds = [refundOf(await paid(), 0, 1000n)];
    await payouts.withdraw(withdrawal(refunds));
    expect(await payouts.withdraw(withdrawal(refunds))).toMatchObject({ kind: 'accepted' });
    expect(api.asked.filter(({ method, path }) => method === 'POST' && path === '/v1/refunds')).toHaveLength(1);
  });

  test('[WD-2] a payment that cannot be refunded ends the payout before anything is sent', async () => {
    const [good, disputed] = [await paid(), await paid()];
    sessions.dispute(disputed);
    const refunds = [refundOf(good, 0, 500n), refundOf(disputed, 1, 500n)];
    expect(await payouts.withdraw(withdrawal(refunds))).toEqual({ kind: 'declined', code: 'charge_disputed' });
    expect(sessions.allRefunds()).toEqual([]);
  });

  test('[WD-2] more than the charge has left is declined, as when it was refunded in the dashboard', async () => {
    const ref = await paid();
    await stripe.refund?.({ refundId: ids[1], depositId: 'x', providerRef: ref, amountMinor: 2000n, currency: 'EUR' });
    expect(await payouts.withdraw(withdrawal([refundOf(ref, 0, 1000n)]))).toEqual({
      kind: 'declined',
      code: 'charge_already_refunded',
    });
  });

  test('[SRV-4] a lost answer is unknown, and the refund that was made is found again', async () => {
    const refunds = [refundOf(await paid(), 0, 1000n)];
    api.answer = (asked) => {
      const answer = usual(asked);
      return asked.method === 'POST' ? 'break' : answer;
    };
    expect(await payouts.withdraw(withdrawal(refunds))).toMatchObject({ kind: 'unknown' });
    // The library itself repeats a request once when its connection was closed.
    const keys = api.asked.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys.slice(1))).toEqual(new Set([ids[0]]));
    expect(sessions.allRefunds()).toHaveLength(1);
    api.answer = usual;
    expect(await payouts.inquire({ withdrawalId: WITHDRAWAL, refunds })).toMatchObject({ outcome: 'paid' });
  });

  test('[WD-2] one refund made and the other refused: the payout is unknown, and the refused one is named', async () => {
    const [first, second] = [await paid(), await paid()];
    const refunds = [refundOf(first, 0, 500n), refundOf(second, 1, 500n)];
    api.answer = (asked) => {
      if (asked.form['payment_intent'] === `pi_${second}`)
        return { status: 400, body: { error: { type: 'invalid_request_error', code: 'charge_disputed' } } };
      return usual(asked);
    };
    expect(await payouts.withdraw(withdrawal(refunds))).toEqual({
      kind: 'unknown',
      code: 'partly-refused',
      refusedRefunds: [ids[1]],
    });
    // Not all refunds are requested, so the cashier asks for the payout again.
    expect(await payouts.inquire({ withdrawalId: WITHDRAWAL, refunds })).toBeUndefined();
  });

  test.each([
    [401, 'invalid_request_error'],
    [403, 'invalid_request_error'],
    [409, 'idempotency_error'],
    [429, 'invalid_request_error'],
    [500, 'api_error'],
  ])('[SRV-4] %i %s is unknown, because an earlier try may have paid', async (status, type) => {
    const refunds = [refundOf(await paid(), 0, 1000n)];
    api.answer = (asked) => (asked.method === 'POST' ? { status, body: { error: { type } } } : usual(asked));
    expect(await payouts.withdraw(withdrawal(refunds))).toMatchObject({ kind: 'unknown' });
  });

  test('[WD-2] no refund begins after the cashier has stopped waiting', async () => {
    const refunds = [refundOf(await paid(), 0, 1000n)];
    const waiting = new AbortController();
    waiting.abort();
    expect(await payouts.withdraw(withdrawal(refunds, { signal: waiting.signal }))).toEqual({
      kind: 'unknown',
      code: 'timeout',
    });
    expect(sessions.allRefunds()).toEqual([]);
  });
});

describe('what Stripe says later', () => {
  const payOne = async (amount = 1000n) => {
    const ref = await paid();
    const refunds = [refundOf(ref, 0, amount)];
    await payouts.withdraw(withdrawal(refunds));
    const [refund] = sessions.refunds(ref);
    if (refund === undefined) throw new Error('No refund');
    return { ref, refund, refunds };
  };

  test('[WD-2] a refund waits while the balance at Stripe is too low, and is paid when it succeeds', async () => {
    const { refund, refunds } = await payOne();
    refund.status = 'pending';
    expect(await payouts.inquire({ withdrawalId: WITHDRAWAL, refunds })).toMatchObject({ outcome: 'pending' });
    refund.status = 'succeeded';
    const told = await payouts.read(event('refund.updated', refund, { status: 'pending' }));
    expect(told).toMatchObject({ outcome: 'paid', paidMinor: 1000n });
    const asked = await payouts.inquire({ withdrawalId: WITHDRAWAL, refunds });
    expect(told?.eventId).toBe(asked?.eventId);
  });

  test('[WD-2] a refund that fails before it succeeded is declined, and one that fails afterwards is returned', async () => {
    const { refund, refunds } = await payOne();
    Object.assign(refund, { status: 'failed', failure_reason: 'expired_or_canceled_card' });
    expect(await payouts.read(event('refund.updated', refund, { status: 'pending' }))).toMatchObject({
      outcome: 'declined',
      reason: 'expired_or_canceled_card',
    });
    expect(await payouts.inquire({ withdrawalId: WITHDRAWAL, refunds })).toMatchObject({ outcome: 'declined' });
    expect(await payouts.read(event('refund.failed', refund))).toMatchObject({
      outcome: 'returned',
      paidMinor: 1000n,
      currency: 'EUR',
      refundId: ids[0],
    });
  });

  test('[SRV-2] neither the refund nor its failure is read as a refund or a return of the deposit', async () => {
    const { ref, refund } = await payOne(2500n);
    const charge = { id: `ch_${ref}`, payment_intent: `pi_${ref}`, amount_refunded: 2500, refunded: true };
    const refunded = event('charge.refunded', charge, { amount_refunded: 0 });
    expect(await payouts.read(refunded)).toBeUndefined();
    // The event is later than the refund.
    const body = JSON.parse(refunded.toString()) as { created: number };
    body.created = refund.created + 1;
    expect(await stripe.read(Buffer.from(JSON.stringify(body)))).toBeUndefined();
    refund.status = 'failed';
    expect(await stripe.read(event('refund.failed', refund))).toBeUndefined();
  });

  test('[WD-2] a failed refund among several is named, so that the cashier replaces it', async () => {
    const [first, second] = [await paid(), await paid()];
    const refunds = [refundOf(first, 0, 500n), refundOf(second, 1, 500n)];
    await payouts.withdraw(withdrawal(refunds));
    for (const refund of sessions.refunds(second)) refund.status = 'failed';
    expect(await payouts.inquire({ withdrawalId: WITHDRAWAL, refunds })).toMatchObject({
      outcome: 'pending',
      refusedRefunds: [ids[1]],
    });
  });
});

test('[WD-2] the report of a paid session names the card by its brand and last digits', async () => {
  const ref = await paid();
  expect(await stripe.inquire({ depositId: 'x', providerRef: ref })).toMatchObject({
    outcome: 'paid',
    card: { id: 'fp_1', brand: 'Visa', last4: '4242' },
  });
});

test('[SRV-2] a key that may not read the payment still credits it, without the card', async () => {
  const ref = await paid();
  api.answer = (asked) =>
    asked.path.startsWith('/v1/payment_intents/')
      ? { status: 403, body: { error: { type: 'invalid_request_error' } } }
      : usual(asked);
  const report = await stripe.inquire({ depositId: 'x', providerRef: ref });
  expect(report).toMatchObject({ outcome: 'paid', paidMinor: 2500n });
  expect(report?.card).toBeUndefined();
});
