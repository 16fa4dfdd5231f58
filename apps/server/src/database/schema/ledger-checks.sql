-- When the rules of the ledger are checked: at the commit (SRV-2, docs/adr/0011-rules-in-the-database.md). So a journal, its payment
-- and its deposit may be written in any order.

-- The journals, payments or deposits that one statement has written, until the commit checks them together.
create table commit_check (
  id bigint generated always as identity primary key,
  -- Of each journal, payment or deposit, in the same order.
  operator_ids text[] not null,
  journal_ids uuid[],
  payment_ids uuid[],
  deposit_ids uuid[]
);
comment on table commit_check is 'What a running transaction must prove at its commit. Only triggers write it, and no row outlives its transaction.';

-- Runs with the owner's rights: the application's role may not write the table.
-- Of deposits, those whose summary of payments changes. A new deposit has none. A plan that was made for one deposit would compare all
-- deposits of a larger statement with each other, so it may not.
create function note_for_commit() returns trigger language plpgsql security definer set enable_nestloop = off as $$
begin
  if tg_table_name = 'journal' then
    insert into commit_check (operator_ids, journal_ids)
      select array_agg(operator_id), array_agg(id) from written having count(*) > 0;
  elsif tg_table_name = 'payment' then
    insert into commit_check (operator_ids, payment_ids)
      select array_agg(operator_id), array_agg(id) from written having count(*) > 0;
  else
    insert into commit_check (operator_ids, deposit_ids)
      select array_agg(written.operator_id), array_agg(written.id)
      from written join was on was.operator_id = written.operator_id and was.id = written.id
      where (written.paid, written.credited, written.paid_debt, written.charged_fee, written.review, written.reviews,
          written.review_since)
        is distinct from (was.paid, was.credited, was.paid_debt, was.charged_fee, was.review, was.reviews, was.review_since)
      having count(*) > 0;
  end if;
  return null;
end $$;
create trigger journal_agrees after insert on journal referencing new table as written
  for each statement execute function note_for_commit();
create trigger payments_agree after insert on payment referencing new table as written
  for each statement execute function note_for_commit();
create trigger deposits_agree after update on deposit referencing old table as was new table as written
  for each statement execute function note_for_commit();

-- Most journals and payments are plain credits. A query over all rows of a statement proves these. It must accept no row in which
-- `journal_fault` and `payment_fault` find a fault. They judge every other row.
create function check_at_commit() returns trigger language plpgsql security definer
-- A session keeps these plans. One that was made while the tables were small would read them whole when they have grown. `offset 0`
-- keeps each `exists` a search: without it a plan may put all rows of the operator into a hash, for one credit.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  broken record;
begin
  if new.journal_ids is not null then
    select id, fault into broken from (
      select (found.entry).id, case when (found.entry).at <> now()
          then coalesce(key_fault(found.entry), journal_fault(found.entry), 'journal_of_now')
        when not ((found.entry).kind = 'deposit_credit' and num_nonnulls((found.entry).withdrawal_id, (found.entry).refund_id,
            (found.entry).dispute_id, (found.entry).payout_id) = 0
          and time_of_id((found.entry).id) = date_trunc('milliseconds', (found.entry).at)
          and exists (select 1 from journal_key key where key.operator_id = written.operator_id and key.ref = (found.entry).ext_ref
            and key.source = (found.entry).ext_source and key.kind = (found.entry).kind and key.journal_id = written.id offset 0)
          and exists (select 1 from journal_key key where key.operator_id = written.operator_id
            and key.ref = (found.entry).deposit_id::text and key.source = 'deposit' and key.kind = 'one_credit'
            and key.journal_id = written.id offset 0)
          and exists (select 1 from payment join deposit
              on deposit.operator_id = payment.operator_id and deposit.id = payment.deposit_id
            where payment.operator_id = written.operator_id and payment.id = (found.entry).payment_id
              and payment.deposit_id = (found.entry).deposit_id and payment.provider = (found.entry).ext_source
              and payment.origin = 'deposit' and payment.credited_at is not null
              and payment.currency = deposit.currency and deposit.credited = payment.amount
              and (select count(*) = 2 and count(*) filter (where account.kind = 'provider_clearing') = 1
                and count(*) filter (where account.kind = 'user' and account.owner = deposit.user_id
                  and posting.asset = deposit.currency and posting.amount = payment.amount) = 1
                from posting cross join lateral (select * from account
                  where account.operator_id = written.operator_id and account.id = posting.account_id offset 0) account
                where posting.operator_id = written.operator_id and posting.journal_id = (found.entry).id)
              and exists (select 1 from deposit_event where deposit_event.deposit_id = deposit.id
                and deposit_event.reported = 'paid' and deposit_event.paid = payment.amount offset 0) offset 0))
          then coalesce(key_fault(found.entry), journal_fault(found.entry)) end as fault
      from unnest(new.operator_ids, new.journal_ids) as written(operator_id, id) cross join lateral (select journal as entry
        from journal where journal.operator_id = written.operator_id and journal.id = written.id offset 0) found offset 0
    ) judged where fault is not null limit 1;
    if found then
      raise exception 'journal % breaks a rule of the ledger: %', broken.id, broken.fault
        using errcode = 'check_violation', constraint = broken.fault;
    end if;
  end if;
  if new.payment_ids is not null then
    select id, fault into broken from (
      select (found.checked).id, case when not ((found.checked).state = 'credited' and (found.checked).origin = 'deposit'
          and (found.checked).credited_at is not null
          and num_nonnulls((found.checked).reason, (found.checked).review, (found.checked).paid_debt, (found.checked).charged_fee) = 0
          and exists (select 1 from deposit where deposit.operator_id = written.operator_id
            and deposit.id = (found.checked).deposit_id and deposit.provider = (found.checked).provider
            and deposit.provider_ref = (found.checked).provider_ref and deposit.state = 'credited'
            and deposit.paid = (found.checked).amount and deposit.credited = (found.checked).amount
            and num_nonnulls(deposit.paid_debt, deposit.fee, deposit.charged_fee) = 0
            offset 0)
          and exists (select 1 from journal_key key where key.operator_id = written.operator_id
            and key.ref = (found.checked).deposit_id::text and key.source = 'deposit' and key.kind = 'one_credit' offset 0)
          and not exists (select 1 from journal_key key where key.operator_id = written.operator_id
            and key.ref = (found.checked).id::text and key.source = 'payment'
            and key.kind in ('payment_suspended_once', 'payment_released_once') offset 0)
          and not exists (select 1 from refund
            where refund.operator_id = written.operator_id and refund.payment_id = (found.checked).id offset 0)
          and not exists (select 1 from dispute
            where dispute.operator_id = written.operator_id and dispute.payment_id = (found.checked).id offset 0))
        then payment_fault(found.checked) end as fault
      from unnest(new.operator_ids, new.payment_ids) as written(operator_id, id) cross join lateral (select payment as checked
        from payment where payment.operator_id = written.operator_id and payment.id = written.id offset 0) found offset 0
    ) judged where fault is not null limit 1;
    if found then
      raise exception 'payment % breaks a rule: %', broken.id, broken.fault
        using errcode = 'check_violation', constraint = broken.fault;
    end if;
  end if;
  if new.deposit_ids is not null then
    select id, fault into broken from (
      select written.id, case
        when found.credited is not null and not exists (select 1 from journal_key key where key.operator_id = written.operator_id
          and key.ref = written.id::text and key.source = 'deposit' and key.kind = 'one_credit' offset 0) then 'deposit_credit_agrees'
        when (found.paid, found.credited, found.paid_debt, found.charged_fee, found.review, found.reviews, found.review_since)
          is distinct from (wanted.paid, wanted.credited, wanted.paid_debt, wanted.charged_fee, wanted.review, wanted.reviews,
            wanted.review_since) then 'deposit_payments_agree' end as fault
      from unnest(new.operator_ids, new.deposit_ids) as written(operator_id, id)
        cross join lateral (select * from deposit
          where deposit.operator_id = written.operator_id and deposit.id = written.id offset 0) found
        cross join lateral (select * from payment_summary summary
          where summary.operator_id = written.operator_id and summary.deposit_id = written.id offset 0) wanted offset 0
    ) judged where fault is not null limit 1;
    if found then
      raise exception 'deposit % disagrees with its payments: %', broken.id, broken.fault
        using errcode = 'check_violation', constraint = broken.fault;
    end if;
  end if;
  delete from commit_check where id = new.id;
  return null;
end $$;
-- The functions see only this schema, so that no caller can substitute its own table.
do $$ begin
  execute format('alter function note_for_commit() set search_path = %I, pg_temp', current_schema());
  execute format('alter function check_at_commit() set search_path = %I, pg_catalog, pg_temp', current_schema());
end $$;
-- At the commit, so that a journal, its payment and its deposit may be written in any order.
create constraint trigger commit_checked after insert on commit_check
  deferrable initially deferred for each row execute function check_at_commit();

create function check_payment() returns trigger language plpgsql as $$
declare
  fault text;
begin
  select payment_fault(payment) into fault from payment
    where operator_id = new.operator_id and id = (to_jsonb(new) ->> tg_argv[0])::uuid;
  if fault is not null then
    raise exception 'payment % breaks a rule: %', to_jsonb(new) ->> tg_argv[0], fault
      using errcode = 'check_violation', constraint = fault;
  end if;
  return null;
end $$;
create constraint trigger payment_agrees after update on payment
  deferrable initially deferred for each row execute function check_payment('id');
create constraint trigger refund_agrees after insert or update of state on refund
  deferrable initially deferred for each row execute function check_payment('payment_id');
create constraint trigger dispute_agrees after insert on dispute
  deferrable initially deferred for each row execute function check_payment('payment_id');

create function check_dispute() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from journal_key where operator_id = new.operator_id and ref = new.id::text and source = 'dispute') then
    raise exception 'dispute % has no journal', new.id using errcode = 'check_violation', constraint = 'dispute_booked';
  end if;
  return null;
end $$;
create constraint trigger dispute_booked after insert on dispute
  deferrable initially deferred for each row execute function check_dispute();
