/**
 * The provider package of Paystack, through the whole server: in a process of its own, against a stand-in that is written from the public
 * documents.
 */
import { randomUUID } from 'node:crypto';
import type { ConnectionView } from '@opencashier/contract/operator';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { FakePaystack } from '../../../../packages/provider-paystack/src/testing/fake-paystack.ts';
import { callbacksAreApplied, Person } from '../transports/testing/person.ts';
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
  server = await startWithPackage('paystack', {
    apiUrl,
    secrets: { secretKey: company.secretKey },
    environment: { MASTER_KEY: `2026-11:${'m'.repeat(40)}` },
  });
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
  expect(await server.refund(depositId, refundId)).toBe('pending');
  await vi.waitFor(() => expect(company.refundsOf(depositId)).toEqual([250_000]), { timeout: 20_000 });
  const settled = company.settleRefund(depositId);
  // Twice, and once more the webhook of the payment, late.
  for (const webhook of [settled, settled, paid]) expect(await server.callBack(webhook)).toBe(202);
  await server.isRefunded(depositId, refundId);
  await callbacksAreApplied(server.running);
  expect(await person.balance()).toBe(0n);
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
  expect(await server.chargebacksOf(paid)).toEqual([250_000n]);
  expect(await person.balance()).toBe(0n);
});

test('[SRV-1] [SRV-2] the list of an operator’s account is compared with its payments and refunds', async () => {
  const { secretKey } = company;
  const made = await server.operator('POST', '/connections', {
    provider: 'paystack',
    name: 'own',
    mode: 'test',
    secrets: { secretKey },
    staff: 'eve',
  });
  const { connectionId, callbackUrl } = (await made.json()) as ConnectionView;
  const path = new URL(callbackUrl).pathname;
  const enabled = { isEnabled: true, staff: 'eve' };
  expect((await server.operator('PATCH', `/connections/${connectionId}`, enabled)).status).toBe(200);
  const person = await Person.with(server.running, naira);
  const [kept, refunded, lost] = [randomUUID(), randomUUID(), randomUUID()];
  for (const depositId of [kept, refunded, lost]) {
    expect(await person.create(depositId)).toMatchObject({ status: 200 });
    const paid = company.pay(depositId);
    if (depositId === lost) continue;
    expect(await server.callBack(paid, path)).toBe(202);
    await person.becomes(depositId, { status: 1 });
  }
  const refundId = randomUUID();
  expect(await server.refund(refunded, refundId)).toBe('pending');
  await vi.waitFor(() => expect(company.refundsOf(refunded)).toEqual([250_000]), { timeout: 20_000 });
  expect(await server.callBack(company.settleRefund(refunded), path)).toBe(202);
  await server.isRefunded(refunded, refundId);
  expect(await person.balance()).toBe(250_000n);

  // A day must be over. Everything else of this file stays today, outside the list.
  const created_at = new Date(Date.now() - 86_400_000).toISOString();
  const [own] = company.refunds.splice(-1);
  if (own === undefined) throw new Error('Paystack has no refund');
  company.refunds.push({ ...own, created_at });
  for (const reference of [kept, refunded, lost]) {
    company.transactions.set(reference, { ...company.transaction(reference), created_at });
  }
  company.mostPerPage = 2;
  const day = created_at.slice(0, 10);
  const asked = { connectionId, from: day, to: day, staff: 'eve' };
  const listed = await (await server.operator('POST', '/settlement-lists', asked)).json();
  expect(listed).toMatchObject({
    outcome: 'imported',
    file: { lines: 4, matched: 3, mismatches: { 'missing-here': 1 }, totals: [{ currency: 'NGN', amount: '5000.00' }] },
  });
});
