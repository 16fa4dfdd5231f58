-- The rules of every journal (SRV-2, docs/adr/0011-rules-in-the-database.md). A journal agrees with the row that it books:
-- deposit, report, payment, dispute, withdrawal, refund, transfer or settlement. A payment agrees with its journals.

-- A reference as an id; null if the text is no id. The rules compare ids, because an index of ids does not serve texts: the
-- rules would then read every row of the table at each commit.
create function id_of(reference text) returns uuid language sql immutable as $$
  select case when reference ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then reference::uuid end
$$;

-- Returns the name of the rule if a key of this journal is missing or names another journal, or null.
create function key_fault(entry journal) returns text language sql stable as $$
  select case when key.source in ('deposit', 'payment', 'dispute') then key.kind else 'journal_fact_once' end
  from journal_keys(entry) key where not exists (select 1 from journal_key kept where kept.operator_id = entry.operator_id
    and kept.ref = key.ref and kept.source = key.source and kept.kind = key.kind and kept.journal_id = entry.id) limit 1
$$;

-- Returns the name of the rule that a journal breaks, or null. A trigger calls this function at the commit, and the audit at
-- any time.
create function journal_fault(entry journal) returns text language plpgsql stable
-- A plan for any journal excludes partitions by its id. A plan for one journal would be made each time. The planner expects lines in
-- each month. To join them it would read all accounts of the operator for each journal, so it may only search.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  paid_in deposit;
  paid_out withdrawal;
  payment_currency text;
  payment_owner text;
  rule journal_kind;
  sums record;
  paid payment;
  disputed dispute;
  held_by uuid;
begin
  if time_of_id(entry.id) <> date_trunc('milliseconds', entry.at) then return 'journal_of_now'; end if;
  if entry.payment_id is not null then
    select * into paid from payment where operator_id = entry.operator_id and id = entry.payment_id;
  end if;
  if entry.dispute_id is not null then
    select * into disputed from dispute where operator_id = entry.operator_id and id = entry.dispute_id;
  end if;
  if entry.deposit_id is not null then
    select * into paid_in from deposit where operator_id = entry.operator_id and id = entry.deposit_id;
  end if;
  if entry.withdrawal_id is not null then
    select * into paid_out from withdrawal where operator_id = entry.operator_id and id = entry.withdrawal_id;
  end if;
  payment_currency := coalesce(paid_in.currency, paid_out.currency);
  payment_owner := coalesce(paid_in.user_id, paid_out.user_id);
  select count(*) as lines,
    coalesce(sum(amount) filter (where a.kind in ('user', 'user_additional')
      and (payment_currency is null or p.asset = payment_currency)), 0) as users,
    coalesce(sum(amount) filter (where a.kind = 'user_hold'), 0) as held,
    coalesce(sum(amount) filter (where a.kind = 'reversal_debt'
      and (payment_currency is null or p.asset = payment_currency)), 0) as debts,
    coalesce(sum(amount) filter (where a.kind = 'bonus'), 0) as bonus,
    coalesce(sum(amount) filter (where a.kind = 'suspense'), 0) as suspense,
    coalesce(sum(amount) filter (where a.kind = 'provider_clearing'), 0) as clearing,
    coalesce(sum(amount) filter (where a.kind = 'coin_sales'), 0) as sales,
    coalesce(sum(amount) filter (where a.kind = 'withdrawal_fee'), 0) as fee,
    coalesce(sum(amount) filter (where a.kind = 'deposit_fee'), 0) as deposit_fees,
    coalesce(bool_or(a.kind in ('user', 'user_additional', 'bonus') and amount > 0), false) as credits,
    coalesce(bool_or(a.kind = 'user_hold'), false) as moves_hold,
    coalesce(bool_or(a.kind in ('user', 'user_additional', 'user_hold', 'wallet_transit', 'reversal_debt', 'bonus')
      and a.owner <> payment_owner), false) as touches_other_users,
    coalesce(bool_or(a.kind not in ('provider_clearing', 'suspense')), false) as touches_other_kinds,
    coalesce(bool_or(p.asset not in ('GC', 'SC')), false) as has_money
  into sums from posting p join account a on a.operator_id = p.operator_id and a.id = p.account_id
    where p.operator_id = entry.operator_id and p.journal_id = entry.id;

  if sums.lines < 2 then return 'journal_balanced'; end if;
  if entry.payment_id is not null and (paid.deposit_id is distinct from entry.deposit_id or (paid.provider <> entry.ext_source and not exists (
      select 1 from journal_kind where kind = entry.kind and holds))) then
    return 'journal_of_its_payment';
  end if;
  if entry.dispute_id is not null and disputed.payment_id is distinct from entry.payment_id then
    return 'journal_of_its_payment';
  end if;
  -- A foreign key guards this, too.
  if (entry.deposit_id is not null and paid_in.id is null) or (entry.withdrawal_id is not null and paid_out.id is null) then
    return 'journal_operator';
  end if;
  if sums.touches_other_users then return 'journal_of_its_user'; end if;
  select * into rule from journal_kind where kind = entry.kind;
  if not found then return 'journal_kind_known'; end if;
  if sums.credits and not rule.credits_user then return 'journal_kind_credits'; end if;
  if sums.moves_hold and not rule.holds then return 'hold_ends_exactly'; end if;

  case entry.kind
    when 'deposit_credit' then
      if paid.id is null or paid.origin <> 'deposit' or paid.credited_at is null or paid_in.credited is distinct from paid.amount
        or paid.currency <> payment_currency or sums.debts <> 0
        or sums.users + sums.sales <> paid.amount or (paid_in.bonus is null and sums.bonus <> 0)
        or not exists (select 1 from deposit_event where deposit_event.deposit_id = entry.deposit_id and deposit_event.reported = 'paid'
          and deposit_event.paid = paid.amount) then
        return 'deposit_credit_agrees';
      end if;
    when 'suspense_in' then
      if paid.id is null or sums.touches_other_kinds or sums.suspense <> paid.amount or not exists (select 1 from deposit_event
        where deposit_event.deposit_id = entry.deposit_id and deposit_event.reported in ('paid', 'returned')) then
        return 'suspense_agrees';
      end if;
    when 'suspense_out' then
      if paid.id is null or sums.suspense <> -paid.amount or paid.state = 'in_review'
        or not exists (select 1 from journal_key where operator_id = entry.operator_id and ref = paid.id::text
          and source = 'payment' and journal_key.kind = 'payment_suspended_once')
        -- Only a dispute or a refund takes the money out of the books; otherwise the money goes to the user.
        or (sums.clearing <> 0) <> (entry.dispute_id is not null or entry.refund_id is not null)
        or (sums.clearing <> 0 and sums.clearing <> paid.amount) then
        return 'suspense_agrees';
      end if;
    when 'deposit_reversal' then
      if paid.id is null or disputed.id is null or sums.clearing <> disputed.amount or not exists (select 1 from deposit_event
        where deposit_event.deposit_id = entry.deposit_id and deposit_event.reported = 'reversed') then
        return 'deposit_reversal_agrees';
      end if;
    when 'deposit_fee' then
      if paid.id is null or paid.origin <> 'deposit' or paid.credited_at is null or sums.lines <> 2
        or sums.deposit_fees <= 0 or sums.deposit_fees <> -sums.users or sums.deposit_fees is distinct from paid.charged_fee then
        return 'deposit_fee_agrees';
      end if;
    when 'debt_payment' then
      if sums.debts is distinct from paid_in.paid_debt or sums.users <> -sums.debts then return 'debt_payment_agrees'; end if;
    when 'hold' then
      -- Only the refund of a deposit takes a part from the fees: its whole fee.
      if sums.held <= 0 or sums.users + sums.deposit_fees <> -sums.held
        or -sums.deposit_fees <> (case when entry.deposit_id is null then 0 else coalesce(paid.charged_fee, 0) end)
        or (entry.withdrawal_id is not null
          and (sums.held <> paid_out.amount or entry.ext_ref <> entry.withdrawal_id::text))
        or (entry.deposit_id is not null and not exists (select 1 from refund
          where operator_id = entry.operator_id and id = id_of(entry.ext_ref) and id = entry.refund_id and deposit_id = entry.deposit_id and payment_id = entry.payment_id
            and amount = sums.held)) then
        return 'hold_agrees';
      end if;
    when 'hold_end' then
      select journal_id into held_by from journal_key
        where operator_id = entry.operator_id and ref = entry.ext_ref and source = entry.ext_source and journal_key.kind = 'hold';
      -- Exact on every account: the whole hold is released. A voided amount returns to its original account.
      if exists (
        select 1 from (select * from known_posting where operator_id = entry.operator_id and journal_id = held_by offset 0) p
        join account a on a.operator_id = p.operator_id and a.id = p.account_id
        left join posting e on e.operator_id = entry.operator_id and e.journal_id = entry.id and e.account_id = p.account_id
        where (a.kind = 'user_hold' or entry.note = 'void') and e.amount is distinct from -p.amount)
        or sums.held >= 0 or coalesce(entry.note, '') not in ('post', 'void')
        or (entry.note = 'post' and (sums.users <> 0 or sums.fee <> coalesce(paid_out.fee, 0)))
        or not exists (select 1 from known_journal hold_journal where hold_journal.operator_id = entry.operator_id
          and hold_journal.id = held_by and hold_journal.kind = 'hold' and hold_journal.ext_source = entry.ext_source
          and hold_journal.ext_ref = entry.ext_ref and (hold_journal.withdrawal_id, hold_journal.deposit_id)
            is not distinct from (entry.withdrawal_id, entry.deposit_id))
        or (entry.withdrawal_id is not null and entry.note is distinct from
          (select hold from withdrawal_state where state = paid_out.state))
        or (entry.deposit_id is not null and not exists (select 1 from refund where operator_id = entry.operator_id and id = id_of(entry.ext_ref)
          and (state = 'declined') = (entry.note = 'void') and state in ('succeeded', 'bounced', 'declined'))) then
        return 'hold_ends_exactly';
      end if;
    when 'withdrawal_return' then
      if paid_out.state is distinct from 'returned' or sums.users <> paid_out.amount then return 'withdrawal_return_agrees'; end if;
    when 'withdrawal_late_paid' then
      if paid_out.state not in ('late_paid', 'late_settled', 'late_returned') or paid_out.state is null or sums.users <> 0 then
        return 'withdrawal_late_agrees';
      end if;
    when 'withdrawal_late_settled' then
      if paid_out.state is distinct from 'late_settled' or sums.users > 0 then return 'withdrawal_late_agrees'; end if;
    when 'withdrawal_late_returned' then
      if paid_out.state is distinct from 'late_returned' or sums.users <> 0 then return 'withdrawal_late_agrees'; end if;
    when 'operator_transfer' then
      if not exists (select 1 from operator_transfer t where t.operator_id = entry.operator_id
        and t.transfer_id = id_of(entry.ext_ref) and entry.ext_source = 'operator:' || entry.operator_id
        and sums.lines = 2 and (select count(*) from posting p join account a on a.operator_id = p.operator_id and a.id = p.account_id
          where p.operator_id = entry.operator_id and p.journal_id = entry.id and a.asset = t.currency and (a.owner, a.kind, p.amount) in (
            (case t.from_account when 'operator' then '' else t.user_id end, case t.from_account when 'main' then 'user'
              when 'additional' then 'user_additional' when 'bonus' then 'bonus' else 'operator_clearing' end, -t.amount),
            -- Bonus money that the operator takes over is no cost of the cashier any more. No money moves.
            (case t.to_account when 'operator' then '' else t.user_id end, case t.to_account when 'main' then 'user'
              when 'additional' then 'user_additional' else case t.from_account when 'bonus' then 'bonus_expense'
                else 'operator_clearing' end end, t.amount))) = 2) then
        return 'operator_transfer_agrees';
      end if;
    when 'wallet_out', 'wallet_settled', 'wallet_in' then
      if not exists (select 1 from operator_wallet_call c where c.operator_id = entry.operator_id
        and c.id = id_of(entry.ext_ref) and entry.ext_source = 'operator-wallet' and sums.lines = 2
        and (c.type = 'debit') = (entry.kind = 'wallet_in') and (entry.kind = 'wallet_out' or c.state in ('done', 'booked'))
        and (select count(*) from posting p join account a on a.operator_id = p.operator_id and a.id = p.account_id
          where p.operator_id = entry.operator_id and p.journal_id = entry.id and a.asset = c.currency and case
            when a.owner = '' then a.kind = 'operator_clearing' and p.amount = case entry.kind when 'wallet_in' then -c.amount else c.amount end
            when a.owner <> c.user_id then false
            when a.kind = 'wallet_transit' then c.state <> 'booked' and p.amount = case entry.kind when 'wallet_settled' then -c.amount else c.amount end
            else a.kind in ('user', 'user_additional') and p.amount = case entry.kind when 'wallet_in' then c.amount else -c.amount end
          end) = 2) then
        return 'wallet_call_agrees';
      end if;
    when 'debt_settlement' then
      if not exists (select 1 from debt_settlement s
        where s.operator_id = entry.operator_id and s.decision_id = id_of(entry.ext_ref) and s.amount = sums.debts
          and sums.users = case s.paid_from when 'operator' then 0 else -s.amount end) then
        return 'debt_settlement_agrees';
      end if;
    when 'settlement_booking' then
      -- Only what a second person has approved, and exactly that.
      if not exists (select 1 from settlement_booking b where b.operator_id = entry.operator_id and b.id = id_of(entry.ext_ref)
        and entry.ext_source = 'settlement' and b.state = 'approved' and sums.lines = 2
        and (select count(*) from posting p join account a on a.operator_id = p.operator_id and a.id = p.account_id
          where p.operator_id = entry.operator_id and p.journal_id = entry.id and a.asset = b.currency
            and (a.kind, a.owner, p.amount) in (('provider_clearing', b.provider, b.amount), (b.account, '', -b.amount))) = 2) then
        return 'settlement_booking_agrees';
      end if;
    when 'network_fee' then
      -- The fee of the mined transaction, in the chain's own coin.
      if entry.ext_source <> 'coin-payout' or entry.ext_ref is distinct from entry.withdrawal_id::text
        or sums.lines <> 2 or not exists (select 1 from coin_payout c where c.operator_id = entry.operator_id
          and c.withdrawal_id = entry.withdrawal_id and c.fee_booked_at is not null
          and (select count(*) from posting p join account a on a.operator_id = p.operator_id and a.id = p.account_id
            where p.operator_id = entry.operator_id and p.journal_id = entry.id and a.asset = c.fee_coin
              and (a.kind, a.owner, p.amount) in (('provider_clearing', 'crypto', c.fee_minor), ('network_fee', '', -c.fee_minor))) = 2) then
        return 'network_fee_agrees';
      end if;
    when 'coin_grant' then
      if sums.has_money then return 'coin_grant_agrees'; end if;
    when 'coin_play' then
      if not exists (select 1 from coin_play where operator_id = entry.operator_id and won - staked = sums.users
        and play_id = substr(entry.ext_ref, length(entry.operator_id) + 2)
        and entry.ext_ref = entry.operator_id || ':' || play_id) then
        return 'coin_play_agrees';
      end if;
    else null;
  end case;
  -- Money that leaves, or comes back, by a withdrawal is a payout of that withdrawal.
  if entry.payout_id is null and entry.withdrawal_id is not null
    and (entry.kind like 'withdrawal\_%' or (entry.kind = 'hold_end' and entry.note = 'post')) then
    return 'journal_of_its_payout';
  end if;
  -- The provider's account moves by exactly what the payout paid, and back when it comes back.
  if entry.payout_id is not null and not exists (select 1 from payout
      where operator_id = entry.operator_id and id = entry.payout_id and withdrawal_id = entry.withdrawal_id
        and sums.clearing = case entry.kind when 'hold_end' then amount when 'withdrawal_late_paid' then amount
          when 'withdrawal_return' then -amount when 'withdrawal_late_returned' then -amount else 0 end) then
    return 'journal_of_its_payout';
  end if;
  return null;
end $$;

-- Returns the name of the rule that a payment breaks, or null. Checked at each commit, and by the audit at any time.
create function payment_fault(checked payment) returns text language plpgsql stable
-- As for a journal.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  left_payment record;
  credited boolean;
  suspended boolean;
  given_to_user boolean;
  release uuid;
  deposit_row deposit;
begin
  select coalesce(sum(amount) filter (where is_left), 0) as sent, coalesce(sum(amount), 0) as taken into left_payment from (
    select amount, state in ('succeeded', 'bounced') as is_left from refund
      where operator_id = checked.operator_id and payment_id = checked.id and state <> 'declined'
    union all select amount, true from dispute where operator_id = checked.operator_id and payment_id = checked.id) moved;
  if left_payment.taken > checked.amount or (left_payment.taken > 0
      and left_payment.taken + paid_out_of(checked.operator_id, checked.id) > checked.amount) then
    return 'payment_left_not_negative';
  end if;
  if (checked.amount = left_payment.sent) <> (checked.state in ('refunded', 'charged_back')) then
    return 'payment_state_agrees';
  end if;
  -- By their keys, so that no partition is searched. Only triggers write these keys.
  credited := checked.origin = 'deposit' and exists (select 1 from journal_key where operator_id = checked.operator_id
    and ref = checked.deposit_id::text and source = 'deposit' and kind = 'one_credit');
  suspended := exists (select 1 from journal_key where operator_id = checked.operator_id
    and ref = checked.id::text and source = 'payment' and kind = 'payment_suspended_once');
  release := (select journal_id from journal_key where operator_id = checked.operator_id
    and ref = checked.id::text and source = 'payment' and kind = 'payment_released_once');
  given_to_user := release is not null and exists (select 1 from known_journal
    where operator_id = checked.operator_id and id = release and dispute_id is null and refund_id is null);
  if (checked.credited_at is not null) <> (case checked.origin when 'deposit' then credited else given_to_user end)
    or suspended <> (checked.reason is not null)
    or (checked.state = 'in_review' and (release is not null or credited)) then
    return 'payment_booked';
  end if;
  select * into deposit_row from deposit where operator_id = checked.operator_id and id = checked.deposit_id;
  if deposit_row.provider <> checked.provider then return 'payment_of_its_deposit'; end if;
  if checked.origin = 'deposit' then
    if deposit_row.provider_ref <> checked.provider_ref or (checked.state = 'credited') <> (deposit_row.state = 'credited')
      or (checked.credited_at is null and deposit_row.state = 'reversed') then
      return 'payment_of_its_deposit';
    end if;
    -- The deposit stores the same values.
    if (deposit_row.paid, deposit_row.credited, deposit_row.paid_debt, deposit_row.charged_fee) is distinct from
        (checked.amount, case when checked.credited_at is not null then checked.amount end, checked.paid_debt,
          checked.charged_fee) then
      return 'deposit_payments_agree';
    end if;
  end if;
  -- An agreed fee was charged, and booked if it was above zero. The rule of its journal compares the amount.
  if (checked.charged_fee is not null)
      <> (checked.origin = 'deposit' and checked.credited_at is not null and deposit_row.fee is not null)
    or (checked.origin = 'deposit' and (coalesce(checked.charged_fee, 0) > 0) <> exists (select 1 from journal_key
      where operator_id = checked.operator_id and ref = checked.deposit_id::text and source = 'deposit' and kind = 'one_fee')) then
    return 'deposit_fee_agrees';
  end if;
  if checked.state = 'in_review' and checked.review is not null
    and (deposit_row.review, deposit_row.reviews, deposit_row.review_since)
      is distinct from (checked.reason, checked.review, checked.review_since) then
    return 'deposit_payments_agree';
  end if;
  return null;
end $$;
