import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitPayout } from '../withdrawal/withdrawal-fee.ts';
import { coinOf } from './coins.ts';
import { redeemableOf, unplayedOf } from './playthrough.ts';

test('[AMT-9] both codes of a coin are one coin of the ledger, and a fiat code is no coin', () => {
  expect(['GC', 'SC', 'QSC', 'QGC', 'sc'].map(coinOf)).toEqual(['GC', 'SC', 'SC', 'SC', 'SC']);
  expect(['USD', 'USDT', 'GCC', ''].map(coinOf)).toEqual([undefined, undefined, undefined, undefined]);
});

test('[SWP-2] granted coins must be staked as often as the operator says, and extra play is no debt', () => {
  expect(unplayedOf({ granted: 2_000n, played: 0n }, '1')).toBe(2_000n);
  expect(unplayedOf({ granted: 2_000n, played: 500n }, '1')).toBe(1_500n);
  expect(unplayedOf({ granted: 2_000n, played: 9_999n }, '3')).toBe(0n);
  expect(unplayedOf({ granted: 3n, played: 0n }, '1.5')).toBe(5n);
  expect(unplayedOf({ granted: 2_000n, played: 0n }, '0')).toBe(0n);
  expect(() => unplayedOf({ granted: 1n, played: 0n }, 'twice')).toThrow(RangeError);
});

test('[SWP-2] play only frees coins, and a grant at factor one binds at most its own coins', () => {
  const minor = fc.bigInt({ min: 0n, max: 10n ** 12n });
  fc.assert(
    fc.property(minor, minor, minor, minor, (granted, played, more, balance) => {
      const before = redeemableOf(balance, unplayedOf({ granted, played }, '1'));
      const afterPlay = redeemableOf(balance, unplayedOf({ granted, played: played + more }, '1'));
      const afterGrant = redeemableOf(balance + more, unplayedOf({ granted: granted + more, played }, '1'));
      expect(afterPlay).toBeGreaterThanOrEqual(before);
      // Coins granted now cannot be redeemed by stakes that were made before there was anything to play.
      if (played <= granted) expect(afterGrant).toBe(before);
      for (const redeemable of [before, afterPlay, afterGrant]) expect(redeemable).toBeGreaterThanOrEqual(0n);
      expect(before).toBeLessThanOrEqual(balance);
    }),
  );
});

test('[SWP-2] the fee is kept in coins, and the rest is converted once, rounded down', () => {
  expect(splitPayout({ currency: 'SC', minor: 10_000n }, { fixed: '1.00' }, 'USDT', '1')).toEqual({
    fee: 100n,
    receives: 9_900n,
    payout: 9_900_000_000n,
  });
  expect(splitPayout({ currency: 'SC', minor: 10_000n }, undefined, 'BTC', '0.000016')).toMatchObject({
    fee: 0n,
    payout: 160_000n,
  });
  expect(splitPayout({ currency: 'SC', minor: 1n }, undefined, 'BTC', '0.0000003')).toMatchObject({ payout: 0n });
  expect(splitPayout({ currency: 'SC', minor: 50n }, { fixed: '1.00' }, 'USDT', '1')).toMatchObject({
    receives: -50n,
    payout: 0n,
  });
});

test('[SWP-2] two redemptions never pay more than one of the same total', () => {
  const minor = fc.bigInt({ min: 1n, max: 10n ** 10n });
  const rate = fc.integer({ min: 1, max: 10 ** 9 }).map((digits) => `0.${String(digits).padStart(10, '0')}`);
  fc.assert(
    fc.property(minor, minor, rate, (one, other, rateText) => {
      const of = (amount: bigint) => splitPayout({ currency: 'SC', minor: amount }, undefined, 'BTC', rateText).payout;
      expect(of(one) + of(other)).toBeLessThanOrEqual(of(one + other));
    }),
  );
});
