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
 * Matches all lines with all entries. Of equal lines the first one comes first, and of equal entries the one with the earliest day. A
 * caller may pass a large file in parts: all lines of one entry belong into one part, or `settled` of the entry says what the earlier
 * parts settled.
 */
export function matchLines(
  lines: readonly SettlementLine[],
  entries: readonly LedgerEntry[],
  { daysApart }: MatchingRules,
): Matching {
  const matches: Match[] = [];
  const mismatches: Mismatch[] = [];
  const { groups, unnamed } = groupLines(lines, entries.toSorted(inOrder));
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
  const found = matchLeft(
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
  const byOwnId = new Map<string, LedgerEntry>();
  for (const entry of entries) {
    const key = groupKeyOf(entry);
    const known = byReference.get(key);
    if (known === undefined) byReference.set(key, [entry]);
    else known.push(entry);
    for (const ownId of entry.ownIds) byOwnId.set(keyOf(entry.kind, ownId), entry);
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
  byOwnId: ReadonlyMap<string, LedgerEntry>,
): (Named & { readonly key: string }) | undefined {
  for (const reference of line.references) {
    const key = keyOf(line.kind, reference);
    if (byReference.has(key)) return { line, by: 'reference', key };
  }
  const entry = line.ownId === undefined ? undefined : byOwnId.get(keyOf(line.kind, line.ownId));
  return entry && { line, by: 'own-id', entry, key: groupKeyOf(entry) };
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
 * Lines that name no entry. A line with a name that the ledger does not know is missing here, because the same amount of another payment
 * would hide it. But the id of the deposit leads to its refund or chargeback of this amount. A line without any name takes the untaken
 * entry of its amount with the nearest day. A refund that began at the provider is a chargeback in the ledger, so a refund for which no
 * other entry is left takes one.
 */
function matchLeft(lines: readonly SettlementLine[], entries: readonly LedgerEntry[], daysApart: number): Matching {
  const matches: Match[] = [];
  const mismatches: Mismatch[] = [];
  const untaken = new Map<string, LedgerEntry[]>();
  for (const entry of entries) {
    const key = amountKey(entry);
    const alike = untaken.get(key);
    if (alike === undefined) untaken.set(key, [entry]);
    else alike.push(entry);
  }
  const take = (line: SettlementLine, kind: SettlementLine['kind']): boolean => {
    const alike = untaken.get(amountKey({ ...line, kind })) ?? [];
    const found = nearestOf(line, kind, alike, daysApart);
    if (found === undefined) return false;
    const { entry, by } = found;
    alike.splice(alike.indexOf(entry), 1);
    matches.push({ lineId: line.id, entryKind: entry.kind, entryId: entry.id, by });
    if (daysBetween(line.date, entry.date) > daysApart) mismatches.push(otherDay(line, entry));
    return true;
  };
  const left = lines.toSorted(byDay).filter((line) => !take(line, line.kind));
  for (const line of left) {
    if (line.kind === 'refund' && take(line, 'chargeback')) continue;
    mismatches.push({ class: 'missing-here', lineId: line.id, expected: 0n, found: line.amount });
  }
  return { matches, mismatches };
}

/** Of entries with the amount of a line, the one that its name or its day leads to. */
function nearestOf(
  line: SettlementLine,
  kind: SettlementLine['kind'],
  alike: readonly LedgerEntry[],
  daysApart: number,
): { readonly entry: LedgerEntry; readonly by: Match['by'] } | undefined {
  const nearest = (entries: LedgerEntry[]): LedgerEntry | undefined =>
    entries.toSorted(
      (one, other) => daysBetween(line.date, one.date) - daysBetween(line.date, other.date) || inOrder(one, other),
    )[0];
  if (isNamed(line)) {
    // A reference of the same kind was tried before, with all amounts.
    const named = kind === line.kind ? [] : alike.filter(({ reference = '' }) => line.references.includes(reference));
    const byReference = nearest(named);
    if (byReference !== undefined) return { entry: byReference, by: 'reference' };
    const { ownId } = line;
    const ofDeposit = nearest(alike.filter(({ depositId }) => ownId !== undefined && depositId === ownId));
    return ofDeposit && { entry: ofDeposit, by: 'own-id' };
  }
  const near = alike.filter((entry) => daysBetween(line.date, entry.date) <= daysApart && isSamePayee(line, entry));
  const entry = nearest(near);
  return entry && { entry, by: 'amount-and-date' };
}

/** The words of a bank line are guesses, so they do not count as a name. */
function isNamed({ kind, references, ownId }: SettlementLine): boolean {
  return kind !== 'settlement' && (references.length > 0 || ownId !== undefined);
}

function amountKey(one: SettlementLine | LedgerEntry): string {
  const amount = 'ownIds' in one ? remainingOf(one) : one.amount;
  return `${one.kind}\0${one.currency}\0${amount}`;
}

function inOrder(one: LedgerEntry, other: LedgerEntry): number {
  return byDay(one, other) || (one.id < other.id ? -1 : 1);
}

/** Lines of one day stay in the order of their file. Their ids are random within a millisecond. */
function byDay(one: Pick<SettlementLine, 'date'>, other: Pick<SettlementLine, 'date'>): number {
  if (one.date === other.date) return 0;
  return one.date < other.date ? -1 : 1;
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
