import { expect, test } from 'vitest';
import type { WalletCall } from '../generated/wallet.ts';
import { type CheckReport, checkWallet, rules } from './check-wallet.ts';
import { execute, SmallWallet, walletSecret } from './small-wallet.fixture.ts';
import { wrongWallets } from './wrong-wallets.fixture.ts';

const options = {
  url: 'http://localhost:4000/wallet',
  secrets: [walletSecret],
  userId: 'wallet-check',
  currency: 'EUR',
  decimals: 2,
  amount: 107n,
};
const check = (wallet: SmallWallet): Promise<CheckReport> =>
  checkWallet(options, { fetch: wallet.fetch, now: () => wallet.now });
const failedIn = ({ rules: results }: CheckReport) =>
  results.filter(({ result }) => result === 'failed').map(({ rule }) => rule);

test.each([2500n, 0n, 3n])(
  '[SRV-6] a wallet that keeps the contract passes every rule, with %d at the start',
  async (start) => {
    const wallet = new SmallWallet();
    wallet.balances.set('wallet-check', start);
    const report = await check(wallet);
    expect(report.rules.filter(({ result }) => result !== 'passed')).toEqual([]);
    expect(report).toMatchObject({ passed: true, balanceAtEnd: report.balanceAtStart });
    expect(report.rules).toHaveLength(rules.length + 2);
    expect(report.timings.map(({ type }) => type)).toEqual(['balance', 'debit', 'credit', 'release']);
    expect([...wallet.balances]).toEqual([['wallet-check', start]]);
  },
);

test('a wallet may decline forced debits, and may answer calls in progress with 409', async () => {
  const busy = new Set<string>();
  const wallet = new SmallWallet({
    execute: async (self, move) =>
      move.type === 'debit' && move.forced ? { declined: 'blocked' } : await execute(self, move),
  });
  const report = await checkWallet(options, {
    now: () => wallet.now,
    fetch: async (address, init) => {
      const { id } = JSON.parse(String(init?.body)) as WalletCall;
      if (busy.has(id)) return new Response('', { status: 409 });
      busy.add(id);
      await Promise.resolve();
      return wallet.fetch(address, init).finally(() => busy.delete(id));
    },
  });
  expect(failedIn(report)).toEqual([]);
});

test.each(wrongWallets)('[SRV-6] a wallet that %s breaks the rule %s and no other', async (_wrong, rule, parts) => {
  const wallet = new SmallWallet(parts);
  const report = await check(wallet);
  expect(failedIn(report)).toEqual([rule]);
  const found = report.rules.find(({ result }) => result === 'failed');
  expect(found?.cause).toMatch(/\.|:/);
  expect(found?.remedy).toBeTruthy();
  expect(report.passed).toBe(false);
  // What a wrong wallet took or gave is given back all the same.
  if (rule !== 'balance') expect(report.balanceAtEnd).toBe(report.balanceAtStart);
});

test('a slow answer is too late, and the percentiles say how often', async () => {
  const wallet = new SmallWallet({
    respond: (call) => {
      if (call.type === 'balance') wallet.now += 1001;
      return undefined;
    },
  });
  const report = await check(wallet);
  expect(failedIn(report)).toEqual(['in-time']);
  expect(report.timings[0]).toMatchObject({ type: 'balance', p50Ms: 1001, p95Ms: 1001, limitMs: 1000 });
});

test('a balance that cannot be given back is said, with both amounts', async () => {
  let isBlocked = false;
  const wallet = new SmallWallet({
    respond: (_call, _status, body) => {
      if (body['code'] === 'unknown-type') isBlocked = true;
      return undefined;
    },
    execute: async (self, move) =>
      isBlocked && move.type === 'debit' ? { declined: 'blocked' } : await execute(self, move),
  });
  wallet.balances.set('wallet-check', 0n);
  const report = await check(wallet);
  expect(failedIn(report)).toEqual(['given-back']);
  expect(report.rules.find(({ rule }) => rule === 'given-back')?.cause).toMatch(
    /^The balance was 0\.00 EUR at the start, and is \d+\.\d\d EUR now\.$/,
  );
});

test('without an answer nothing else is proven, and the remedy asks for the address', async () => {
  const dead = () =>
    Promise.reject(
      new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }),
    );
  const report = await checkWallet(options, { fetch: dead, now: () => 0 });
  expect(failedIn(report)).toEqual(['balance']);
  expect(report.rules[0]).toMatchObject({
    cause: expect.stringContaining('ECONNREFUSED'),
    remedy: expect.stringContaining('address'),
  });
  expect(report.rules.slice(1).every(({ result }) => result === 'skipped')).toBe(true);
});

test.each([
  [401, /same secret/],
  [404, /address right/],
  [302, /no redirect/],
])('status %d to a good call has its own remedy', async (status, remedy) => {
  const report = await checkWallet(options, { fetch: async () => new Response(null, { status }), now: () => 0 });
  expect(report.rules[0]?.remedy).toMatch(remedy);
});
