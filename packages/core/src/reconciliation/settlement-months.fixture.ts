/** Makes months of bookings and of settlement lines with known faults, so that tests can say what must be found. */
import { dayAfter, type EntryKind, type LedgerEntry, type Mismatch, type SettlementLine } from './line.ts';

/** What the generator does to an entry and its line. */
export const faults = ['none', 'lost', 'unknown', 'doubled', 'shifted', 'short', 'currency', 'parts'] as const;
export type Fault = (typeof faults)[number];

/** What one movement is made of. */
export interface Movement {
  readonly kind: Exclude<EntryKind, 'settlement'>;
  readonly fault: Fault;
  /** Minor units, above zero; at least 100, so that a short line is more than half of it. */
  readonly amount: number;
  /** Days after the first day. */
  readonly day: number;
  /** Days until the provider settles it; at most {@link lagDays}. */
  readonly lag: number;
  /** How the line names its entry. */
  readonly naming: 'reference' | 'own-id' | 'nothing';
}

export const firstDay = '2026-01-01';
/** Days that the provider may take. */
export const lagDays = 3;

export interface Months {
  readonly entries: readonly LedgerEntry[];
  readonly lines: readonly SettlementLine[];
  /** What reconciliation must find, and nothing else: class, line and entry. */
  readonly expected: readonly string[];
}

/** A mismatch without its amounts, for comparisons. */
export function named({ class: kind, lineId, entryId }: Pick<Mismatch, 'class' | 'lineId' | 'entryId'>): string {
  return `${kind} line ${lineId ?? '-'} entry ${entryId ?? '-'}`;
}

export function monthsOf(movements: readonly Movement[]): Months {
  const made = movements.map(movementOf);
  return {
    entries: made.flatMap(({ entry }) => entry ?? []),
    lines: made.flatMap(({ lines }) => lines),
    expected: made.flatMap(({ expected }) => expected).toSorted(),
  };
}

function movementOf({ kind, fault, amount, day, lag, naming }: Movement, n: number) {
  const sign = kind === 'payment' || kind === 'return' ? 1n : -1n;
  const entry: LedgerEntry = {
    id: `entry-${n}`,
    kind,
    reference: `ref-${n}`,
    ownIds: [`own-${n}`],
    currency: 'EUR',
    amount: sign * BigInt(amount),
    date: dayAfter(firstDay, day),
    payee: `Payee ${n}`,
  };
  // A line that names nothing and has another amount, currency or day is nobody's: it must name its entry.
  const by = fault === 'none' || fault === 'lost' ? naming : naming === 'nothing' ? 'reference' : naming;
  const line: SettlementLine = {
    id: `line-${n}`,
    kind,
    references: by === 'reference' ? [`ref-${n}`] : [],
    ...(by === 'own-id' && { ownId: `own-${n}` }),
    currency: 'EUR',
    amount: entry.amount,
    fee: 7n,
    date: dayAfter(entry.date, lag),
    payee: `PAYEE  ${n}`,
  };
  const more = { ...line, id: `line-${n}-more` };
  const found = (
    name: Mismatch['class'],
    lineId: string | undefined = line.id,
    entryId: string | undefined = entry.id,
  ) => named({ class: name, ...(lineId && { lineId }), ...(entryId && { entryId }) });
  switch (fault) {
    case 'none':
      return { entry, lines: [line], expected: [] };
    case 'lost':
      return { entry, lines: [], expected: [found('missing-there', '')] };
    case 'unknown':
      return { entry: undefined, lines: [line], expected: [found('missing-here', line.id, '')] };
    case 'doubled':
      return { entry, lines: [line, more], expected: [found('duplicate', more.id)] };
    case 'shifted':
      return { entry, lines: [{ ...line, date: dayAfter(entry.date, lagDays + 1 + lag) }], expected: [found('date')] };
    case 'short':
      return { entry, lines: [{ ...line, amount: entry.amount - sign * 40n }], expected: [found('amount')] };
    case 'currency':
      return { entry, lines: [{ ...line, currency: 'USD' }], expected: [found('currency')] };
    case 'parts':
      return {
        entry,
        lines: [
          { ...line, amount: sign * 33n },
          { ...more, amount: entry.amount - sign * 33n },
        ],
        expected: [],
      };
  }
}
