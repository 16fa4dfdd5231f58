import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSameShared, isUnwatched, needsStaff, sharedDifference, toleranceOf } from './shared-balance.ts';

const token = { accepted: 0n, before: 0n, mayBeIn: 0n, mayBeOut: 0n, isOwnCoin: false };
const { dust: DUST, rent: RENT } = toleranceOf(true);

describe('[SRV-1] the balance of wallets that all operators share', () => {
  test('of tokens must be exactly what the books have', () => {
    expect(sharedDifference({ ...token, found: 700n, expected: 700n })).toBe(0n);
    expect(sharedDifference({ ...token, found: 699n, expected: 700n })).toBe(-1n);
    expect(sharedDifference({ ...token, found: 701n, expected: 700n, before: -1n })).toBe(1n);
    expect(sharedDifference({ ...token, found: 300n, expected: 700n, accepted: -400n })).toBe(0n);
  });

  test('of the own coin may have dust and lack rent, and no more', () => {
    const coin = { ...token, isOwnCoin: true, expected: 0n };
    expect(sharedDifference({ ...coin, found: DUST })).toBe(0n);
    expect(sharedDifference({ ...coin, found: DUST + 1n })).toBe(DUST + 1n);
    expect(sharedDifference({ ...coin, expected: RENT, found: 0n })).toBe(0n);
    expect(sharedDifference({ ...coin, expected: RENT + 1n, found: 0n })).toBe(-RENT - 1n);
    const accepted = 5n * DUST;
    expect(sharedDifference({ ...coin, accepted, found: accepted + DUST })).toBe(0n);
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
          const { dust, rent } = toleranceOf(isOwnCoin);
          expect(rest <= balance.mayBeIn + dust && rest >= -balance.mayBeOut - rent).toBe(true);
          const accepted = balance.accepted + difference;
          expect(sharedDifference({ ...balance, accepted, before: 0n, isOwnCoin })).toBe(0n);
        },
      ),
    );
  });

  test('has the difference that people agreed to, although a stranger sent dust or the network took rent since', () => {
    const coin = toleranceOf(true);
    for (const rest of [0n, DUST, -RENT]) expect(isSameShared(-500n * DUST, -500n * DUST + rest, coin)).toBe(true);
    for (const rest of [DUST + 1n, -RENT - 1n])
      expect(isSameShared(-500n * DUST, -500n * DUST + rest, coin)).toBe(false);
    expect(isSameShared(-RENT - 1n, 0n, coin)).toBe(false);
    expect(isSameShared(-5n, -5n, toleranceOf(false))).toBe(true);
    expect(isSameShared(-5n, -4n, toleranceOf(false))).toBe(false);
  });

  const hours = (n: number) => n * 3_600_000;

  test('that no server watches for three days and that no settings name is unwatched, and needs nobody if it agreed', () => {
    const old = { difference: 0n, isOutOfDate: true };
    const left = { unwatchedForMs: hours(72) + 1, isInSettings: false };
    expect(isUnwatched(left)).toBe(true);
    expect(needsStaff(old, left)).toBe(false);
    expect(needsStaff({ ...old, difference: -5n }, left)).toBe(true);
    for (const watch of [
      { ...left, unwatchedForMs: hours(72) },
      { ...left, isInSettings: true },
    ]) {
      expect(isUnwatched(watch)).toBe(false);
      expect(needsStaff(old, watch)).toBe(true);
    }
    const watched = { unwatchedForMs: 0, isInSettings: false };
    expect(needsStaff({ difference: 0n, isOutOfDate: true }, watched)).toBe(true);
    expect(needsStaff({ difference: 1n, isOutOfDate: false }, watched)).toBe(true);
    expect(needsStaff({ difference: 0n, isOutOfDate: false }, watched)).toBe(false);
  });

  test('needs staff however long its node fails, while one server or these settings name it', () => {
    const watch = fc.record({ unwatchedForMs: fc.nat({ max: hours(2_000) }), isInSettings: fc.boolean() });
    const reading = fc.record({ difference: fc.bigInt({ min: -9n, max: 9n }), isOutOfDate: fc.boolean() });
    fc.assert(
      fc.property(watch, reading, fc.nat({ max: hours(72) }), (asked, read, recentMs) => {
        const isWrong = read.difference !== 0n || read.isOutOfDate;
        expect(needsStaff(read, { ...asked, isInSettings: true })).toBe(isWrong);
        expect(needsStaff(read, { ...asked, unwatchedForMs: recentMs })).toBe(isWrong);
        if (read.difference !== 0n) expect(needsStaff(read, asked)).toBe(true);
        // Once unwatched, a coin stays so until somebody names it again.
        if (isUnwatched(asked))
          expect(isUnwatched({ ...asked, unwatchedForMs: asked.unwatchedForMs + recentMs })).toBe(true);
      }),
    );
  });

  test('leaves no difference once people have accepted one that was the same', () => {
    const amount = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
    const near = fc.bigInt({ min: -3n * DUST, max: 3n * DUST });
    fc.assert(
      fc.property(amount, amount, near, fc.boolean(), (expected, agreed, rest, isOwnCoin) => {
        const balance = { ...token, expected, isOwnCoin, found: expected + agreed + rest };
        const difference = sharedDifference(balance);
        const { dust, rent } = toleranceOf(isOwnCoin);
        const isSame = isSameShared(agreed, difference, { dust, rent });
        expect(isSame).toBe(difference !== 0n && -rent <= rest && rest <= dust);
        if (isSame) expect(sharedDifference({ ...balance, accepted: agreed })).toBe(0n);
      }),
    );
  });
});
