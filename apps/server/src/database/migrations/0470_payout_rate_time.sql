-- Withdrawals of money that arrives as coins: what leaves the balance and what arrives meet on an account of their own.
-- Whatever kinds other migrations have added are kept.
do $$ begin
  execute (
    select 'alter table account drop constraint account_kind, add constraint account_kind '
      || replace(pg_get_constraintdef(oid), 'ARRAY[', 'ARRAY[''conversion''::text, ')
    from pg_constraint where conrelid = 'account'::regclass and conname = 'account_kind');
end $$;

-- When the agreed rate was true; null in rows of before it was kept.
alter table withdrawal add column payout_rate_at timestamptz;
create trigger withdrawal_rate_time_kept before update of payout_rate_at on withdrawal
  for each row when (old.payout_rate_at is distinct from new.payout_rate_at) execute function refuse_change();
