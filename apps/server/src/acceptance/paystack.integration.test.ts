/**
 * The provider package of Paystack, through the whole server: in a process of its own, against a stand-in that is written from the public
 * documents.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { FakePaystack } from '../../../../packages/provider-paystack/src/testing/fake-paystack.ts';
import { Person } from '../transports/testing/person.ts';
import { type PackageServer, startWithPackage } from './package-server.fixture.ts';

const company = new FakePaystack();
const naira = {
  method: 'paystack',
  amount: '2500.00',
  currency: 'NGN',
  country: 'NG',
  fields: { email: 'payer@example.com' },
};
let server: PackageServer;

beforeAll(async () => {
  const apiUrl = await company.open();
  server = await startWithPackage('paystack', { apiUrl, secrets: { secretKey: company.secretKey } });
});

afterAll(async () => {
  await server.stop();
  await company.close();
});

test('[SRV-4] [SRV-6] a deposit is credited once, and refunded once', async () => {
  const person = await Person.with(server.running, naira);
  const depositId = randomUUID();
  const created = await person.create(depositId);
  expect(created).toMatchObject({ status: 200 });
  expect(JSON.stringify(created.data)).toContain('https://checkout.paystack.com/');
  // The repeated create gets the page that was stored.
  expect(await person.create(depositId)).toMatchObject({ status: 200 });
  const paid = company.pay(depositId);
  expect(await server.callBack({ ...paid, rawBody: Buffer.concat([paid.rawBody, Buffer.from(' ')]) })).toBe(401);
  for (const webhook of [paid, paid]) expect(await server.callBack(webhook)).toBe(202);
  await person.becomes(depositId, { status: 1, finalAmount: '2500.00' });
  expect(await person.balance()).toBe(250_000n);

  const refundId = randomUUID();
  const refund = await server.operator('POST', `/transactions/${depositId}/refund`, { refundId, staff: 'eve' });
  expect(refund.status).toBe(200);
  await vi.waitFor(() => expect(company.refundsOf(depositId)).toEqual([250_000]), { timeout: 20_000 });
  const settled = company.settleRefund(depositId);
  // Twice, and once more the webhook of the payment, late.
  for (const webhook of [settled, settled, paid]) expect(await server.callBack(webhook)).toBe(202);
  await vi.waitFor(async () => expect(await person.balance()).toBe(0n), { timeout: 20_000 });
  expect(company.refundsOf(depositId)).toEqual([250_000]);
});

test('[SRV-3] a lost answer is never a failure, and a payment without a webhook is found by an inquiry', async () => {
  const person = await Person.with(server.running, naira);
  const lost = randomUUID();
  company.failNext('POST /transaction', 500, true);
  expect((await person.create(lost)).error?.code).toBe('unknown-outcome');
  expect(await person.status(lost)).toMatchObject({ isOutcomeUnknown: true });

  const paid = randomUUID();
  expect(await person.create(paid)).toMatchObject({ status: 200 });
  company.pay(paid);
  await person.becomesByInquiry(paid, { status: 1, finalAmount: '2500.00' });
  expect(await person.balance()).toBe(250_000n);

  // An accepted dispute and its refund are one reversal, in either order.
  company.transaction(paid).status = 'reversed';
  expect(await server.callBack(company.refundByHand(paid, 250_000, 77))).toBe(202);
  expect(await server.callBack(company.disputeWebhook(paid, 77, 'merchant-accepted'))).toBe(202);
  await vi.waitFor(async () => expect(await person.balance()).toBe(0n), { timeout: 20_000 });
});
