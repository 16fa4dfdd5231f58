import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DueDays, dueDays } from './due-days.ts';
import { dayAfter } from './line.ts';
import { firstDay } from './settlement-months.fixture.ts';

test('a file answers for its own days less the lag, and for the last days of the file before', () => {
  expect(dueDays('2026-02-01', '2026-02-28', 3, {})).toEqual({ from: '2026-02-01', to: '2026-02-25' });
  const earlierTo = '2026-01-31';
  expect(dueDays('2026-02-01', '2026-02-28', 3, { earlierTo })).toEqual({ from: '2026-01-29', to: '2026-02-25' });
});

test('a file answers for the days between it and its neighbours', () => {
  const earlierTo = '2026-01-31';
  expect(dueDays('2026-02-10', '2026-02-28', 3, { earlierTo })).toEqual({ from: '2026-01-29', to: '2026-02-25' });
  const later = { from: '2026-03-10', to: '2026-03-20' };
  expect(dueDays('2026-02-01', '2026-02-28', 3, { later })).toEqual({ from: '2026-02-01', to: '2026-03-09' });
  // One day alone is too short to know what the provider settles after three.
  const short = { from: '2026-03-10', to: '2026-03-10' };
  expect(dueDays('2026-02-01', '2026-02-28', 3, { later: short })).toEqual({ from: '2026-02-01', to: '2026-03-07' });
});

const days = fc.integer({ min: 0, max: 40 });
const isDue = (day: string) => (due: DueDays) => day >= due.from && day <= due.to;

test('every day that is over has a file that answers for it, in whichever order two files come', () => {
  fc.assert(
    fc.property(
      days,
      days,
      fc.integer({ min: 1, max: 60 }),
      days,
      fc.boolean(),
      (lag, length, gap, length2, inOrder) => {
        const one = { from: firstDay, to: dayAfter(firstDay, length) };
        const other = { from: dayAfter(one.from, gap), to: dayAfter(one.from, gap + length2) };
        const answered = inOrder
          ? [dueDays(one.from, one.to, lag, {}), dueDays(other.from, other.to, lag, { earlierTo: one.to })]
          : [dueDays(other.from, other.to, lag, {}), dueDays(one.from, one.to, lag, { later: other })];
        const end = [one.to, other.to].toSorted()[1] ?? '';
        for (let day = one.from; day <= dayAfter(end, -lag); day = dayAfter(day, 1)) {
          expect(answered.some(isDue(day)), day).toBe(true);
        }
      },
    ),
  );
});

test('no day is due whose time is not over', () => {
  fc.assert(
    fc.property(days, days, days, days, (lag, length, gap, length2) => {
      const later = { from: dayAfter(firstDay, gap + 1), to: dayAfter(firstDay, gap + 1 + length2) };
      const to = dayAfter(firstDay, length);
      const end = [to, later.to].toSorted()[1] ?? '';
      expect(dueDays(firstDay, to, lag, { later }).to <= dayAfter(end, -lag)).toBe(true);
    }),
  );
});
