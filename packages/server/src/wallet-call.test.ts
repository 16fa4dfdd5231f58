import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import type { WalletAnswer } from './generated/wallet.ts';
import { handleWalletCall, type WalletHandlers } from './wallet-call.ts';

const key = Buffer.alloc(32, 7);
const secrets = `whsec_${key.toString('base64')}`;
const now = 1_767_225_600_000;
const id = '00000000-0000-4000-8000-000000000001';
const shared = { id, userId: 'u-1042', currency: 'EUR' };

function signed(call: object, signedId = id) {
  const body = JSON.stringify(call);
  const at = String(now / 1000);
  const mac = createHmac('sha256', key).update(`${signedId}.${at}.${body}`).digest('base64');
  return { body, headers: { 'webhook-id': signedId, 'webhook-timestamp': at, 'webhook-signature': `v1,${mac}` } };
}

const wallet = (change: Partial<WalletHandlers> = {}): WalletHandlers => ({
  balance: () => ({ balance: '25.00' }),
  debit: () => ({ balance: '5.00', transactionId: 't-1' }),
  credit: async () => ({ balance: '45.00' }),
  release: () => ({ balance: '25.00' }),
  ...change,
});

const answer = (call: object, change: Partial<WalletHandlers> = {}) =>
  handleWalletCall(signed(call), { ...wallet(change), secrets, now });

test.each([
  [{ type: 'balance', ...shared }, '25.00'],
  [{ type: 'debit', ...shared, amount: '20.00', withdrawalId: id, reason: 'withdrawal' }, '5.00'],
  [{ type: 'credit', ...shared, amount: '20.00', depositId: id, reason: 'deposit' }, '45.00'],
  [{ type: 'release', ...shared, amount: '20.00', withdrawalId: id, reason: 'withdrawal', debitId: id }, '25.00'],
])('[SRV-1] a call reaches its function, and its answer has the shape of the contract: %j', async (call, balance) => {
  const { status, body } = await answer(call);
  expect(status).toBe(200);
  expect(JSON.parse(body) as WalletAnswer).toMatchObject({ result: 'done', balance, ...shared });
});

test('a declined debit says why, and nothing more than it was given', async () => {
  const debit = { type: 'debit', ...shared, amount: '20.00', reason: 'withdrawal' };
  const { body } = await answer(debit, { debit: () => ({ declined: 'insufficient-funds', balance: '5.00' }) });
  expect(JSON.parse(body) as WalletAnswer).toEqual({
    result: 'declined',
    code: 'insufficient-funds',
    balance: '5.00',
    amount: '20.00',
    ...shared,
  });
});

test('a stranger, a changed body and another id reach no function', async () => {
  const debit = vi.fn();
  const call = { type: 'debit', ...shared, amount: '20.00', reason: 'withdrawal' };
  const options = { ...wallet({ debit }), secrets, now };
  const good = signed(call);
  expect((await handleWalletCall({ ...good, body: good.body.replace('20.00', '2.00') }, options)).status).toBe(401);
  expect((await handleWalletCall({ ...good, headers: {} }, options)).status).toBe(401);
  expect((await handleWalletCall(signed(call, 'another'), options)).status).toBe(400);
  expect((await handleWalletCall(signed({ ...call, type: 'bonus' }), options)).status).toBe(400);
  expect(debit).not.toHaveBeenCalled();
});

test('a balance below zero is answered as 0, because a forced debit may take a wallet below it', async () => {
  const call = { type: 'balance', ...shared };
  const { body } = await answer(call, { balance: () => ({ balance: '-3.00' }) });
  expect(JSON.parse(body) as WalletAnswer).toMatchObject({ result: 'done', balance: '0' });
});

test('an outcome that a wallet does not know, and a balance that is no decimal text, are no answer', async () => {
  const call = { type: 'balance', ...shared };
  await expect(answer(call, { balance: () => Promise.reject(new Error('locked')) })).rejects.toThrow('locked');
  for (const balance of [25 as unknown as string, '--3.00', '1e3', '']) {
    await expect(answer(call, { balance: () => ({ balance }) })).rejects.toThrow(/decimal text/);
  }
});

interface Vector {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly now: number;
  readonly wallet: unknown;
  readonly reaches?: string;
  readonly expect: unknown;
}

const file = new URL('../../../sdks/vectors/wallet-calls.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vector[];

describe('[SRV-1] the shared vectors of wallet calls, which every SDK answers alike', () => {
  test('are there, good and bad', () => {
    expect(vectors.length).toBeGreaterThan(30);
  });

  test.each(vectors)('$name', async (vector) => {
    const reached: string[] = [];
    const does = (type: string) => () => {
      reached.push(type);
      if (vector.wallet === 'throws') throw new Error('unknown');
      return vector.wallet as { balance: string };
    };
    const outcome = await handleWalletCall(
      { body: Buffer.from(vector.body), headers: vector.headers },
      {
        balance: does('balance'),
        debit: does('debit'),
        credit: does('credit'),
        release: does('release'),
        secrets: vector.secrets,
        now: vector.now * 1000,
      },
    ).then(
      ({ status, body: text }) => ({ status, body: JSON.parse(text) }),
      (error: Error) =>
        !(error instanceof TypeError) ? 'unknown' : error.message.includes('balance') ? 'bad-balance' : 'bad-secret',
    );
    expect(outcome).toEqual(vector.expect);
    expect(reached).toEqual(vector.reaches === undefined ? [] : [vector.reaches]);
  });
});
