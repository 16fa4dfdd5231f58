-- Double-entry ledger, SRV-2. Amounts are integers of the asset's minor unit. A positive posting raises what the cashier owes
-- to the account's owner; provider_clearing therefore goes negative by what providers owe to us. Every journal sums to zero.
create table account (
  id bigint generated always as identity primary key,
  operator_id text not null references operator,
  -- A user, a provider, or '' for the operator's own.
  owner text not null,
  asset text not null,
  kind text not null,
  -- Kept for accounts of users only. A balance row that every payment shares would make all of them wait for each other
  -- (2-5 times slower), so the accounts of the system are summed when somebody asks.
  balance bigint,
  -- Set when money had to be taken back and was no longer there: nothing may leave the account until people decide.
  frozen_at timestamptz,
  constraint account_once unique (operator_id, owner, asset, kind),
  constraint account_asset unique (id, asset),
  constraint account_kind check (kind in ('user', 'user_hold', 'reversal_debt', 'provider_clearing', 'chain_clearing',
    'suspense', 'below_minimum', 'bonus')),
  constraint account_balance_of_users check ((balance is not null) = (kind in ('user', 'user_hold', 'reversal_debt'))),
  constraint account_not_overdrawn check (balance >= 0 or kind = 'reversal_debt')
);

create table journal (
  id uuid primary key default gen_random_uuid(),
  operator_id text not null references operator,
  kind text not null,
  deposit_id uuid,
  withdrawal_id uuid,
  -- The fact in the world that this books: a fact is booked once per kind, whoever reports it and how often.
  ext_source text not null,
  ext_ref text not null,
  note text,
  at timestamptz not null default now(),
  constraint journal_fact_once unique (ext_source, ext_ref, kind)
);
-- A deposit is credited at most once, whatever the code above believes.
create unique index one_credit on journal (deposit_id) where kind = 'deposit_credit';
create index journal_deposit on journal (deposit_id) where deposit_id is not null;

create table posting (
  journal_id uuid not null references journal,
  account_id bigint not null,
  asset text not null,
  amount bigint not null,
  primary key (journal_id, account_id),
  foreign key (account_id, asset) references account (id, asset),
  constraint posting_not_zero check (amount <> 0)
);
create index posting_account on posting (account_id);

create function check_balanced() returns trigger language plpgsql as $$
declare
  subject uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
begin
  if (select count(*) from posting where journal_id = subject) < 2
    or exists (select 1 from posting where journal_id = subject group by asset having sum(amount) <> 0) then
    raise exception 'unbalanced journal %', subject using errcode = 'check_violation', constraint = 'journal_balanced';
  end if;
  return null;
end $$;
-- At commit, so that a journal and its postings may come in any order; both, so that neither can be added alone later.
create constraint trigger journal_balanced after insert on journal
  deferrable initially deferred for each row execute function check_balanced('id');
create constraint trigger posting_balanced after insert on posting
  deferrable initially deferred for each row execute function check_balanced('journal_id');

create function apply_posting() returns trigger language plpgsql as $$
begin
  update account set balance = balance + new.amount where id = new.account_id and balance is not null;
  return null;
end $$;
-- A trigger, so that no code can post and forget the balance.
create trigger posting_moves_balance after insert on posting for each row execute function apply_posting();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is written once: correct it by another journal', tg_table_name
    using errcode = 'restrict_violation', constraint = 'ledger_immutable';
end $$;
create trigger journal_immutable before update or delete on journal for each row execute function refuse_change();
create trigger posting_immutable before update or delete on posting for each row execute function refuse_change();
create trigger journal_not_truncated before truncate on journal for each statement execute function refuse_change();
create trigger posting_not_truncated before truncate on posting for each statement execute function refuse_change();

create function guard_account() returns trigger language plpgsql as $$
begin
  if (new.operator_id, new.owner, new.asset, new.kind) is distinct from (old.operator_id, old.owner, old.asset, old.kind) then
    raise exception 'an account never changes its owner, asset or kind'
      using errcode = 'restrict_violation', constraint = 'account_immutable';
  end if;
  return new;
end $$;
create trigger account_immutable before update on account for each row execute function guard_account();
create trigger account_kept before delete on account for each row execute function refuse_change();
