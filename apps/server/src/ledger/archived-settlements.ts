/**
 * Months of settlement lines and their matches that leave the database (docs/adr/0025). What the lines settled of each entry stays, because
 * a later file asks for it. So do the sums of each file. A digest of both stays, too.
 */
import {
  type FileToLeave,
  REASONS_TO_STAY,
  type ReasonToStay,
  whyLinesStay,
} from '@opencashier/core/reconciliation/leaving-lines';
import type { Queryable, Transaction } from '../database/database.ts';
import type { LedgerMonth } from './archived-months.ts';
import type { LedgerFault } from './ledger-faults.ts';

/** $1 and $2 are the times of the month. The ids find the partition. */
const LINE = 'line.id >= time_id_at($1) and line.id < time_id_at($2)';
const MATCH = 'match.line_id >= time_id_at($1) and match.line_id < time_id_at($2)';

/** Files that are judged together. */
const FILES_AT_ONCE = 100;

/** When the ledger last booked what an entry `named` is. A sum of a provider is older than the day after it was paid to the bank. */
const BOOKED_AT = `case named.kind
    when 'payment' then (select greatest(created_at, credited_at) from payment where operator_id = file.operator_id and id = named.id)
    when 'refund' then (select greatest(created_at, updated_at) from refund where operator_id = file.operator_id and id = named.id)
    when 'chargeback' then (select greatest(created_at, updated_at) from dispute where operator_id = file.operator_id and id = named.id)
    when 'payout' then (select greatest(created_at, updated_at) from payout where operator_id = file.operator_id and id = named.id)
    when 'return' then greatest(
      (select greatest(created_at, credited_at) from payment where operator_id = file.operator_id and id = named.id),
      (select greatest(created_at, updated_at) from payout where operator_id = file.operator_id and id = named.id))
    when 'settlement' then (select (day + 1)::timestamp at time zone 'UTC' from settlement_batch
      where operator_id = file.operator_id and id = named.id) end`;

const MICROS = (moment: string): string => `(extract(epoch from ${moment}) * 1000000)::bigint`;

/**
 * The next files with lines in the month, each with its facts. The next close counts lines of files that were compared after the last one. An
 * operator's first close counts none, but it may wait for its second person, and then lets the second close count later files.
 */
const FACTS = `with file as materialized (
    select * from settlement_file file where (operator_id, id) > ($3, $4::uuid) and source <> 'chain' and exists (select 1
      from settlement_line line where line.operator_id = file.operator_id and line.file_id = file.id and ${LINE})
    order by operator_id, id limit ${FILES_AT_ONCE}),
  about as materialized (select line.operator_id, line.file_id, count(*)::int as n from settlement_mismatch waiting
    join settlement_line line on line.operator_id = waiting.operator_id and line.id = waiting.line_id and line.file_id <> waiting.file_id and ${LINE}
    where waiting.state in ('open', 'proposed') and waiting.line_id >= time_id_at($1) and waiting.line_id < time_id_at($2) group by 1, 2)
  select file.operator_id as "operatorId", file.id as "fileId", file.name, operator.partner_key as "partnerKey",
    ${MICROS('file.done_at')} as "comparedAt",
    ${MICROS(`coalesce((select as_of from day_close where day_close.operator_id = file.operator_id and state = 'closed' order by day desc limit 1),
      (select as_of from day_close where day_close.operator_id = file.operator_id and state = 'proposed'))`)} as "closedAt",
    (select ${MICROS('max(until)')} from archived_partition where parent = 'journal') as "ledgerLeftUntil",
    coalesce(about.n, 0) + (select count(*)::int from settlement_mismatch waiting where waiting.operator_id = file.operator_id
      and waiting.file_id = file.id and waiting.state in ('open', 'proposed')) as "openMismatches",
    (select count(*)::int from settlement_booking booking where booking.operator_id = file.operator_id and booking.file_id = file.id
      and booking.state = 'proposed') as "waitingBookings",
    (select ${MICROS(`max(${BOOKED_AT})`)} from (
      select match.entry_kind as kind, match.entry_id as id from settlement_line line
        join settlement_match match on match.operator_id = line.operator_id and match.line_id = line.id and ${MATCH}
        where line.operator_id = file.operator_id and line.file_id = file.id and ${LINE}
      union all select entry_kind, entry_id from settlement_mismatch mismatch
        where mismatch.operator_id = file.operator_id and mismatch.file_id = file.id and entry_id is not null) named) as "lastBookedAt"
  from file join operator on operator.id = file.operator_id
  left join about on about.operator_id = file.operator_id and about.file_id = file.id
  order by file.operator_id, file.id`;

interface FactsRow
  extends Omit<FileToLeave, 'comparedAt' | 'lastBookedAt'>,
    Record<'comparedAt' | 'lastBookedAt' | 'closedAt' | 'ledgerLeftUntil', bigint | null> {
  readonly operatorId: string;
  readonly fileId: string;
  readonly name: string;
  readonly partnerKey: string;
}

/** For one file, and for several. */
const WORDS: Readonly<Record<ReasonToStay, readonly [string, string]>> = {
  'not-compared': ['is not compared', 'are not compared'],
  'mismatch-open': ['has open mismatches', 'have open mismatches'],
  'booking-waits': ['has bookings that wait for a second person', 'have bookings that wait for a second person'],
  'day-not-closed': [
    'was compared after the last signed close of a day',
    'were compared after the last signed close of a day',
  ],
  'payment-here': [
    'names payments whose ledger is still in the database',
    'name payments whose ledger is still in the database',
  ],
};

/** Why a month of settlement lines must stay; undefined: it may leave. Reads the files of the month in parts. */
export async function whyLinesOfMonthStay(queryable: Queryable, month: LedgerMonth): Promise<string | undefined> {
  const found = new Map<ReasonToStay, { files: number; readonly first: string }>();
  let after: Pick<FactsRow, 'operatorId' | 'fileId'> | undefined = {
    operatorId: '',
    fileId: '00000000-0000-0000-0000-000000000000',
  };
  while (after !== undefined) {
    const rows: readonly FactsRow[] = await queryable.query<FactsRow>({
      text: FACTS,
      values: [month.since, month.until, after.operatorId, after.fileId],
    });
    for (const row of rows) {
      const reason = whyLinesStay(
        { ...row, comparedAt: row.comparedAt ?? undefined, lastBookedAt: row.lastBookedAt ?? undefined },
        { closedAt: row.closedAt ?? undefined, ledgerLeftUntil: row.ledgerLeftUntil ?? undefined },
      );
      if (reason === undefined) continue;
      const known = found.get(reason) ?? { files: 0, first: `${row.name} of ${row.partnerKey}` };
      found.set(reason, { ...known, files: known.files + 1 });
    }
    after = rows.length < FILES_AT_ONCE ? undefined : rows.at(-1);
  }
  const said = REASONS_TO_STAY.flatMap((reason) => {
    const one = found.get(reason);
    if (one === undefined) return [];
    const [ofOne, ofMany] = WORDS[reason];
    return [
      `${one.files === 1 ? `1 settlement file ${ofOne}` : `${one.files} settlement files ${ofMany}`}, such as ${one.first}`,
    ];
  });
  return said.length === 0 ? undefined : said.join('; ');
}

/**
 * Digests of the rows of `month (operator_id, since, until, lines, matches, previous)`. They are hashed in parts by the beginning of an id, so
 * that no text grows with the month.
 */
const DIGESTS = `summed as (
    select operator_id, until, string_agg(hash, '' order by bucket) as hash from (
      select month.operator_id, month.until, left(file_id::text, 2) as bucket, encode(sha256(convert_to(string_agg(
        jsonb_build_array(file_id, currency, sum.lines, amount, fee)::text, '' order by file_id, currency collate "C"), 'UTF8')), 'hex') as hash
      from month join archived_line_sum sum using (operator_id, until) group by 1, 2, 3) part
    group by operator_id, until),
  settled as (
    select operator_id, until, string_agg(hash, '' order by bucket) as hash from (
      select month.operator_id, month.until, left(entry_id::text, 3) as bucket, encode(sha256(convert_to(string_agg(
        jsonb_build_array(entry_id, entry_kind, match.lines, amount)::text, '' order by entry_id, entry_kind collate "C"), 'UTF8')), 'hex') as hash
      from month join archived_match match using (operator_id, until) group by 1, 2, 3) part
    group by operator_id, until),
  digested as (
    select month.operator_id, month.since, month.until, month.lines, month.matches, sha256(convert_to(jsonb_build_array(
      encode(month.previous, 'hex'), month.lines, month.matches, summed.hash, settled.hash)::text, 'UTF8')) as digest
    from month left join summed using (operator_id, until) left join settled using (operator_id, until))`;

/**
 * Keeps what must stay of a month, in the transaction that detaches the month afterwards. One operator after the other. The rows of ended
 * files can no longer change. The row of an operator is locked by its digest only, so that its secrets can be changed until then.
 */
export async function keepLinesOfMonth(transaction: Transaction, { since, until }: LedgerMonth): Promise<void> {
  const operators = await transaction.query<{ id: string }>({
    text: `select id from operator where exists (select 1 from settlement_line line where line.operator_id = operator.id and ${LINE})
      order by id`,
    values: [since, until],
  });
  for (const { id } of operators) {
    const values = [since, until, id];
    await transaction.query({
      text: `insert into archived_line_sum (operator_id, file_id, until, currency, lines, amount, fee)
        select operator_id, file_id, $2, currency, count(*), sum(amount), sum(fee) from settlement_line line
        where line.operator_id = $3 and ${LINE} group by operator_id, file_id, currency`,
      values,
    });
    await transaction.query({
      text: `insert into archived_match (operator_id, entry_id, entry_kind, until, lines, amount)
        select operator_id, entry_id, entry_kind, $2, count(*), sum(amount) from settlement_match match
        where match.operator_id = $3 and ${MATCH} group by operator_id, entry_id, entry_kind`,
      values,
    });
  }
  await transaction.query({
    text: `with month as (select id as operator_id, $1::timestamptz as since, $2::timestamptz as until,
        (select sum(lines) from archived_line_sum where operator_id = id and until = $2) as lines,
        (select coalesce(sum(lines), 0) from archived_match where operator_id = id and until = $2) as matches,
        (select digest from archived_settlement earlier where earlier.operator_id = id order by earlier.place desc limit 1) as previous
        from unnest($3::text[]) id),
      ${DIGESTS}
      insert into archived_settlement (operator_id, since, until, lines, matches, digest)
      select operator_id, since, until, lines, matches, digest from digested`,
    values: [since, until, operators.map(({ id }) => id)],
  });
}

/** Compares what stays of archived months of settlement lines with its digests. */
export async function findChangedSettlements(queryable: Queryable): Promise<LedgerFault[]> {
  const digests = await queryable.query<LedgerFault>({
    text: `with month as (select operator_id, since, until, lines, matches, lag(digest) over (partition by operator_id order by place) as previous
        from archived_settlement),
      ${DIGESTS}
      select 'archived_settlement_agrees' as rule, 'month ' || operator_id || ' ' || (until at time zone 'UTC')::text as subject
      from archived_settlement join digested using (operator_id, until) where archived_settlement.digest <> digested.digest`,
  });
  const unknown = await queryable.query<LedgerFault>({
    text: `select distinct 'archived_settlement_agrees' as rule, 'month ' || operator_id || ' ' || (until at time zone 'UTC')::text as subject
      from (select operator_id, until from archived_line_sum union select operator_id, until from archived_match) kept
      where not exists (select 1 from archived_settlement month where month.operator_id = kept.operator_id and month.until = kept.until)
      union all select 'archived_settlement_agrees', 'month ' || operator_id || ' ' || (until at time zone 'UTC')::text
      from archived_settlement month where not exists (select 1 from archived_partition
        where parent = 'settlement_line' and archived_partition.until = month.until)
      union all select 'archived_settlement_agrees', 'partition ' || name from archived_partition lines where parent = 'settlement_line'
        and not exists (select 1 from archived_partition matches where matches.parent = 'settlement_match' and matches.until = lines.until)`,
  });
  return [...digests, ...unknown];
}
