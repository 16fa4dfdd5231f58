/** Wallets with one fault each, and the one rule of the check that each breaks. */
import type { WalletCall } from '../generated/wallet.ts';
import { amountOf, execute, onceById, signedAnew, type WrongParts } from './small-wallet.fixture.ts';

const shared = { transactionId: 't-0' };
const changed = (type: WalletCall['type'], change: object): WrongParts => ({
  respond: (call, status, body) =>
    call.type === type && status === 200 ? Response.json({ ...body, ...change }) : undefined,
});
const pause = async (times = 20): Promise<void> => {
  for (let turn = 0; turn < times; turn += 1) await Promise.resolve();
};

/** Wallets with one fault each: what it does, and the rule that it breaks. */
export const wrongWallets: readonly (readonly [wrong: string, rule: string, parts: WrongParts])[] = [
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
