/** Finds rows that someone changed in the database past the application and past the triggers (SRV-2). */
import type { Queryable } from '../database/database.ts';
import type { AuditScope } from './audit-scope.ts';
import { guards } from './ledger-guards.ts';

/** A broken rule and the row that breaks it. */
export interface LedgerFault {
  /** The broken rule, such as `hold_ends_exactly`. */
  readonly rule: string;
  /** Such as `journal 0b9f6a52-…`, `deposit …`, `withdrawal …` or `trigger …`. */
  readonly subject: string;
}

/** True for the key of the fact of a hold. */
const keyOf = (key: string, operator: string, ref: string, kind: 'hold' | 'hold_end'): string =>
  `${key}.operator_id = ${operator} and ${key}.source = 'hold' and ${key}.ref = ${ref}::text and ${key}.kind = '${kind}'`;

/** Reports of a payment whose body is missing or says otherwise. The body of an archived month is in its file. */
const reportsOf = (kind: 'deposit' | 'withdrawal', condition: AuditScope['deposit'], isFull: boolean): string =>
  `select 'report_agrees' as rule, 'report ' || event.provider || ' ' || event.event_id as subject
    from ${kind} payment ${
      isFull
        ? `join ${kind}_event event on event.${kind}_id = payment.id left join event_body on event_body.id = event.body_id`
        : // Searches only: a plan might else read all reports for the few of one day.
          `cross join lateral (select * from ${kind}_event where ${kind}_id = payment.id offset 0) event
            left join lateral (select * from event_body where id = event.body_id offset 0) event_body on true`
    } where ${condition('payment.id', 'payment.operator_id')} and event.status = 'applied'
      and (event.reported, event.paid, event.currency) is distinct from
        (event_body.body ->> 'outcome', (event_body.body ->> 'paidMinor')::numeric, event_body.body ->> 'currency')
      and (event_body.id is not null or not exists (select 1 from archived_partition
        where parent = 'event_body' and event.body_id >= time_id_at(since) and event.body_id < time_id_at(until)))`;

/** Each query returns `rule` and `subject`. All names are constants of ours. */
const queriesOf = ({ isFull, rows, deposit, withdrawal, journal, keys, late }: AuditScope): readonly string[] =>
  [
    // The rules that the journal trigger checks at each commit. `offset 0` lets the database judge only the rows of the scope.
    `select fault as rule, 'journal ' || id as subject
    from (select journal.id, journal_fault(journal) as fault from journal where ${journal('id', 'operator_id')} offset 0) judged where fault is not null`,
    `select fault as rule, 'journal ' || id as subject
    from (select journal.id, key_fault(journal) as fault from journal where ${journal('id', 'operator_id')} offset 0) judged where fault is not null`,
    `select distinct 'journal_balanced' as rule, 'journal ' || journal_id as subject from posting
    where ${journal('journal_id', 'operator_id')} group by operator_id, journal_id, asset having sum(amount) <> 0`,
    `select distinct 'posting_account_agrees' as rule, 'journal ' || journal_id as subject from posting
    where ${journal('journal_id', 'operator_id')} and not exists (select 1 from account
      where account.operator_id = posting.operator_id and account.id = posting.account_id and account.asset = posting.asset)`,
    // A posting without its journal is in no scope but the full one.
    ...(isFull
      ? [
          `select distinct 'posting_journal_agrees' as rule, 'journal ' || journal_id as subject from posting where not exists (
    select 1 from journal where journal.operator_id = posting.operator_id and journal.id = posting.journal_id)`,
        ]
      : []),
    // A key without its journal, or of a journal that has other keys.
    `select 'journal_key_agrees' as rule, 'journal ' || key.journal_id as subject from journal_key key
    left join journal on journal.operator_id = key.operator_id and journal.id = key.journal_id
    where ${keys} and (journal.id is null
      or (key.ref, key.source, key.kind) not in (select own.ref, own.source, own.kind from journal_keys(journal) own))`,
    `select 'account_frozen' as rule, 'journal ' || journal.id as subject from account main
    join account on account.operator_id = main.operator_id and account.owner = main.owner and account.asset = main.asset
      and account.kind in ('user', 'user_additional')
    join posting on posting.operator_id = account.operator_id and posting.account_id = account.id and posting.amount < 0
    join journal on journal.operator_id = posting.operator_id and journal.id = posting.journal_id and journal.at > main.frozen_at
    left join journal_kind on journal_kind.kind = journal.kind
    where main.kind = 'user' and main.frozen_at is not null and journal_kind.takes_frozen is not true
      and ${journal('journal.id', 'journal.operator_id')}`,
    `select 'deposit_history_complete' as rule, 'deposit ' || deposit.id as subject from deposit
    left join (select operator_id, deposit_id, max(n) as last, count(*) as rows from deposit_history
      where ${deposit('deposit_id', 'operator_id')} group by operator_id, deposit_id) history
      on history.operator_id = deposit.operator_id and history.deposit_id = deposit.id
    left join deposit_history as newest on newest.operator_id = deposit.operator_id and newest.deposit_id = deposit.id
      and newest.n = history.last
    where ${deposit('deposit.id', 'deposit.operator_id')} and (history.rows is distinct from history.last or newest.to_state is distinct from deposit.state)`,
    `select 'withdrawal_history_complete' as rule, 'withdrawal ' || withdrawal.id as subject from withdrawal
    left join (select judged.operator_id, judged.id, max(n) as last, count(*) as rows from withdrawal judged
      join withdrawal_history on withdrawal_history.operator_id = judged.operator_id and withdrawal_id = judged.id
      where ${withdrawal('judged.id', 'judged.operator_id')} group by judged.operator_id, judged.id) history
      on history.operator_id = withdrawal.operator_id and history.id = withdrawal.id
    left join withdrawal_history as newest on newest.operator_id = withdrawal.operator_id and newest.withdrawal_id = withdrawal.id
      and newest.n = history.last
    where ${withdrawal('withdrawal.id', 'withdrawal.operator_id')} and (history.rows is distinct from history.last or newest.to_state is distinct from withdrawal.state)`,
    `select 'deposit_key_kept' as rule, 'deposit ' || id as subject from deposit
    where ${deposit('id', 'operator_id')} and not exists (select 1 from deposit_key where deposit_key.operator_id = deposit.operator_id
      and deposit_key.user_id = deposit.user_id and deposit_key.client_key = deposit.client_key
      and deposit_key.deposit_id = deposit.id)`,
    `select 'withdrawal_key_kept' as rule, 'withdrawal ' || id as subject from withdrawal
    where ${withdrawal('id', 'operator_id')} and not exists (select 1 from withdrawal_key where withdrawal_key.operator_id = withdrawal.operator_id
      and withdrawal_key.user_id = withdrawal.user_id and withdrawal_key.client_key = withdrawal.client_key)`,
    `select 'deposit_reversal_agrees' as rule, 'deposit ' || id as subject from deposit
    where ${deposit('id', 'operator_id')} and state = 'reversed' and not exists (select 1 from known_journal journal
      where journal.operator_id = deposit.operator_id and deposit_id = deposit.id and kind = 'deposit_reversal')`,
    `select 'withdrawal_hold_agrees' as rule, 'withdrawal ' || withdrawal.id as subject
    from withdrawal join withdrawal_state using (state)
    left join journal_key began on ${keyOf('began', 'withdrawal.operator_id', 'withdrawal.id', 'hold')}
    left join journal_key ending on ${keyOf('ending', 'withdrawal.operator_id', 'withdrawal.id', 'hold_end')}
    left join known_journal ended on ended.operator_id = ending.operator_id and ended.id = ending.journal_id
    where ${withdrawal('withdrawal.id', 'withdrawal.operator_id')} and withdrawal_state.hold is distinct from case when began.journal_id is not null then coalesce(ended.note, 'held') end`,
    `select 'withdrawal_return_agrees' as rule, 'withdrawal ' || id as subject from withdrawal where state = 'returned'
    and ${withdrawal('id', 'operator_id')} and not exists (select 1 from known_journal journal
      where journal.operator_id = withdrawal.operator_id and withdrawal_id = withdrawal.id and kind = 'withdrawal_return')`,
    // The rules that the payment triggers check at each commit.
    `select fault as rule, 'payment ' || id as subject
    from (select payment.id, payment_fault(payment) as fault from payment where ${deposit('deposit_id', 'operator_id')} offset 0) judged where fault is not null`,
    `select fault as rule, 'withdrawal ' || id as subject
    from (select withdrawal.id, payout_fault(withdrawal) as fault from withdrawal where ${withdrawal('id', 'operator_id')} offset 0) judged where fault is not null`,
    `select 'dispute_booked' as rule, 'dispute ' || id as subject from dispute
    where ${deposit('deposit_id', 'operator_id')} and not exists (select 1 from known_journal journal
      where journal.operator_id = dispute.operator_id and journal.deposit_id = dispute.deposit_id and journal.payment_id = dispute.payment_id
        and dispute_id = dispute.id)`,
    `select 'deposit_payments_agree' as rule, 'deposit ' || deposit.id as subject from deposit
    join payment_summary summary on summary.operator_id = deposit.operator_id and summary.deposit_id = deposit.id
    where ${deposit('deposit.id', 'deposit.operator_id')} and (deposit.paid, deposit.credited, deposit.paid_debt, deposit.charged_fee, deposit.review, deposit.reviews,
        deposit.review_since)
      is distinct from (summary.paid, summary.credited, summary.paid_debt, summary.charged_fee, summary.review, summary.reviews, summary.review_since)`,
    `select 'payment_booked' as rule, 'journal ' || id as subject from journal
    where ${journal('id', 'operator_id')} and deposit_id is not null and payment_id is null and kind <> 'operator_transfer'`,
    `select 'refund_agrees' as rule, 'refund ' || refund.id as subject from refund
    where ${deposit('deposit_id', 'operator_id')} and origin = 'review' and not exists (select 1 from known_journal journal
      where journal.operator_id = refund.operator_id and journal.deposit_id = refund.deposit_id and journal.payment_id = refund.payment_id
        and refund_id = refund.id and kind = 'suspense_out')`,
    `select 'refund_agrees' as rule, 'refund ' || refund.id as subject from refund
    left join journal_key ending on ${keyOf('ending', 'refund.operator_id', 'refund.id', 'hold_end')}
    left join known_journal ended on ended.operator_id = ending.operator_id and ended.id = ending.journal_id
    where ${deposit('refund.deposit_id', 'refund.operator_id')} and origin = 'operator' and (ended.note is distinct from case when refund.state in ('succeeded', 'bounced') then 'post'
        when refund.state = 'declined' then 'void' end
      or not exists (select 1 from journal_key began where ${keyOf('began', 'refund.operator_id', 'refund.id', 'hold')}))`,
    `select 'operator_transfer_agrees' as rule, 'transfer ' || transfer_id as subject from operator_transfer made
    where ${late('made.operator_id', 'made.created_at')} and not exists (select 1 from journal_key
      where operator_id = made.operator_id and kind = 'operator_transfer' and ref = transfer_id::text
        and source = 'operator:' || made.operator_id)`,
    // A call to a wallet has the journals of its state, and no other.
    `select 'wallet_call_booked' as rule, 'wallet call ' || made.id as subject from operator_wallet_call made
    cross join lateral (values ('wallet_out', made.type <> 'debit'), ('wallet_settled', made.type <> 'debit' and made.state = 'done'),
      ('wallet_in', made.type = 'debit' and made.state in ('done', 'booked'))) as books(kind, is_due)
    where ${late('made.operator_id', 'coalesce(made.known_at, made.created_at)')} and books.is_due <> exists (select 1 from journal_key
      where operator_id = made.operator_id and journal_key.kind = books.kind and ref = made.id::text and source = 'operator-wallet')`,
    // A waiting call is asked because of its row in the queue. Without it the wallet would never be asked again.
    `select 'wallet_call_queued' as rule, 'wallet call ' || made.id as subject from operator_wallet_call made
    where ${late('made.operator_id', 'made.created_at')} and made.state = 'waiting' and not exists (select 1 from operator_wallet_queue queued
      where queued.operator_id = made.operator_id and queued.call_id = made.id
        and queued.payment_id = coalesce(made.deposit_id, made.withdrawal_id))`,
    `select 'wallet_call_queued' as rule, 'wallet call ' || queued.call_id as subject from operator_wallet_queue queued
    left join operator_wallet_call asked on asked.operator_id = queued.operator_id and asked.id = queued.call_id
    where asked.state is distinct from 'waiting'`,
    // Of any age: a withdrawal waits for the wallet as long as its debit does.
    `select 'withdrawal_debit_queued' as rule, 'withdrawal ' || withdrawal.id as subject from withdrawal
    where withdrawal.state = 'checking' and not exists (select 1 from operator_wallet_queue queued
      join operator_wallet_call asked on asked.operator_id = queued.operator_id and asked.id = queued.call_id
        and asked.withdrawal_id = queued.payment_id and asked.type = 'debit' and asked.state = 'waiting'
      where queued.operator_id = withdrawal.operator_id and queued.payment_id = withdrawal.id)`,
    // What is in transit is what the wallets are still asked to take.
    `select 'wallet_transit_agrees' as rule, 'account of ' || coalesce(held.owner, waiting.user_id) as subject
    from (select operator_id, owner, asset, balance from account where kind = 'wallet_transit' and balance <> 0) held
    full join (select asked.operator_id, asked.user_id, asked.currency, sum(asked.amount) as amount from operator_wallet_queue queued
        join operator_wallet_call asked on asked.operator_id = queued.operator_id and asked.id = queued.call_id
        where asked.type <> 'debit' and asked.state = 'waiting' group by asked.operator_id, asked.user_id, asked.currency) waiting
      on waiting.operator_id = held.operator_id and waiting.user_id = held.owner and waiting.currency = held.asset
    where held.balance is distinct from waiting.amount`,
    `select 'debt_settlement_agrees' as rule, 'settlement ' || decision_id as subject from debt_settlement made
    where ${late('made.operator_id', 'made.at')} and not exists (select 1 from journal_key
      where operator_id = made.operator_id and kind = 'debt_settlement' and ref = decision_id::text
        and source = 'operator:' || made.operator_id)`,
    `select 'settlement_booking_agrees' as rule, 'booking ' || made.id as subject from settlement_booking made
    where ${late('made.operator_id', 'coalesce(made.decided_at, made.proposed_at)')} and (made.state = 'approved' and made.amount <> 0)
      <> exists (select 1 from journal_key where operator_id = made.operator_id and kind = 'settlement_booking' and ref = made.id::text
        and source = 'settlement')`,
    `select 'network_fee_agrees' as rule, 'withdrawal ' || made.withdrawal_id as subject from coin_payout made
    where made.fee_booked_at is not null and ${late('made.operator_id', 'made.fee_booked_at')} and (made.fee_minor > 0)
      <> exists (select 1 from journal_key where operator_id = made.operator_id and kind = 'network_fee'
        and ref = made.withdrawal_id::text and source = 'coin-payout')`,
    // Nobody ends a difference alone, and past the cashier.
    `select 'settlement_mismatch_decided' as rule, 'mismatch ' || made.id as subject from settlement_mismatch made
    where ${late('made.operator_id', 'coalesce(made.ended_at, time_of_id(made.id))')} and made.state <> 'taken-back' and (made.state = 'resolved')
      <> exists (select 1 from settlement_booking where operator_id = made.operator_id and mismatch_id = made.id and state = 'approved')`,
    // Two people take a file back, and then it settles nothing.
    `select 'settlement_take_back_agrees' as rule, 'settlement file ' || file.id as subject from settlement_file file
    left join settlement_take_back made on made.operator_id = file.operator_id and made.file_id = file.id and made.state = 'confirmed'
    where (file.state = 'taken-back') <> (made.id is not null) or file.state = 'taken-back' and (
      exists (select 1 from settlement_mismatch where operator_id = file.operator_id and file_id = file.id and state <> 'taken-back')
      or exists (select 1 from settlement_mismatch where operator_id = file.operator_id and cleared_by = file.id and file_id <> file.id)
      or exists (select 1 from settlement_booking where operator_id = file.operator_id and file_id = file.id and state <> 'rejected' and
        (state = 'proposed' or amount <> 0))
      or exists (select 1 from settlement_batch where operator_id = file.operator_id and file_id = file.id)
      or exists (select 1 from settlement_line line join settlement_match match on match.operator_id = line.operator_id and match.line_id = line.id
        where line.operator_id = file.operator_id and line.file_id = file.id))
    union all select 'settlement_take_back_agrees', 'mismatch ' || made.id from settlement_mismatch made
    join settlement_file file on file.operator_id = made.operator_id and file.id = made.file_id
    where ${late('made.operator_id', 'coalesce(made.ended_at, time_of_id(made.id))')} and made.state = 'taken-back' and file.state <> 'taken-back'`,
    // What was imported is as it was. The lines of a file, with those that left, have its number and its sums. A match has the amount of its line.
    ...(isFull
      ? [
          `select 'settlement_file_agrees' as rule, 'settlement file ' || file.id as subject from settlement_file file
    cross join lateral (select coalesce(sum(n), 0) as n, coalesce(jsonb_object_agg(currency, jsonb_build_array(amount::text, fee::text)), '{}') as sums
      from (select currency, sum(n) as n, sum(amount) as amount, sum(fee) as fee from (
          select currency, count(*) as n, sum(amount) as amount, sum(fee) as fee from settlement_line line
            where line.operator_id = file.operator_id and line.file_id = file.id group by currency
          union all select currency, lines, amount, fee from archived_line_sum archived
            where archived.operator_id = file.operator_id and archived.file_id = file.id) part group by currency) line) found
    where file.state in ('done', 'taken-back') and (file.lines, found.sums) is distinct from (found.n, (select coalesce(jsonb_object_agg(total ->> 'currency',
      jsonb_build_array(total ->> 'amount', total ->> 'fees')), '{}') from jsonb_array_elements(file.totals) total))`,
          `select 'settlement_match_agrees' as rule, 'settlement line ' || match.line_id as subject from settlement_match match
    left join settlement_line line on line.operator_id = match.operator_id and line.id = match.line_id
    where line.amount is distinct from match.amount`,
        ]
      : []),
    // Each closed day has the hash of the day before. The command day-closes verify also checks signatures and sums.
    `select 'day_close_chained' as rule, 'close ' || id as subject from (
      select day_close.*, lag(hash) over days as before, lag(day) over days as day_before from day_close where state = 'closed'
      window days as (partition by operator_id order by day)) made
    where hash is distinct from sha256(convert_to(document, 'UTF8')) or previous is distinct from before or day <> coalesce(day_before + 1, day)`,
    `select 'coin_play_agrees' as rule, 'play ' || play_id as subject from coin_play made
    where ${late('made.operator_id', 'made.at')} and won <> staked and not exists (select 1 from journal_key
      where operator_id = made.operator_id and kind = 'coin_play' and source = 'play'
        and ref = made.operator_id || ':' || made.play_id)`,
    // A search would not open this month.
    `select 'later_month_noted' as rule, 'journal ' || journal.id as subject from journal
    left join deposit on deposit.operator_id = journal.operator_id and deposit.id = journal.deposit_id
    left join withdrawal on withdrawal.operator_id = journal.operator_id and withdrawal.id = journal.withdrawal_id
    where ${journal('journal.id', 'journal.operator_id')} and num_nonnulls(deposit.id, withdrawal.id) > 0
      and date_trunc('month', journal.at, 'UTC') <> date_trunc('month', coalesce(deposit.created_at, withdrawal.created_at), 'UTC')
      and not exists (select 1 from later_month where later_month.operator_id = journal.operator_id
        and payment_id = coalesce(deposit.id, withdrawal.id) and month = date_trunc('month', journal.at at time zone 'UTC')::date)`,
    // The rules believe the facts of a report, and its body proves them.
    reportsOf('deposit', deposit, isFull),
    reportsOf('withdrawal', withdrawal, isFull),
    `select 'trigger_switched_off' as rule, 'trigger ' || tgname || ' on ' || tgrelid::regclass as subject
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = current_schema()::regnamespace and tgenabled <> 'O'`,
  ].map((query) => rows + query);

/** Judges the rows of the scope, and all triggers. Changes nothing. */
export async function findLedgerFaults(queryable: Queryable, scope: AuditScope): Promise<LedgerFault[]> {
  const faults: LedgerFault[] = [];
  for (const text of queriesOf(scope)) faults.push(...(await queryable.query<LedgerFault>({ text })));
  return [...faults, ...(await missingGuards(queryable))];
}

async function missingGuards(queryable: Queryable): Promise<LedgerFault[]> {
  return queryable.query<LedgerFault>({
    text: `select 'trigger_missing' as rule, 'trigger ' || guard.name || ' on ' || guard.place as subject
      from (
        select place, name from unnest($1::text[], $2::text[]) as whole(place, name)
        -- A partition is guarded like its table.
        union all select part.name, whole.name from unnest($1::text[], $2::text[]) as whole(place, name)
          join time_partition part on part.parent = whole.place
      ) guard
      where not exists (select 1 from pg_trigger where tgrelid = to_regclass(guard.place) and tgname = guard.name)`,
    values: [guards.map(({ table }) => table), guards.map(({ name }) => name)],
  });
}
