/** `check` of `@opencashier/server` judges an answer as the cashier does. The package is published alone, so it has a copy of the rules. */
import { type WalletCallType, walletAnswerSchema } from '@opencashier/contract/operator';
import { meaningOfAnswer, withoutNegativeBalance } from '@opencashier/core/operator-wallet/wallet-answer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAsker } from '../../packages/server/src/check/ask-wallet.ts';

const shared = { id: '0198c0de-0000-7000-8000-000000000001', userId: 'ann', currency: 'EUR' };
const wallet = {
  url: 'https://wallet.example',
  secrets: [`whsec_${Buffer.alloc(32, 1).toString('base64')}`],
  decimals: 2,
};

const cashiers = async (type: WalletCallType, body: string) => {
  // By the interface that libraries of schemas share: the scripts do not depend on the contract's library.
  const read = await walletAnswerSchema['~standard'].validate(withoutNegativeBalance(JSON.parse(body)));
  const asked = { type, ...shared, ...(type !== 'balance' && { amount: 2500n }) };
  return meaningOfAnswer(asked, read.issues === undefined ? read.value : undefined);
};

const checks = async (type: WalletCallType, body: string) => {
  const ask = createAsker(wallet, { fetch: async () => new Response(body), now: () => 1_767_225_600_000 }, []);
  return (await ask({ type, ...shared, ...(type !== 'balance' && { amount: '25.00' }) })).meaning;
};

const essential = (meaning: { kind: string; balance?: bigint; code?: string }) =>
  meaning.kind === 'done'
    ? { kind: meaning.kind, balance: meaning.balance }
    : meaning.kind === 'declined'
      ? { kind: meaning.kind, code: meaning.code }
      : { kind: meaning.kind };

const noText = [7, null, true, {}] as const;
const amounts = ['0', '12.5', '25', '25.00', '25.000', '025', '.5', '1e3', ' 1', 'much', '', '9'.repeat(41), ...noText];
const types = fc.constantFrom<WalletCallType>('balance', 'debit', 'credit', 'release');
/** Likely values, so that most answers differ from a good one in one or two fields. */
const field = (good: unknown, ...others: readonly unknown[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
const answers = fc.record({
  result: field('done', 'declined', 'declined', 'ok', undefined, ...noText),
  balance: field('12.50', undefined, ...amounts),
  transactionId: field('t-1', undefined, '', 'two words', 'x'.repeat(128), 'x'.repeat(129), 'ä', ...noText),
  code: field('limit', undefined, '', 'Limit', 'a'.repeat(64), 'a'.repeat(65), ...noText),
  message: field(undefined, '', 'Not today', 'x'.repeat(2000), 'x'.repeat(2001), ...noText),
  id: field(shared.id, undefined, shared.id.toUpperCase(), 'other', ...noText),
  userId: field(shared.userId, undefined, 'bob', ...noText),
  currency: field(shared.currency, undefined, 'USD', ...noText),
  amount: field('25', undefined, ...amounts),
});

test('[SRV-6] check takes an answer for what the cashier takes it for', async () => {
  const bodies = fc.oneof(
    { weight: 30, arbitrary: answers },
    { weight: 1, arbitrary: fc.constantFrom([], 'done', 7, null) },
  );
  const kinds = new Set<string>();
  await fc.assert(
    fc.asyncProperty(types, bodies, async (type, answer) => {
      const body = JSON.stringify(answer);
      const meaning = essential(await checks(type, body));
      expect(meaning).toEqual(essential(await cashiers(type, body)));
      kinds.add(meaning.kind);
    }),
    { numRuns: 1000 },
  );
  expect([...kinds].sort()).toEqual(['declined', 'done', 'unknown']);
});

test('[SRV-6] check is stricter about a balance below zero, which the cashier reads as zero', async () => {
  const body = JSON.stringify({ result: 'done', balance: '-1.00', transactionId: 't-1' });
  expect(await cashiers('debit', body)).toMatchObject({ kind: 'done', balance: 0n });
  expect(await checks('debit', body)).toMatchObject({ kind: 'unknown' });
});
