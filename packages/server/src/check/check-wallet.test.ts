import { expect, test } from 'vitest';
import type { WalletCall } from '../generated/wallet.ts';
import { type CheckReport, checkWallet, rules } from './check-wallet.ts';
import {
  amountOf,
  execute,
  onceById,
  SmallWallet,
  signedAnew,
  type WrongParts,
  walletSecret,
} from './small-wallet.fixture.ts';

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
const shared = { transactionId: 't-0' };

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

const changed = (type: WalletCall['type'], change: object): WrongParts => ({
  respond: (call, status, body) =>
    call.type === type && status === 200 ? Response.json({ ...body, ...change }) : undefined,
});
const pause = async (times = 20): Promise<void> => {
  for (let turn = 0; turn < times; turn += 1) await Promise.resolve();
};

const wrongWallets: readonly (readonly [wrong: string, rule: string, parts: WrongParts])[] = [
  [
    'takes calls without a signature',
    'unsigned',
    { headers: (headers, body) => ('webhook-id' in headers ? headers : signedAnew(headers, body, 1_767_225_600_000)) },
  ],
  [
    'compares no signature',
    'wrong-signature',
    { headers: (headers, body) => ('webhook-id' in headers ? signedAnew(headers, body, 0) : headers) },
  ],
  ['reads no time stamp', 'old-call', { toleranceSeconds: Number.POSITIVE_INFINITY }],
  [
    'reads the first of two signatures',
    'secret-rotation',
    {
      headers: ({ 'webhook-signature': signature, ...headers }) =>
        signature === undefined ? headers : { ...headers, 'webhook-signature': signature.split(' ')[0] ?? '' },
    },
  ],
  ['answers a number', 'balance', changed('balance', { balance: 25 })],
  ['answers too many decimals', 'balance', changed('balance', { balance: '25.000' })],
  ['answers for another currency', 'balance', changed('balance', { currency: 'USD' })],
  ['names no id of the credit', 'credit', changed('credit', { transactionId: undefined })],
  [
    'rounds a credit',
    'credit',
    {
      execute: async (wallet, move) =>
        move.type === 'credit' ? wallet.add(move.userId, (amountOf(move) / 100n) * 100n) : await execute(wallet, move),
    },
  ],
  ['names no id of the debit', 'debit', changed('debit', { transactionId: undefined })],
  ['answers the balance before the debit', 'debit', changed('debit', { balance: '99.00' })],
  ['executes each repeat', 'repeat', { once: (wallet, move) => wallet.carryOut(move) }],
  [
    'answers a repeat with a decline',
    'repeat',
    {
      once: async (wallet, move) => {
        if (wallet.answers.has(move.id)) return { declined: 'other' };
        return await onceById(wallet, move);
      },
    },
  ],
  [
    'looks for the id before its transaction',
    'repeat-at-once',
    {
      once: async (wallet, move) => {
        const stored = wallet.answers.get(move.id);
        await pause();
        const outcome = stored ?? wallet.carryOut(move);
        wallet.answers.set(move.id, outcome);
        outcome.catch(() => wallet.answers.delete(move.id));
        return await outcome;
      },
    },
  ],
  [
    'lets a debit overdraw',
    'insufficient-funds',
    {
      execute: async (wallet, move) =>
        wallet.balances.has(move.userId) && move.type === 'debit'
          ? await execute(wallet, { ...move, forced: true })
          : await execute(wallet, move),
    },
  ],
  [
    'has its own word for insufficient funds',
    'insufficient-funds',
    {
      respond: (_call, status, body) =>
        body['code'] === 'insufficient-funds' ? Response.json({ ...body, code: 'no-money' }, { status }) : undefined,
    },
  ],
  [
    'forgets its declines',
    'repeat-of-a-decline',
    {
      once: async (wallet, move) => {
        const outcome = await onceById(wallet, move);
        if ('declined' in outcome) wallet.answers.delete(move.id);
        return outcome;
      },
    },
  ],
  [
    'compares before it takes',
    'whole-balance-at-once',
    {
      execute: async (wallet, move) => {
        if (move.type !== 'debit' || !wallet.balances.has(move.userId)) return await execute(wallet, move);
        const covers = (wallet.balances.get(move.userId) ?? 0n) >= amountOf(move);
        await pause();
        return await execute(wallet, covers ? { ...move, forced: true } : move);
      },
    },
  ],
  [
    'takes a forced debit down to zero only',
    'forced-debit',
    {
      execute: async (wallet, move) => {
        const outcome = await execute(wallet, move);
        if ((wallet.balances.get(move.userId) ?? 0n) < 0n) wallet.balances.set(move.userId, 0n);
        return outcome;
      },
    },
  ],
  [
    'fails at forced debits',
    'forced-debit',
    {
      execute: async (wallet, move) =>
        move.type === 'debit' && move.forced ? Promise.reject(new Error('below zero')) : await execute(wallet, move),
    },
  ],
  [
    'executes each repeat of a release',
    'release',
    {
      once: async (wallet, move) => {
        wallet.released.clear();
        const outcome = (move.type !== 'release' && wallet.answers.get(move.id)) || wallet.carryOut(move);
        wallet.answers.set(move.id, outcome);
        return await outcome;
      },
    },
  ],
  [
    'forgets a debit with its release',
    'release',
    {
      execute: async (wallet, move) => {
        if (move.type === 'release') wallet.answers.delete(move.debitId);
        return await execute(wallet, move);
      },
    },
  ],
  [
    'gives back any debit',
    'unknown-release',
    {
      execute: async (wallet, move) =>
        move.type === 'release' ? wallet.add(move.userId, amountOf(move)) : await execute(wallet, move),
    },
  ],
  [
    'confirms any release',
    'unknown-release',
    {
      execute: async (wallet, move) =>
        move.type === 'release' && !wallet.debits.has(move.debitId)
          ? { balance: wallet.text(move.userId), ...shared }
          : await execute(wallet, move),
    },
  ],
  [
    'counts an id again if the amount differs',
    'changed-repeat',
    {
      once: async (wallet, move) => {
        const key = `${move.id} ${move.amount}`;
        const outcome = wallet.answers.get(key) ?? wallet.carryOut(move);
        wallet.answers.set(key, outcome);
        outcome.catch(() => wallet.answers.delete(key));
        return await outcome;
      },
    },
  ],
  [
    'gives back a declined debit',
    'release-of-a-decline',
    {
      execute: async (wallet, move) => {
        const outcome = await execute(wallet, move);
        if (move.type === 'debit') wallet.debits.set(move.id, move);
        return outcome;
      },
    },
  ],
  [
    'confirms the release of a declined debit, and moves nothing',
    'release-of-a-decline',
    {
      execute: async (wallet, move) => {
        if (move.type !== 'release' || wallet.debits.has(move.debitId) || !wallet.moves.has(move.debitId))
          return await execute(wallet, move);
        return { balance: wallet.text(move.userId), ...shared };
      },
    },
  ],
  ...(['amount', 'currency', 'userId'] as const).map(
    (field) =>
      [
        `does not compare the ${field} of a release`,
        'changed-release',
        {
          execute: async (wallet, move) => {
            const debit = move.type === 'release' ? wallet.debits.get(move.debitId) : undefined;
            if (debit === undefined) return await execute(wallet, move);
            wallet.debits.set(debit.id, { ...debit, [field]: move[field] });
            return await execute(wallet, move);
          },
        },
      ] as const satisfies (typeof wrongWallets)[number],
  ),
  [
    'takes a wrong release for the release',
    'changed-release',
    {
      execute: async (wallet, move) => {
        if (move.type === 'release' && wallet.released.has(move.debitId)) throw new Error('It came back already.');
        const outcome = await execute(wallet, move).catch((error: unknown) => error);
        if (move.type === 'release' && wallet.debits.has(move.debitId)) wallet.released.add(move.debitId);
        if (outcome instanceof Error) throw outcome;
        return outcome as Awaited<ReturnType<typeof execute>>;
      },
    },
  ],
  [
    'gives a debit back to each release',
    'second-release',
    {
      execute: async (wallet, move) => {
        wallet.released.clear();
        return await execute(wallet, move);
      },
    },
  ],
  [
    'confirms a second release, and moves nothing',
    'second-release',
    {
      execute: async (wallet, move) =>
        move.type === 'release' && wallet.released.has(move.debitId)
          ? { balance: wallet.text(move.userId), ...shared }
          : await execute(wallet, move),
    },
  ],
  [
    'stores an error as an answer',
    'late-debit',
    {
      once: (wallet, move) => {
        const stored = wallet.answers.get(move.id) ?? wallet.carryOut(move);
        wallet.answers.set(move.id, stored);
        return stored;
      },
    },
  ],
  [
    'says that it took a debit whose release it knows, and takes nothing',
    'late-debit',
    {
      execute: async (wallet, move) => {
        if (move.type === 'release' && !wallet.debits.has(move.debitId)) wallet.released.add(move.debitId);
        if (move.type === 'debit' && wallet.released.has(move.id))
          return { balance: wallet.text(move.userId), ...shared };
        return await execute(wallet, move);
      },
    },
  ],
  [
    'fails at unknown users',
    'unknown-user',
    {
      execute: async (wallet, move) =>
        wallet.balances.has(move.userId) ? await execute(wallet, move) : Promise.reject(new Error('no row')),
    },
  ],
  [
    'takes from the user whom it knows',
    'unknown-user',
    { execute: async (wallet, move) => await execute(wallet, { ...move, userId: 'wallet-check' }) },
  ],
  [
    'says yes to every type',
    'unknown-type',
    {
      respond: (_call, status, body) =>
        body['code'] === 'unknown-type' && status === 400
          ? Response.json({ result: 'done', balance: '25.00', ...shared })
          : undefined,
    },
  ],
];

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
