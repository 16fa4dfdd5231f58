/**
 * The provider package of Checkout.com, through the whole server: in a process of its own, against a stand-in that is written from the
 * public documents.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RawCallback } from '@opencashier/provider-kit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { FakeCheckoutCom } from '../../../../packages/provider-checkout-com/src/testing/fake-checkout-com.ts';
import { readOwnFile } from '../catalogue/own/own-file.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { createProviderHome, installProvider, type ProviderHome } from '../provider-processes/testing/provider-home.ts';
import { Person } from '../transports/testing/person.ts';
import { appOperatorKey, type RunningApp, startApp } from '../transports/testing/running-app.ts';

const company = new FakeCheckoutCom();
const euros = { method: 'card_checkout_com', amount: '25.00', currency: 'EUR', country: 'DE' };
/** The widget of the tests has no such icon. */
const card =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3" fill="#123"/></svg>';
let home: ProviderHome;
let running: RunningApp;

beforeAll(async () => {
  const apiUrl = await company.open();
  home = createProviderHome({
    'checkout-com': {
      package: '@opencashier/provider-checkout-com',
      hosts: [new URL(apiUrl).host],
      settings: { apiUrl, processingChannelId: 'pc_test', afterDecline: 'end' },
      secrets: {
        secretKey: '$PROVIDER_KEY_CHECKOUT_COM',
        webhookSecret: '$PROVIDER_KEY_CHECKOUT_COM_WEBHOOK',
      },
    },
  });
  await installProvider(home, 'provider-checkout-com');
  running = await startApp({
    PROVIDERS_FILE: home.file,
    PROVIDER_KEY_CHECKOUT_COM: company.secretKey,
    PROVIDER_KEY_CHECKOUT_COM_WEBHOOK: company.webhookSecret,
  });
  const text = readFileSync(join(home.folder, 'node_modules/@opencashier/provider-checkout-com/methods.yaml'), 'utf8');
  const file = readOwnFile(text);
  if (file.kind === 'faults') throw new Error(JSON.stringify(file.faults));
  const set = await operator('PUT', '/catalogue', { ...file.catalogue, icons: { card }, version: 0, staff: 'eve' });
  if (!set.ok) throw new Error(await set.text());
});

afterAll(async () => {
  expect((await auditLedger(running.database)).isSound).toBe(true);
  await running.stop();
  await company.close();
  home.remove();
});

function operator(method: string, path: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${appOperatorKey}`, 'content-type': 'application/json' };
  return fetch(`${running.url}/operator/v1${path}`, { method, headers, body: JSON.stringify(body) });
}

async function callBack({ headers, rawBody }: RawCallback): Promise<number> {
  const sent = { ...(headers as Record<string, string>), 'content-type': 'application/json' };
  const url = `${running.url}/providers/checkout-com/callbacks`;
  return (await fetch(url, { method: 'POST', headers: sent, body: new Uint8Array(rawBody) })).status;
}

test('[SRV-4] [SRV-6] a deposit is credited once, refunded once, and its log has no secret', async () => {
  const person = await Person.with(running, euros);
  const depositId = randomUUID();
  const created = await person.create(depositId);
  expect(created).toMatchObject({ status: 200 });
  expect(JSON.stringify(created.data)).toContain('https://pay.sandbox.checkout.com/page/');

  const id = company.attempt(depositId, 'Authorized');
  const approved = company.webhook('payment_approved', id);
  expect(await callBack(approved)).toBe(202);
  expect(await person.balance()).toBe(0n);
  company.capture(id);
  const captured = company.webhook('payment_captured', id);
  expect(await callBack({ ...captured, rawBody: Buffer.concat([captured.rawBody, Buffer.from(' ')]) })).toBe(401);
  for (const webhook of [captured, captured, approved]) expect(await callBack(webhook)).toBe(202);
  await person.becomes(depositId, { status: 1, finalAmount: '25.00' });
  expect(await person.balance()).toBe(2_500n);

  const refundId = randomUUID();
  expect((await operator('POST', `/transactions/${depositId}/refund`, { refundId, staff: 'eve' })).status).toBe(200);
  await vi.waitFor(() => expect(company.refundsOf(depositId)).toEqual([2_500]), { timeout: 20_000 });
  expect(await callBack(company.settleRefund(depositId))).toBe(202);
  await vi.waitFor(async () => expect(await person.balance()).toBe(0n), { timeout: 20_000 });
  expect(company.refundsOf(depositId)).toEqual([2_500]);
  const log = running.log.join('\n');
  expect(log).not.toContain(company.secretKey);
  expect(log).not.toContain(company.webhookSecret);
});

test('[SRV-3] an unknown create is found by an inquiry when its page was given out after all, and credited once', async () => {
  const person = await Person.with(running, euros);
  const depositId = randomUUID();
  company.failNext(500, true);
  expect((await person.create(depositId)).error?.code).toBe('unknown-outcome');
  expect(await person.status(depositId)).toMatchObject({ isOutcomeUnknown: true });
  // The widget asks again under the same id, and gets a page. Its webhook is lost, and an inquiry finds the payment.
  expect(await person.create(depositId)).toMatchObject({ status: 200 });
  company.attempt(depositId, 'Captured');
  await running.database.query({ text: 'update deposit set check_at = now() where id = $1', values: [depositId] });
  await person.becomes(depositId, { status: 1, finalAmount: '25.00' });
  expect(await person.balance()).toBe(2_500n);
});

test('[SRV-3] a declined card ends the deposit with its cause, and a chargeback takes a credit back', async () => {
  const person = await Person.with(running, euros);
  const declined = randomUUID();
  await person.create(declined);
  const attempt = company.attempt(declined, 'Declined', '20051');
  expect(await callBack(company.webhook('payment_declined', attempt))).toBe(202);
  await person.becomes(declined, { declineCause: 'insufficient-funds' });

  const paid = randomUUID();
  await person.create(paid);
  const id = company.attempt(paid, 'Captured');
  expect(await callBack(company.webhook('payment_captured', id))).toBe(202);
  await person.becomes(paid, { status: 1 });
  expect(await callBack(company.disputeWebhook('dispute_evidence_required', id, 'dsp_acceptance'))).toBe(202);
  expect(await callBack(company.disputeWebhook('dispute_lost', id, 'dsp_acceptance'))).toBe(202);
  await vi.waitFor(async () => expect(await person.balance()).toBe(0n), { timeout: 20_000 });
});
