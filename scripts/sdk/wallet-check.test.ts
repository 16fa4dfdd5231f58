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
/** What each field of an answer may hold, good and bad. Undefined: the field is absent. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  result: ['done', 'declined', 'ok', undefined, ...noText],
  balance: [undefined, ...amounts],
  transactionId: ['t-1', undefined, '', 'two words', 'x'.repeat(128), 'x'.repeat(129), 'ä', ...noText],
  code: ['limit', undefined, '', 'Limit', 'a'.repeat(64), 'a'.repeat(65), ...noText],
  message: [undefined, '', 'Not today', 'x'.repeat(2000), 'x'.repeat(2001), ...noText],
  id: [shared.id, undefined, shared.id.toUpperCase(), 'other', ...noText],
  userId: [shared.userId, undefined, 'bob', ...noText],
  currency: [shared.currency, undefined, 'USD', ...noText],
  amount: [undefined, ...amounts],
};
const good = [
  { result: 'done', balance: '12.50', transactionId: 't-1' },
  { result: 'declined', code: 'limit' },
] as const;
const types = ['balance', 'debit', 'credit', 'release'] as const;

const expectSame = async (type: WalletCallType, answer: unknown) => {
  const body = JSON.stringify(answer);
  const meaning = essential(await checks(type, body));
  expect(meaning, `${type}: ${body}`).toEqual(essential(await cashiers(type, body)));
  return meaning.kind;
};

test.each(types)('[SRV-6] check takes an answer to a %s for what the cashier takes it for', async (type) => {
  const kinds = new Set<string>();
  for (const answer of good) {
    for (const [field, all] of Object.entries(values)) {
      for (const value of all) kinds.add(await expectSame(type, { ...answer, [field]: value }));
    }
  }
  for (const body of [[], 'done', 7, null]) await expectSame(type, body);
  const mayDecline = type === 'balance' || type === 'debit';
  expect([...kinds].sort()).toEqual(mayDecline ? ['declined', 'done', 'unknown'] : ['done', 'unknown']);
});

test('[SRV-6] check and cashier agree about answers that differ in several fields', async () => {
  const fields = Object.fromEntries(Object.entries(values).map(([field, all]) => [field, fc.constantFrom(...all)]));
  const changes = fc.record(fields, { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...types), fc.constantFrom(...good), changes, async (type, answer, change) => {
      await expectSame(type, { ...answer, ...change });
    }),
    { numRuns: 300 },
  );
});

test('[SRV-6] check is stricter about a balance below zero, which the cashier reads as zero', async () => {
  const body = JSON.stringify({ result: 'done', balance: '-1.00', transactionId: 't-1' });
  expect(await cashiers('debit', body)).toMatchObject({ kind: 'done', balance: 0n });
  expect(await checks('debit', body)).toMatchObject({ kind: 'unknown' });
});
