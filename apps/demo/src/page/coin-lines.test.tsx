// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { activityLines, newsOf } from './activity.ts';
import type { Account } from './backend.ts';
import { coinLines } from './coin-lines.ts';

const box: Account['deposits'][number] = {
  depositId: 'd-1',
  amount: '9.99',
  currency: 'USD',
  paymentMethod: 'card',
  status: 'added',
  at: '2026-01-01T09:00:00Z',
  coins: { GC: '10000.00', SC: '10.00' },
};
const money: Account['deposits'][number] = { ...box, depositId: 'd-2', bonus: { amount: '5.00' } };
const { coins: _coins, ...plain } = money;
const account: Account = {
  user: { id: 'ada', name: 'Ada', country: 'DE', currency: 'USD' },
  balances: {},
  held: {},
  withdrawals: [
    {
      withdrawalId: 'w-1',
      accountType: 'main',
      amount: '4.00',
      currency: 'SC',
      paymentMethod: 'usdt_trc20',
      status: 'held',
      at: '2026-01-01T10:00:00Z',
    },
  ],
  codes: [],
  owed: {},
  deposits: [box, plain],
};
const textsOf = (lines: readonly HTMLElement[]) => lines.map(({ textContent }) => textContent);

test('coins stand with the webhook that reported them, and money does not', () => {
  expect(textsOf(coinLines(account))).toEqual([
    expect.stringMatching(/^withdrawal\.…redemption, on hold.*−4\.00 SC$/),
    expect.stringMatching(/^deposit\.processedcoin box.*\+10,000\.00 GC, \+10\.00 SC$/),
  ]);
  const back = { ...account, withdrawals: [], deposits: [{ ...box, status: 'taken-back' as const }] };
  expect(textsOf(coinLines(back))).toEqual([expect.stringMatching(/^deposit\.reversed.*−10,000\.00 GC, −10\.00 SC$/)]);
  expect(textsOf(coinLines(undefined))).toEqual(['None yet. Buy a coin box.']);
});

test('the activity names what was received: coins, or money with its bonus', () => {
  const texts = textsOf(activityLines(account));
  expect(texts[1]).toMatch(/^Added by card.*\+10,000\.00 GC, \+10\.00 SC$/);
  expect(texts[2]).toMatch(/^Added by card, with a bonus of \$5\.00.*\+\$9\.99$/);
  const before = { ...account, deposits: [plain] };
  expect(newsOf(before, account)).toBe('10,000.00 GC and 10.00 SC were added to your balance.');
});
