/** Matches the lines of a file with the ledger, batch by batch, and keeps matches and mismatches. */
import type { SettlementMapping } from '@opencashier/contract/operator';
import { dueDays, type KnownFiles } from '@opencashier/core/reconciliation/due-days';
import {
  dayAfter,
  type LedgerEntry,
  type LineKind,
  type Match,
  type Mismatch,
  type SettlementLine,
} from '@opencashier/core/reconciliation/line';
import { matchLines } from '@opencashier/core/reconciliation/match-lines';
import type { Database, Queryable, Transaction } from '../database/database.ts';
import { counted } from '../languages/counted.ts';
import type { Actor } from '../operators/setting-history.ts';
import { proposeBookings, rejectBookingsOf } from './bookings.ts';
import { connectionOfEntry } from './connection-of-entry.ts';
import { type EntryScope, entriesOf } from './entries.ts';
import { type FileAtWork, holdFile } from './file-at-work.ts';
import { lockBooks } from './lock-books.ts';

interface LineRow extends Omit<SettlementLine, 'ownId' | 'payee'> {
  readonly n: number;
  readonly name: string;
  readonly ownId: string | null;
  readonly payee: string | null;
}

/** Lines of one transaction. A line of a statement has many words, so there are fewer of them. */
const LINES_AT_ONCE = { provider: 4_000, bank: 1_000 };
/** Mismatches of earlier files that are tried again after each file. */
const RETRIED_AT_ONCE = 2_000;

const COLUMNS = `line.id, line.n, line.name, line.kind, line.reference_list as references, line.own_id as "ownId", line.currency,
  line.amount, line.fee, line.day::text as date, line.payee`;

export async function matchFile(
  database: Database,
  file: FileAtWork,
  mapping: SettlementMapping,
  by: Actor,
  onProgress?: (words: string) => void,
): Promise<void> {
  let after: { readonly name: string; readonly n: number } | undefined = { name: '', n: 0 };
  let matched = 0;
  let seen = 0;
  while (after !== undefined) {
    const from: { readonly name: string; readonly n: number } = after;
    const step = await database.transaction((transaction) => matchPage(transaction, file, mapping, from));
    matched += step.matched;
    seen += step.lines;
    after = step.next;
    onProgress?.(`${counted(seen, 'line')} compared`);
  }
  const due = dueDays(file.firstDay, file.lastDay, mapping.settlesWithinDays, await knownFiles(database, file));
  // A day for each statement, since a month of a large provider would take longer than a statement may.
  for (let day = due.from; day <= due.to; day = dayAfter(day, 1)) {
    const wanted = day;
    await database.transaction((transaction) => findMissingThere(transaction, file, mapping, wanted));
  }
  await database.transaction(async (transaction) => {
    await lockBooks(transaction, file);
    await holdFile(transaction, file);
    await retryMissing(transaction, file, mapping);
    await proposeBookings(transaction, file, by);
    await transaction.query({
      text: `update settlement_file set state = 'done', busy_until = null, matched = $3, done_at = clock_timestamp()
        where operator_id = $1 and id = $2`,
      values: [file.operatorId, file.fileId, matched],
    });
  });
}

async function matchPage(
  transaction: Transaction,
  file: FileAtWork,
  mapping: SettlementMapping,
  after: { readonly name: string; readonly n: number },
) {
  await lockBooks(transaction, file);
  await holdFile(transaction, file);
  const limit = LINES_AT_ONCE[file.source];
  const rows = await transaction.query<LineRow>({
    name: 'settlement-page',
    // A provider's own settlement lines name what the bank receives: a statement settles them later.
    text: `select ${COLUMNS} from settlement_line line where operator_id = $1 and file_id = $2 and (name, n) > ($3, $4)
        and kind <> 'fee' and (kind <> 'settlement' or $5 = 'bank')
      order by name, n limit $6`,
    values: [file.operatorId, file.fileId, after.name, after.n, file.source, limit],
  });
  const isLast = rows.length < limit;
  const page = isLast ? rows : wholeNames(rows);
  const { matches } = await matchRows(transaction, file, scopeOf(file, mapping), page);
  const last = page.at(-1);
  return { matched: matches, lines: page.length, next: isLast || last === undefined ? undefined : last };
}

/** Leaves the lines of the last name to the next page, which may have more of them. */
function wholeNames(rows: readonly LineRow[]): readonly LineRow[] {
  const last = rows.at(-1)?.name;
  const whole = rows.filter(({ name }) => name !== last);
  return whole.length === 0 || last === '' ? rows : whole;
}

function scopeOf({ operatorId, provider, connectionId }: FileAtWork, { daysApart }: SettlementMapping): EntryScope {
  return { operatorId, provider, connectionId, daysApart };
}

async function matchRows(
  transaction: Transaction,
  file: FileAtWork,
  scope: EntryScope,
  rows: readonly LineRow[],
): Promise<{ readonly matches: number }> {
  if (rows.length === 0) return { matches: 0 };
  const lines = rows.map(lineOf);
  const entries = await entriesOf(transaction, scope, lines);
  const { matches, mismatches } = matchLines(lines, entries, scope);
  await keepMatches(transaction, file.operatorId, lines, matches);
  await clearSettled(transaction, file, entries, matches, mismatches);
  await keepMismatches(transaction, file, lines, mismatches);
  return { matches: matches.length };
}

function lineOf({ ownId, payee, n: _n, name: _name, ...row }: LineRow): SettlementLine {
  return { ...row, ownId: ownId ?? undefined, payee: payee ?? undefined };
}

async function keepMatches(
  transaction: Transaction,
  operatorId: string,
  lines: readonly SettlementLine[],
  matches: readonly Match[],
): Promise<void> {
  if (matches.length === 0) return;
  const amounts = new Map(lines.map(({ id, amount }) => [id, amount]));
  await transaction.query({
    name: 'settlement-matches',
    text: `insert into settlement_match (operator_id, line_id, entry_kind, entry_id, by, amount)
      select $1, line_id, entry_kind, entry_id, by, amount
      from unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::bigint[]) as found(line_id, entry_kind, entry_id, by, amount)`,
    values: [
      operatorId,
      matches.map(({ lineId }) => lineId),
      matches.map(({ entryKind }) => entryKind),
      matches.map(({ entryId }) => entryId),
      matches.map(({ by }) => by),
      matches.map(({ lineId }) => amounts.get(lineId) ?? 0n),
    ],
  });
}

async function keepMismatches(
  transaction: Transaction,
  { operatorId, fileId, provider }: FileAtWork,
  lines: readonly SettlementLine[],
  mismatches: readonly Mismatch[],
): Promise<void> {
  if (mismatches.length === 0) return;
  const byId = new Map(lines.map((line) => [line.id, line]));
  const found = mismatches.map((mismatch) => ({ mismatch, line: byId.get(mismatch.lineId ?? '') }));
  await transaction.query({
    name: 'settlement-mismatches',
    text: `insert into settlement_mismatch (operator_id, file_id, class, provider, line_id, entry_kind, entry_id, currency, expected,
        found, day)
      select $1, $2, class, $3, line_id, entry_kind, entry_id, currency, expected, found, day
      from unnest($4::text[], $5::uuid[], $6::text[], $7::uuid[], $8::text[], $9::bigint[], $10::bigint[], $11::date[])
        as wrong(class, line_id, entry_kind, entry_id, currency, expected, found, day)`,
    values: [
      operatorId,
      fileId,
      provider,
      found.map(({ mismatch }) => mismatch.class),
      found.map(({ line }) => line?.id ?? null),
      found.map(({ mismatch, line }) => mismatch.entryKind ?? line?.kind ?? null),
      found.map(({ mismatch }) => mismatch.entryId ?? null),
      found.map(({ line }) => line?.currency ?? ''),
      found.map(({ mismatch }) => mismatch.expected),
      found.map(({ mismatch }) => mismatch.found),
      found.map(({ line }) => line?.date ?? null),
    ],
  });
}

/**
 * A line ends what was open about its entry: that it was missing there, or that its parts were short. If the parts are still short, a
 * new mismatch has the whole rest, so an earlier one that stayed would book it twice. A line in another currency ends no short sum. A
 * booking that waits for a second person is rejected with its mismatch. It runs before the new mismatches are kept.
 */
async function clearSettled(
  transaction: Transaction,
  { operatorId, fileId }: FileAtWork,
  entries: readonly LedgerEntry[],
  matches: readonly Match[],
  mismatches: readonly Mismatch[],
): Promise<void> {
  // A payout and its return have the same id.
  const named = (kind: string | undefined, id: string | undefined) => `${kind} ${id}`;
  const foreign = new Set(
    mismatches.filter((one) => one.class === 'currency').map((one) => named(one.entryKind, one.entryId)),
  );
  const inParts = new Set(
    entries.filter(({ settled }) => settled !== undefined).map(({ kind, id }) => named(kind, id)),
  );
  const parts = matches.map(({ entryKind, entryId }) => named(entryKind, entryId));
  const cleared = await transaction.query<{ id: string }>({
    name: 'settlement-clear',
    text: `update settlement_mismatch mismatch set state = 'cleared', ended_at = now(), cleared_by = $5
      from unnest($2::text[], $3::uuid[], $4::boolean[]) as found(kind, id, is_part)
      where operator_id = $1 and state in ('open', 'proposed') and entry_id = found.id and entry_kind = found.kind
        and (class = 'missing-there' or (class = 'amount' and found.is_part))
      returning mismatch.id`,
    values: [
      operatorId,
      matches.map(({ entryKind }) => entryKind),
      matches.map(({ entryId }) => entryId),
      parts.map((part) => inParts.has(part) && !foreign.has(part)),
      fileId,
    ],
  });
  await rejectBookingsOf(
    transaction,
    operatorId,
    cleared.map(({ id }) => id),
  );
}

/** Lines of earlier files that the ledger did not know: a payment may have been booked since. */
async function retryMissing(transaction: Transaction, file: FileAtWork, mapping: SettlementMapping): Promise<void> {
  const rows = await transaction.query<LineRow>({
    // The newest ones, in the order of the files and of their lines. Of more, equal lines may be matched in another order.
    text: `select ${COLUMNS} from (select line.* from settlement_mismatch mismatch
      join settlement_line line on line.operator_id = $1 and line.id = mismatch.line_id
      join settlement_file file on file.operator_id = $1 and file.id = mismatch.file_id and file.connection_id is not distinct from $5
      where mismatch.operator_id = $1 and mismatch.provider = $2 and mismatch.class = 'missing-here'
        and mismatch.state in ('open', 'proposed')
        and mismatch.file_id <> $3
      order by mismatch.id desc limit $4) line order by line.file_id, line.n`,
    values: [file.operatorId, file.provider, file.fileId, RETRIED_AT_ONCE, file.connectionId ?? null],
  });
  if (rows.length === 0) return;
  const lines = rows.map(lineOf);
  const scope = scopeOf(file, mapping);
  const entries = await entriesOf(transaction, scope, lines);
  const { matches, mismatches } = matchLines(lines, entries, scope);
  const others = mismatches.filter((one) => one.class !== 'missing-here');
  // A line that is a duplicate now is not tried again: each try would keep one more.
  const known = [...matches, ...others].map(({ lineId }) => lineId).filter((id) => id !== undefined);
  await keepMatches(transaction, file.operatorId, lines, matches);
  await clearSettled(transaction, file, entries, matches, mismatches);
  await keepMismatches(transaction, file, lines, others);
  const cleared = await transaction.query<{ id: string }>({
    text: `update settlement_mismatch set state = 'cleared', ended_at = now(), cleared_by = $3
      where operator_id = $1 and line_id = any($2::uuid[]) and class = 'missing-here' and state in ('open', 'proposed') returning id`,
    values: [file.operatorId, known, file.fileId],
  });
  await rejectBookingsOf(
    transaction,
    file.operatorId,
    cleared.map(({ id }) => id),
  );
}

/** Sums of a payer that lines of statements have paid. */
const PAID_SUMS = `from settlement_batch paid
      join settlement_file paid_by on paid_by.operator_id = $1 and paid_by.id = paid.file_id
        and paid_by.connection_id is not distinct from payer.connection_id
      join settlement_match match on match.operator_id = $1 and match.entry_id = paid.id and match.entry_kind = 'settlement'
      join settlement_line line on line.operator_id = $1 and line.id = match.line_id
      join settlement_file statement on statement.operator_id = $1 and statement.id = line.file_id and statement.source = 'bank'
      where paid.operator_id = $1 and paid.provider = payer.provider and paid.currency = payer.currency`;

/**
 * The sums of a day for which a statement answers: of the providers whose sums it has, and of those that paid to its account last. A
 * provider that pays no more must not fall silent with its lines. Others may pay to another account, also by currency or by connection.
 * Statements that another mapping read may have other lines. Parameters: the operator, the account, the file, the day and the kinds.
 */
const DUE_SUMS = `with of_day as materialized (
      select batch.provider, batch.id, batch.currency, batch.amount, batch.day, named.connection_id from settlement_batch batch
        join settlement_file named on named.operator_id = $1 and named.id = batch.file_id
        where batch.operator_id = $1 and 'settlement' = any($5) and batch.day = $4),
    expected as materialized (
      select * from (select distinct provider, currency, connection_id from of_day) payer
      where exists (select 1 ${PAID_SUMS} and statement.id = $3)
        or ($2, (select mapping from settlement_file where operator_id = $1 and id = $3)) = (select statement.provider, statement.mapping
          ${PAID_SUMS} and paid.day <= $4 and statement.state = 'done' order by paid.day desc, line.day desc, line.id desc limit 1))
    select of_day.provider, 'settlement' as kind, id, of_day.currency, amount, day from of_day
      join expected on expected.provider = of_day.provider and expected.currency = of_day.currency
        and expected.connection_id is not distinct from of_day.connection_id`;

/** Keeps what the file should have settled of one day and did not. Only kinds that its mapping can read count. */
async function findMissingThere(
  transaction: Transaction,
  file: FileAtWork,
  mapping: SettlementMapping,
  day: string,
): Promise<void> {
  const { operatorId, provider, fileId } = file;
  await lockBooks(transaction, file);
  await holdFile(transaction, file);
  const kinds = kindsOf(mapping);
  const entries = `select provider, kind, id, currency, amount, (at at time zone 'utc')::date as day from settlement_entry
      where operator_id = $1 and provider = $2 and kind = any($5)
        and at >= ($4::date)::timestamp at time zone 'utc' and at < ($4::date + 1)::timestamp at time zone 'utc'`;
  await transaction.query({
    text: `insert into settlement_mismatch (operator_id, file_id, class, provider, entry_kind, entry_id, currency, expected, found, day)
      select $1, $3, 'missing-there', provider, kind, id, currency, amount, 0, day from (${file.source === 'bank' ? DUE_SUMS : entries}) due
      where not exists (select 1 from settlement_match match where match.operator_id = $1 and match.entry_id = due.id
        and match.entry_kind = due.kind)
      and not exists (select 1 from archived_match archived where archived.operator_id = $1 and archived.entry_id = due.id
        and archived.entry_kind = due.kind) and ($6::uuid is null or $6 is not distinct from ${connectionOfEntry('due.id')})
      order by day, id
      on conflict do nothing`,
    values: [operatorId, provider, fileId, day, kinds, file.connectionId ?? null],
  });
}

/** The kinds of entries that a file of this mapping settles. */
function kindsOf(mapping: SettlementMapping): LineKind[] {
  const named =
    mapping.format === 'csv'
      ? mapping.columns.kind === undefined
        ? [mapping.kind]
        : Object.values(mapping.kinds)
      : [mapping.credit, mapping.debit];
  return [...new Set(named)].filter((kind) => kind !== undefined && kind !== 'ignore' && kind !== 'fee');
}

/**
 * The files before and after this one. Those of its mapping count, because another mapping may have other kinds of lines. Where no
 * earlier file has it, as after a new name, those of other mappings count. A day that was not over when its file was imported does not
 * count: its payments came after the comparison. A line may have a wrong date in the future, too.
 */
async function knownFiles(
  queryable: Queryable,
  { operatorId, provider, fileId, firstDay, connectionId }: FileAtWork,
): Promise<KnownFiles> {
  const [known] = await queryable.query<{
    earlierTo: string | null;
    laterFrom: string | null;
    laterTo: string | null;
  }>({
    text: `with known as (
        select first_day, least(last_day, (done_at at time zone 'utc')::date - 1) as last_day,
          mapping = (select mapping from settlement_file where operator_id = $1 and id = $3) as is_same
        from settlement_file where operator_id = $1 and provider = $2 and id <> $3 and state = 'done' and source <> 'chain'
          and connection_id is not distinct from $5)
      select earlier.to::text as "earlierTo", later.first_day::text as "laterFrom", later.last_day::text as "laterTo"
      from (select coalesce(max(last_day) filter (where is_same), max(last_day)) as to from known where first_day < $4) earlier
        left join (select first_day, last_day from known where is_same and first_day > $4 order by first_day limit 1) later on true`,
    values: [operatorId, provider, fileId, firstDay, connectionId ?? null],
  });
  const from = known?.laterFrom;
  const to = known?.laterTo;
  return { earlierTo: known?.earlierTo ?? undefined, later: from && to ? { from, to } : undefined };
}
