import { createHmac } from 'node:crypto';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { judgeAnswer } from '../../apps/server/src/bonus-engine/judge-answer.ts';
import { toMinor, toText } from './book.mjs';
import { createBackend } from './server.mjs';

const key = Buffer.alloc(32, 5);
let folder: string;
let server: Awaited<ReturnType<typeof createBackend>>;
let cashierAnswers: () => Promise<Response>;

async function start() {
  server = await createBackend({
    cashierUrl: 'https://pay.example.com',
    partner: 'acme',
    operatorKey: 'sk_test',
    webhookSecrets: [`whsec_${key.toString('base64')}`],
    bookFile: join(folder, 'book.jsonl'),
    fetch: () => cashierAnswers(),
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
}

const stop = () => new Promise((resolve) => server.close(resolve));
const ask = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
    ...init,
    headers: { connection: 'close', ...init.headers },
  });
const balance = async () => ((await (await ask('/api/balance')).json()) as { balance: string }).balance;

async function deliver(id: string, type: string, more: object = {}) {
  const data = { depositId: 'd-1', userId: 'u-1042', amount: '25.00', currency: 'EUR', ...more };
  const body = JSON.stringify({ type, timestamp: '2026-01-01T00:00:00Z', data });
  const at = String(Math.floor(Date.now() / 1000));
  const mac = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  const headers = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${mac}` };
  return (await ask('/webhooks/cashier', { method: 'POST', body, headers })).status;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'example-'));
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await start();
});

afterEach(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

test('[SRV-5] a deposit is added once: at the same moment, after a restart, and after a torn line', async () => {
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, index) => deliver(`m-${index % 2}`, 'deposit.processed')),
  );
  expect(new Set(all)).toEqual(new Set([204]));
  expect(await balance()).toBe('25.00');
  await stop();
  await appendFile(join(folder, 'book.jsonl'), '{"id":"torn');
  await start();
  await deliver('m-1', 'deposit.processed');
  expect(await balance()).toBe('25.00');
});

test('a chargeback of spent money is paid once by a later deposit, and a won dispute gives it back', async () => {
  await deliver('m-1', 'deposit.processed');
  await deliver('m-2', 'withdrawal.held', { amount: '15.00' });
  await deliver('m-3', 'deposit.reversed');
  expect(await balance()).toBe('-15.00');
  await deliver('m-4', 'deposit.processed', { depositId: 'd-2', paidDebt: '15.00' });
  expect(await balance()).toBe('10.00');
  await deliver('m-5', 'deposit.reinstated');
  await deliver('m-5', 'deposit.reinstated');
  expect(await balance()).toBe('35.00');
});

test('a withdrawal leaves with its hold and comes back when it fails', async () => {
  await deliver('m-1', 'deposit.processed');
  await deliver('m-2', 'withdrawal.held', { amount: '20.00' });
  expect(await balance()).toBe('5.00');
  await deliver('m-3', 'withdrawal.submitted', { amount: '20.00' });
  await deliver('m-4', 'withdrawal.declined', { amount: '20.00' });
  expect(await balance()).toBe('25.00');
});

test('a refund takes off what was added, in any order, and nothing where nothing was', async () => {
  await deliver('m-1', 'deposit.refunded');
  expect(await balance()).toBe('0.00');
  await deliver('m-2', 'deposit.processed');
  expect(await balance()).toBe('0.00');
  await deliver('m-3', 'deposit.processed', { depositId: 'd-2' });
  await deliver('m-4', 'deposit.refunded', { depositId: 'd-2' });
  await deliver('m-5', 'deposit.reversed', { depositId: 'd-3', amount: '1.00' });
  expect(await balance()).toBe('-1.00');
  await deliver('m-6', 'deposit.processed', { depositId: 'd-4', fee: '0.50' });
  expect(await balance()).toBe('23.50');
  await deliver('m-7', 'deposit.refunded', { depositId: 'd-4', fee: '0.50' });
  expect(await balance()).toBe('-1.00');
});

test('a stranger changes nothing, and a type of a later version is acknowledged', async () => {
  expect((await ask('/webhooks/cashier', { method: 'POST', body: '{"type":"deposit.processed"}' })).status).toBe(401);
  expect(await deliver('m-1', 'deposit.of_a_later_version')).toBe(204);
  expect(await balance()).toBe('0.00');
});

test('[HOST-11] the page gets a token, or a status that says that there is none', async () => {
  cashierAnswers = async () => new Response('{"token":"t","expiresAt":"2026-01-01T00:15:00Z"}');
  expect(await (await ask('/api/cashier-token', { method: 'POST' })).text()).toBe('t');
  cashierAnswers = async () => new Response('{"error":{"code":"internal","message":"no"}}', { status: 500 });
  expect((await ask('/api/cashier-token', { method: 'POST' })).status).toBe(502);
});

test('amounts are whole minor units', () => {
  expect([toMinor('25.05'), toMinor('0.1'), toMinor('3'), toMinor('1.500')]).toEqual([2505n, 10n, 300n, 150n]);
  expect([toText(2505n), toText(-5n)]).toEqual(['25.05', '-0.05']);
  for (const wrong of ['1e3', '-1', '0.001', 'x']) expect(() => toMinor(wrong)).toThrow(TypeError);
});

test('[BON-1] the bonus engine offers free spins for the first deposit, and answers only the cashier', async () => {
  const question = async (secretKey = key) => {
    const id = '0198c0de-0000-7000-8000-000000000001';
    const body = JSON.stringify({ type: 'bonuses', id, userId: 'u-1042', currency: 'EUR' });
    const at = String(Math.floor(Date.now() / 1000));
    const mac = createHmac('sha256', secretKey).update(`${id}.${at}.${body}`).digest('base64');
    const headers = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${mac}` };
    const answer = await ask('/bonuses', { method: 'POST', body, headers });
    return { status: answer.status, body: await answer.text() };
  };
  const first = await question();
  expect(first.status).toBe(200);
  const asked = {
    type: 'bonuses',
    id: '0198c0de-0000-7000-8000-000000000001',
    userId: 'u-1042',
    currency: 'EUR',
  } as const;
  expect(judgeAnswer(asked, first.body)).toMatchObject({ bonuses: [{ id: 'first-deposit-EUR' }], leftOut: [] });
  expect((await question(Buffer.alloc(32, 6))).status).toBe(401);
  await deliver('m-1', 'deposit.processed');
  expect(JSON.parse((await question()).body)).toMatchObject({ bonuses: [] });
});
