import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeBalance, type OpenDifference } from './chain-balance.ts';

const quiet = { mayBeIn: 0n, mayBeOut: 0n, open: [] };

describe('[SRV-1] the balance of a chain', () => {
  test('that agrees has no difference, and clears what was open', () => {
    expect(judgeBalance({ found: 500n, expected: 500n, ...quiet })).toEqual({ cleared: [] });
    const open = [{ id: 'a', difference: -5n }];
    expect(judgeBalance({ found: 500n, expected: 500n, ...quiet, open })).toEqual({ cleared: ['a'] });
  });

  test('that differs raises the difference once, and later only its change', () => {
    expect(judgeBalance({ found: 400n, expected: 500n, ...quiet })).toEqual({ cleared: [], raised: -100n });
    const open = [{ id: 'a', difference: -100n }];
    expect(judgeBalance({ found: 400n, expected: 500n, ...quiet, open })).toEqual({ cleared: [] });
    expect(judgeBalance({ found: 390n, expected: 500n, ...quiet, open })).toEqual({ cleared: [], raised: -10n });
    const both = [...open, { id: 'b', difference: -10n }];
    expect(judgeBalance({ found: 400n, expected: 500n, ...quiet, open: both })).toEqual({ cleared: ['b'] });
  });

  test('raises nothing that money in progress may explain, and the least that it cannot', () => {
    const underWay = { mayBeIn: 0n, mayBeOut: 30n, open: [] };
    expect(judgeBalance({ found: 470n, expected: 500n, ...underWay })).toEqual({ cleared: [] });
    expect(judgeBalance({ found: 460n, expected: 500n, ...underWay })).toEqual({ cleared: [], raised: -10n });
    expect(judgeBalance({ found: 501n, expected: 500n, ...underWay })).toEqual({ cleared: [], raised: 1n });
    expect(judgeBalance({ found: 520n, expected: 500n, mayBeIn: 20n, mayBeOut: 0n, open: [] })).toEqual({
      cleared: [],
    });
  });

  test('whatever moves and whatever is ended, the open differences are exactly what nobody has explained', () => {
    const step = fc.record({
      /** A payment or payout that both sides have. */
      booked: fc.bigInt({ min: -50n, max: 50n }),
      /** What only the chain has: lost, doubled or swept coins. */
      unknown: fc.oneof(fc.constant(0n), fc.bigInt({ min: -50n, max: 50n })),
      /** Coins that are in progress while the balance is read. */
      underWay: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 20n })),
      hasLeft: fc.boolean(),
      isOldestEnded: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let [found, expected, id] = [1000n, 1000n, 0];
        let open: OpenDifference[] = [];
        for (const { booked, unknown, underWay, hasLeft, isOldestEnded } of [...steps, ...LAST]) {
          found += booked + unknown;
          expected += booked;
          const [first, ...others] = open;
          if (isOldestEnded && first !== undefined) {
            expected += first.difference;
            open = others;
          }
          const verdict = judgeBalance({
            found: hasLeft ? found - underWay : found,
            expected,
            mayBeIn: 0n,
            mayBeOut: underWay,
            open,
          });
          open = open.filter((one) => !verdict.cleared.includes(one.id));
          if (verdict.raised !== undefined) {
            expect(verdict.raised).not.toBe(0n);
            open.push({ id: String(id++), difference: verdict.raised });
          }
          const sum = open.reduce((total, { difference }) => total + difference, 0n);
          const distance = sum > found - expected ? sum - (found - expected) : found - expected - sum;
          expect(distance <= underWay).toBe(true);
          if (underWay === 0n) expect(sum).toBe(found - expected);
        }
      }),
    );
  });
});

/** The last reading, with nothing in progress. */
const LAST = [{ booked: 0n, unknown: 0n, underWay: 0n, hasLeft: false, isOldestEnded: false }];
