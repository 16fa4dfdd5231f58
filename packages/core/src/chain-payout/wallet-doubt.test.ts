import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { doubtOf, MOST_BEHIND_MS, type OwnSlots, type SlotClaim, smallestNext } from './wallet-doubt.ts';

const counter = (spent: number, next = spent): SlotClaim => ({
  kind: 'counter',
  spent: BigInt(spent),
  next: BigInt(next),
});
const own = (spent?: number, reserved?: number): OwnSlots => ({
  spent: spent === undefined ? undefined : BigInt(spent),
  reserved: reserved === undefined ? undefined : BigInt(reserved),
  isSpent: false,
});

describe('a wallet with a counter', () => {
  test('[WD-2] pays while its nodes say what the payouts explain', () => {
    expect(doubtOf(['7'], own(7, 7), [counter(7)])).toBeUndefined();
    // Payouts 5 and 6 are on their way, and the second node has only one of them.
    expect(doubtOf(['7'], own(5, 7), [counter(5, 7), counter(5, 6)])).toBeUndefined();
  });

  test('[WD-2] waits for a node that lacks a final payment', () => {
    expect(doubtOf(['7'], own(7, 7), [counter(6)])).toBe('node-behind');
    expect(doubtOf(['7'], own(7, 7), [counter(7), counter(6)])).toBe('node-behind');
  });

  test('[WD-2] waits while one node alone is ahead, and stops when all are', () => {
    expect(doubtOf(['9'], own(7, 7), [counter(9), counter(7)])).toBe('nodes-disagree');
    expect(doubtOf(['9'], own(7, 7), [counter(9), counter(6)])).toBe('nodes-disagree');
    expect(doubtOf(['9'], own(7, 7), [counter(9), counter(8)])).toBe('used-elsewhere');
    // A transaction of a stranger that is in no block yet.
    expect(doubtOf(['8'], own(7, 7), [counter(7, 8)])).toBe('used-elsewhere');
  });

  test('[WD-2] compares the slot itself, which another machine of the node may have named', () => {
    expect(doubtOf(['6'], own(7, 7), [counter(7)])).toBe('nodes-disagree');
    expect(doubtOf(['90'], own(7, 7), [counter(7)])).toBe('nodes-disagree');
  });

  test('[WD-2] begins with a history of its own only when all nodes say the same', () => {
    expect(doubtOf(['3'], own(), [counter(3), counter(3)])).toBeUndefined();
    expect(doubtOf(['3'], own(), [counter(3), counter(2)])).toBe('nodes-disagree');
    expect(doubtOf(['4'], own(), [counter(3, 4)])).toBe('nodes-disagree');
  });
});

test('[WD-2] staff can accept what all nodes have in a block, and no more', () => {
  expect(smallestNext([counter(9), counter(8, 10)])).toBe(8n);
  expect(smallestNext([{ kind: 'outputs', unspent: ['a:0'] }])).toBeUndefined();
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1 }), (spent) => {
      const accepted = smallestNext(spent.map((one) => counter(one))) ?? -1n;
      expect(spent.every((one) => accepted <= BigInt(one)) && spent.includes(Number(accepted))).toBe(true);
    }),
  );
});

/** A chain that took `spent` transactions of ours, `strangers` others, and has `waiting` of ours in no block. */
const world = fc.record({
  spent: fc.integer({ min: 1, max: 50 }),
  waiting: fc.integer({ min: 0, max: 16 }),
  lags: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 4 }),
  strangers: fc.integer({ min: 0, max: 5 }),
  isFinal: fc.boolean(),
});

test('[WD-2] no slot passes that an ended payout spent or that no payout explains, whatever nodes lag', () => {
  fc.assert(
    fc.property(world, fc.integer({ min: 0, max: 99 }), ({ spent, waiting, lags, strangers }, wanted) => {
      const known = own(spent, spent + waiting);
      const total = spent + waiting + strangers;
      const claims = lags.map((lag) => counter(Math.max(0, total - lag)));
      if (doubtOf([String(wanted)], known, claims) !== undefined) return;
      expect(wanted).toBeGreaterThanOrEqual(spent);
      expect(wanted).toBeLessThanOrEqual(spent + waiting);
      expect(Math.max(...lags.map((lag) => total - lag))).toBeLessThanOrEqual(spent + waiting);
      expect(Math.min(...lags.map((lag) => total - lag))).toBeGreaterThanOrEqual(spent);
    }),
  );
});

test('[WD-2] fresh nodes never hold up a wallet that only the cashier uses', () => {
  fc.assert(
    fc.property(world, ({ spent, waiting, lags, isFinal }) => {
      // A block may have payouts that the cashier does not count as ended yet.
      const known = own(isFinal ? spent : spent - 1, spent + waiting);
      const claims = lags.map(() => counter(spent, spent + waiting));
      expect(doubtOf([String(spent + waiting)], known, claims)).toBeUndefined();
    }),
  );
});

test('[WD-2] a wallet that was used elsewhere stops as soon as all nodes show it, and before that it waits or pays', () => {
  fc.assert(
    fc.property(world, ({ spent, waiting, lags, strangers }) => {
      fc.pre(strangers > 0);
      const known = own(spent, spent + waiting);
      const total = spent + waiting + strangers;
      const claims = lags.map((lag) => counter(Math.max(0, total - lag)));
      const isSeenByAll = lags.every((lag) => lag < strangers);
      const doubt = doubtOf([String(total)], known, claims);
      expect(doubt === 'used-elsewhere').toBe(isSeenByAll);
      expect(doubt).toBeDefined();
    }),
  );
});

describe('a wallet with outputs', () => {
  const outputs = (...unspent: string[]): SlotClaim => ({ kind: 'outputs', unspent });
  test('[WD-2] spends only what all nodes show as unspent, and what no ended payout has spent', () => {
    expect(doubtOf(['a:0'], own(), [outputs('a:0', 'b:1'), outputs('a:0')])).toBeUndefined();
    expect(doubtOf(['a:0', 'b:1'], own(), [outputs('a:0', 'b:1'), outputs('a:0')])).toBe('nodes-disagree');
    expect(doubtOf(['a:0'], { ...own(), isSpent: true }, [outputs('a:0')])).toBe('node-behind');
  });
});

describe('a transaction that names a block', () => {
  const claim = (newestAt: number, hasBlock = true): SlotClaim => ({ kind: 'reference', newestAt, hasBlock });
  test('[WD-2] is prepared only when all nodes have the block and none is behind', () => {
    expect(doubtOf(['h'], own(), [claim(0), claim(MOST_BEHIND_MS)])).toBeUndefined();
    expect(doubtOf(['h'], own(), [claim(0), claim(MOST_BEHIND_MS + 1)])).toBe('node-behind');
    expect(doubtOf(['h'], own(), [claim(0), claim(0, false)])).toBe('nodes-disagree');
  });
});
