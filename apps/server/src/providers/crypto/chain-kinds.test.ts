import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BOOK_DECIMALS, chainKeyOf, toMinor, toRaw } from './chain-kinds.ts';

const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });
const decimals = fc.integer({ min: 0, max: 36 });

describe("[CRY-2] between a chain's unit and the ledger's unit", () => {
  test('the amount to send is never below the requested amount, and less than one unit above it', () => {
    fc.assert(
      fc.property(amount, decimals, (minor, places) => {
        const back = toMinor(toRaw(minor, places), places);
        const unit = places >= BOOK_DECIMALS ? 1n : 10n ** BigInt(BOOK_DECIMALS - places);
        expect(back).toBeGreaterThanOrEqual(minor);
        expect(back - minor).toBeLessThan(unit);
      }),
    );
  });

  test('a payment is never booked as more than was sent', () => {
    fc.assert(
      fc.property(amount, decimals, (raw, places) => {
        const booked = toMinor(raw, places) * 10n ** BigInt(places);
        const came = raw * 10n ** BigInt(BOOK_DECIMALS);
        expect(booked).toBeLessThanOrEqual(came);
        // Less than one unit of the ledger is lost by rounding.
        expect(came - booked).toBeLessThan(10n ** BigInt(places));
      }),
    );
  });

  test('two payments are never booked as more than one payment of their sum', () => {
    fc.assert(
      fc.property(amount, amount, decimals, (one, other, places) => {
        expect(toMinor(one, places) + toMinor(other, places)).toBeLessThanOrEqual(toMinor(one + other, places));
      }),
    );
  });

  test.each([
    [1_234_567_891_234_567_899n, 18, 123_456_789n],
    [1_500_000n, 6, 150_000_000n],
    [9_999_999_999n, 18, 0n],
    [7n, 0, 700_000_000n],
  ])('%s of %i decimals are %s in the ledger', (raw, places, minor) => {
    expect(toMinor(raw, places)).toBe(minor);
  });
});

test.each([
  ['trc20', 'tron'],
  ['TRC-20', 'tron'],
  ['erc20', 'ethereum'],
  ['BEP20', 'bsc'],
  ['Base', 'base'],
  ['Polygon', 'polygon'],
  ['matic', 'polygon'],
  ['bitcoin', 'bitcoin'],
  ['monero', undefined],
  ['constructor', undefined],
])('the network %s is the chain %s', (network, chain) => {
  expect(chainKeyOf(network)).toBe(chain);
});
