import type { Bonus } from '@opencashier/contract/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bonusBounds } from './bonus.ts';
import { bonusAmount } from './bonus-amount.ts';

const bonus: Bonus = {
  id: '1',
  type: 'deposit',
  currency: 'USD',
  content: { title: 'Bonus' },
  depositBonusData: {
    minDeposit: '10',
    maxBonusAmount: '250',
    percent: 33.3,
    payoutMultiplier: 3,
    wagerMultiplier: 30,
  },
};
const usd = (minor: bigint) => ({ currency: 'USD', minor });

test('[BON-3] a bonus is the deposit, capped at its maximum, times percent / 100, rounded down', () => {
  expect(bonusAmount(bonus, usd(10_001n))?.minor).toBe(3_330n);
  expect(bonusAmount(bonus, usd(25_000n))?.minor).toBe(8_325n);
  expect(bonusAmount(bonus, usd(99_999_999n))?.minor).toBe(8_325n);
  expect(bonusAmount(bonus, usd(1_000n))?.minor).toBe(333n);
});

test('a bonus gives nothing below the minimum, in another currency, or for free spins', () => {
  expect(bonusAmount(bonus, usd(999n))).toBeUndefined();
  expect(bonusAmount(bonus, { currency: 'EUR', minor: 10_000n })).toBeUndefined();
  expect(bonusAmount({ ...bonus, type: 'freespin' }, usd(10_000n))).toBeUndefined();
});

test('[BON-3] a bonus never exceeds its bounds, and never gives less for a larger deposit', () => {
  const most = bonusBounds(bonus)?.maxBonus.minor ?? 0n;
  const amounts = fc.bigInt({ min: 1_000n, max: 10n ** 12n });
  fc.assert(
    fc.property(amounts, amounts, (one, other) => {
      const [less, more] = one < other ? [one, other] : [other, one];
      const [low, high] = [bonusAmount(bonus, usd(less))?.minor ?? -1n, bonusAmount(bonus, usd(more))?.minor ?? -1n];
      expect(low <= high && high <= most).toBe(true);
    }),
  );
});
