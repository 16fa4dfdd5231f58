import { createHmac } from 'node:crypto';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Provider } from '../provider.ts';
import { createStripeProvider } from './stripe.ts';
import { DEPOSIT, deposit, StripeApi, session } from './stripe-api.fixture.ts';

const SECRET = 'whsec_first';
const OLD_SECRET = 'whsec_old';
const NOW = Date.UTC(2026, 10, 20, 12);
const clock = createTestClock(NOW);
let api: StripeApi;
let stripe: Provider;
let address: Awaited<ReturnType<StripeApi['open']>>;

beforeEach(async () => {
  api = new StripeApi();
  address = await api.open();
  stripe = createStripeProvider({
    secretKey: 'sk_test_1',
    webhookSecrets: [SECRET, OLD_SECRET],
    productName: 'Balance of example.com',
    api: address,
    clock,
  });
});

afterEach(() => api.close());

function signed(body: string, { secret = SECRET, at = NOW / 1000 } = {}) {
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return {
    headers: { 'stripe-signature': `t=${at},v1=${signature}` },
    rawBody: Buffer.from(body),
    receivedAt: NOW,
  };
}

const event = (type: string, object: unknown, id = 'evt_1', created = 1_795_000_000) =>
  JSON.stringify({ id, object: 'event', livemode: false, type, created, data: { object } });

const read = async (type: string, object: unknown, created?: number) =>
  stripe.read(Buffer.from(event(type, object, 'evt_1', created)));

describe('create', () => {
  test('[UI-1] without a product name of the operator, the product is called a deposit in the payer’s language', async () => {
    api.answer = () => ({ status: 200, body: session() });
    const plain = createStripeProvider({ secretKey: 'sk_test_1', webhookSecrets: [SECRET], api: address, clock });
    await plain.create(deposit({ language: 'de' }));
    await plain.create(deposit({ language: 'sv' }));
    const names = api.asked.map(({ form }) => form['line_items[0][price_data][product_data][name]']);
    expect(names).toEqual(['Einzahlung', 'Deposit']);
  });

  test('[SRV-4] creates a Checkout session with our id as idempotency key and on every object', async () => {
    api.answer = () => ({ status: 200, body: session() });
    expect(await stripe.create(deposit())).toEqual({
      kind: 'created',
      providerRef: 'cs_test_a1',
      source: 'https://checkout.stripe.com/c/pay/cs_test_a1',
      lifetimeSeconds: 1800,
    });
    const [asked] = api.asked;
    expect(asked).toMatchObject({ method: 'POST', path: '/v1/checkout/sessions' });
    expect(asked?.headers).toMatchObject({ authorization: 'Bearer sk_test_1', 'idempotency-key': DEPOSIT });
    expect(asked?.form).toEqual({
      mode: 'payment',
      client_reference_id: DEPOSIT,
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'eur',
      'line_items[0][price_data][unit_amount]': '2500',
      'line_items[0][price_data][product_data][name]': 'Balance of example.com',
      'metadata[deposit_id]': DEPOSIT,
      'metadata[operator_id]': 'op',
      'payment_intent_data[metadata][deposit_id]': DEPOSIT,
      'payment_intent_data[metadata][operator_id]': 'op',
      success_url: 'https://cashier.example/return',
      cancel_url: 'https://cashier.example/return',
      expires_at: String(NOW / 1000 + 31 * 60),
      locale: 'de',
    });
  });

  test('an amount that the currency cannot express is declined without a request to Stripe', async () => {
    expect(await stripe.create(deposit({ currency: 'JPY', amountMinor: 2550n }))).toEqual({
      kind: 'declined',
      code: 'amount-not-payable',
    });
    expect(api.asked).toEqual([]);
  });

  const refusals = [
    [401, { type: 'invalid_request_error', message: 'no key' }, 'failed'],
    [403, { type: 'invalid_request_error', message: 'no right' }, 'failed'],
    [429, { type: 'invalid_request_error', code: 'rate_limit' }, 'failed'],
    [400, { type: 'invalid_request_error', code: 'amount_too_small' }, 'failed'],
    [402, { type: 'card_error', code: 'card_declined' }, 'declined'],
    // Another request with this key is in progress or had another amount. A session may exist.
    [409, { type: 'idempotency_error', code: 'idempotency_key_in_use' }, 'unknown'],
    [400, { type: 'idempotency_error' }, 'unknown'],
    [500, { type: 'api_error' }, 'unknown'],
    [503, { type: 'api_error' }, 'unknown'],
  ] as const;
  for (const [status, error, kind] of refusals) {
    test(`[SRV-4] ${status} ${error.type} means ${kind}`, async () => {
      api.answer = () => ({ status, body: { error } });
      expect(await stripe.create(deposit())).toMatchObject({ kind });
    });
  }

  test('[SRV-4] a broken connection is an unknown outcome, after one retry under the same key', async () => {
    api.answer = () => 'break';
    expect(await stripe.create(deposit())).toMatchObject({ kind: 'unknown' });
    expect(api.asked.map(({ headers }) => headers['idempotency-key'])).toEqual([DEPOSIT, DEPOSIT]);
  });

  test('[SRV-6] after a lost answer the same request is sent again, though clock and settings have changed', async () => {
    let kept: string | undefined;
    const keepRequest = async (request: string) => (kept ??= request);
    api.answer = () => 'break';
    await stripe.create(deposit({ keepRequest }));
    const later = createTestClock(NOW + 45_000);
    const renamed = createStripeProvider({
      secretKey: 'sk_test_1',
      webhookSecrets: [SECRET],
      api: address,
      clock: later,
    });
    api.answer = () => ({ status: 200, body: session() });
    expect(await renamed.create(deposit({ keepRequest }))).toMatchObject({ kind: 'created' });
    const [first, , last] = api.asked;
    expect(last?.body).toBe(first?.body);
    expect(last?.headers['idempotency-key']).toBe(DEPOSIT);
  });

  test('an aborted create has an unknown outcome', async () => {
    const waiting = new AbortController();
    waiting.abort();
    api.answer = () => ({ status: 200, body: session() });
    expect(await stripe.create(deposit({ signal: waiting.signal }))).toEqual({ kind: 'unknown', code: 'timeout' });
  });
});

describe('callbacks', () => {
  const body = event('checkout.session.completed', session());

  test('[SRV-4] a signature by either secret within five minutes is accepted', () => {
    const verified = { kind: 'verified', messageId: 'evt_1' };
    expect(stripe.verify(signed(body))).toEqual(verified);
    expect(stripe.verify(signed(body, { secret: OLD_SECRET }))).toEqual(verified);
    expect(stripe.verify(signed(body, { at: NOW / 1000 - 300 }))).toEqual(verified);
    // Our own clock may be behind. The event is still new, and its id is stored once.
    expect(stripe.verify(signed(body, { at: NOW / 1000 + 400 }))).toEqual(verified);
  });

  test('[SRV-4] forged, changed, old and unsigned callbacks are refused', () => {
    const changed = { ...signed(body), rawBody: Buffer.from(body.replace('2500', '9900')) };
    for (const callback of [
      signed(body, { secret: 'whsec_other' }),
      signed(body, { at: NOW / 1000 - 301 }),
      changed,
      { ...signed(body), headers: { 'stripe-signature': 't=1' } },
    ]) {
      expect(stripe.verify(callback)).toEqual({ kind: 'rejected', reason: 'wrong-signature' });
    }
    expect(stripe.verify({ ...signed(body), headers: {} })).toEqual({ kind: 'rejected', reason: 'no-signature' });
  });

  test('a paid session gives the same report from a callback and from an inquiry', async () => {
    const paid = session({ status: 'complete', payment_status: 'paid' });
    const told = await read('checkout.session.completed', paid);
    expect(told).toMatchObject({
      provider: 'stripe',
      providerRef: 'cs_test_a1',
      depositId: DEPOSIT,
      outcome: 'paid',
      paidMinor: 2500n,
      currency: 'EUR',
    });
    api.answer = () => ({ status: 200, body: paid });
    const asked = await stripe.inquire({ depositId: DEPOSIT, providerRef: 'cs_test_a1' });
    expect(asked).toEqual({ ...told, at: asked?.at });
    expect(api.asked[0]?.path).toBe('/v1/checkout/sessions/cs_test_a1');
  });

  test.each([
    ['checkout.session.completed', { status: 'complete' }, 'pending'],
    ['checkout.session.async_payment_succeeded', { status: 'complete', payment_status: 'paid' }, 'paid'],
    ['checkout.session.async_payment_failed', { status: 'complete' }, 'declined'],
    ['checkout.session.expired', { status: 'expired' }, 'expired'],
  ])('%s with %o means %s', async (type, change, outcome) => {
    expect(await read(type, session(change))).toMatchObject({ outcome, depositId: DEPOSIT });
  });

  test('[DEP-15] a failed settlement names a cause that the payer can act on', async () => {
    const failed = (decline_code: string) => {
      api.answer = () => ({
        status: 200,
        body: { id: 'pi_1', last_payment_error: { code: 'card_declined', decline_code } },
      });
      return read('checkout.session.async_payment_failed', session({ status: 'complete', payment_intent: 'pi_1' }));
    };
    expect(await failed('insufficient_funds')).toMatchObject({ outcome: 'declined', cause: 'insufficient-funds' });
    expect(await failed('stolen_card')).not.toHaveProperty('cause');
    expect(api.asked.at(-1)?.path).toBe('/v1/payment_intents/pi_1');
  });

  test.each([403, 404, 503])(
    '[DEP-15] [SRV-3] a failed settlement whose payment Stripe answers with %i',
    async (status) => {
      api.answer = () => ({ status, body: { error: { type: 'invalid_request_error', message: 'no' } } });
      const unread = session({ status: 'complete', payment_intent: 'pi_1' });
      const failed = read('checkout.session.async_payment_failed', unread);
      // It is tried again only where Stripe does not answer.
      if (status === 503) return expect(failed).rejects.toThrow();
      expect(await failed).toMatchObject({ outcome: 'declined', depositId: DEPOSIT });
      return expect(await failed).not.toHaveProperty('cause');
    },
  );

  test('a whole refund and a lost dispute reverse the payment, whose session is looked up at Stripe', async () => {
    api.answer = () => ({ status: 200, body: { object: 'list', data: [session({ payment_status: 'paid' })] } });
    const charge = { id: 'ch_1', payment_intent: 'pi_1', refunded: true };
    const refund = await read('charge.refunded', charge);
    const dispute = await read('charge.dispute.funds_withdrawn', { id: 'dp_1', payment_intent: 'pi_1', amount: 2500 });
    for (const report of [refund, dispute]) {
      expect(report).toMatchObject({ outcome: 'reversed', providerRef: 'cs_test_a1', depositId: DEPOSIT });
    }
    expect(refund?.eventId).not.toBe(dispute?.eventId);
    expect(api.asked[0]?.query.get('payment_intent')).toBe('pi_1');
  });

  test('[SRV-3] [SRV-4] a second refund after a failed one is an event of its own, and our refunds are named by our id', async () => {
    const refunds = [
      { id: 're_2', created: 200, amount: 2500, metadata: { refund_id: 'ours' } },
      { id: 're_1', created: 100, amount: 2500, metadata: {} },
    ];
    api.answer = ({ path }) => ({
      status: 200,
      body: { object: 'list', data: path === '/v1/refunds' ? refunds : [session({ payment_status: 'paid' })] },
    });
    const charge = { id: 'ch_1', payment_intent: 'pi_1', refunded: true };
    const first = await read('charge.refunded', charge, 150);
    expect(first).toMatchObject({ outcome: 'reversed', eventId: 'cs_test_a1:reversed:re_1' });
    expect(first?.refundId).toBeUndefined();
    const second = await read('charge.refunded', charge, 200);
    expect(second).toMatchObject({ outcome: 'reversed', eventId: 'cs_test_a1:reversed:re_2', refundId: 'ours' });
    // A refund of a part is not ours, because the cashier refunds whole payments only.
    refunds[0] = { id: 're_2', created: 200, amount: 1, metadata: { refund_id: 'ours' } };
    expect((await read('charge.refunded', charge, 200))?.refundId).toBeUndefined();
  });

  test('[SRV-4] a failed refund and a won dispute return the money, under references of their own', async () => {
    api.answer = () => ({ status: 200, body: { object: 'list', data: [session({ payment_status: 'paid' })] } });
    const failed = {
      id: 're_1',
      object: 'refund',
      status: 'failed',
      amount: 2500,
      payment_intent: 'pi_1',
      metadata: { deposit_id: DEPOSIT, refund_id: 'ours' },
    };
    const one = await read('refund.failed', failed);
    expect(one).toMatchObject({
      outcome: 'returned',
      depositId: DEPOSIT,
      providerRef: 'cs_test_a1:returned:re_1',
      paidMinor: 2500n,
      currency: 'EUR',
      refundId: 'ours',
    });
    expect(await read('charge.refund.updated', failed)).toEqual(one);
    expect(await read('charge.refund.updated', { ...failed, status: 'succeeded' })).toBeUndefined();
    const dispute = { id: 'dp_1', payment_intent: 'pi_1', amount: 2500 };
    const won = await read('charge.dispute.funds_reinstated', dispute);
    expect(won).toMatchObject({ outcome: 'returned', providerRef: 'cs_test_a1:returned:dp_1', paidMinor: 2500n });
    expect(won?.refundId).toBeUndefined();
    expect(await read('refund.failed', { ...failed, amount: 2499 })).toMatchObject({ part: 're_1', paidMinor: 2499n });
    expect(await read('charge.dispute.funds_reinstated', { ...dispute, amount: 1 })).toMatchObject({
      outcome: 'returned',
      part: 'dp_1',
      paidMinor: 1n,
    });
  });

  test('[SRV-3] [SRV-4] a part that was refunded or disputed at Stripe is reported as a part, under its own id', async () => {
    const refunds = [{ id: 're_1', created: 100, amount: 1000, metadata: {} }];
    api.answer = ({ path }) => ({
      status: 200,
      body: { object: 'list', data: path === '/v1/refunds' ? refunds : [session({ payment_status: 'paid' })] },
    });
    const charge = { id: 'ch_1', payment_intent: 'pi_1', refunded: false };
    const expected = { outcome: 'reversed', providerRef: 'cs_test_a1', depositId: DEPOSIT, currency: 'EUR' };
    const first = await read('charge.refunded', charge, 150);
    expect(first).toMatchObject({ ...expected, part: 're_1', paidMinor: 1000n, eventId: 'cs_test_a1:reversed:re_1' });
    refunds.unshift({ id: 're_2', created: 200, amount: 1500, metadata: {} });
    const rest = await read('charge.refunded', { ...charge, refunded: true }, 250);
    expect(rest).toMatchObject({ ...expected, part: 're_2', paidMinor: 1500n });
    const dispute = { id: 'dp_1', payment_intent: 'pi_1', amount: 2499 };
    const disputed = await read('charge.dispute.funds_withdrawn', dispute);
    expect(disputed).toMatchObject({ ...expected, part: 'dp_1', paidMinor: 2499n });
    // Stripe does not list the refund yet. The inbox reads the event again.
    refunds.length = 0;
    await expect(read('charge.refunded', charge, 150)).rejects.toThrow('yet');
    const more = await read('charge.dispute.funds_withdrawn', { ...dispute, amount: 2501 });
    expect(more).toMatchObject({ outcome: 'reversed', contradiction: 'more-than-was-paid' });
  });

  test('[SRV-3] report names the operator in the metadata', async () => {
    const metadata = { deposit_id: DEPOSIT, operator_id: 'op' };
    const paid = session({ status: 'complete', payment_status: 'paid', metadata });
    expect(await read('checkout.session.completed', paid)).toMatchObject({ operatorId: 'op' });
    api.answer = () => ({ status: 200, body: { object: 'list', data: [paid] } });
    const dispute = { id: 'dp_1', payment_intent: 'pi_1', amount: 2500 };
    expect(await read('charge.dispute.funds_withdrawn', dispute)).toMatchObject({ operatorId: 'op' });
  });

  describe('[SRV-4] an event of the other mode than the key is a contradiction, without a request to Stripe', () => {
    const paid = session({ status: 'complete', payment_status: 'paid', livemode: true });
    const refund = { id: 're_1', amount: 2500, currency: 'eur', metadata: { deposit_id: DEPOSIT } };
    const dispute = { id: 'dp_1', amount: 2500, currency: 'eur', payment_intent: 'pi_1' };
    test.each([
      ['checkout.session.completed', paid, 'paid'],
      ['checkout.session.async_payment_succeeded', paid, 'paid'],
      ['checkout.session.expired', paid, 'expired'],
      ['charge.refunded', refund, 'reversed'],
      ['charge.dispute.funds_withdrawn', dispute, 'reversed'],
      ['refund.failed', refund, 'returned'],
    ])('%s', async (type, object, outcome) => {
      const body = JSON.stringify({ ...JSON.parse(event(type, object)), livemode: true });
      expect(await stripe.read(Buffer.from(body))).toMatchObject({
        outcome,
        contradiction: 'live-mode-report',
        providerRef: object.id,
        paidMinor: 2500n,
        currency: 'EUR',
        ...('metadata' in object && { depositId: DEPOSIT }),
      });
      expect(api.asked).toEqual([]);
    });

    test('a test event beside a live key, and an inquiry answered in the other mode', async () => {
      const live = createStripeProvider({ secretKey: 'rk_live_1', webhookSecrets: [SECRET], api: address, clock });
      const tested = await live.read(Buffer.from(event('checkout.session.completed', { ...paid, livemode: false })));
      expect(tested).toMatchObject({ outcome: 'paid', contradiction: 'test-mode-report' });
      api.answer = () => ({ status: 200, body: { ...paid, livemode: false } });
      const asked = await live.inquire({ depositId: DEPOSIT, providerRef: 'cs_test_a1' });
      expect(asked).toMatchObject({ outcome: 'paid', contradiction: 'test-mode-report' });
      expect(await live.read(Buffer.from(event('customer.created', { id: 'cus_1' })))).toBeUndefined();
    });
  });

  test('an event about no deposit gives no report', async () => {
    expect(await read('customer.created', { id: 'cus_1' })).toBeUndefined();
  });
});

describe('inquiries', () => {
  test('a payment whose answer was lost is found by our id in its metadata', async () => {
    api.answer = ({ path }) =>
      path === '/v1/payment_intents/search'
        ? { status: 200, body: { object: 'search_result', data: [{ id: 'pi_1', object: 'payment_intent' }] } }
        : { status: 200, body: { object: 'list', data: [session({ payment_status: 'paid' })] } };
    expect(await stripe.inquire({ depositId: DEPOSIT })).toMatchObject({ outcome: 'paid', depositId: DEPOSIT });
    expect(api.asked[0]?.query.get('query')).toBe(`metadata['deposit_id']:'${DEPOSIT}'`);
  });

  test('a deposit that Stripe does not know is undefined', async () => {
    api.answer = () => ({ status: 200, body: { object: 'search_result', data: [] } });
    expect(await stripe.inquire({ depositId: DEPOSIT })).toBeUndefined();
  });

  test('a cancelled deposit expires its session', async () => {
    api.answer = () => ({ status: 200, body: session({ status: 'expired' }) });
    await stripe.cancel?.({ depositId: DEPOSIT, providerRef: 'cs_test_a1' });
    expect(api.asked[0]).toMatchObject({ method: 'POST', path: '/v1/checkout/sessions/cs_test_a1/expire' });
  });
});
