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

  test('[SRV-1] the first of equal lines before the others, whatever their ids are', () => {
    for (const references of [[], ['other']]) {
      const named = references.length > 0 ? { ownId: 'd1' } : {};
      const lines = ['l2', 'l1', 'l3'].map((id) => line({ id, references, ...named }));
      expect(match(lines, [entry()])).toMatchObject({
        matches: [{ lineId: 'l2' }],
        mismatches: [{ lineId: 'l1' }, { lineId: 'l3' }],
      });
    }
  });

  test('[SRV-1] and the entries of one reference by their days, in whatever order they were read', () => {
    const entries = [entry({ id: 'e2', date: '2026-01-20' }), entry({ id: 'e1' })];
    const lines = [line({ id: 'l2' }), line({ id: 'l1', date: '2026-01-21' })];
    expect(match(lines, entries)).toMatchObject({
      matches: [
        { lineId: 'l2', entryId: 'e1' },
        { lineId: 'l1', entryId: 'e2' },
      ],
      mismatches: [],
    });
  });

  test('by the id of the deposit and the amount, whichever references its chargebacks have', () => {
    const taken = (id: string, reference: string, more: Partial<LedgerEntry> = {}) =>
      entry({ id, kind: 'chargeback', reference, amount: -4_100n, ownIds: [id], depositId: 'd1', ...more });
    const named = (id: string, amount: bigint, more: Partial<SettlementLine> = {}) =>
      line({ id, kind: 'chargeback', references: ['dp_1'], ownId: 'd1', amount, ...more });
    const entries = [taken('c1', 'cs_1'), taken('c2', 'cs_1:returned:dp_1')];
    expect(match([named('l1', -4_100n), named('l2', -4_100n)], entries)).toEqual({
      matches: [
        { lineId: 'l1', entryKind: 'chargeback', entryId: 'c1', by: 'own-id' },
        { lineId: 'l2', entryKind: 'chargeback', entryId: 'c2', by: 'own-id' },
      ],
      mismatches: [],
    });
    const settled = [taken('c1', 'cs_1', { settled: -4_100n }), taken('c2', 'cs_1:returned:dp_1')];
    expect(match([named('l1', -4_100n)], settled)).toMatchObject({ matches: [{ entryId: 'c2' }], mismatches: [] });
    // Another chargeback of the deposit may have been lost on its way: it is tried again with the next file.
    expect(found(match([named('l1', -3_000n)], entries))).toEqual(['missing-here line l1 entry -']);
    expect(found(match([named('l1', -4_100n, { date: '2026-03-01' })], entries))).toEqual(['date line l1 entry c1']);
  });

  test('and a refund that began at the provider is a chargeback in the ledger', () => {
    const chargeback = entry({ id: 'c1', kind: 'chargeback', amount: -5_200n, ownIds: ['c1'], depositId: 'd1' });
    const refund = (more: Partial<SettlementLine>) =>
      line({ kind: 'refund', amount: -5_200n, references: [], ...more });
    for (const [more, by] of [
      [{}, 'amount-and-date'],
      [{ references: ['pi_1'] }, 'reference'],
      [{ references: ['re_1'], ownId: 'd1' }, 'own-id'],
    ] as const) {
      expect(match([refund(more)], [chargeback])).toEqual({
        matches: [{ lineId: 'l1', entryKind: 'chargeback', entryId: 'c1', by }],
        mismatches: [],
      });
    }
    expect(found(match([refund({ references: ['re_1'] })], [chargeback]))).toEqual(['missing-here line l1 entry -']);
    // The entry of its own kind comes first, for every line.
    const own = entry({ id: 'r1', kind: 'refund', amount: -5_200n, ownIds: ['r1'] });
    const lost = line({ id: 'l2', kind: 'chargeback', amount: -5_200n, references: [] });
    expect(match([refund({}), lost], [chargeback, own]).matches.map(({ entryId }) => entryId)).toEqual(['r1', 'c1']);
    expect(match([refund({}), lost], [chargeback]).matches).toMatchObject([{ lineId: 'l2', entryId: 'c1' }]);
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
  const due = dueDays(firstDay, dayAfter(firstDay, 120), lagDays, {});
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
