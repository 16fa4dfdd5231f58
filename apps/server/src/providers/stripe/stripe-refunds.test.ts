/** Refunds that the cashier asks Stripe for. */
import { createTestClock } from '@opencashier/core/time/test-clock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Provider } from '../provider.ts';
import { createStripeProvider } from './stripe.ts';
import { DEPOSIT, StripeApi, session } from './stripe-api.fixture.ts';

let api: StripeApi;
let stripe: Provider;

beforeEach(async () => {
  api = new StripeApi();
  stripe = createStripeProvider({
    secretKey: 'sk_test_1',
    webhookSecrets: ['whsec_1'],
    productName: 'Balance of example.com',
    api: await api.open(),
    clock: createTestClock(Date.UTC(2026, 10, 20, 12)),
  });
});

afterEach(() => api.close());

describe('refunds', () => {
  const wanted = {
    refundId: 'a4a2b7c8-0d3c-4b0e-9f5a-0f6f0c1d2e3f',
    depositId: DEPOSIT,
    providerRef: 'cs_test_a1',
    amountMinor: 2500n,
    currency: 'EUR',
  };
  const paid = session({ payment_status: 'paid', payment_intent: 'pi_1' });
  const made = (status: string) => ({
    id: 're_1',
    object: 'refund',
    status,
    metadata: { deposit_id: DEPOSIT, refund_id: wanted.refundId },
  });
  /** @param answer to the creation of a refund @param known the refunds that Stripe already has for the payment */
  const stripeSays = (answer: ReturnType<StripeApi['answer']>, known: readonly unknown[] = []) => {
    api.answer = ({ method, path }) => {
      if (path.startsWith('/v1/checkout/sessions/')) return { status: 200, body: paid };
      return method === 'GET' ? { status: 200, body: { object: 'list', data: known } } : answer;
    };
  };

  test('[SRV-4] are created over the whole amount, with our id as idempotency key and in the metadata', async () => {
    stripeSays({ status: 200, body: made('succeeded') });
    expect(await stripe.refund?.(wanted)).toEqual({ kind: 'accepted', isDone: true });
    const asked = api.asked.at(-1);
    expect(asked).toMatchObject({ method: 'POST', path: '/v1/refunds' });
    expect(asked?.headers['idempotency-key']).toBe(wanted.refundId);
    expect(asked?.form).toEqual({
      payment_intent: 'pi_1',
      amount: '2500',
      'metadata[deposit_id]': DEPOSIT,
      'metadata[refund_id]': wanted.refundId,
    });
  });

  test('[SRV-4] that Stripe already has are not created again', async () => {
    for (const [status, result] of [
      ['succeeded', { kind: 'accepted', isDone: true }],
      ['pending', { kind: 'accepted', isDone: false }],
      ['failed', { kind: 'declined', code: 'failed' }],
    ] as const) {
      stripeSays('break', [{ ...made('succeeded'), metadata: {} }, made(status)]);
      expect(await stripe.refund?.(wanted)).toEqual(result);
    }
    expect(api.asked.some(({ method }) => method === 'POST')).toBe(false);
    expect(api.asked[1]?.query.get('payment_intent')).toBe('pi_1');
  });

  test.each([
    [400, { type: 'invalid_request_error', code: 'charge_already_refunded' }, 'declined'],
    [401, { type: 'invalid_request_error' }, 'unknown'],
    [403, { type: 'invalid_request_error' }, 'unknown'],
    [409, { type: 'idempotency_error', code: 'idempotency_key_in_use' }, 'unknown'],
    [429, { type: 'invalid_request_error', code: 'rate_limit' }, 'unknown'],
    [500, { type: 'api_error' }, 'unknown'],
  ])('[SRV-4] %s %o means %s', async (status, error, kind) => {
    stripeSays({ status, body: { error } });
    expect(await stripe.refund?.(wanted)).toMatchObject({ kind });
  });

  test('[SRV-4] without an answer are unknown, and of an unpaid session are declined', async () => {
    stripeSays('break');
    expect(await stripe.refund?.(wanted)).toMatchObject({ kind: 'unknown' });
    api.answer = () => ({ status: 200, body: session({ payment_intent: null }) });
    expect(await stripe.refund?.(wanted)).toEqual({ kind: 'declined', code: 'not-paid' });
  });
});
