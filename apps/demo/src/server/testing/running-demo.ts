/** The demo operator's backend as its tests run it, and webhooks as the cashier sends them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { createApp } from '../app.ts';
import type { AskBonuses, MintToken } from '../cashier-client.ts';
import { openMoneyJournal } from '../money-journal.ts';
import { findUser } from '../users.ts';
import { openWalletBook } from '../wallet-book.ts';

export const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const signer = new Webhook(webhookSecret);

export let folder: string;
export let app: FastifyInstance;
export let mintToken: ReturnType<typeof vi.fn<MintToken>>;
export let askBonuses: ReturnType<typeof vi.fn<AskBonuses>>;
export const file = () => join(folder, 'demo', 'credits.ndjson');

interface DemoOptions {
  /** The site keeps the balances itself. */
  readonly hasOwnWallet?: boolean;
}

export async function start({ hasOwnWallet = false }: DemoOptions = {}): Promise<void> {
  const knows = (userId: string): boolean => findUser(userId) !== undefined;
  askBonuses = vi.fn<AskBonuses>(async () => [{ id: 'welcome' }]);
  mintToken = vi.fn<MintToken>(async () => ({ token: 'user-token', expiresAt: '2030-01-01T00:00:00Z' }));
  app = await createApp({
    cashierUrl: 'https://pay.example.com',
    partner: 'demo',
    sessionSecret: 'sk_test',
    webhookSecret,
    journal: await openMoneyJournal(file()),
    wallet: hasOwnWallet ? await openWalletBook(join(folder, 'demo', 'wallet.ndjson'), { knows }) : undefined,
    mintToken,
    askBonuses,
    docsOrigin: 'https://docs.example',
    pageFolder: folder,
    logLevel: 'silent',
  });
}

/** A site of its own for every test of the file that calls this. */
export function runDemo(options: DemoOptions = {}): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'demo-'));
    await start(options);
  });
  afterEach(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });
}

export async function signIn(userId = 'ada'): Promise<string> {
  const response = await app.inject({ method: 'POST', url: '/api/sign-in', payload: { userId } });
  expect(response.statusCode).toBe(200);
  return String(response.headers['set-cookie']).split(';')[0] ?? '';
}

export const processed = (change: object = {}) => ({
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

export function deliver(event: unknown, { id = 'msg-1', at = new Date(), secret = signer, tampered = '' } = {}) {
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

export async function balances(cookie: string): Promise<Record<string, string>> {
  const response = await app.inject({ url: '/api/account', headers: { cookie } });
  return response.json<{ balances: Record<string, string> }>().balances;
}

export const deposit = (type: string, change: object = {}) => ({ ...processed(change), type: `deposit.${type}` });

export const withdrawal = (type: string, change: object = {}) => ({
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
  owed: Record<string, string>;
  deposits: { depositId: string; status: string }[];
  withdrawals: { withdrawalId: string; status: string }[];
  codes: { code: string }[];
  walletCalls?: { type: string; reason: string; amount: string; result: string }[];
}

export async function accountOf(cookie: string): Promise<ShownAccount> {
  return (await app.inject({ url: '/api/account', headers: { cookie } })).json<ShownAccount>();
}
