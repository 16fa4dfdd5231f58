/**
 * Matches the lines of a settlement file with the entries of the ledger: by the provider's reference, then by our id, then by amount,
 * date and payee. Every line ends as a match, a mismatch or both, or is a fee of its own.
 */
import {
  daysBetween,
  type LedgerEntry,
  type Match,
  type Matching,
  type Mismatch,
  type Named,
  remainingOf,
  type SettlementLine,
} from './line.ts';
import { settleGroup } from './settle-group.ts';

export interface MatchingRules {
  /** The number of days by which the day of a line and the day of its entry may differ. */
  readonly daysApart: number;
}

/**
 * Matches all lines with all entries. A caller may pass a large file in parts: all lines of one entry belong into one part, or `settled`
 * of the entry says what the earlier parts settled.
 */
export function matchLines(
  lines: readonly SettlementLine[],
  entries: readonly LedgerEntry[],
  { daysApart }: MatchingRules,
): Matching {
  const matches: Match[] = [];
  const mismatches: Mismatch[] = [];
  const { groups, unnamed } = groupLines(lines, entries);
  const taken = new Set<LedgerEntry>();
  for (const { named, entries: candidates } of groups.values()) {
    const settled = settleGroup(named, candidates);
    matches.push(...settled.matches.map(({ match }) => match));
    mismatches.push(...settled.mismatches);
    for (const { line, entry } of settled.matches) {
      taken.add(entry);
      if (daysBetween(line.date, entry.date) > daysApart) mismatches.push(otherDay(line, entry));
    }
  }
  const found = matchUnnamed(
    unnamed,
    entries.filter((entry) => !taken.has(entry) && remainingOf(entry) !== 0n),
    daysApart,
  );
  return { matches: [...matches, ...found.matches], mismatches: [...mismatches, ...found.mismatches] };
}

interface Group {
  readonly named: Named[];
  readonly entries: readonly LedgerEntry[];
}

function groupLines(lines: readonly SettlementLine[], entries: readonly LedgerEntry[]) {
  const byReference = new Map<string, LedgerEntry[]>();
  const byOwnId = new Map<string, LedgerEntry[]>();
  for (const entry of entries) {
    const key = groupKeyOf(entry);
    const known = byReference.get(key);
    if (known === undefined) byReference.set(key, [entry]);
    else known.push(entry);
    for (const ownId of entry.ownIds) {
      const name = keyOf(entry.kind, ownId);
      const same = byOwnId.get(name);
      if (same === undefined) byOwnId.set(name, [entry]);
      else same.push(entry);
    }
  }
  const groups = new Map<string, Group>();
  const unnamed: SettlementLine[] = [];
  for (const line of lines) {
    if (line.kind === 'fee') continue;
    const named = nameOf(line, byReference, byOwnId);
    if (named === undefined) {
      unnamed.push(line);
      continue;
    }
    const group = groups.get(named.key) ?? { named: [], entries: byReference.get(named.key) ?? [] };
    group.named.push(named);
    groups.set(named.key, group);
  }
  return { groups, unnamed };
}

function nameOf(
  line: SettlementLine,
  byReference: ReadonlyMap<string, LedgerEntry[]>,
  byOwnId: ReadonlyMap<string, LedgerEntry[]>,
): (Named & { readonly key: string }) | undefined {
  for (const reference of line.references) {
    const key = keyOf(line.kind, reference);
    if (byReference.has(key)) return { line, by: 'reference', key };
  }
  const entries = line.ownId === undefined ? [] : (byOwnId.get(keyOf(line.kind, line.ownId)) ?? []);
  const isExact = ({ amount, currency }: LedgerEntry) => amount === line.amount && currency === line.currency;
  const entry = entries.find(isExact) ?? entries[0];
  if (entry === undefined) return undefined;
  // A deposit may have several refunds and chargebacks. A line with its id alone may be any of them.
  return { line, by: 'own-id', key: groupKeyOf(entry), ...(entries.length === 1 && { entry }) };
}

/** Entries without a reference are a group of their own, whose key no reference of a line can be. */
function groupKeyOf(entry: LedgerEntry): string {
  return entry.reference === undefined ? `\0${entry.kind}\0${entry.id}` : keyOf(entry.kind, entry.reference);
}

function keyOf(kind: string, name: string): string {
  return `${kind}\0${name}`;
}

function otherDay(line: SettlementLine, entry: LedgerEntry): Mismatch {
  return {
    class: 'date',
    lineId: line.id,
    entryKind: entry.kind,
    entryId: entry.id,
    expected: entry.amount,
    found: line.amount,
  };
}

/**
 * Lines that name nothing known. A line with a name that the ledger does not know is missing here, because the same amount of another
 * payment would hide it. A line without any name takes the untaken entry of its amount with the nearest day.
 */
function matchUnnamed(lines: readonly SettlementLine[], entries: readonly LedgerEntry[], daysApart: number): Matching {
  const matches: Match[] = [];
  const mismatches: Mismatch[] = [];
  const untaken = new Map<string, LedgerEntry[]>();
  for (const entry of entries) {
    const key = amountKey(entry);
    const alike = untaken.get(key);
    if (alike === undefined) untaken.set(key, [entry]);
    else alike.push(entry);
  }
  for (const line of lines.toSorted(inOrder)) {
    const alike = isNamed(line) ? [] : (untaken.get(amountKey(line)) ?? []);
    const nearest = alike
      .filter((entry) => daysBetween(line.date, entry.date) <= daysApart && isSamePayee(line, entry))
      .toSorted(
        (one, other) => daysBetween(line.date, one.date) - daysBetween(line.date, other.date) || inOrder(one, other),
      )[0];
    if (nearest === undefined || line.kind === 'fee') {
      mismatches.push({ class: 'missing-here', lineId: line.id, expected: 0n, found: line.amount });
      continue;
    }
    alike.splice(alike.indexOf(nearest), 1);
    matches.push({ lineId: line.id, entryKind: nearest.kind, entryId: nearest.id, by: 'amount-and-date' });
  }
  return { matches, mismatches };
}

/** The words of a bank line are guesses, so they do not count as a name. */
function isNamed({ kind, references, ownId }: SettlementLine): boolean {
  return kind !== 'settlement' && (references.length > 0 || ownId !== undefined);
}

function amountKey(one: SettlementLine | LedgerEntry): string {
  const amount = 'ownIds' in one ? remainingOf(one) : one.amount;
  return `${one.kind}\0${one.currency}\0${amount}`;
}

function inOrder(one: SettlementLine | LedgerEntry, other: SettlementLine | LedgerEntry): number {
  if (one.date !== other.date) return one.date < other.date ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

/** True unless both name a payee and the names differ. Case and spaces do not count. */
function isSamePayee(line: SettlementLine, entry: LedgerEntry): boolean {
  return line.payee === undefined || entry.payee === undefined || plain(line.payee) === plain(entry.payee);
}

function plain(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s.,]+/g, ' ')
    .trim();
}
