import { randomUUID } from 'node:crypto';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { testDeposit } from '@opencashier/provider-kit/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lightningConnections, openLightningAccount } from './lightning-connection.ts';
import { FakePhoenixd } from './phoenixd.fixture.ts';

const clock = createTestClock(Date.UTC(2026, 10, 20, 12));
let node: FakePhoenixd;
let url: string;
beforeEach(async () => {
  node = new FakePhoenixd(clock.now);
  url = await node.open();
});
afterEach(() => node.close());

const deposit = () => testDeposit({ currency: 'BTC', amountMinor: 21_000n });
const accountOf = (more: { secrets?: object; options?: Record<string, string> } = {}) => ({
  connectionId: 'one',
  operatorId: 'op',
  secrets: { password: node.password, webhookSecret: node.webhookSecret, ...more.secrets },
  options: more.options ?? {},
});
const open = (more: Parameters<typeof accountOf>[0] = {}, money: 'real' | 'test' = 'real') =>
  openLightningAccount({ nodes: [url], money, clock })(accountOf(more));

describe('[SRV-4] a deposit over Lightning', () => {
  test('shows an invoice of the exact amount as a code, a link and a text, until it ends', async () => {
    const created = await open({ options: { description: 'Acme' } }).create(deposit());
    const [invoice] = node.invoices;
    expect(created).toMatchObject({ kind: 'created', providerRef: invoice?.paymentHash, lifetimeSeconds: 900 });
    const data = (created.kind === 'created' && created.data) || {};
    expect(data.qrCodeText).toBe(`LIGHTNING:${invoice?.invoice.toUpperCase()}`);
    expect(data.buttonPay).toBe(`lightning:${invoice?.invoice}`);
    expect(data.requisites).toMatchObject([{ value: invoice?.invoice, isCopyable: true }]);
    expect(data.lifetime).toBe(900);
    expect(invoice?.requestedSat).toBe(21_000);
    expect(JSON.stringify(created)).not.toContain(invoice?.preimage);
  });

  test('is credited what came, and at least what the payer has sent by the invoice', async () => {
    const provider = open();
    for (const [receivedSat, paidMinor] of [
      [21_000, 21_000n],
      // The node took the fee of a new channel. The payer has paid the invoice.
      [18_000, 21_000n],
      // Wallets may send up to twice as much, to hide the amount from the nodes between.
      [30_000, 30_000n],
    ] as const) {
      const asked = deposit();
      await provider.create(asked);
      const { paymentHash = '', preimage = '' } = node.invoices.at(-1) ?? {};
      const callback = node.pay(paymentHash, receivedSat);
      expect(provider.verify(callback)).toEqual({ kind: 'verified', messageId: `payment_received:${paymentHash}` });
      const report = await provider.read(callback.rawBody);
      expect(report).toMatchObject({ outcome: 'paid', paidMinor, currency: 'BTC', depositId: asked.depositId });
      expect(await provider.inquire({ depositId: asked.depositId, providerRef: paymentHash })).toEqual(report);
      expect(await provider.inquire({ depositId: asked.depositId })).toEqual(report);
      expect(String(Object.values(report ?? {}))).not.toContain(preimage);
    }
  });

  test('a webhook is not believed: without a payment at the node nothing is paid', async () => {
    const provider = open();
    await provider.create(deposit());
    const [invoice] = node.invoices;
    const forged = node.webhook({ paymentHash: invoice?.paymentHash, amountSat: 1_000_000 });
    expect(await provider.read(forged.rawBody)).toMatchObject({ outcome: 'pending' });
    expect(await provider.read(node.webhook({ paymentHash: 'f'.repeat(64) }).rawBody)).toBeUndefined();
    expect(
      await provider.read(node.webhook({ type: 'other', paymentHash: invoice?.paymentHash }).rawBody),
    ).toBeUndefined();
  });

  test.each([
    ['another secret', () => node.webhook({ paymentHash: 'a'.repeat(64) }, 'another'), 'wrong-signature'],
    ['no signature', () => ({ ...node.webhook({ paymentHash: 'a'.repeat(64) }), headers: {} }), 'no-signature'],
    [
      'a time of long ago',
      () => node.webhook({ paymentHash: 'a'.repeat(64), timestamp: clock.now() - 301_000 }),
      'too-old',
    ],
    ['no time', () => node.webhook({ paymentHash: 'a'.repeat(64), timestamp: null }), 'not-readable'],
  ])('a webhook with %s is rejected', (_what, make, reason) => {
    expect(open().verify(make())).toEqual({ kind: 'rejected', reason });
  });

  test('a changed webhook secret is accepted beside the old one', () => {
    const callback = node.webhook({ paymentHash: 'a'.repeat(64) });
    const changed = {
      ...accountOf({ secrets: { webhookSecret: 'the-new-secret-0' } }),
      oldSecrets: { webhookSecret: node.webhookSecret },
    };
    const provider = openLightningAccount({ nodes: [url], money: 'real', clock })(changed);
    expect(provider.verify(callback)).toMatchObject({ kind: 'verified' });
  });

  test('an unpaid invoice has expired a minute after its end, and a payment on its way at the end still counts', async () => {
    const provider = open();
    const asked = deposit();
    await provider.create(asked);
    const [invoice] = node.invoices;
    const outcome = async () => (await provider.inquire({ depositId: asked.depositId }))?.outcome;
    expect(await outcome()).toBe('pending');
    await clock.advance(950_000);
    expect(await outcome()).toBe('pending');
    await clock.advance(20_000);
    expect(await outcome()).toBe('expired');
    node.pay(invoice?.paymentHash ?? '');
    expect(await outcome()).toBe('paid');
  });
});

describe('[SRV-6] a node that fails', () => {
  test('at the first question has certainly made no invoice', async () => {
    node.mood = 'down';
    expect(await open().create(deposit())).toEqual({ kind: 'failed', code: 'node-unreachable' });
    node.mood = 'refuses';
    expect(await open().create(deposit())).toEqual({ kind: 'failed', code: 'node-refused' });
    node.mood = 'well';
    const wrong = open({ secrets: { password: 'not-this-password' } });
    expect(await wrong.create(deposit())).toEqual({ kind: 'failed', code: 'password-refused' });
    expect(node.invoices).toEqual([]);
  });

  test('after it was asked for an invoice may have made it, and the same invoice is shown later', async () => {
    const provider = open();
    const asked = deposit();
    node.mood = 'cut';
    expect(await provider.create(asked)).toEqual({ kind: 'unknown', code: 'node-silent' });
    node.mood = 'well';
    const [invoice] = node.invoices;
    expect(await provider.create(asked)).toMatchObject({ kind: 'created', providerRef: invoice?.paymentHash });
    expect(node.invoices).toHaveLength(1);
  });

  test('in an inquiry says nothing about the payment', async () => {
    const provider = open();
    const asked = deposit();
    await provider.create(asked);
    for (const mood of ['down', 'nonsense', 'refuses'] as const) {
      node.mood = mood;
      await expect(provider.inquire({ depositId: asked.depositId })).rejects.toThrow(/node/);
    }
    node.mood = 'well';
    expect(await provider.inquire({ depositId: randomUUID() })).toBeUndefined();
  });

  test.each([
    ['is on a test network', () => (node.prefix = 'tb')],
    ['asks for another amount', () => (node.amountOf = (asked) => asked + 1)],
  ])('because it %s is not shown to the payer', async (_what, change) => {
    change();
    expect(await open().create(deposit())).toEqual({ kind: 'failed', code: 'wrong-invoice' });
  });

  test('on a test network has no money for a server with real money', async () => {
    node.prefix = 'tbs';
    const asked = deposit();
    expect(await open({}, 'test').create(asked)).toMatchObject({ kind: 'created' });
    node.pay(node.invoices[0]?.paymentHash ?? '');
    expect(await open().inquire({ depositId: asked.depositId })).toBeUndefined();
  });
});

describe('[SRV-4] a connection to a Lightning node', () => {
  const kind = (money: 'real' | 'test' = 'real') =>
    lightningConnections({ nodes: [url, 'http://other:9740'], money, clock });

  test('may use only the nodes that the settings of the server name', async () => {
    const form = kind().options['node']?.form ?? /x/;
    expect([url, 'http://other:9740'].every((node) => form.test(node))).toBe(true);
    for (const inside of ['http://169.254.169.254', `${url}/x`, `${url}@evil`, 'http://otherx9740', '', `x${url}`]) {
      expect(form.test(inside), inside).toBe(false);
    }
    // A node that was removed from the settings after the connection was made.
    const removed = openLightningAccount({ nodes: ['http://other:9740'], money: 'real', clock });
    expect(await removed(accountOf({ options: { node: url } })).create(deposit())).toMatchObject({ kind: 'failed' });
    expect(node.questions).toEqual([]);
  });

  test('is tested without money: the password, and the network', async () => {
    const result = async (more = {}, money: 'real' | 'test' = 'real') =>
      (await kind(money).test(accountOf(more))).result;
    expect(await result()).toBe('accepted');
    expect(await result({}, 'test')).toBe('refused');
    expect(await result({ secrets: { password: 'not-this-password' } })).toBe('refused');
    node.mood = 'nonsense';
    expect(await result()).toBe('unreachable');
    node.mood = 'down';
    expect(await result()).toBe('unreachable');
    expect(node.invoices).toEqual([]);
  });
});
