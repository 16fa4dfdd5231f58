import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RENT_MINOR, sharedDifference, UNRECORDED_MINOR } from './shared-balance.ts';

const token = { accepted: 0n, before: 0n, mayBeIn: 0n, mayBeOut: 0n, isOwnCoin: false };

describe('[SRV-1] the balance of wallets that all operators share', () => {
  test('of tokens must be exactly what the books have', () => {
    expect(sharedDifference({ ...token, found: 700n, expected: 700n })).toBe(0n);
    expect(sharedDifference({ ...token, found: 699n, expected: 700n })).toBe(-1n);
    expect(sharedDifference({ ...token, found: 701n, expected: 700n, before: -1n })).toBe(1n);
    expect(sharedDifference({ ...token, found: 300n, expected: 700n, accepted: -400n })).toBe(0n);
  });

  test('of the own coin may have dust and lack rent, and no more', () => {
    const coin = { ...token, isOwnCoin: true, expected: 0n };
    expect(sharedDifference({ ...coin, found: UNRECORDED_MINOR })).toBe(0n);
    expect(sharedDifference({ ...coin, found: UNRECORDED_MINOR + 1n })).toBe(UNRECORDED_MINOR + 1n);
    expect(sharedDifference({ ...coin, expected: RENT_MINOR, found: 0n })).toBe(0n);
    expect(sharedDifference({ ...coin, expected: RENT_MINOR + 1n, found: 0n })).toBe(-RENT_MINOR - 1n);
    const accepted = 5n * UNRECORDED_MINOR;
    expect(sharedDifference({ ...coin, accepted, found: accepted + UNRECORDED_MINOR })).toBe(0n);
  });

  test('keeps a difference while payouts are in progress, until the books are quiet', () => {
    const reading = { ...token, expected: 700n, before: -100n };
    expect(sharedDifference({ ...reading, found: 550n, mayBeOut: 50n })).toBe(-100n);
    expect(sharedDifference({ ...reading, found: 540n, mayBeOut: 50n })).toBe(-110n);
    expect(sharedDifference({ ...reading, found: 700n })).toBe(0n);
  });

  test('whatever happened before, is off by no more than what is in progress, and by nothing once it is accepted', () => {
    const amount = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
    const progress = fc.bigInt({ min: 0n, max: 10n ** 12n });
    fc.assert(
      fc.property(
        fc.record({
          found: amount,
          expected: amount,
          accepted: amount,
          before: amount,
          mayBeIn: progress,
          mayBeOut: progress,
        }),
        fc.boolean(),
        (balance, isOwnCoin) => {
          const difference = sharedDifference({ ...balance, isOwnCoin });
          const rest = balance.found - balance.expected - balance.accepted - difference;
          const [dust, rent] = isOwnCoin ? [UNRECORDED_MINOR, RENT_MINOR] : [0n, 0n];
          expect(rest <= balance.mayBeIn + dust && rest >= -balance.mayBeOut - rent).toBe(true);
          const accepted = balance.accepted + difference;
          expect(sharedDifference({ ...balance, accepted, before: 0n, isOwnCoin })).toBe(0n);
        },
      ),
    );
  });
});
