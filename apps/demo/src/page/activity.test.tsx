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
  credits: [],
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

test('what was added and what was withdrawn stand in one list, the newest first', () => {
  const credits = [
    { depositId: 'd-1', amount: '25.00', currency: 'USD', paymentMethod: 'card', at: '2026-01-01T09:00:00Z' },
  ];
  const texts = activityLines(account({ credits, withdrawals: [withdrawal('held')] })).map((line) => line.textContent);
  expect(texts[0]).toMatch(/^Held for a withdrawal by card_withdrawal.*−\$20\.00$/);
  expect(texts[1]).toMatch(/^Added by card.*\+\$25\.00$/);
  expect(activityLines(account({ withdrawals: [withdrawal('back')] }))[0]?.textContent).toMatch(
    /given back.*[^−]\$20\.00$/,
  );
  expect(activityLines(undefined)).toHaveLength(1);
});

test('a person is told of each step of a withdrawal and of a code that came, once', () => {
  const steps = (['held', 'sent', 'paid'] as const).map((status) => account({ withdrawals: [withdrawal(status)] }));
  const told = steps.map((next, index) => newsOf(index === 0 ? account() : steps[index - 1], next));
  expect(told).toEqual(['$20.00 held for your withdrawal.', '$20.00 on its way to you.', '$20.00 paid out.']);
  expect(newsOf(account({ withdrawals: [withdrawal('sent')] }), account({ withdrawals: [withdrawal('back')] }))).toBe(
    '$20.00 back on your balance.',
  );
  const codes = [{ withdrawalId: 'w-1', code: '123456', channel: 'email', expires: '2090-01-01T00:00:00Z' }];
  expect(newsOf(account(), account({ codes }))).toMatch(/code has come by e-mail/);
  expect(newsOf(account({ codes }), account({ codes }))).toBeUndefined();
});
