import type { WalletAnswer } from '@opencashier/contract/operator';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AskedCall, meaningOfAnswer, withoutNegativeBalance } from './wallet-answer.ts';

const debit: AskedCall = {
  type: 'debit',
  id: '0198c0de-0000-7000-8000-000000000001',
  userId: 'ann',
  currency: 'INR',
  amount: 50_000n,
};
const credit: AskedCall = { ...debit, type: 'credit' };
const done = { result: 'done', balance: '12.5', transactionId: 't-1' } as const satisfies WalletAnswer;
const kindOf = (call: AskedCall, answer: WalletAnswer | undefined) => meaningOfAnswer(call, answer).kind;

test('[SRV-2] a complete answer is done, with the balance in minor units', () => {
  expect(meaningOfAnswer(debit, done)).toEqual({ kind: 'done', balance: 1_250n, transactionId: 't-1' });
});

test('[SRV-2] an answer that repeats the call is done, however its amount is written', () => {
  expect(kindOf(debit, { ...done, id: debit.id.toUpperCase(), userId: 'ann', currency: 'INR', amount: '500' })).toBe(
    'done',
  );
});

test.each([
  ['another id', { id: '0198c0de-0000-7000-8000-000000000002' }],
  ['another user', { userId: 'bob' }],
  ['another currency', { currency: 'USD' }],
  ['another amount', { amount: '500.01' }],
  ['an amount that is none', { amount: 'much' }],
])('[SRV-2] an answer with %s is unknown and alerts staff', (_what, echo) => {
  expect(meaningOfAnswer(debit, { ...done, ...echo })).toMatchObject({ kind: 'unknown', isAlert: true });
  expect(meaningOfAnswer(debit, { result: 'declined', code: 'limit', ...echo })).toMatchObject({ kind: 'unknown' });
});

test.each([
  ['no answer of the contract', undefined],
  ['more decimals than the currency has', { ...done, balance: '1.005' }],
  ['no transactionId', { result: 'done', balance: '1' } as const],
])('[SRV-2] %s is unknown and alerts staff', (_what, answer) => {
  expect(meaningOfAnswer(debit, answer)).toMatchObject({ kind: 'unknown', isAlert: true });
});

test.each(['-500.00', '-0', '-12'])('[SRV-2] the balance %s is none that the user can withdraw', (balance) => {
  expect(withoutNegativeBalance({ ...done, balance })).toEqual({ ...done, balance: '0' });
});

test.each([
  ['no object', 'done'],
  ['nothing', null],
  ['a number', { ...done, balance: -5 }],
  ['a sign alone', { ...done, balance: '-' }],
  ['no amount', { ...done, balance: '-1e3' }],
  ['a balance above zero', done],
])('[SRV-2] %s is read as it is', (_what, body) => {
  expect(withoutNegativeBalance(body)).toBe(body);
});

test('[WD-2] a debit may be declined, with a code, a text for the user and the balance', () => {
  expect(meaningOfAnswer(debit, { result: 'declined', code: 'limit', message: 'Not today', balance: '3' })).toEqual({
    kind: 'declined',
    code: 'limit',
    message: 'Not today',
    balance: 300n,
  });
});

test.each(['credit', 'release'] as const)('[SRV-2] a %s is never declined: a "no" is unknown', (type) => {
  expect(meaningOfAnswer({ ...credit, type }, { result: 'declined', code: 'blocked' })).toMatchObject({
    kind: 'unknown',
    isAlert: true,
  });
});

test('[WD-3] the answer to a question about the balance needs no transactionId', () => {
  const { amount: _none, ...balance } = { ...debit, type: 'balance' } as const;
  expect(meaningOfAnswer(balance, { result: 'done', balance: '0' })).toEqual({ kind: 'done', balance: 0n });
});

test('[SRV-2] only an answer without a contradiction is certain', () => {
  const text = fc.option(fc.string(), { nil: undefined });
  const answer = fc.record(
    { id: text, userId: text, currency: text, amount: text, balance: fc.constant('1') },
    { requiredKeys: ['balance'] },
  );
  fc.assert(
    fc.property(answer, fc.constantFrom<'debit' | 'credit'>('debit', 'credit'), ({ balance, ...echo }, type) => {
      const meaning = meaningOfAnswer(
        { ...debit, type },
        {
          result: 'done',
          balance,
          transactionId: 't',
          ...(echo.id !== undefined && { id: echo.id }),
          ...(echo.userId !== undefined && { userId: echo.userId }),
          ...(echo.currency !== undefined && { currency: echo.currency }),
          ...(echo.amount !== undefined && { amount: echo.amount }),
        },
      );
      const agrees =
        (echo.id ?? debit.id).toLowerCase() === debit.id &&
        (echo.userId ?? 'ann') === 'ann' &&
        (echo.currency ?? 'INR') === 'INR' &&
        Number(echo.amount ?? '500') === 500;
      if (meaning.kind === 'done') expect(agrees).toBe(true);
      else if (echo.amount === undefined) expect(agrees).toBe(false);
    }),
  );
});
