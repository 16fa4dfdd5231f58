import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOutOfDate, judgeBalance, movedSinceRead, type OpenDifference, type ReadCoins } from './chain-balance.ts';

const quiet = { mayBeIn: 0n, mayBeOut: 0n, open: [] };

describe('[SRV-1] the balance of a chain', () => {
  test('that agrees has no difference, and clears what was open', () => {
    expect(judgeBalance({ found: 500n, expected: 500n, ...quiet })).toEqual({ cleared: [], inProgress: 0n });
    const open = [{ id: 'a', difference: -5n }];
    expect(judgeBalance({ found: 500n, expected: 500n, ...quiet, open })).toEqual({ cleared: ['a'], inProgress: 0n });
  });

  test('that differs raises the difference once, and later only its change', () => {
    const judged = (found: bigint, open: readonly OpenDifference[] = []) =>
      judgeBalance({ found, expected: 500n, ...quiet, open });
    expect(judged(400n)).toEqual({ cleared: [], raised: -100n, inProgress: 0n });
    const open = [{ id: 'a', difference: -100n }];
    expect(judged(400n, open)).toEqual({ cleared: [], inProgress: 0n });
    expect(judged(390n, open)).toEqual({ cleared: [], raised: -10n, inProgress: 0n });
    expect(judged(400n, [...open, { id: 'b', difference: -10n }])).toEqual({ cleared: ['b'], inProgress: 0n });
  });

  test('raises nothing that money in progress may explain, and the least that it cannot', () => {
    const underWay = { mayBeIn: 0n, mayBeOut: 30n, open: [] };
    const judged = (found: bigint) => judgeBalance({ found, expected: 500n, ...underWay });
    expect(judged(470n)).toEqual({ cleared: [], inProgress: -30n });
    expect(judged(500n)).toEqual({ cleared: [], inProgress: 0n });
    expect(judged(460n)).toEqual({ cleared: [], raised: -10n, inProgress: -30n });
    expect(judged(501n)).toEqual({ cleared: [], raised: 1n, inProgress: 0n });
    const arriving = { found: 520n, expected: 500n, mayBeIn: 20n, mayBeOut: 0n, open: [] };
    expect(judgeBalance(arriving)).toEqual({ cleared: [], inProgress: 20n });
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
          expect(verdict.inProgress <= 0n && verdict.inProgress >= -underWay).toBe(true);
        }
      }),
    );
  });
});

/** The last reading, with nothing in progress. */
const LAST = [{ booked: 0n, unknown: 0n, underWay: 0n, hasLeft: false, isOldestEnded: false }];

describe('[SRV-2] a statement of funds since the reading of a chain', () => {
  test('has a payout once that left before the reading and was booked after it', () => {
    const read = { found: 950n, booked: 1000n };
    const { inProgress } = judgeBalance({ found: 950n, expected: 1000n, mayBeIn: 0n, mayBeOut: 50n, open: [] });
    expect(movedSinceRead(1000n, [{ ...read, inProgress }])).toBe(50n);
    expect(movedSinceRead(950n, [{ ...read, inProgress }])).toBe(0n);
  });

  test('has a payout once that left after the reading', () => {
    const { inProgress } = judgeBalance({ found: 1000n, expected: 1000n, mayBeIn: 0n, mayBeOut: 50n, open: [] });
    expect(movedSinceRead(950n, [{ found: 1000n, booked: 1000n, inProgress }])).toBe(-50n);
  });

  test('lacks what is missing beyond payouts at all times, and never a payout, whenever it is booked', () => {
    const amount = fc.bigInt({ min: 1n, max: 50n });
    const move = fc.oneof(
      fc.record({ kind: fc.constantFrom('credit', 'start'), amount }),
      fc.record({ kind: fc.constantFrom('leave', 'book', 'read'), amount: fc.constant(0n) }),
      fc.record({ kind: fc.constant('vanish'), amount: fc.oneof(fc.constant(0n), amount) }),
    );
    fc.assert(
      fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
        const model = new Funds();
        for (const { kind, amount: moved } of moves) {
          model.move(kind, moved);
          if (model.reading === undefined) continue;
          const { found } = model.reading;
          const surplus = found + movedSinceRead(model.ledger, [model.reading]) - model.ledger;
          const missing = model.open.reduce((sum, { difference }) => sum + difference, 0n);
          expect(surplus).toBe(missing);
          // A theft may hide behind payouts in progress until the next reading, and by no more than they are.
          expect(surplus >= -model.vanished && surplus <= model.underWay - model.vanished).toBe(true);
          if (model.vanished === 0n) expect(surplus).toBe(0n);
        }
      }),
    );
  });
});

/** Coins on a chain and in the ledger, with payouts that leave before the ledger books them. The ledger owes users what it has. */
class Funds {
  ledger = 1000n;
  open: OpenDifference[] = [];
  reading: ReadCoins | undefined;
  /** As of the last reading. */
  vanished = 0n;
  underWay = 0n;
  #onChain = 1000n;
  #stolen = 0n;
  #waiting: bigint[] = [];
  #left: bigint[] = [];

  move(kind: string, amount: bigint): void {
    if (kind === 'credit') {
      this.#onChain += amount;
      this.ledger += amount;
    } else if (kind === 'start') this.#waiting.push(amount);
    else if (kind === 'leave') {
      const payout = this.#waiting.shift() ?? 0n;
      this.#onChain -= payout;
      this.#left.push(payout);
    } else if (kind === 'book') this.ledger -= this.#left.shift() ?? 0n;
    else if (kind === 'vanish') {
      this.#onChain -= amount;
      this.#stolen += amount;
    } else this.#read();
  }

  #read(): void {
    this.vanished = this.#stolen;
    this.underWay = [...this.#waiting, ...this.#left].reduce((sum, payout) => sum + payout, 0n);
    const balance = {
      found: this.#onChain,
      expected: this.ledger,
      mayBeIn: 0n,
      mayBeOut: this.underWay,
      open: this.open,
    };
    const { cleared, raised, inProgress } = judgeBalance(balance);
    this.open = this.open.filter(({ id }) => !cleared.includes(id));
    if (raised !== undefined)
      this.open.push({ id: `${this.open.length}-${raised}-${this.ledger}`, difference: raised });
    this.reading = { found: this.#onChain, booked: this.ledger, inProgress };
  }
}

describe('[SRV-1] [SRV-2] a reading', () => {
  const readAt = new Date('2026-01-01T00:00:00Z');
  test.each([
    ['at once', 0, false],
    ['a day later, when the next one is due', 24, false],
    ['a day and a half later', 36, false],
    ['after that', 36.001, true],
    ['months later', 2000, true],
  ])('%s', (_when, hours, isOld) => {
    expect(isOutOfDate(readAt, new Date(readAt.getTime() + hours * 3_600_000))).toBe(isOld);
  });
});
