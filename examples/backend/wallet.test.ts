import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runCheck } from '../../packages/server/src/cli/check.ts';
import { createBackend } from './server.mjs';

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
let folder: string;
let server: Awaited<ReturnType<typeof createBackend>>;

async function start(keepsWallet: boolean) {
  server = await createBackend({
    cashierUrl: 'https://pay.example.com',
    partner: 'acme',
    operatorKey: 'sk_test',
    webhookSecrets: [secret],
    bookFile: join(folder, 'book.jsonl'),
    keepsWallet,
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
}

async function stop() {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/wallet`;

async function check() {
  const [lines, errors]: [string[], string[]] = [[], []];
  const code = await runCheck([address(), '--test-user', 'u-1042'], {
    fetch: globalThis.fetch,
    now: Date.now,
    print: (line) => lines.push(line),
    printError: (line) => errors.push(line),
    environment: { WEBHOOK_SECRETS: secret },
  });
  return { code, lines, errors };
}

/** A call of the cashier about a user without money. */
async function call(type: string, more: Record<string, unknown>): Promise<Response> {
  const [id, at] = [randomUUID(), new Date()];
  const about = { userId: 'u-1042', currency: 'EUR', amount: '7.00', reason: 'withdrawal', withdrawalId: randomUUID() };
  const body = JSON.stringify({ type, id, ...about, ...more });
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
  return fetch(address(), { method: 'POST', headers, body });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'example-wallet-'));
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

afterEach(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

test('[SRV-6] the wallet of the example keeps every rule of the calls, also after a restart', async () => {
  await start(true);
  const first = await check();
  expect(first.lines.filter((line) => line.startsWith('FAIL') || line.startsWith('skip'))).toEqual([]);
  expect([first.code, first.errors]).toEqual([0, []]);
  await stop();
  await start(true);
  const { code, lines } = await check();
  expect(code).toBe(0);
  expect(lines).toContain('Balance: 0.00 EUR at the start, 0.00 EUR at the end');
});

test('[SRV-2] a release of a declined debit is an error: that debit took nothing', async () => {
  await start(true);
  const declined = (await (await call('debit', {})).json()) as { id: string; result: string };
  expect(declined.result).toBe('declined');
  expect((await call('release', { debitId: declined.id })).status).toBe(500);
});

test('a site whose balance is at the cashier has no wallet to call', async () => {
  await start(false);
  const { code, lines } = await check();
  expect(code).toBe(1);
  expect(lines.join('\n')).toMatch(/Remedy: Is the address right/);
});
