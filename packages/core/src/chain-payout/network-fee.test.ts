import fc from 'fast-check';
import { expect, test } from 'vitest';
import { networkFeeLines, networkFeeMinor } from './network-fee.ts';

test('[WD-2] a fee is booked in units of the ledger, and a part of a unit counts as one', () => {
  // 21,000 gas at 30 gwei: 0.00063 ETH.
  expect(networkFeeMinor({ raw: 630_000_000_000_000n, decimals: 18 })).toBe(63_000n);
  expect(networkFeeMinor({ raw: 1n, decimals: 18 })).toBe(1n);
  expect(networkFeeMinor({ raw: 705n, decimals: 8 })).toBe(705n);
  expect(networkFeeMinor({ raw: 345_000n, decimals: 6 })).toBe(34_500_000n);
  expect(networkFeeMinor({ raw: 0n, decimals: 9 })).toBe(0n);
  expect(() => networkFeeMinor({ raw: -1n, decimals: 8 })).toThrow(RangeError);
});

test('[WD-2] no fee is booked too small, or by a whole unit too large', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 24n), fc.integer({ min: 0, max: 18 }), (raw, decimals) => {
      const booked = networkFeeMinor({ raw, decimals }) * 10n ** 18n;
      const paid = raw * 10n ** BigInt(8 + 18 - decimals);
      expect(booked).toBeGreaterThanOrEqual(paid);
      expect(booked - paid).toBeLessThan(10n ** 18n);
    }),
  );
});

test('[WD-2] the lines of a fee sum to zero in the coin of the chain, and a free payout has none', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 18n), (minor) => {
      const lines = networkFeeLines('crypto', 'ETH', minor);
      expect(lines.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
      expect(lines.map(({ asset }) => asset)).toEqual(minor === 0n ? [] : ['ETH', 'ETH']);
      expect(lines.find(({ kind }) => kind === 'network_fee')?.amount ?? 0n).toBe(-minor);
    }),
  );
});
