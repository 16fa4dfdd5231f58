/** How the first lines of a file would match, before anything of it is kept. */
import type { SettlementMapping, TriedLines } from '@opencashier/contract/operator';
import { matchLines } from '@opencashier/core/reconciliation/match-lines';
import type { Queryable } from '../database/database.ts';
import { type EntryScope, entriesOf } from './entries.ts';
import type { OpenFile, ReadLine } from './read-line.ts';
import { readLines } from './scan-file.ts';

/** Enough to see a wrong mapping, and few enough for one answer. */
const MOST_TRIED = 1_000;

/**
 * Compares the first lines with the ledger as an import does, and keeps nothing. So a mapping that reads the wrong column is seen before its
 * mismatches are there. Lines of fees, and sums in the file of a provider, have no entry to compare with.
 */
export async function tryLines(
  queryable: Queryable,
  scope: EntryScope,
  source: 'provider' | 'bank',
  mapping: SettlementMapping,
  open: OpenFile,
): Promise<TriedLines> {
  const lines: ReadLine[] = [];
  for await (const line of readLines(open(), mapping)) {
    if (line.kind === 'fee' || (line.kind === 'settlement' && source === 'provider')) continue;
    lines.push(line);
    if (lines.length === MOST_TRIED) break;
  }
  const named = lines.map((line) => ({ ...line, id: `${line.n}` }));
  const { mismatches } = matchLines(named, await entriesOf(queryable, scope, named), scope);
  const counts: Record<string, number> = {};
  for (const { class: name } of mismatches) counts[name] = (counts[name] ?? 0) + 1;
  const wrong = new Set(mismatches.map(({ lineId }) => lineId));
  return { lines: lines.length, matched: named.length - wrong.size, mismatches: counts };
}
