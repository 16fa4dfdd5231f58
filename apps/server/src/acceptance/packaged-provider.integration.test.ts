/**
 * A provider from outside the repository, through the whole server: the package of `examples/provider` in a process of its own,
 * against its fake company.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MethodList } from '@opencashier/contract/api';
import type { ConnectionView, SettlementFileView } from '@opencashier/contract/operator';
import type { RawCallback } from '@opencashier/provider-kit';
import { FakeCompany } from '@opencashier/provider-kit/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readOwnFile } from '../catalogue/own/own-file.ts';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { createProviderHome, installExample, type ProviderHome } from '../provider-processes/testing/provider-home.ts';
import { callbacksAreApplied, Person } from '../transports/testing/person.ts';
import { appOperatorKey, type RunningApp, startApp } from '../transports/testing/running-app.ts';

const company = new FakeCompany();
const euros = { method: 'acme_card', amount: '25.00', currency: 'EUR', country: 'DE' };
/** The widget of the tests has no such icon. */
const card =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3" fill="#123"/></svg>';
const masterKey = `2026-11:${'m'.repeat(40)}`;
let environment: Record<string, string>;
let home: ProviderHome;
let running: RunningApp;

beforeAll(async () => {
  const apiUrl = await company.open();
  home = createProviderHome({
    acme: {
      package: 'opencashier-provider-acme',
      hosts: [new URL(apiUrl).host],
      settings: { apiUrl },
      secrets: { secretKey: '$PROVIDER_KEY_ACME', webhookSecret: '$PROVIDER_KEY_ACME_WEBHOOK' },
    },
  });
  await installExample(home);
  environment = {
    MASTER_KEY: masterKey,
    PROVIDERS_FILE: home.file,
    PROVIDER_KEY_ACME: company.secretKey,
    PROVIDER_KEY_ACME_WEBHOOK: company.webhookSecret,
  };
  running = await startApp(environment);
  const file = readOwnFile(
    readFileSync(join(home.folder, 'node_modules/opencashier-provider-acme/methods.yaml'), 'utf8'),
  );
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

async function callBack({ headers, rawBody }: RawCallback, path = '/providers/acme/callbacks'): Promise<number> {
  const sent = { ...(headers as Record<string, string>), 'content-type': 'application/json' };
  const url = `${running.url}${path}`;
  return (await fetch(url, { method: 'POST', headers: sent, body: new Uint8Array(rawBody) })).status;
}

/** Whether the list of deposits has the method. */
async function isOffered(person: Person): Promise<boolean> {
  const list = (await person.call('methods-payment-v5', { country: 'DE', currency: 'EUR' })).data as MethodList;
  return list.methods.some(({ name }) => name === 'acme_card');
}

/** The id of the provider's process, as the log has it. */
function childPid(): number {
  const line = running.log.findLast((one) => one.includes('the process of a provider is up')) ?? '{}';
  return (JSON.parse(line) as { pid: number; package: string }).pid;
}

const upAgain = (pid: number) => vi.waitFor(() => expect(childPid()).not.toBe(pid), { timeout: 20_000, interval: 50 });

async function metric(name: string): Promise<string | undefined> {
  const text = await (await fetch(`${running.url}/metrics`)).text();
  return new RegExp(`^${name}\\{provider="acme"\\} (\\d+)$`, 'm').exec(text)?.[1];
}

test('[SRV-4] [SRV-6] a deposit is credited once by its signed callback, and refunded', async () => {
  const person = await Person.with(running, euros);
  expect(await isOffered(person)).toBe(true);
  const depositId = randomUUID();
  const created = await person.create(depositId);
  expect(created).toMatchObject({ status: 200 });
  expect(JSON.stringify(created.data)).toContain('https://pay.example/');
  const paid = company.pay(depositId);
  expect(await callBack({ ...paid, rawBody: Buffer.concat([paid.rawBody, Buffer.from(' ')]) })).toBe(401);
  expect(await callBack(paid)).toBe(202);
  expect(await callBack(company.pay(depositId))).toBe(202);
  await person.becomes(depositId, { status: 1, finalAmount: '25.00' });
  await callbacksAreApplied(running);
  expect(await person.balance()).toBe(2_500n);

  // The balance falls when the refund begins, and a repeat says where it is.
  const refund = { refundId: randomUUID(), staff: 'eve' };
  await vi.waitFor(
    async () => {
      const answer = await operator('POST', `/transactions/${depositId}/refund`, refund);
      expect(await answer.json()).toMatchObject({ state: 'refunded' });
    },
    { timeout: 20_000 },
  );
  const paymentId = company.payments.find(({ reference }) => reference === depositId)?.id ?? '';
  expect(company.sentBack(paymentId)).toEqual([2_500n]);
  expect(await person.balance()).toBe(0n);
});

test('[SRV-3] [SRV-6] a crash in the middle of a create: unknown, off and on again, found, and credited once', async () => {
  const person = await Person.with(running, euros);
  const depositId = randomUUID();
  const pid = childPid();
  const held = company.holdNextAnswer();
  const answer = person.create(depositId);
  await held.arrived;
  process.kill(pid, 'SIGKILL');
  expect((await answer).error?.code).toBe('unknown-outcome');
  held.answer();
  expect(await person.status(depositId)).toMatchObject({ isOutcomeUnknown: true });

  // Only its own methods are off, the node stays ready, and a callback is not lost: the company sends it again.
  expect(await isOffered(person)).toBe(false);
  expect((await person.create(randomUUID())).error?.code).toBe('method-unavailable');
  expect(await metric('cashier_provider_up')).toBe('0');
  expect((await fetch(`${running.url}/ready`)).status).toBe(200);
  expect(await callBack(company.pay(depositId))).toBe(503);
  const dollars = { method: 'card', amount: '25.00', currency: 'USD', country: 'IN' };
  expect((await (await Person.with(running, dollars)).create(randomUUID())).status).toBe(200);

  await upAgain(pid);
  expect(await isOffered(person)).toBe(true);
  expect([await metric('cashier_provider_up'), await metric('cashier_provider_starts')]).toEqual(['1', '2']);
  await person.becomesByInquiry(depositId, { status: 1, finalAmount: '25.00' });
  expect(await callBack(company.pay(depositId))).toBe(202);
  await callbacksAreApplied(running);
  expect(await person.balance()).toBe(2_500n);
  expect(company.payments.filter(({ reference }) => reference === depositId)).toHaveLength(1);
});

/** An enabled connection of the operator to Acme. @returns its id, and the path of its callbacks */
async function connect(name: string): Promise<readonly [id: string, path: string]> {
  const { secretKey, webhookSecret } = company;
  const secrets = { secretKey, webhookSecret };
  const made = await operator('POST', '/connections', { provider: 'acme', name, mode: 'test', secrets, staff: 'eve' });
  const view = (await made.json()) as ConnectionView;
  const enabled = await operator('PATCH', `/connections/${view.connectionId}`, { isEnabled: true, staff: 'eve' });
  if (!enabled.ok) throw new Error(await enabled.text());
  return [view.connectionId, new URL(view.callbackUrl).pathname];
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const DAY_MS = 86_400_000;

test('[SRV-1] [SRV-2] the list of an operator’s account is read by its process, and compared with the ledger', async () => {
  const [connectionId, path] = await connect('main');
  const person = await Person.with(running, euros);
  const depositId = randomUUID();
  expect(await person.create(depositId)).toMatchObject({ status: 200 });
  const [yesterday, before] = [Date.now() - DAY_MS, Date.now() - 2 * DAY_MS];
  expect(await callBack(company.pay(depositId, yesterday), path)).toBe(202);
  await person.becomes(depositId, { status: 1 });
  company.pageOf = 1;
  const listed = { currency: 'EUR', time: new Date(yesterday).toISOString() };
  company.transactions.push(
    { id: 'fee-1', type: 'fee', amount: '-0.30', ...listed },
    { id: 'lost-1', type: 'payment', payment: 'lost-1', reference: randomUUID(), amount: '7.77', ...listed },
  );
  const read = async (at: number) => {
    const day = dayOf(at);
    const body = { connectionId, from: day, to: day, staff: 'eve' };
    const answer = await operator('POST', '/settlement-lists', body);
    return (await answer.json()) as { outcome?: string; file?: SettlementFileView; error?: { message: string } };
  };

  // A silent company says nothing, and the next call goes on.
  const answerAgain = company.silence();
  expect((await read(yesterday)).error?.message).toContain('nothing counts as missing');
  answerAgain();
  company.transactions.push({ id: 'bad', type: 'payment', amount: '1,00', ...listed });
  const refused = (await read(yesterday)).error?.message;
  expect(refused).toContain('transactions.0.amount: The amount is no decimal number');
  company.transactions.pop();
  expect(await read(yesterday)).toMatchObject({
    outcome: 'imported',
    file: { lines: 3, matched: 1, mismatches: { 'missing-here': 1 }, totals: [{ amount: '32.77', fees: '0.30' }] },
  });

  // The command line has no process of the server, so it starts one.
  const time = new Date(before).toISOString();
  company.transactions.push(
    { id: 'lost-2', type: 'chargeback', amount: '-5.00', currency: 'EUR', time },
    { id: 'lost-3', type: 'payment', amount: '6.00', currency: 'EUR', time },
  );
  const day = dayOf(before);
  const printed = await runCommand(`settlements read demo main --from ${day} --by eve --json`, {
    environment: { DATABASE_URL: 'postgres://none/none', TOKEN_SECRET: 't'.repeat(32), ...environment },
    open: keptOpen(running.database),
  });
  expect(printed.errors).toBe('');
  expect(JSON.parse(printed.out)).toMatchObject({
    outcome: 'imported',
    file: { lines: 2, matched: 0, mismatches: { 'missing-here': 2 }, totals: [{ amount: '1.00' }] },
  });
});

test('[SRV-9] the log has no secret of the provider', () => {
  const log = running.log.join('\n');
  expect(log).not.toContain(company.secretKey);
  expect(log).not.toContain(company.webhookSecret);
});
