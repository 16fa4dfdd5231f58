-- The rules that every journal obeys (SRV-2, docs/adr/0011-rules-in-the-database.md): a journal agrees with the deposit, report,
-- withdrawal, refund, transfer or settlement that it books. They stand in one function, and the audit calls the same one.

-- The name of the rule that a journal breaks, or null. The trigger below calls it at the commit, the audit at any time.
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
      -- Exact on every account: the whole hold is released, and an amount that is given back returns where it came from.
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
-- At the commit, so that a journal and the payment that it books may be written in either order.
create constraint trigger journal_agrees after insert on journal
  deferrable initially deferred for each row execute function check_journal();
