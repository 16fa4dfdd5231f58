// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { activityLines, newsOf } from './activity.ts';
import type { Account } from './backend.ts';

const account = (change: Partial<Account> = {}): Account => ({
  user: { id: 'ada', name: 'Ada', country: 'DE', currency: 'USD' },
  balances: {},
  held: {},
  withdrawals: [],
  codes: [],
  owed: {},
  deposits: [],
  ...change,
});

const withdrawal = (status: Account['withdrawals'][number]['status'], at = '2026-01-01T10:00:00Z') => ({
  withdrawalId: 'w-1',
  accountType: 'main' as const,
  amount: '20.00',
  currency: 'USD',
  paymentMethod: 'card_withdrawal',
  status,
  at,
});

const deposit = (status: Account['deposits'][number]['status']) => ({
  depositId: 'd-1',
  amount: '25.00',
  currency: 'USD',
  paymentMethod: 'card',
  status,
  at: '2026-01-01T09:00:00Z',
});

test('what was added and what was withdrawn stand in one list, the newest first', () => {
  const deposits = [deposit('added')];
  const texts = activityLines(account({ deposits, withdrawals: [withdrawal('held')] })).map((line) => line.textContent);
  expect(texts[0]).toMatch(/^On hold for a withdrawal by card_withdrawal.*−\$20\.00$/);
  expect(texts[1]).toMatch(/^Added by card.*\+\$25\.00$/);
  expect(activityLines(account({ withdrawals: [withdrawal('back')] }))[0]?.textContent).toMatch(
    /Withdrawal returned.*[^−]\$20\.00$/,
  );
  expect(activityLines(undefined)).toHaveLength(1);
});

test('a person is told of each step of a withdrawal and of a code that came, once', () => {
  const steps = (['held', 'sent', 'paid'] as const).map((status) => account({ withdrawals: [withdrawal(status)] }));
  const told = steps.map((next, index) => newsOf(index === 0 ? account() : steps[index - 1], next));
  expect(told).toEqual([
    '$20.00 is on hold for your withdrawal.',
    '$20.00 is on its way to you.',
    '$20.00 was paid out.',
  ]);
  expect(newsOf(account({ withdrawals: [withdrawal('sent')] }), account({ withdrawals: [withdrawal('back')] }))).toBe(
    '$20.00 was returned to your balance.',
  );
  expect(newsOf(account(), account({ withdrawals: [withdrawal('not-made')] }))).toBe(
    'The withdrawal of $20.00 was not made. Your balance has not changed.',
  );
  const codes = [{ withdrawalId: 'w-1', code: '123456', channel: 'email', expires: '2090-01-01T00:00:00Z' }];
  expect(newsOf(account(), account({ codes }))).toMatch(/sent your code by email/);
  expect(newsOf(account({ codes }), account({ codes }))).toBeUndefined();
});

test('a person is told of each step of a deposit, and sees what was taken back again', () => {
  const steps = (['in-review', 'added', 'taken-back'] as const).map((status) =>
    account({ deposits: [deposit(status)] }),
  );
  expect(steps.map((next, index) => newsOf(index === 0 ? account() : steps[index - 1], next))).toEqual([
    'We are reviewing your payment of $25.00.',
    '$25.00 was added to your balance.',
    'The payment provider reversed $25.00.',
  ]);
  expect(activityLines(steps[2])[0]?.textContent).toMatch(/^Reversed by card.*−\$25\.00$/);
  const unpaid = account({ deposits: [deposit('not-paid')] });
  expect(newsOf(account(), unpaid)).toBe('$25.00 was not paid. Nothing was added to your balance.');
  expect(activityLines(unpaid)[0]?.textContent).toMatch(/^Not paid by card.*[^−+]\$25\.00$/);
});
