/** Settles the entries of one reference with the lines that name it: one to one, in parts, or not at all. */
import { type LedgerEntry, type Match, type Mismatch, type Named, remainingOf, type SettlementLine } from './line.ts';

interface SettledLine {
  readonly match: Match;
  readonly line: SettlementLine;
  readonly entry: LedgerEntry;
}

export interface SettledGroup {
  readonly matches: readonly SettledLine[];
  readonly mismatches: readonly Mismatch[];
}

/** An entry, and what the lines of this call have settled of it. */
interface Open {
  readonly entry: LedgerEntry;
  readonly due: bigint;
  sum: bigint;
  readonly lines: SettlementLine[];
}

/**
 * Exact amounts come first, so that a short line never takes the entry of an exact one. The other lines are parts of an entry while
 * their sum does not exceed it. A line beyond that is a duplicate.
 */
export function settleGroup(named: readonly Named[], entries: readonly LedgerEntry[]): SettledGroup {
  const matches: SettledLine[] = [];
  const mismatches: Mismatch[] = [];
  const open: Open[] = entries.map((entry) => ({ entry, due: remainingOf(entry), sum: 0n, lines: [] }));
  const take = ({ line, by }: Named, into: Open): void => {
    into.sum += line.amount;
    into.lines.push(line);
    matches.push({
      match: { lineId: line.id, entryKind: into.entry.kind, entryId: into.entry.id, by },
      line,
      entry: into.entry,
    });
  };
  const inexact: Named[] = [];
  for (const one of named) {
    const exact = open.find(
      (candidate) =>
        isFor(one, candidate) &&
        candidate.sum === 0n &&
        candidate.due === one.line.amount &&
        candidate.due !== 0n &&
        candidate.entry.currency === one.line.currency,
    );
    if (exact === undefined) inexact.push(one);
    else take(one, exact);
  }
  for (const one of inexact) {
    const into = open.find((candidate) => isFor(one, candidate) && takes(candidate, one.line));
    if (into !== undefined) take(one, into);
    else mismatches.push(beyond(one, entries));
  }
  for (const { entry, due, sum, lines } of open) {
    const [first] = lines;
    if (first === undefined) continue;
    const about = { lineId: first.id, entryKind: entry.kind, entryId: entry.id, expected: due, found: sum };
    if (first.currency !== entry.currency) mismatches.push({ class: 'currency', ...about });
    else if (sum !== due) mismatches.push({ class: 'amount', ...about });
  }
  return { matches, mismatches };
}

function isFor({ entry }: Named, candidate: Open): boolean {
  return entry === undefined || entry === candidate.entry;
}

/** The first line of an entry may have any amount and currency: the mismatch says so. A further line must be a part of what is left. */
function takes({ entry, due, sum, lines: [first] }: Open, { amount, currency }: SettlementLine): boolean {
  if (due === 0n) return false;
  if (first === undefined) return true;
  if (currency !== entry.currency || first.currency !== entry.currency || amount > 0n !== due > 0n) return false;
  const together = sum + amount;
  return due > 0n ? together <= due : together >= due;
}

function beyond({ line, entry }: Named, entries: readonly LedgerEntry[]): Mismatch {
  const same = entry ?? entries.find(({ amount }) => amount === line.amount) ?? entries[0];
  return {
    class: 'duplicate',
    lineId: line.id,
    ...(same !== undefined && { entryKind: same.kind, entryId: same.id }),
    expected: 0n,
    found: line.amount,
  };
}
