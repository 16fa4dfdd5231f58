/**
 * The provider package of Checkout.com, through the whole server: in a process of its own, against a stand-in that is written from the
 * public documents.
 */
import { randomUUID } from 'node:crypto';
import type { ConnectionView } from '@opencashier/contract/operator';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { FakeCheckoutCom } from '../../../../packages/provider-checkout-com/src/testing/fake-checkout-com.ts';
import { callbacksAreApplied, Person } from '../transports/testing/person.ts';
import { masterKey } from './connected-operator.fixture.ts';
import { type PackageServer, startWithPackage } from './package-server.fixture.ts';

const company = new FakeCheckoutCom();
/** An operator's own account at the same company. */
const own = new FakeCheckoutCom('o');
const euros = { method: 'card_checkout_com', amount: '25.00', currency: 'EUR', country: 'DE' };
let server: PackageServer;

let ownUrl = '';

beforeAll(async () => {
  ownUrl = await own.open();
  server = await startWithPackage('checkout-com', {
    apiUrl: await company.open(),
    settings: { processingChannelId: 'pc_test', afterDecline: 'end' },
    secrets: { secretKey: company.secretKey, webhookSecret: company.webhookSecret },
    otherUrls: [ownUrl],
    environment: { MASTER_KEY: masterKey('2026-01') },
  });
});

afterAll(async () => {
  await server.stop();
  await company.close();
  await own.close();
});

test('[SRV-4] [SRV-6] a deposit is credited once, and refunded once', async () => {
  const person = await Person.with(server.running, euros);
  const depositId = randomUUID();
  const created = await person.create(depositId);
  expect(created).toMatchObject({ status: 200 });
  expect(JSON.stringify(created.data)).toContain('https://pay.sandbox.checkout.com/page/');

  const id = company.attempt(depositId, 'Authorized');
  const approved = company.webhook('payment_approved', id);
  expect(await server.callBack(approved)).toBe(202);
  await callbacksAreApplied(server.running);
  expect(await person.balance()).toBe(0n);
  company.capture(id);
  const captured = company.webhook('payment_captured', id);
  expect(await server.callBack({ ...captured, rawBody: Buffer.concat([captured.rawBody, Buffer.from(' ')]) })).toBe(
    401,
  );
  for (const webhook of [captured, captured, approved]) expect(await server.callBack(webhook)).toBe(202);
  await person.becomes(depositId, { status: 1, finalAmount: '25.00' });
  await callbacksAreApplied(server.running);
  expect(await person.balance()).toBe(2_500n);

  const refundId = randomUUID();
  expect(await server.refund(depositId, refundId)).toBe('pending');
  await vi.waitFor(() => expect(company.refundsOf(depositId)).toEqual([2_500]), { timeout: 20_000 });
  expect(await server.callBack(company.settleRefund(depositId))).toBe(202);
  await server.isRefunded(depositId, refundId);
  expect(await person.balance()).toBe(0n);
  expect(company.refundsOf(depositId)).toEqual([2_500]);
});

test('[SRV-3] an unknown create is found by an inquiry when its page was given out after all, and credited once', async () => {
  const person = await Person.with(server.running, euros);
  const depositId = randomUUID();
  company.failNext('POST /hosted', 500, true);
  expect((await person.create(depositId)).error?.code).toBe('unknown-outcome');
  expect(await person.status(depositId)).toMatchObject({ isOutcomeUnknown: true });
  // The widget asks again under the same id, and gets a page. Its webhook is lost, and an inquiry finds the payment.
  expect(await person.create(depositId)).toMatchObject({ status: 200 });
  company.attempt(depositId, 'Captured');
  await person.becomesByInquiry(depositId, { status: 1, finalAmount: '25.00' });
  expect(await person.balance()).toBe(2_500n);
});

test('[SRV-3] a declined card ends the deposit with its cause, and a chargeback takes a credit back', async () => {
  const person = await Person.with(server.running, euros);
  const declined = randomUUID();
  await person.create(declined);
  const attempt = company.attempt(declined, 'Declined', '20051');
  expect(await server.callBack(company.webhook('payment_declined', attempt))).toBe(202);
  await person.becomes(declined, { declineCause: 'insufficient-funds' });

  const paid = randomUUID();
  await person.create(paid);
  const id = company.attempt(paid, 'Captured');
  expect(await server.callBack(company.webhook('payment_captured', id))).toBe(202);
  await person.becomes(paid, { status: 1 });
  expect(await server.callBack(company.disputeWebhook('dispute_evidence_required', id, 'dsp_acceptance'))).toBe(202);
  expect(await server.callBack(company.disputeWebhook('dispute_lost', id, 'dsp_acceptance'))).toBe(202);
  // Both webhooks report the same chargeback.
  expect(await server.chargebacksOf(paid)).toEqual([2_500n]);
  expect(await person.balance()).toBe(0n);
});

test('[SRV-4] an operator’s own account takes its payments, and neither account can report those of the other', async () => {
  const before = await Person.with(server.running, euros);
  const shared = randomUUID();
  expect(await before.create(shared)).toMatchObject({ status: 200 });

  const made = await server.operator('POST', '/connections', {
    provider: 'checkout-com',
    name: 'own',
    mode: 'test',
    secrets: { secretKey: own.secretKey, webhookSecret: own.webhookSecret },
    options: { apiUrl: ownUrl, processingChannelId: 'pc_own', afterDecline: 'wait' },
    staff: 'eve',
  });
  const { connectionId, callbackUrl } = (await made.json()) as ConnectionView;
  const change = (method: string, path: string, body: object) =>
    server.operator(method, `/connections/${connectionId}${path}`, { ...body, staff: 'eve' });
  expect(await (await change('POST', '/test', {})).json()).toMatchObject({ result: 'accepted' });
  expect((await change('PATCH', '', { isEnabled: true })).status).toBe(200);

  const person = await Person.with(server.running, euros);
  const depositId = randomUUID();
  expect(await person.create(depositId)).toMatchObject({ status: 200 });
  expect([own.pages.length, company.pages.some(({ reference }) => reference === depositId)]).toEqual([1, false]);
  const { pathname } = new URL(callbackUrl);
  const paid = own.webhook('payment_captured', own.attempt(depositId, 'Captured'));
  expect(await server.callBack(paid)).toBe(401);
  expect(await server.callBack(paid, pathname)).toBe(202);
  await person.becomes(depositId, { status: 1, finalAmount: '25.00' });

  // The former payment stays with the account of the installation.
  const former = company.webhook('payment_captured', company.attempt(shared, 'Captured'));
  expect(await server.callBack(former, pathname)).toBe(401);
  expect(await server.callBack(former)).toBe(202);
  await before.becomes(shared, { status: 1, finalAmount: '25.00' });

  // For a while both secrets of a changed account are good for callbacks.
  const rotated = new FakeCheckoutCom('r');
  await change('POST', '/secrets', { secrets: { webhookSecret: rotated.webhookSecret }, oldSecretsHours: 1 });
  expect(await server.callBack(own.webhook('payment_approved', [...own.payments.keys()][0] ?? ''), pathname)).toBe(202);
  expect(await server.callBack(rotated.sign({ type: 'card_verified', data: {} }), pathname)).toBe(202);
  const log = server.running.log.join('\n');
  expect(log).not.toContain(own.secretKey);
  expect(log).not.toContain(own.webhookSecret);
});
