import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApp } from './app.ts';
import { type AskBonuses, CashierUnavailable, type MintToken } from './cashier-client.ts';
import { openCreditJournal } from './credit-journal.ts';

const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const signer = new Webhook(webhookSecret);

let folder: string;
let app: FastifyInstance;
let mintToken: ReturnType<typeof vi.fn<MintToken>>;
let askBonuses: ReturnType<typeof vi.fn<AskBonuses>>;
const file = () => join(folder, 'demo', 'credits.ndjson');

async function start(): Promise<void> {
  askBonuses = vi.fn<AskBonuses>(async () => [{ id: 'welcome' }]);
  mintToken = vi.fn<MintToken>(async () => ({ token: 'user-token', expiresAt: '2030-01-01T00:00:00Z' }));
  app = await createApp({
    cashierUrl: 'https://pay.example.com',
    partner: 'demo',
    sessionSecret: 'sk_test',
    webhookSecret,
    journal: await openCreditJournal(file()),
    mintToken,
    askBonuses,
    pageFolder: folder,
    logLevel: 'silent',
  });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demo-'));
  await start();
});

afterEach(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

async function signIn(userId = 'ada'): Promise<string> {
  const response = await app.inject({ method: 'POST', url: '/api/sign-in', payload: { userId } });
  expect(response.statusCode).toBe(200);
  return String(response.headers['set-cookie']).split(';')[0] ?? '';
}

const processed = (change: object = {}) => ({
  type: 'deposit.processed',
  timestamp: '2026-01-01T00:00:00Z',
  data: {
    depositId: 'd-1',
    userId: 'ada',
    amount: '25.00',
    currency: 'USD',
    paymentMethod: 'card',
    status: 'processed',
    ...change,
  },
});

function deliver(event: unknown, { id = 'msg-1', at = new Date(), secret = signer, tampered = '' } = {}) {
  const body = JSON.stringify(event);
  return app.inject({
    method: 'POST',
    url: '/webhooks/cashier',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': secret.sign(id, at, body),
    },
    payload: body + tampered,
  });
}

async function balances(cookie: string): Promise<Record<string, string>> {
  const response = await app.inject({ url: '/api/account', headers: { cookie } });
  return response.json<{ balances: Record<string, string> }>().balances;
}

describe('web-hooks', () => {
  test('a signed deposit.processed raises the balance, once per web-hook and once per deposit', async () => {
    const cookie = await signIn();
    expect(await balances(cookie)).toEqual({});
    expect((await deliver(processed())).statusCode).toBe(204);
    expect((await deliver(processed())).statusCode).toBe(204);
    expect((await deliver(processed(), { id: 'msg-2' })).statusCode).toBe(204);
    expect((await deliver(processed({ depositId: 'd-2', amount: '0.10' }), { id: 'msg-3' })).statusCode).toBe(204);
    expect(await balances(cookie)).toEqual({ USD: '25.10' });
  });

  test('twenty deliveries at once count once, also after a restart', async () => {
    const cookie = await signIn();
    await Promise.all(Array.from({ length: 20 }, () => deliver(processed())));
    expect(await balances(cookie)).toEqual({ USD: '25.00' });
    await app.close();
    await start();
    expect((await deliver(processed())).statusCode).toBe(204);
    expect(await balances(cookie)).toEqual({ USD: '25.00' });
  });

  test('a line that was torn by a power cut is dropped and its web-hook counts when it comes again', async () => {
    const cookie = await signIn();
    await deliver(processed());
    await app.close();
    const { size } = await stat(file());
    await appendFile(file(), '{"kind":"credit","webhookId":"msg-2","depo');
    await start();
    expect((await stat(file())).size).toBe(size);
    await deliver(processed({ depositId: 'd-2' }), { id: 'msg-2' });
    expect(await balances(cookie)).toEqual({ USD: '50.00' });
  });

  test('a wrong key, a changed body, an old time stamp and no signature are refused and change nothing', async () => {
    const cookie = await signIn();
    const stranger = new Webhook(Buffer.alloc(32, 8).toString('base64'));
    expect((await deliver(processed(), { secret: stranger })).statusCode).toBe(401);
    expect((await deliver(processed(), { tampered: ' ' })).statusCode).toBe(401);
    expect((await deliver(processed(), { at: new Date(Date.now() - 10 * 60_000) })).statusCode).toBe(401);
    const unsigned = await app.inject({ method: 'POST', url: '/webhooks/cashier', payload: processed() });
    expect(unsigned.statusCode).toBe(401);
    expect(await balances(cookie)).toEqual({});
  });

  test.each([
    { amount: '-5' },
    { amount: 25 },
    { amount: '1e3' },
    { currency: 'usd' },
    { userId: '' },
    { depositId: null },
  ])('a signed body with %j is refused', async (change) => {
    expect((await deliver(processed(change))).statusCode).toBe(400);
  });

  test('a type that means nothing here is acknowledged and changes nothing', async () => {
    const cookie = await signIn();
    expect((await deliver({ ...processed(), type: 'deposit.declined' })).statusCode).toBe(204);
    expect(await balances(cookie)).toEqual({});
  });
});

const withdrawal = (type: string, change: object = {}) => ({
  type: `withdrawal.${type}`,
  timestamp: '2026-01-01T00:00:00Z',
  data: {
    withdrawalId: 'w-1',
    userId: 'ada',
    accountType: 'main',
    amount: '20.00',
    fee: '1.00',
    receives: '19.00',
    currency: 'USD',
    paymentMethod: 'card_withdrawal',
    status: 'waiting',
    ...change,
  },
});

interface ShownAccount {
  balances: Record<string, string>;
  held: Record<string, string>;
  withdrawals: { withdrawalId: string; status: string }[];
  codes: { code: string }[];
}

async function accountOf(cookie: string): Promise<ShownAccount> {
  return (await app.inject({ url: '/api/account', headers: { cookie } })).json<ShownAccount>();
}

describe('web-hooks of withdrawals', () => {
  test('[SRV-5] what is held leaves the balance, is paid out or comes back, once per web-hook and also after a restart', async () => {
    const cookie = await signIn();
    await deliver(processed());
    await Promise.all(Array.from({ length: 5 }, () => deliver(withdrawal('held'), { id: 'msg-2' })));
    expect(await accountOf(cookie)).toMatchObject({ balances: { USD: '5.00' }, held: { USD: '20.00' } });
    await deliver(withdrawal('submitted'), { id: 'msg-3' });
    expect((await accountOf(cookie)).withdrawals).toMatchObject([{ withdrawalId: 'w-1', status: 'sent' }]);
    await deliver(withdrawal('processed'), { id: 'msg-4' });
    await deliver(withdrawal('held', { withdrawalId: 'w-2', amount: '5.00' }), { id: 'msg-5' });
    await deliver(withdrawal('cancelled', { withdrawalId: 'w-2', amount: '5.00' }), { id: 'msg-6' });
    await app.close();
    await start();
    expect(await accountOf(cookie)).toMatchObject({
      balances: { USD: '5.00' },
      withdrawals: [
        { withdrawalId: 'w-2', status: 'back' },
        { withdrawalId: 'w-1', status: 'paid' },
      ],
    });
    expect((await accountOf(cookie)).held).toEqual({});
    // Sent back by the bank, and then, after all, charged.
    await deliver(withdrawal('returned'), { id: 'msg-7' });
    expect((await accountOf(cookie)).balances).toEqual({ USD: '25.00' });
    await deliver(withdrawal('settled', { charged: '20.00' }), { id: 'msg-8' });
    expect((await accountOf(cookie)).balances).toEqual({ USD: '5.00' });
  });

  test('the additional account is another one, and a balance that began anew is never below nothing', async () => {
    const cookie = await signIn();
    await deliver(withdrawal('held', { accountType: 'additional' }));
    expect(await accountOf(cookie)).toMatchObject({ balances: {}, held: {}, withdrawals: [{ status: 'held' }] });
    await deliver(withdrawal('held', { withdrawalId: 'w-2' }), { id: 'msg-2' });
    expect((await accountOf(cookie)).balances).toEqual({ USD: '0.00' });
  });

  test('[WD-2] a code reaches its user alone, the newest of a withdrawal, until it is used; it is written nowhere', async () => {
    const [ada, joao] = [await signIn(), await signIn('joao')];
    const codeEvent = (code: string, timestamp: string, expires = '2090-01-01T00:00:00Z') => ({
      ...withdrawal('confirmation_requested', { code, channel: 'email', expires }),
      timestamp,
    });
    await deliver(codeEvent('222222', '2026-01-01T00:01:00Z'), { id: 'msg-2' });
    await deliver(codeEvent('111111', '2026-01-01T00:00:00Z'), { id: 'msg-1' });
    expect((await accountOf(ada)).codes).toMatchObject([{ code: '222222', channel: 'email' }]);
    expect((await accountOf(joao)).codes).toEqual([]);
    expect(await readFile(file(), 'utf8')).not.toContain('222222');
    await deliver(withdrawal('submitted'), { id: 'msg-3' });
    expect((await accountOf(ada)).codes).toEqual([]);
    await deliver(codeEvent('333333', '2026-01-01T00:02:00Z', '2020-01-01T00:00:00Z'), { id: 'msg-4' });
    expect((await accountOf(ada)).codes).toEqual([]);
  });

  test.each([{ amount: '1e3' }, { accountType: 'bonus' }, { userId: '' }, { currency: 'usd' }])(
    'a signed withdrawal with %j is refused',
    async (change) => {
      expect((await deliver(withdrawal('held', change))).statusCode).toBe(400);
    },
  );
});

describe('sessions', () => {
  test('the cookie is out of reach of scripts and other sites, and a changed one is nobody', async () => {
    const response = await app.inject({ method: 'POST', url: '/api/sign-in', payload: { userId: 'ada' } });
    expect(response.headers['set-cookie']).toMatch(/; HttpOnly; SameSite=Strict/);
    const forged = (await signIn()).replace('ada', 'joao');
    expect((await app.inject({ url: '/api/account', headers: { cookie: forged } })).statusCode).toBe(401);
    expect((await app.inject({ url: '/api/events' })).statusCode).toBe(401);
  });

  test('nobody else can be signed in than a demo user or a guest', async () => {
    for (const userId of ['root', 'guest-', 'guest-../x', '', null]) {
      expect((await app.inject({ method: 'POST', url: '/api/sign-in', payload: { userId } })).statusCode).toBe(422);
    }
    await signIn('guest-4f2a');
  });

  test('start over empties what is shown for this user alone and does not let an old web-hook count again', async () => {
    const ada = await signIn();
    const joao = await signIn('joao');
    await deliver(processed());
    await deliver(processed({ depositId: 'd-2', userId: 'joao' }), { id: 'msg-2' });
    await app.inject({ method: 'POST', url: '/api/start-over', headers: { cookie: ada }, payload: {} });
    await deliver(processed());
    expect(await balances(ada)).toEqual({});
    expect(await balances(joao)).toEqual({ USD: '25.00' });
  });
});

describe('user tokens', () => {
  const ask = (cookie: string, payload: object, headers: object = {}) =>
    app.inject({ method: 'POST', url: '/api/cashier-token', headers: { cookie, ...headers }, payload });

  test('the token is for the signed-in user, whatever the page says', async () => {
    const cookie = await signIn();
    const response = await ask(cookie, { userId: 'joao', currency: 'EUR', country: 'DE', locale: 'de' });
    expect(response.json()).toEqual({ token: 'user-token', expiresAt: '2030-01-01T00:00:00Z' });
    expect(response.headers['cache-control']).toBe('no-store');
    expect(mintToken).toHaveBeenCalledWith({ userId: 'ada', currency: 'EUR', country: 'DE', locale: 'de' });
  });

  test('nobody, a foreign page, a form and nonsense get none', async () => {
    const cookie = await signIn();
    expect((await ask('', {})).statusCode).toBe(401);
    expect((await ask(cookie, {}, { origin: 'https://evil.example', host: 'localhost:3001' })).statusCode).toBe(403);
    expect((await ask(cookie, { currency: '../..' })).statusCode).toBe(422);
    const form = { cookie, 'content-type': 'text/plain' };
    const asText = await app.inject({ method: 'POST', url: '/api/cashier-token', headers: form, payload: '{}' });
    expect(asText.statusCode).toBe(415);
    expect(mintToken).not.toHaveBeenCalled();
  });

  test('a cashier that is away is told apart from an error of this site', async () => {
    mintToken.mockRejectedValue(new CashierUnavailable('away'));
    const response = await ask(await signIn(), {});
    expect(response.statusCode).toBe(502);
    expect(response.json()).toEqual({ code: 'cashier-unavailable' });
  });
});

describe('bonuses', () => {
  const ask = (cookie: string, query = '') => app.inject({ url: `/api/bonuses${query}`, headers: { cookie } });

  test('[BON-1] are those of the signed-in user, in the asked currency or their own', async () => {
    const cookie = await signIn();
    expect((await ask(cookie, '?currency=INR&userId=joao')).json()).toEqual({ bonuses: [{ id: 'welcome' }] });
    expect(askBonuses).toHaveBeenCalledWith({ userId: 'ada', currency: 'INR', locale: 'en' });
    expect((await ask(cookie, '?locale=de')).statusCode).toBe(200);
    expect(askBonuses).toHaveBeenLastCalledWith(expect.objectContaining({ locale: 'de' }));
    expect((await ask(cookie)).statusCode).toBe(200);
  });

  test('nobody and nonsense get none, and a cashier that is away is told apart', async () => {
    expect((await ask('')).statusCode).toBe(401);
    const cookie = await signIn();
    expect((await ask(cookie, '?currency=../..')).statusCode).toBe(422);
    expect(askBonuses).not.toHaveBeenCalled();
    askBonuses.mockRejectedValue(new CashierUnavailable('away'));
    expect((await ask(cookie)).statusCode).toBe(502);
  });
});

test('only the cashier may be framed', async () => {
  const policy = String((await app.inject('/health')).headers['content-security-policy']);
  expect(policy.split('; ')).toContain('frame-src https://pay.example.com');
  expect(policy.split('; ')).toContain("default-src 'none'");
});
