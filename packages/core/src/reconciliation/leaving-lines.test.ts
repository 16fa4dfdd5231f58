import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FileToLeave, type LeftSoFar, whyLinesStay } from './leaving-lines.ts';

const ended: FileToLeave = {
  isCompared: true,
  comparedAt: 500n,
  lastDay: '2024-01-31',
  waitingLines: 0,
  openMismatches: 0,
  waitingBookings: 0,
  lastBookedAt: 400n,
};
const left: LeftSoFar = { closedDay: '2024-01-31', closedAt: 500n, ledgerLeftUntil: 401n };

describe('[SRV-2] the lines of a settlement file', () => {
  test('leave when all have ended, their days are closed and their payments have left', () => {
    expect(whyLinesStay(ended, left)).toBeUndefined();
    // Fees alone, such as a monthly invoice of a provider, name no payment.
    expect(
      whyLinesStay({ ...ended, lastBookedAt: undefined }, { ...left, ledgerLeftUntil: undefined }),
    ).toBeUndefined();
  });

  test.each<[string, Partial<FileToLeave>, Partial<LeftSoFar>, string]>([
    ['an import was interrupted', { isCompared: false, comparedAt: undefined }, {}, 'not-compared'],
    ['a line has neither an entry nor an ended mismatch', { waitingLines: 1 }, {}, 'line-waits'],
    ['a mismatch waits for two people', { openMismatches: 1 }, {}, 'mismatch-open'],
    ['a booking waits for a second person', { waitingBookings: 1 }, {}, 'booking-waits'],
    ['no day was closed', {}, { closedDay: undefined, closedAt: undefined }, 'day-not-closed'],
    ['the last close is of an earlier day', {}, { closedDay: '2024-01-30' }, 'day-not-closed'],
    ['it was compared after the last close', { comparedAt: 501n }, {}, 'day-not-closed'],
    ['the ledger has not left', {}, { ledgerLeftUntil: undefined }, 'payment-here'],
    ['the ledger of its last payment is here', { lastBookedAt: 401n }, {}, 'payment-here'],
  ])('stay while %s', (_what, file, soFar, reason) => {
    expect(whyLinesStay({ ...ended, ...file }, { ...left, ...soFar })).toBe(reason);
  });

  const time = fc.bigInt({ min: 0n, max: 20n });
  const day = fc.constantFrom('2024-01-01', '2024-01-02', '2024-01-03');
  const count = fc.nat({ max: 1 });
  const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
  const file: fc.Arbitrary<FileToLeave> = fc.record({
    isCompared: fc.boolean(),
    comparedAt: maybe(time),
    lastDay: maybe(day),
    waitingLines: count,
    openMismatches: count,
    waitingBookings: count,
    lastBookedAt: maybe(time),
  });
  const soFar: fc.Arbitrary<LeftSoFar> = fc.record({
    closedDay: maybe(day),
    closedAt: maybe(time),
    ledgerLeftUntil: maybe(time),
  });

  test('never leave before their payments, before the close of each of their days, or while anything waits', () => {
    fc.assert(
      fc.property(file, soFar, (one, now) => {
        if (whyLinesStay(one, now) !== undefined) return;
        expect(one.isCompared && one.waitingLines + one.openMismatches + one.waitingBookings === 0).toBe(true);
        expect(one.comparedAt ?? 99n).toBeLessThanOrEqual(now.closedAt ?? -1n);
        expect((one.lastDay ?? '') <= (now.closedDay ?? '')).toBe(true);
        expect(one.lastBookedAt ?? -1n).toBeLessThan(now.ledgerLeftUntil ?? 0n);
      }),
    );
  });

  test('that may leave may still leave after more closes and when more of the ledger has left', () => {
    fc.assert(
      fc.property(file, soFar, time, day, (one, now, later, otherDay) => {
        if (whyLinesStay(one, now) !== undefined) return;
        const closedDay = (now.closedDay ?? '') < otherDay ? otherDay : now.closedDay;
        const closedAt = now.closedAt === undefined ? later : now.closedAt + later;
        const ledgerLeftUntil = (now.ledgerLeftUntil ?? 0n) + later;
        expect(whyLinesStay(one, { closedDay, closedAt, ledgerLeftUntil })).toBeUndefined();
      }),
    );
  });
});
