-- What the database itself refuses, whatever program or person sends the statement (SRV-2). Run the application under a role of
-- its own, which cannot switch triggers off; docs/operate.md says how.

-- The kinds of journals, and what each may do. A new kind is added by a migration, between `disable` and `enable trigger`.
create table journal_kind (
  kind text primary key,
  -- May raise what a user can spend.
  credits_user boolean not null default false,
  -- May lower it on a frozen account: only what pays or takes back what is owed.
  takes_frozen boolean not null default false,
  -- Begins or ends a hold. No other kind touches held money.
  holds boolean not null default false
);
insert into journal_kind (kind, credits_user, takes_frozen, holds) values
  ('deposit_credit', true, false, false), ('deposit_reversal', false, true, false),
  ('suspense_in', false, false, false), ('suspense_out', true, false, false),
  ('hold', false, false, true), ('hold_end', true, false, true),
  ('withdrawal_return', true, false, false), ('withdrawal_late_paid', false, false, false),
  ('withdrawal_late_settled', false, true, false), ('operator_transfer', true, false, false),
  ('debt_settlement', false, true, false), ('debt_payment', false, true, false),
  ('coin_grant', true, false, false), ('coin_play', true, true, false);
create trigger journal_kind_immutable before insert or update or delete on journal_kind
  for each row execute function refuse_change();

-- Balances, once per statement instead of once per posting. All postings of a journal come in one statement, which closes it: a
-- journal that has postings gets no more.
drop trigger posting_moves_balance on posting;
drop trigger posting_balanced on posting;
drop function apply_posting();
create function book_postings() returns trigger language plpgsql security definer as $$
declare
  line record;
  touched account;
begin
  if exists (select 1 from booked group by journal_id, asset having sum(amount) <> 0)
    or exists (select 1 from booked group by journal_id having count(*) < 2
      or count(*) <> (select count(*) from posting where posting.journal_id = booked.journal_id)) then
    raise exception 'a journal is booked whole, by one statement, and sums to zero'
      using errcode = 'check_violation', constraint = 'journal_balanced';
  end if;
  -- In one order, so that two journals never wait for each other.
  for line in
    select booked.account_id, booked.amount, journal.operator_id, journal.kind, journal_kind.credits_user,
      journal_kind.takes_frozen, journal_kind.holds
    from booked join journal on journal.id = booked.journal_id left join journal_kind using (kind) order by booked.account_id
  loop
    if line.holds is null then
      raise exception 'there is no journal of kind %', line.kind using errcode = 'check_violation', constraint = 'journal_kind_known';
    end if;
    update account set balance = balance + line.amount where id = line.account_id and balance is not null returning * into touched;
    continue when not found;
    if touched.operator_id <> line.operator_id then
      raise exception 'a journal of one operator does not move money of another'
        using errcode = 'check_violation', constraint = 'journal_operator';
    end if;
    if touched.kind = 'user_hold' and not line.holds then
      raise exception '% does not move held money', line.kind using errcode = 'check_violation', constraint = 'hold_ends_exactly';
    end if;
    if touched.kind in ('user', 'user_additional', 'bonus') and line.amount > 0 and not line.credits_user then
      raise exception '% does not credit a user', line.kind using errcode = 'check_violation', constraint = 'journal_kind_credits';
    end if;
    if touched.kind in ('user', 'user_additional') and line.amount < 0 and not line.takes_frozen
      and (touched.frozen_at is not null or (touched.kind = 'user_additional' and exists (
        -- A debt freezes the main account, and nothing leaves past it by the other.
        select 1 from account main where main.operator_id = touched.operator_id and main.owner = touched.owner
          and main.asset = touched.asset and main.kind = 'user' and main.frozen_at is not null))) then
      raise exception 'account % is frozen', touched.id using errcode = 'restrict_violation', constraint = 'account_frozen';
    end if;
  end loop;
  return null;
end $$;
create trigger postings_booked after insert on posting referencing new table as booked
  for each statement execute function book_postings();

-- What is wrong with a journal, by the name of the rule; null: nothing. The trigger asks it at the commit, and the audit at any time.
create function journal_fault(entry journal) returns text language plpgsql stable as $$
declare
  paid_in deposit;
  paid_out withdrawal;
  unit text;
  owner_of_it text;
  rule journal_kind;
  sums record;
begin
  if entry.deposit_id is not null then
    select * into paid_in from deposit where id = entry.deposit_id;
  end if;
  if entry.withdrawal_id is not null then
    select * into paid_out from withdrawal where id = entry.withdrawal_id;
  end if;
  unit := coalesce(paid_in.currency, paid_out.currency);
  owner_of_it := coalesce(paid_in.user_id, paid_out.user_id);
  select count(*) as lines,
    coalesce(sum(amount) filter (where a.kind in ('user', 'user_additional') and (unit is null or p.asset = unit)), 0) as users,
    coalesce(sum(amount) filter (where a.kind = 'user_hold'), 0) as held,
    coalesce(sum(amount) filter (where a.kind = 'reversal_debt' and (unit is null or p.asset = unit)), 0) as debts,
    coalesce(sum(amount) filter (where a.kind = 'bonus'), 0) as bonus,
    coalesce(sum(amount) filter (where a.kind = 'suspense'), 0) as suspense,
    coalesce(sum(amount) filter (where a.kind = 'coin_sales'), 0) as sales,
    coalesce(sum(amount) filter (where a.kind = 'withdrawal_fee'), 0) as fee,
    coalesce(bool_or(a.kind in ('user', 'user_additional', 'bonus') and amount > 0), false) as credits,
    coalesce(bool_or(a.kind = 'user_hold'), false) as moves_hold,
    coalesce(bool_or(a.operator_id <> entry.operator_id), false) as strays,
    coalesce(bool_or(a.kind in ('user', 'user_additional', 'user_hold', 'reversal_debt', 'bonus')
      and a.owner <> owner_of_it), false) as of_others,
    coalesce(bool_or(a.kind not in ('provider_clearing', 'suspense')), false) as beyond_suspense,
    coalesce(bool_or(p.asset not in ('GC', 'SC')), false) as of_money
  into sums from posting p join account a on a.id = p.account_id where p.journal_id = entry.id;

  if sums.lines < 2 then return 'journal_balanced'; end if;
  if sums.strays or coalesce(paid_in.operator_id, paid_out.operator_id) <> entry.operator_id then return 'journal_operator'; end if;
  if sums.of_others then return 'journal_of_its_user'; end if;
  select * into rule from journal_kind where kind = entry.kind;
  if not found then return 'journal_kind_known'; end if;
  if sums.credits and not rule.credits_user then return 'journal_kind_credits'; end if;
  if sums.moves_hold and not rule.holds then return 'hold_ends_exactly'; end if;

  case entry.kind
    when 'deposit_credit' then
      if paid_in.credited is null or paid_in.provider <> entry.ext_source or sums.debts <> 0
        or sums.users + sums.sales <> paid_in.credited or (paid_in.bonus is null and sums.bonus <> 0)
        or not exists (select 1 from evidence where deposit_id = entry.deposit_id and body ->> 'outcome' in ('paid', 'returned')
          and body ->> 'outcome' = 'paid' and body ->> 'paidMinor' = paid_in.paid::text) then
        return 'deposit_credit_agrees';
      end if;
    when 'suspense_in' then
      if entry.deposit_id is null or sums.beyond_suspense or not exists (select 1 from evidence
        where deposit_id = entry.deposit_id and body ->> 'outcome' in ('paid', 'returned')) then
        return 'suspense_agrees';
      end if;
    when 'suspense_out' then
      if entry.deposit_id is null or sums.suspense is distinct from (select -sum(p.amount) from journal came
          join posting p on p.journal_id = came.id join account a on a.id = p.account_id and a.kind = 'suspense'
          where came.kind = 'suspense_in' and came.ext_source = entry.ext_source and came.ext_ref = entry.ext_ref
            and came.deposit_id = entry.deposit_id) then
        return 'suspense_agrees';
      end if;
    when 'deposit_reversal' then
      if entry.deposit_id is null or not exists (select 1 from evidence
        where deposit_id = entry.deposit_id and body ->> 'outcome' = 'reversed') then
        return 'deposit_reversal_agrees';
      end if;
    when 'debt_payment' then
      if sums.debts is distinct from paid_in.paid_debt or sums.users <> -sums.debts then return 'debt_payment_agrees'; end if;
    when 'hold' then
      if sums.held <= 0 or sums.users <> -sums.held or (entry.withdrawal_id is not null
          and (sums.held <> paid_out.amount or entry.ext_ref <> entry.withdrawal_id::text))
        or (entry.deposit_id is not null and not exists (select 1 from deposit_refund
          where id::text = entry.ext_ref and deposit_id = entry.deposit_id and amount = sums.held)) then
        return 'hold_agrees';
      end if;
    when 'hold_end' then
      -- To the last unit of every account: what was held is released, and what is given back goes where it came from.
      if exists (
        select 1 from journal began join posting p on p.journal_id = began.id join account a on a.id = p.account_id
        left join posting e on e.journal_id = entry.id and e.account_id = p.account_id
        where began.kind = 'hold' and began.ext_source = entry.ext_source and began.ext_ref = entry.ext_ref
          and (a.kind = 'user_hold' or entry.note = 'void') and e.amount is distinct from -p.amount)
        or sums.held >= 0 or coalesce(entry.note, '') not in ('post', 'void')
        or (entry.note = 'post' and (sums.users <> 0 or sums.fee <> coalesce(paid_out.fee, 0)))
        or not exists (select 1 from journal began where began.kind = 'hold' and began.ext_source = entry.ext_source
          and began.ext_ref = entry.ext_ref and (began.withdrawal_id, began.deposit_id)
            is not distinct from (entry.withdrawal_id, entry.deposit_id))
        or (entry.withdrawal_id is not null and entry.note is distinct from
          (select hold from withdrawal_state where state = paid_out.state))
        or (entry.deposit_id is not null and not exists (select 1 from deposit_refund where id::text = entry.ext_ref
          and state = case entry.note when 'post' then 'refunded' else 'declined' end)) then
        return 'hold_ends_exactly';
      end if;
    when 'withdrawal_return' then
      if paid_out.state is distinct from 'returned' or sums.users <> paid_out.amount then return 'withdrawal_return_agrees'; end if;
    when 'withdrawal_late_paid' then
      if paid_out.state not in ('late_paid', 'late_settled') or paid_out.state is null or sums.users <> 0 then
        return 'withdrawal_late_agrees';
      end if;
    when 'withdrawal_late_settled' then
      if paid_out.state is distinct from 'late_settled' or sums.users > 0 then return 'withdrawal_late_agrees'; end if;
    when 'operator_transfer' then
      if not exists (select 1 from operator_transfer t where t.operator_id = entry.operator_id
        and t.transfer_id::text = entry.ext_ref and entry.ext_source = 'operator:' || entry.operator_id
        and sums.lines = 2 and (select count(*) from posting p join account a on a.id = p.account_id
          where p.journal_id = entry.id and a.asset = t.currency and (a.owner, a.kind, p.amount) in (
            (case t.from_account when 'operator' then '' else t.user_id end, case t.from_account when 'main' then 'user'
              when 'additional' then 'user_additional' else 'operator_clearing' end, -t.amount),
            (case t.to_account when 'operator' then '' else t.user_id end, case t.to_account when 'main' then 'user'
              when 'additional' then 'user_additional' else 'operator_clearing' end, t.amount))) = 2) then
        return 'operator_transfer_agrees';
      end if;
    when 'debt_settlement' then
      if not exists (select 1 from debt_settlement s join account a on a.id = s.account_id
        where s.operator_id = entry.operator_id and s.decision_id::text = entry.ext_ref and s.amount = sums.debts
          and sums.users = case s.paid_from when 'operator' then 0 else -s.amount end) then
        return 'debt_settlement_agrees';
      end if;
    when 'coin_grant' then
      if sums.of_money then return 'coin_grant_agrees'; end if;
    when 'coin_play' then
      if not exists (select 1 from coin_play where operator_id = entry.operator_id and won - staked = sums.users
        and operator_id || ':' || play_id = entry.ext_ref) then
        return 'coin_play_agrees';
      end if;
    else null;
  end case;
  return null;
end $$;
create index evidence_of_money on evidence (deposit_id) where body ->> 'outcome' in ('paid', 'returned');

drop trigger journal_balanced on journal;
drop function check_balanced();
create function check_journal() returns trigger language plpgsql as $$
declare
  fault text := journal_fault(new);
begin
  if new.at <> now() then fault := coalesce(fault, 'journal_of_now'); end if;
  if fault is not null then
    raise exception 'journal % breaks a rule of the ledger: %', new.id, fault using errcode = 'check_violation', constraint = fault;
  end if;
  return null;
end $$;
-- At the commit, so that the payment that a journal books may be moved before or after it.
create constraint trigger journal_agrees after insert on journal
  deferrable initially deferred for each row execute function check_journal();

-- The other way round: a deposit that says that it was credited has its journal, and says so once.
create function check_credit() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from journal where deposit_id = new.id and kind = 'deposit_credit') then
    raise exception 'deposit % is credited, and no journal says so', new.id
      using errcode = 'check_violation', constraint = 'deposit_credit_agrees';
  end if;
  return null;
end $$;
create constraint trigger deposit_credit_agrees after insert or update of credited on deposit
  deferrable initially deferred for each row when (new.credited is not null) execute function check_credit();
alter table deposit add constraint deposit_credited_by_amount check (state <> 'credited' or credited is not null);
create trigger deposit_credit_kept before update of credited, paid on deposit for each row
  when (old.credited is not null and (new.credited, new.paid) is distinct from (old.credited, old.paid))
  execute function refuse_change();

-- Where a withdrawal goes is forgotten once it is told, and never changed.
create trigger withdrawal_destination_kept before update of request on withdrawal for each row
  when (new.request -> 'fields' is distinct from old.request -> 'fields' and new.request -> 'fields' <> '{}'::jsonb)
  execute function refuse_change();

-- A balance is moved by postings alone, from inside their trigger; an account begins at nothing.
create or replace function guard_account() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.balance <> 0 then
      raise exception 'an account begins at nothing' using errcode = 'restrict_violation', constraint = 'account_balance_by_postings';
    end if;
    return new;
  end if;
  if (new.id, new.operator_id, new.owner, new.asset, new.kind)
    is distinct from (old.id, old.operator_id, old.owner, old.asset, old.kind) then
    raise exception 'an account never changes its owner, asset or kind'
      using errcode = 'restrict_violation', constraint = 'account_immutable';
  end if;
  if new.balance is distinct from old.balance and pg_trigger_depth() < 2 then
    raise exception 'a balance is moved by postings alone'
      using errcode = 'restrict_violation', constraint = 'account_balance_by_postings';
  end if;
  return new;
end $$;
create trigger account_begins before insert on account for each row when (new.balance <> 0) execute function guard_account();

-- Histories are written by the triggers of their payments, and by nobody else.
alter function write_deposit_history() security definer;
alter function write_withdrawal_history() security definer;
create function refuse_by_hand() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception '% is written by triggers alone', tg_table_name using errcode = 'restrict_violation', constraint = 'ledger_immutable';
  end if;
  return new;
end $$;
create trigger deposit_history_by_trigger before insert on deposit_history for each row execute function refuse_by_hand();
create trigger withdrawal_history_by_trigger before insert on withdrawal_history for each row execute function refuse_by_hand();

-- Reports are kept as they came. What nobody has acted on may be removed by who runs the database.
create trigger evidence_kept before delete on evidence for each row when (old.status = 'applied') execute function refuse_change();
create trigger withdrawal_evidence_kept before delete on withdrawal_evidence for each row
  when (old.status = 'applied') execute function refuse_change();
create trigger evidence_immutable before update on evidence for each row
  when ((new.provider, new.event_id, new.body, new.body_hash) is distinct from (old.provider, old.event_id, old.body, old.body_hash)
    or (old.status = 'applied' and new.status <> 'applied')) execute function refuse_change();
create trigger withdrawal_evidence_immutable before update on withdrawal_evidence for each row
  when ((new.provider, new.event_id, new.body, new.body_hash) is distinct from (old.provider, old.event_id, old.body, old.body_hash)
    or (old.status = 'applied' and new.status <> 'applied')) execute function refuse_change();
create trigger deposit_key_immutable before update on deposit_key for each row execute function refuse_change();
create trigger webhook_inbox_immutable before update on webhook_inbox for each row
  when ((new.source, new.message_id, new.body_hash, new.raw) is distinct from (old.source, old.message_id, old.body_hash, old.raw))
  execute function refuse_change();
create trigger webhook_inbox_kept before delete on webhook_inbox for each row execute function refuse_change();

do $$
declare
  kept text;
begin
  foreach kept in array array['account', 'deposit', 'deposit_key', 'deposit_history', 'deposit_refund', 'withdrawal', 'withdrawal_key',
    'withdrawal_history', 'withdrawal_code', 'withdrawal_decision', 'evidence', 'withdrawal_evidence', 'webhook_inbox',
    'review_decision', 'account_release', 'debt_settlement', 'operator_transfer', 'report_dismissal', 'catalogue_change',
    'playthrough', 'journal_kind', 'deposit_state', 'deposit_transition', 'withdrawal_state', 'withdrawal_transition'] loop
    execute format('create trigger %I before truncate on %I for each statement execute function refuse_change()',
      kept || '_not_truncated', kept);
  end loop;
  -- With the owner's rights, and never by a table of the caller's own of the same name.
  execute format('alter function book_postings() set search_path = %I, pg_temp', current_schema());
  execute format('alter function write_deposit_history() set search_path = %I, pg_temp', current_schema());
  execute format('alter function write_withdrawal_history() set search_path = %I, pg_temp', current_schema());
end $$;
