/** Matching of settlement lines with the ledger, by example and by property. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBatchSums } from './batches.ts';
import { dueDays } from './due-days.ts';
import { dayAfter, type LedgerEntry, type Matching, type SettlementLine } from './line.ts';
import { matchLines } from './match-lines.ts';

import { faults, firstDay, lagDays, type Months, type Movement, monthsOf, named } from './settlement-months.fixture.ts';

const entry = (more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  id: 'e1',
  kind: 'payment',
  reference: 'pi_1',
  ownIds: ['d1'],
  currency: 'EUR',
  amount: 10_000n,
  date: '2026-01-10',
  ...more,
});
const line = (more: Partial<SettlementLine> = {}): SettlementLine => ({
  id: 'l1',
  kind: 'payment',
  references: ['pi_1'],
  currency: 'EUR',
  amount: 10_000n,
  fee: 150n,
  date: '2026-01-11',
  ...more,
});
const match = (lines: readonly SettlementLine[], entries: readonly LedgerEntry[]): Matching =>
  matchLines(lines, entries, { daysApart: 3 });
const found = ({ mismatches }: Matching): string[] => mismatches.map(named);

describe('a line finds its entry', () => {
  test('by the reference first, then by our id, then by amount, date and payee', () => {
    expect(match([line({ ownId: 'd2' })], [entry(), entry({ id: 'e2', reference: 'pi_2', ownIds: ['d2'] })])).toEqual({
      matches: [{ lineId: 'l1', entryKind: 'payment', entryId: 'e1', by: 'reference' }],
      mismatches: [],
    });
    expect(match([line({ references: ['other'], ownId: 'd1' })], [entry()]).matches).toMatchObject([{ by: 'own-id' }]);
    expect(match([line({ references: [], payee: 'Ann B.' })], [entry({ payee: 'ANN  B' })]).matches).toMatchObject([
      { by: 'amount-and-date' },
    ]);
  });

  test('by the id of the deposit, which its refunds share, and of several it is the one of its amount', () => {
    const refund = (id: string, amount: bigint) => entry({ id, kind: 'refund', amount, ownIds: [id, 'd1'] });
    const entries = [refund('r1', -2_000n), refund('r2', -3_000n)];
    const named = (id: string, amount: bigint) =>
      line({ id, kind: 'refund', references: ['other'], ownId: 'd1', amount });
    expect(match([named('l1', -3_000n), named('l2', -2_000n)], entries)).toEqual({
      matches: [
        { lineId: 'l1', entryKind: 'refund', entryId: 'r2', by: 'own-id' },
        { lineId: 'l2', entryKind: 'refund', entryId: 'r1', by: 'own-id' },
      ],
      mismatches: [],
    });
    expect(found(match([named('l1', -1_000n)], entries.slice(0, 1)))).toEqual(['amount line l1 entry r1']);
    expect(found(match([named('l1', -3_000n), named('l2', -3_000n)], entries.slice(1)))).toEqual([
      'duplicate line l2 entry r2',
    ]);
  });

  test('but never by amount alone when it names a payment that the ledger does not know', () => {
    expect(found(match([line({ references: ['pi_9'] })], [entry()]))).toEqual(['missing-here line l1 entry -']);
  });

  test('but not when the payee, the day or the kind is another', () => {
    for (const more of [{ payee: 'Bob' }, { date: '2026-01-20' }, { kind: 'refund' as const }]) {
      expect(found(match([line({ references: [], ...more })], [entry({ payee: 'Ann' })]))).toEqual([
        'missing-here line l1 entry -',
      ]);
    }
  });

  test('of three lines without names the nearest days pair, and the third is missing here', () => {
    const lines = ['2026-01-10', '2026-01-11', '2026-01-12'].map((date, n) =>
      line({ id: `l${n}`, references: [], date }),
    );
    const entries = [entry({ id: 'a', date: '2026-01-12' }), entry({ id: 'b', date: '2026-01-10' })];
    const matching = match(lines, entries);
    expect(matching.matches.map(({ lineId, entryId }) => [lineId, entryId])).toEqual([
      ['l0', 'b'],
      ['l1', 'a'],
    ]);
    expect(found(matching)).toEqual(['missing-here line l2 entry -']);
  });
});

describe('a mismatch', () => {
  test.each([
    ['amount', { amount: 9_990n }],
    ['currency', { currency: 'USD' }],
    ['date', { date: '2026-01-14' }],
  ])('of the %s is named, and the line still belongs to the entry', (name, more) => {
    const matching = match([line(more)], [entry()]);
    expect(found(matching)).toEqual([`${name} line l1 entry e1`]);
    expect(matching.matches).toHaveLength(1);
  });

  test('of a second line is a duplicate, in the same file and in a later one', () => {
    expect(found(match([line(), line({ id: 'l2' })], [entry()]))).toEqual(['duplicate line l2 entry e1']);
    expect(found(match([line()], [entry({ settled: 10_000n })]))).toEqual(['duplicate line l1 entry e1']);
  });

  test('is none when parts have the sum of the entry, also over two files', () => {
    const parts = [line({ amount: 6_000n }), line({ id: 'l2', amount: 4_000n })];
    expect(found(match(parts, [entry()]))).toEqual([]);
    expect(found(match(parts.slice(1), [entry({ settled: 6_000n })]))).toEqual([]);
  });

  test('of two refunds of one payment goes to the refund of its amount', () => {
    const refund = (id: string, amount: bigint) => entry({ id, kind: 'refund', amount, ownIds: [id] });
    const lines = [line({ kind: 'refund', amount: -2_990n }), line({ id: 'l2', kind: 'refund', amount: -2_000n })];
    expect(found(match(lines, [refund('r1', -2_000n), refund('r2', -3_000n)]))).toEqual(['amount line l1 entry r2']);
  });

  test('is none for a fee of its own', () => {
    expect(match([line({ kind: 'fee', references: [] })], [entry()])).toEqual({ matches: [], mismatches: [] });
  });
});

test('one bank line settles many payments less refunds and fees', () => {
  const sums = createBatchSums();
  sums.add({ ...line(), batch: 'po_1' });
  sums.add({ ...line({ amount: 5_000n, fee: 50n }), batch: 'po_1' });
  sums.add({ ...line({ kind: 'refund', amount: -2_000n, fee: 0n, date: '2026-01-12' }), batch: 'po_1' });
  sums.add({ ...line({ amount: 700n, fee: 0n }), batch: 'po_2' });
  const bank = { kind: 'settlement' as const, fee: 0n, date: '2026-01-13' };
  const lines = [
    line({ ...bank, amount: 12_800n, references: ['STRIPE', 'po_1'] }),
    line({ ...bank, id: 'l2', amount: 700n, references: ['STRIPE'] }),
  ];
  expect(match(lines, sums.entries())).toEqual({
    matches: [
      { lineId: 'l1', entryKind: 'settlement', entryId: 'po_1:EUR', by: 'reference' },
      { lineId: 'l2', entryKind: 'settlement', entryId: 'po_2:EUR', by: 'amount-and-date' },
    ],
    mismatches: [],
  });
});

test('a file answers for its own days less the lag, and for the last days of the file before', () => {
  expect(dueDays('2026-02-01', '2026-02-28', 3, undefined)).toEqual({ from: '2026-02-01', to: '2026-02-25' });
  expect(dueDays('2026-02-01', '2026-02-28', 3, '2026-01-31')).toEqual({ from: '2026-01-29', to: '2026-02-25' });
});

test('no day between two files is left out, however far apart they are', () => {
  expect(dueDays('2026-02-10', '2026-02-28', 3, '2026-01-31')).toEqual({ from: '2026-01-29', to: '2026-02-25' });
  const days = fc.integer({ min: 0, max: 40 });
  fc.assert(
    fc.property(days, days, fc.integer({ min: -20, max: 40 }), days, days, (lag, length, gap, length2, offset) => {
      const from = dayAfter(firstDay, offset);
      const to = dayAfter(from, length);
      const next = dayAfter(to, gap);
      const first = dueDays(from, to, lag, undefined);
      const second = dueDays(next, dayAfter(next, length2), lag, to);
      expect(second.from <= dayAfter(first.to, 1)).toBe(true);
    }),
  );
});

const movements: fc.Arbitrary<Movement[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('payment', 'refund', 'chargeback', 'payout', 'return'),
    fault: fc.constantFrom(...faults, 'none', 'none', 'none'),
    amount: fc.integer({ min: 100, max: 1_000_000 }),
    day: fc.integer({ min: 0, max: 90 }),
    lag: fc.integer({ min: 0, max: lagDays }),
    naming: fc.constantFrom('reference', 'own-id', 'nothing'),
  }),
  { maxLength: 60 },
);

/** All mismatches of three months. */
function reconcile({ lines, entries }: Pick<Months, 'lines' | 'entries'>): string[] {
  const matching = matchLines(lines, entries, { daysApart: lagDays });
  const matched = new Set(matching.matches.map(({ entryId }) => entryId));
  const due = dueDays(firstDay, dayAfter(firstDay, 120), lagDays, undefined);
  const missing = entries
    .filter(({ id, date }) => date >= due.from && date <= due.to && !matched.has(id))
    .map(({ id }) => ({ class: 'missing-there' as const, entryId: id }));
  return [...matching.mismatches, ...missing].map(named).toSorted();
}

describe('in months of settlements', () => {
  test('every lost, unknown, doubled, shifted, short and foreign line is found and named, and none is invented', () => {
    fc.assert(
      fc.property(movements, (made) => {
        const months = monthsOf(made);
        expect(reconcile(months)).toEqual(months.expected);
      }),
      { numRuns: 400 },
    );
  });

  test('the order of lines and entries does not change what is wrong', () => {
    fc.assert(
      fc.property(movements, fc.infiniteStream(fc.nat()), (made, random) => {
        const { lines, entries } = monthsOf(made.filter(({ fault }) => fault !== 'doubled'));
        const shuffle = <Item>(items: readonly Item[]) =>
          items
            .map((item) => ({ item, at: random.next().value }))
            .toSorted((a, b) => a.at - b.at)
            .map(({ item }) => item);
        const withoutLines = (all: string[]) => all.map((one) => one.replace(/-more/, '')).toSorted();
        expect(withoutLines(reconcile({ lines: shuffle(lines), entries: shuffle(entries) }))).toEqual(
          withoutLines(reconcile({ lines, entries })),
        );
      }),
    );
  });

  test('a file that is read in parts gives the same, when each part knows what the earlier ones settled', () => {
    fc.assert(
      fc.property(movements, fc.integer({ min: 1, max: 5 }), (made, count) => {
        const { lines, entries } = monthsOf(made);
        const whole = matchLines(lines, entries, { daysApart: lagDays }).mismatches.map(named).toSorted();
        const partOf = (id: string) => Number(/\d+/.exec(id)?.[0]) % count;
        const parts = Array.from({ length: count }, (_none, part) =>
          matchLines(
            lines.filter(({ id }) => partOf(id) === part),
            entries,
            { daysApart: lagDays },
          ).mismatches.map(named),
        );
        expect(parts.flat().toSorted()).toEqual(whole);
      }),
    );
  });
});
