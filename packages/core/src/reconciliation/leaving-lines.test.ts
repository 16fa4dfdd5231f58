import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FileToLeave, type LeftSoFar, whyLinesStay } from './leaving-lines.ts';

const ended: FileToLeave = {
  comparedAt: 500n,
  openMismatches: 0,
  waitingBookings: 0,
  lastBookedAt: 400n,
};
const left: LeftSoFar = { closedAt: 500n, ledgerLeftUntil: 401n };

describe('[SRV-2] the lines of a settlement file', () => {
  test.each<[string, Partial<FileToLeave>, Partial<LeftSoFar>]>([
    ['all have ended, the last close has counted them and their payments have left', {}, {}],
    [
      'fees alone, such as a monthly invoice, name no payment',
      { lastBookedAt: undefined },
      { ledgerLeftUntil: undefined },
    ],
    ['the operator closes no days, since its first close counts no lines', {}, { closedAt: undefined }],
  ])('leave when %s', (_what, file, soFar) => {
    expect(whyLinesStay({ ...ended, ...file }, { ...left, ...soFar })).toBeUndefined();
  });

  test.each<[string, Partial<FileToLeave>, Partial<LeftSoFar>, string]>([
    ['an import was interrupted', { comparedAt: undefined }, {}, 'not-compared'],
    ['a mismatch waits for two people', { openMismatches: 1 }, {}, 'mismatch-open'],
    ['a booking waits for a second person', { waitingBookings: 1 }, {}, 'booking-waits'],
    ['it was compared after the last close', { comparedAt: 501n }, {}, 'day-not-closed'],
    ['the ledger has not left', {}, { ledgerLeftUntil: undefined }, 'payment-here'],
    ['the ledger of its last payment is here', { lastBookedAt: 401n }, {}, 'payment-here'],
  ])('stay while %s', (_what, file, soFar, reason) => {
    expect(whyLinesStay({ ...ended, ...file }, { ...left, ...soFar })).toBe(reason);
  });

  const time = fc.bigInt({ min: 0n, max: 100n });
  const atMost = (most: bigint) => fc.bigInt({ min: 0n, max: most });
  const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
  /** A file whose lines may leave, and what has happened until then. */
  const mayLeave: fc.Arbitrary<{ readonly file: FileToLeave; readonly now: LeftSoFar }> = fc
    .record({
      closedAt: maybe(time),
      leftUntil: fc.bigInt({ min: 1n, max: 100n }),
      isNamed: fc.boolean(),
      wasLeft: fc.boolean(),
    })
    .chain(({ closedAt, leftUntil, isNamed, wasLeft }) =>
      fc.record({
        file: fc.record({
          comparedAt: atMost(closedAt ?? 200n),
          openMismatches: fc.constant(0),
          waitingBookings: fc.constant(0),
          lastBookedAt: isNamed ? atMost(leftUntil - 1n) : fc.constant(undefined),
        }),
        now: fc.constant({ closedAt, ledgerLeftUntil: isNamed || wasLeft ? leftUntil : undefined }),
      }),
    );
  const more = fc.bigInt({ min: 1n, max: 50n });
  type Change = (one: FileToLeave, now: LeftSoFar, by: bigint) => [FileToLeave, LeftSoFar];
  const changes: readonly Change[] = [
    (one, now) => [{ ...one, comparedAt: undefined }, now],
    (one, now, by) => [{ ...one, openMismatches: Number(by) }, now],
    (one, now, by) => [{ ...one, waitingBookings: Number(by) }, now],
    (one, now, by) => [one, { ...now, closedAt: (one.comparedAt ?? 0n) - by }],
    (one, now, by) => [{ ...one, lastBookedAt: (now.ledgerLeftUntil ?? 0n) + by - 1n }, now],
    (one, now, by) => [
      { ...one, lastBookedAt: by },
      { ...now, ledgerLeftUntil: undefined },
    ],
  ];

  test('may leave, and stay when any of the conditions no longer holds', () => {
    fc.assert(
      fc.property(mayLeave, fc.constantFrom(...changes), more, ({ file, now }, change, by) => {
        expect(whyLinesStay(file, now)).toBeUndefined();
        expect(whyLinesStay(...change(file, now, by))).toBeDefined();
      }),
    );
  });

  test('that may leave may still leave after more closes and when more of the ledger has left', () => {
    fc.assert(
      fc.property(mayLeave, time, time, ({ file, now }, later, alsoLater) => {
        const closedAt = now.closedAt === undefined ? undefined : now.closedAt + later;
        const ledgerLeftUntil = (now.ledgerLeftUntil ?? 0n) + alsoLater;
        expect(whyLinesStay(file, { closedAt, ledgerLeftUntil })).toBeUndefined();
      }),
    );
  });

  test('of an operator without a close may leave after its first close, if they were compared before', () => {
    fc.assert(
      fc.property(mayLeave, time, ({ file, now }, later) => {
        const closedAt = (file.comparedAt ?? 0n) + later;
        expect(whyLinesStay(file, { ...now, closedAt })).toBeUndefined();
      }),
    );
  });
});
