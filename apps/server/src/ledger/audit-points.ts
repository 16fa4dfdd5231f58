/** Checked points of the ledger: where the next audit begins, and a digest that shows later changes of old journals (SRV-2). */
import type { Queryable, Transaction } from '../database/database.ts';
import { AFTER_POINT, CHECKED } from './audit-scope.ts';
import type { LedgerFault } from './ledger-faults.ts';

/**
 * Leaves out the months after a time, apart from the exact time: an id has only whole milliseconds. For new points only, because a sound
 * audit has found the time of each journal in its id. The comparison of points must also find a journal whose time was changed.
 */
const beforeTime = (until: string): string =>
  `journal.id < time_id_at(${until}::timestamptz + interval '1 millisecond')`;

/** The journals of spans that have one end, up to this end. */
const COVERED_BY_ONE = `covered as (
    select span.operator_id, span.until, journal from span join journal on journal.operator_id = span.operator_id
      and journal.id >= time_id_at(greatest(span.since, 'epoch')) and ${beforeTime('span.until')}
      and journal.at >= span.since and journal.at < span.until)`;

/**
 * The journals of many spans. Each journal is read once, and gets the first span that ends after its time. A search for each span would
 * read all later journals again. A journal at the very time of an end is after it.
 */
const COVERED_BY_MANY = `placed as (
    select operator_id, journal, min(ends) over later as until, min(begins) over later as since from (
      select journal.operator_id, journal.at as moment, null::timestamptz as ends, null::timestamptz as begins, journal from journal
        where journal.id >= time_id_at(greatest((select min(since) from span), 'epoch'))
      union all select operator_id, until, until, since, null from span) moments
    window later as (partition by operator_id order by moment desc, ends nulls first)),
  covered as (
    -- The second condition: a journal of an old id has no later time, whatever somebody wrote into it. So its own span misses it.
    select operator_id, until, journal from placed
      where (journal).at >= since and (journal).id >= time_id_at(greatest(since, 'epoch')))`;

/**
 * Digests of the rows of `span (operator_id, since, until, previous)`. Each journal is hashed with its postings, then each hour and
 * each span, so that no text grows with the age of the ledger. The time zone of the session has no effect.
 * @param covered makes `covered (operator_id, until, journal)`
 */
const digestsOf = (covered: string): string => `${covered},
  line as (
    select operator_id, until, (journal).id, date_trunc('hour', (journal).at, 'UTC') as hour, entry.postings,
      encode(sha256(convert_to(jsonb_build_array((journal).id, (journal).operator_id, (journal).kind, (journal).deposit_id,
        (journal).withdrawal_id, (journal).payment_id, (journal).refund_id, (journal).dispute_id, (journal).payout_id,
        (journal).ext_source, (journal).ext_ref, (journal).note, extract(epoch from (journal).at), entry.lines)::text, 'UTF8')), 'hex') as hash
    from covered
    cross join lateral (select count(*) as postings, jsonb_agg(jsonb_build_array(account_id, asset, amount) order by account_id) as lines
      from posting where posting.operator_id = (journal).operator_id and journal_id = (journal).id) entry),
  by_hour as (
    select operator_id, until, hour, count(*) as journals, sum(postings) as postings,
      encode(sha256(convert_to(string_agg(hash, '' order by id), 'UTF8')), 'hex') as hash
    from line group by operator_id, until, hour),
  digested as (
    select span.operator_id, span.until, coalesce(sum(journals), 0)::bigint as journals, coalesce(sum(postings), 0)::bigint as postings,
      sha256(convert_to(coalesce(encode(span.previous, 'hex'), '') || coalesce(string_agg(hash, '' order by hour), ''), 'UTF8')) as digest
    from span left join by_hour on by_hour.operator_id = span.operator_id and by_hour.until = span.until
    group by span.operator_id, span.until, span.previous)`;

/** True when at least one operator has a checked point. */
export async function hasAuditPoints(queryable: Queryable): Promise<boolean> {
  const [found] = await queryable.query<{ exists: boolean }>({
    text: 'select exists (select 1 from audit_point where until <= now()) as exists',
  });
  return found?.exists === true;
}

/**
 * Stores a point for each operator whose last point is earlier, and one for each end of a month before it. So a month can leave the
 * database, and no point covers journals of two months. Call it in the transaction of a sound audit, in one snapshot.
 * @param until absent: the last midnight (UTC) that was over an hour ago. So no transaction of that day still runs
 */
export async function storeAuditPoints(transaction: Transaction, until?: Date): Promise<void> {
  const [last] = await transaction.query<{ until: string }>({
    // As text, because a Date has only milliseconds.
    text: `select coalesce($1::timestamptz, date_trunc('day', now() - interval '1 hour', 'UTC'))::text as until`,
    values: [until?.toISOString() ?? null],
  });
  const ends = await transaction.query<{ until: string }>({
    text: `with ${CHECKED}, first as (select min(case when until > '-infinity' then until else (select journal.at from journal
        where journal.operator_id = checked.operator_id order by journal.operator_id, journal.id limit 1) end) at time zone 'UTC' as moment from checked)
      select (month_end at time zone 'UTC')::text as until
      from first cross join generate_series(date_trunc('month', moment) + interval '1 month', $1::timestamptz at time zone 'UTC', interval '1 month') month_end
      where month_end at time zone 'UTC' < $1::timestamptz order by month_end`,
    values: [last?.until],
  });
  for (const end of [...ends, last]) await storePointsAt(transaction, end?.until);
}

async function storePointsAt(transaction: Transaction, until: string | undefined): Promise<void> {
  await transaction.query({
    text: `with ${CHECKED}
      insert into audit_sum (operator_id, account_id, until, sum)
      select moved.operator_id, moved.account_id, $1, moved.sum + coalesce((select stored.sum from audit_sum stored
        where stored.operator_id = moved.operator_id and stored.account_id = moved.account_id and stored.until < $1 order by stored.until desc limit 1), 0)
      from (select posting.operator_id, posting.account_id, sum(posting.amount) as sum from checked
        join journal on journal.operator_id = checked.operator_id and ${AFTER_POINT}
          and journal.at >= checked.until and ${beforeTime('$1')} and journal.at < $1
        join posting on posting.operator_id = journal.operator_id and posting.journal_id = journal.id
        where checked.until < $1 group by posting.operator_id, posting.account_id) moved`,
    values: [until],
  });
  await transaction.query({
    text: `with ${CHECKED},
      span as (select checked.operator_id, checked.until as since, $1::timestamptz as until, point.digest as previous from checked
        left join audit_point point on point.operator_id = checked.operator_id and point.until = checked.until where checked.until < $1),
      ${digestsOf(COVERED_BY_ONE)}
      insert into audit_point (operator_id, until, journals, postings, digest)
      select operator_id, until, journals, postings, digest from digested`,
    values: [until],
  });
}

/**
 * Compares the points with the journals that they cover. Points of archived months have none any more: the archive has compared them.
 * @param month compares the points of this time alone
 */
export function findChangedPoints(
  queryable: Queryable,
  month?: { readonly since: Date; readonly until: Date },
): Promise<LedgerFault[]> {
  return queryable.query<LedgerFault>({
    text: `with point as (select operator_id, until, lag(until, 1, '-infinity') over points as since, lag(digest) over points as previous
        from audit_point window points as (partition by operator_id order by until)),
      span as (select * from point where until > coalesce($1::timestamptz,
          (select max(until) from archived_partition where parent = 'journal'), '-infinity')
        and until <= coalesce($2::timestamptz, 'infinity')),
      ${digestsOf(COVERED_BY_MANY)}
      select 'audit_point_agrees' as rule, 'point ' || operator_id || ' ' || (until at time zone 'UTC')::text as subject
      from audit_point join digested using (operator_id, until)
      where (audit_point.journals, audit_point.postings, audit_point.digest)
        is distinct from (digested.journals, digested.postings, digested.digest)
        or audit_point.until > now()`,
    values: [month?.since ?? null, month?.until ?? null],
  });
}

/** Compares the stored sums of the last points with the postings before them. Reads the whole ledger. */
export function findChangedSums(queryable: Queryable): Promise<LedgerFault[]> {
  return queryable.query<LedgerFault>({
    text: `with ${CHECKED},
      known as (select distinct on (operator_id, account_id) operator_id, account_id, sum from audit_sum
        join checked using (operator_id) where audit_sum.until <= checked.until order by operator_id, account_id, audit_sum.until desc),
      counted as (select operator_id, account_id, sum(amount) as sum from (
        select posting.operator_id, posting.account_id, posting.amount from checked
          join journal on journal.operator_id = checked.operator_id and journal.at < checked.until
          join posting on posting.operator_id = journal.operator_id and posting.journal_id = journal.id
        union all select operator_id, account_id, sum from archived_balance) moved
        group by operator_id, account_id)
      select 'audit_sum_agrees' as rule, 'account ' || account_id as subject
      from known full join counted using (operator_id, account_id) where coalesce(known.sum, 0) <> coalesce(counted.sum, 0)`,
  });
}
