/**
 * Months of journals and postings that leave the database (docs/adr/0025). The sum of each account stays, and so do the journals that
 * later rules ask for. A digest of both and of the keys stays, too.
 */
import type { Queryable, Transaction } from '../database/database.ts';
import { findChangedPoints } from './audit-points.ts';
import type { LedgerFault } from './ledger-faults.ts';

/** The times of a partition. */
export interface LedgerMonth {
  readonly since: Date;
  readonly until: Date;
}

/** Below this age no month of the ledger leaves, whatever an option says: a payer may still dispute its payments. */
export const LEAST_LEDGER_MONTHS = 13;

/**
 * Digests of the rows of `month (operator_id, since, until, previous)`. The keys and kept journals are hashed by hour, and the sums by
 * a thousand accounts, so that no text grows with the month. The time zone of the session has no effect.
 */
const DIGESTS = `summed as (
    select operator_id, until, string_agg(hash, '' order by bucket) as hash from (
      select month.operator_id, month.until, account_id / 1000 as bucket, encode(sha256(convert_to(string_agg(
        jsonb_build_array(account_id, sum, extract(epoch from lowered_at))::text, '' order by account_id), 'UTF8')), 'hex') as hash
      from month join archived_balance using (operator_id, until) group by 1, 2, 3) part
    group by operator_id, until),
  key_hour as (
    select operator_id, date_trunc('hour', time_of_id(journal_id), 'UTC') as hour, encode(sha256(convert_to(string_agg(
      jsonb_build_array(journal_id, ref, source, kind)::text, '' order by journal_id, ref, source, kind), 'UTF8')), 'hex') as hash
    from journal_key
    where journal_id >= time_id_at((select min(since) from month)) and journal_id < time_id_at((select max(until) from month))
    group by 1, 2),
  keyed as (
    select month.operator_id, month.until, string_agg(key_hour.hash, '' order by hour) as hash
    from month join key_hour on key_hour.operator_id = month.operator_id and hour >= month.since and hour < month.until group by 1, 2),
  kept_hour as (
    select operator_id, date_trunc('hour', at, 'UTC') as hour, encode(sha256(convert_to(string_agg(jsonb_build_array(id, kind, deposit_id,
      withdrawal_id, payment_id, refund_id, dispute_id, payout_id, ext_source, ext_ref, note, extract(epoch from at), lines)::text, ''
      order by id), 'UTF8')), 'hex') as hash
    from archived_journal where at >= (select min(since) from month) and at < (select max(until) from month) group by 1, 2),
  kept as (
    select month.operator_id, month.until, string_agg(kept_hour.hash, '' order by hour) as hash
    from month join kept_hour on kept_hour.operator_id = month.operator_id and hour >= month.since and hour < month.until group by 1, 2),
  digested as (
    select month.operator_id, month.since, month.until, month.journals, month.postings, sha256(convert_to(jsonb_build_array(
      encode(month.previous, 'hex'), month.journals, month.postings, summed.hash, keyed.hash, kept.hash)::text, 'UTF8')) as digest
    from month left join summed using (operator_id, until) left join keyed using (operator_id, until) left join kept using (operator_id, until))`;

/** $1 and $2 are the times of the month. The ids find the partition, and no row of it has another time. */
const OF_MONTH = 'journal.id >= time_id_at($1) and journal.id < time_id_at($2)';
const POSTED_IN_MONTH = 'posting.journal_id >= time_id_at($1) and posting.journal_id < time_id_at($2)';

/** Counts what of the month can still change: holds, suspended payments, and late payouts that staff have not decided about. */
export const OPEN_IN_MONTH = `select count(*)::int as n from journal where ${OF_MONTH} and (
  (kind = 'hold' and not exists (select 1 from journal_key ended where ended.operator_id = journal.operator_id
    and ended.ref = journal.ext_ref and ended.source = journal.ext_source and ended.kind = 'hold_end'))
  or (kind = 'suspense_in' and exists (select 1 from payment
    where payment.operator_id = journal.operator_id and payment.id = journal.payment_id and payment.state = 'in_review'))
  or (kind = 'withdrawal_late_paid' and exists (select 1 from withdrawal
    where withdrawal.operator_id = journal.operator_id and withdrawal.id = journal.withdrawal_id and withdrawal.state = 'late_paid')))`;

/**
 * Why a month of the ledger must stay; undefined: it may leave. Reads the whole month.
 * @param isAfterOthers true: earlier months that are still here would leave before it
 */
export async function whyLedgerMonthStays(
  queryable: Queryable,
  month: LedgerMonth,
  isAfterOthers: boolean,
): Promise<string | undefined> {
  const values = [month.since, month.until];
  const earlier = await queryable.query({
    text: `select 1 from time_partition where parent = 'journal' and until <= $1 limit 1`,
    values: [month.since],
  });
  if (earlier.length > 0 && !isAfterOthers) return 'an earlier month of the ledger is still in the database';
  const unchecked = await queryable.query<{ operator: string }>({
    text: `select operator.id as operator from operator
      where exists (select 1 from journal where journal.operator_id = operator.id and ${OF_MONTH})
        and not exists (select 1 from audit_point where audit_point.operator_id = operator.id and audit_point.until = $2)
      order by 1`,
    values,
  });
  if (unchecked.length > 0) {
    const { operator } = unchecked[0] ?? { operator: '' };
    return `no audit has checked the ledger up to its end (operators: ${unchecked.length}, such as ${operator}). Run \`opencashier audit\` first`;
  }
  const changed = await findChangedPoints(queryable, month);
  if (changed.length === 0) return undefined;
  return `its journals do not agree with its checked points (wrong: ${changed.length}). Run \`opencashier audit --full\` first`;
}

/**
 * Keeps what must stay of a month, in the transaction that detaches the month afterwards. The rows of the month can no longer change.
 * @throws Error if the sums disagree with the sums of the last checked point
 */
export async function keepLedgerMonth(transaction: Transaction, month: LedgerMonth): Promise<void> {
  const values = [month.since, month.until];
  await transaction.query({
    text: `insert into archived_balance (operator_id, account_id, until, sum, lowered_at)
      select posting.operator_id, posting.account_id, $2, sum(posting.amount), max(journal.at) filter (where posting.amount < 0)
      from posting join journal on journal.operator_id = posting.operator_id and journal.id = posting.journal_id and ${OF_MONTH}
      where ${POSTED_IN_MONTH} group by posting.operator_id, posting.account_id`,
    values,
  });
  await transaction.query({
    text: `insert into archived_journal (operator_id, id, kind, deposit_id, withdrawal_id, payment_id, refund_id, dispute_id, payout_id,
        ext_source, ext_ref, note, at, lines)
      select operator_id, id, kind, deposit_id, withdrawal_id, payment_id, refund_id, dispute_id, payout_id, ext_source, ext_ref, note, at, lines
      from journal cross join lateral (select count(*) as n, jsonb_agg(jsonb_build_array(account_id, asset, amount) order by account_id) as lines
        from posting where posting.operator_id = journal.operator_id and posting.journal_id = journal.id and ${POSTED_IN_MONTH}) entry
      where ${OF_MONTH} and (num_nonnulls(withdrawal_id, refund_id, dispute_id, payout_id) > 0 or kind in ('suspense_in', 'suspense_out')
        -- A credit of two lines is the payment's amount. One with more has a bonus or coins, which a chargeback takes back.
        or (kind = 'deposit_credit' and n > 2))`,
    values,
  });
  await transaction.query({
    text: `with month as (
        select journal.operator_id, $1::timestamptz as since, $2::timestamptz as until, count(*) as journals,
          (select count(*) from posting where posting.operator_id = journal.operator_id and ${POSTED_IN_MONTH}) as postings,
          (select digest from archived_month earlier where earlier.operator_id = journal.operator_id and earlier.until < $2
            order by earlier.until desc limit 1) as previous
        from journal where ${OF_MONTH} group by journal.operator_id),
      ${DIGESTS}
      insert into archived_month (operator_id, since, until, journals, postings, digest)
      select operator_id, since, until, journals, postings, digest from digested`,
    values,
  });
  const wrong = await findWrongSums(transaction, month.until);
  const [first] = wrong;
  if (first !== undefined) {
    throw new Error(
      `The sums up to ${month.until.toISOString()} disagree with the checked point (accounts: ${wrong.length}, such as ${first.subject}). Nothing was changed. Run \`opencashier audit --full\`.`,
    );
  }
}

/** The sums of all archived months up to a point must give the sum that the audit stored at this point. */
function findWrongSums(queryable: Queryable, until?: Date): Promise<LedgerFault[]> {
  return queryable.query<LedgerFault>({
    text: `select 'archived_balance_agrees' as rule, 'account ' || account_id as subject from (
        select operator_id, account_id, until, sum(sum) over (partition by operator_id, account_id order by until) as total
        from archived_balance) archived
      where ($1::timestamptz is null or until = $1) and total is distinct from (select stored.sum from audit_sum stored
        where stored.operator_id = archived.operator_id and stored.account_id = archived.account_id and stored.until <= archived.until
        order by stored.until desc limit 1)`,
    values: [until ?? null],
  });
}

/** Compares what stays of archived months with its digests and with the checked points. Reads all keys of these months. */
export async function findChangedArchives(queryable: Queryable): Promise<LedgerFault[]> {
  const digests = await queryable.query<LedgerFault>({
    text: `with month as (select operator_id, since, until, journals, postings, lag(digest) over (partition by operator_id order by until) as previous
        from archived_month),
      ${DIGESTS}
      select 'archived_month_agrees' as rule, 'month ' || operator_id || ' ' || (until at time zone 'UTC')::text as subject
      from archived_month join digested using (operator_id, until) where archived_month.digest <> digested.digest`,
  });
  const unknown = await queryable.query<LedgerFault>({
    text: `select 'archived_month_agrees' as rule, 'partition ' || name as subject from archived_partition
        where parent = 'journal' and (until > (select min(since) from time_partition where parent = 'journal')
          or not exists (select 1 from archived_partition lines where lines.parent = 'posting' and lines.until = archived_partition.until))
      union all select 'archived_month_agrees', 'month ' || operator_id || ' ' || (until at time zone 'UTC')::text from archived_month
        where not exists (select 1 from archived_partition where parent = 'journal' and archived_partition.until = archived_month.until)
      union all select distinct 'archived_month_agrees', 'account ' || account_id from archived_balance
        where not exists (select 1 from archived_month
          where archived_month.operator_id = archived_balance.operator_id and archived_month.until = archived_balance.until)
      union all select distinct 'archived_month_agrees', 'operator ' || operator_id from journal_key
        where journal_id < (select archived_before()) and not exists (select 1 from archived_month
          where archived_month.operator_id = journal_key.operator_id and journal_id >= time_id_at(since) and journal_id < time_id_at(until))
      union all select distinct 'archived_month_agrees', 'journal ' || id from archived_journal
        where not exists (select 1 from archived_month
          where archived_month.operator_id = archived_journal.operator_id and id >= time_id_at(since) and id < time_id_at(until))
      union all select 'archived_balance_agrees', 'operator ' || archived_balance.operator_id || ' ' || asset from archived_balance
        join account on account.operator_id = archived_balance.operator_id and account.id = account_id
        group by archived_balance.operator_id, asset, until having sum(sum) <> 0`,
  });
  return [...digests, ...unknown, ...(await findWrongSums(queryable))];
}
