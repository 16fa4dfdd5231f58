import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginOf, type MonthsBack, newestRows } from './months-back.ts';

const time = (text: string): Date => new Date(`${text}Z`);
const month = (text: string): Date => time(`${text}-01T00:00:00`);

/** The months that were read, and the rows that came. */
async function readBack(rowsAt: readonly Date[], from: Date, oldest: Date, limit: number) {
  const read: MonthsBack[] = [];
  const rows = await newestRows({
    from,
    oldest,
    limit,
    async read(months, most) {
      read.push(months);
      const { since, until } = months;
      return rowsAt.filter((at) => at >= since && (until === null || at < until)).slice(0, most);
    },
  });
  return { rows, read };
}

test('a page that the month of its beginning fills reads no other month', async () => {
  const rowsAt = [time('2026-11-20T10:00:00'), time('2026-11-02T10:00:00'), time('2026-10-30T10:00:00')];
  const { rows, read } = await readBack(rowsAt, time('2026-11-27T14:00:00'), time('2023-01-05T00:00:00'), 2);
  expect(rows).toEqual(rowsAt.slice(0, 2));
  expect(read).toEqual([{ since: month('2026-11'), until: null }]);
});

test('a list with few rows reads back in growing steps, and no further than its oldest row can be', async () => {
  const rowsAt = [time('2025-02-03T00:00:00')];
  const { rows, read } = await readBack(rowsAt, time('2026-11-27T14:00:00'), time('2025-01-31T23:59:59'), 5);
  expect(rows).toEqual(rowsAt);
  expect(read).toEqual([
    { since: month('2026-11'), until: null },
    { since: month('2026-08'), until: month('2026-11') },
    { since: month('2025-11'), until: month('2026-08') },
    { since: month('2025-01'), until: month('2025-11') },
  ]);
});

test('a row from before its operator is found, where a clock went back over the beginning of a month', async () => {
  const rowsAt = [time('2026-10-31T23:59:58')];
  const { rows } = await readBack(rowsAt, time('2026-11-27T14:00:00'), time('2026-11-01T00:00:01'), 5);
  expect(rows).toEqual(rowsAt);
});

test('any rows come once, newest first, as without months', async () => {
  const moment = fc.date({ min: time('2023-01-05T00:00:00'), max: time('2026-11-27T14:00:00'), noInvalidDate: true });
  await fc.assert(
    fc.asyncProperty(fc.array(moment, { maxLength: 30 }), fc.integer({ min: 1, max: 10 }), async (times, limit) => {
      const rowsAt = times.toSorted((one, other) => other.getTime() - one.getTime());
      const { rows, read } = await readBack(rowsAt, time('2026-11-27T14:00:00'), time('2023-01-05T00:00:00'), limit);
      expect(rows).toEqual(rowsAt.slice(0, limit));
      expect(read.length).toBeLessThanOrEqual(5);
    }),
  );
});

test('a page begins at the time of its cursor, and never later than now', () => {
  const now = time('2026-11-27T14:00:00');
  expect(beginOf(undefined, now)).toEqual(now);
  expect(beginOf('019ac4e1-2b7f-7abc-8def-0123456789ab', now).getTime()).toBe(0x019ac4e12b7f);
  // The largest time of an id is of the year 10889, which a statement cannot read as a timestamp.
  expect(beginOf('ffffffff-ffff-4fff-8fff-ffffffffffff', now)).toEqual(now);
  expect(beginOf('00000000-0000-4000-8000-000000000000', now).getTime()).toBe(0);
});
