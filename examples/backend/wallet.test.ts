import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runCheck } from '../../packages/server/src/cli/check.ts';
import { openBook } from './book.mjs';
import { createBackend } from './server.mjs';
import { createWallet } from './wallet.mjs';

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
  const [id, at] = [String(more['id'] ?? randomUUID()), new Date()];
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

test('[SRV-2] a release of a declined debit is refused: that debit took nothing', async () => {
  await start(true);
  const declined = (await (await call('debit', {})).json()) as { id: string; result: string };
  expect(declined.result).toBe('declined');
  expect(await refusalOf('release', { debitId: declined.id })).toBe(
    `No debit with the id ${declined.id} took an amount.`,
  );
});

/** Why a call was refused with status 409. */
async function refusalOf(type: string, more: Record<string, unknown>): Promise<string> {
  const answer = await call(type, more);
  expect(answer.status).toBe(409);
  return ((await answer.json()) as { message: string }).message;
}

const idOf = async (answer: Response) => ((await answer.json()) as { id: string }).id;
const balanceOf = async () => ((await (await call('balance', {})).json()) as { balance: string }).balance;

test('[SRV-2] a call that contradicts an earlier one is refused with a reason, and moves nothing', async () => {
  await start(true);
  const credit = { id: randomUUID(), amount: '10.00' };
  expect((await call('credit', credit)).status).toBe(200);
  expect(await refusalOf('credit', { ...credit, amount: '10.01' })).toBe(
    `The call ${credit.id} came before with the amount 10.00, and now says 10.01.`,
  );
  expect(await refusalOf('debit', credit)).toContain('with the type credit, and now says debit');
  const debitId = await idOf(await call('debit', {}));
  await stop();
  await start(true);
  const wrong = [
    { amount: '6.99', says: 'with the amount 7.00, and now says 6.99' },
    { currency: 'USD', says: 'with the currency EUR, and now says USD' },
    { userId: 'u-2', says: 'with the userId u-1042, and now says u-2' },
  ];
  for (const { says, ...more } of wrong) expect(await refusalOf('release', { debitId, ...more })).toContain(says);
  const release = await idOf(await call('release', { debitId }));
  expect(await refusalOf('release', { debitId })).toBe(
    `The debit ${debitId} came back already, by the release ${release}.`,
  );
  expect(await balanceOf()).toBe('10');
});

test('a balance has no more decimals than the currency needs', async () => {
  const book = await openBook(join(folder, 'other.jsonl'));
  for (const [digits, minor, text] of [
    [2, 1000n, '10'],
    [2, 1050n, '10.5'],
    [0, 100n, '100'],
    [18, 1n, '0.000000000000000001'],
    [2, -5n, '0'],
  ] as const) {
    const currency = `c${digits}x${minor}`;
    await book.book({ id: currency, userId: 'u', currency, change: () => minor });
    const { balance } = createWallet(book, () => true, { digits });
    expect(await balance({ type: 'balance', id: 'x', userId: 'u', currency })).toEqual({ balance: text });
  }
  await book.close();
  await start(false);
});

test('a site whose balance is at the cashier has no wallet to call', async () => {
  await start(false);
  const { code, lines } = await check();
  expect(code).toBe(1);
  expect(lines.join('\n')).toMatch(/Remedy: Is the address right/);
});
