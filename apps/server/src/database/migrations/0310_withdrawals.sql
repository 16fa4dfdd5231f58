-- Withdrawals, WD-2 and WD-3. The table of states is core's (withdrawal-lifecycle); this copy is what the database itself
-- enforces, and a test compares the two. `hold` says what a state means for the amount that was held at the start.
create table withdrawal_state (
  state text primary key,
  rank int not null,
  hold text not null check (hold in ('held', 'void', 'post'))
);
insert into withdrawal_state (state, rank, hold) values
  ('held', 10, 'held'), ('submitted_unknown', 20, 'held'), ('submitted', 30, 'held'), ('declined', 80, 'void'),
  ('cancelled', 80, 'void'), ('expired', 80, 'void'), ('paid', 90, 'post'), ('returned', 99, 'post');

create table withdrawal_transition (
  from_state text not null references withdrawal_state,
  to_state text not null references withdrawal_state,
  primary key (from_state, to_state)
);
insert into withdrawal_transition (from_state, to_state) values
  ('held', 'submitted_unknown'), ('held', 'submitted'), ('held', 'paid'), ('held', 'declined'), ('held', 'cancelled'),
  ('held', 'expired'), ('submitted_unknown', 'submitted'), ('submitted_unknown', 'paid'), ('submitted_unknown', 'declined'),
  ('submitted', 'paid'), ('submitted', 'declined'), ('paid', 'returned');

create table withdrawal (
  -- The client's key where it is free; another value where a stranger took it first. Names the hold and the provider's key.
  id uuid primary key,
  operator_id text not null references operator,
  user_id text not null,
  client_key uuid not null,
  -- SHA-256 of the fields that say what money is meant, and where it goes.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  payment_method text not null,
  provider text not null,
  provider_ref text,
  currency text not null,
  amount bigint not null,
  -- Of the amount; the rest arrives.
  fee bigint not null,
  country text not null,
  account_type text not null check (account_type in ('main', 'additional')),
  state text not null references withdrawal_state,
  rank int not null,
  -- What the provider needs to know; emptied of what the person typed once it knows.
  request jsonb not null,
  -- The answer of a confirm that was refused.
  failure jsonb,
  -- While it lies ahead, one node is talking to the provider about this row.
  busy_until timestamptz,
  -- How often the provider was told to pay.
  submissions int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Until when it can be confirmed.
  expires_at timestamptz not null,
  -- When the provider is asked next (reconciliation); null: never.
  check_at timestamptz,
  checks int not null default 0,
  reason text,
  -- Why the last move happened, for the history.
  cause text,
  constraint withdrawal_key_once unique (operator_id, user_id, client_key),
  constraint withdrawal_provider_ref_once unique (provider, provider_ref),
  constraint withdrawal_something_arrives check (amount > 0 and fee >= 0 and fee < amount)
);
create index withdrawal_due_check on withdrawal (check_at) where check_at is not null;
create index withdrawal_due_expiry on withdrawal (expires_at) where state = 'held';

create table withdrawal_history (
  withdrawal_id uuid not null,
  n int not null,
  from_state text,
  to_state text not null,
  cause text not null,
  at timestamptz not null default now(),
  primary key (withdrawal_id, n)
);

alter table journal add foreign key (withdrawal_id) references withdrawal;
create index journal_withdrawal on journal (withdrawal_id) where withdrawal_id is not null;

create function guard_withdrawal() returns trigger language plpgsql as $$
begin
  if (new.id, new.operator_id, new.user_id, new.client_key, new.fingerprint, new.payment_method, new.provider, new.currency,
      new.amount, new.fee, new.account_type, new.created_at)
    is distinct from (old.id, old.operator_id, old.user_id, old.client_key, old.fingerprint, old.payment_method, old.provider,
      old.currency, old.amount, old.fee, old.account_type, old.created_at)
    or (old.provider_ref is not null and new.provider_ref is distinct from old.provider_ref) then
    raise exception 'what a withdrawal means never changes'
      using errcode = 'restrict_violation', constraint = 'withdrawal_immutable';
  end if;
  if new.state <> old.state and not exists (
    select 1 from withdrawal_transition where from_state = old.state and to_state = new.state) then
    raise exception 'a withdrawal does not go from % to %', old.state, new.state
      using errcode = 'check_violation', constraint = 'withdrawal_transition_allowed';
  end if;
  new.rank := (select rank from withdrawal_state where state = new.state);
  new.updated_at := now();
  return new;
end $$;
create trigger withdrawal_guarded before update on withdrawal for each row execute function guard_withdrawal();
create trigger withdrawal_kept before delete on withdrawal for each row execute function refuse_change();

create function write_withdrawal_history() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into withdrawal_history (withdrawal_id, n, from_state, to_state, cause) values (new.id, 1, null, new.state, 'create');
  elsif new.state <> old.state then
    insert into withdrawal_history (withdrawal_id, n, from_state, to_state, cause)
    values (new.id, (select max(n) + 1 from withdrawal_history where withdrawal_id = new.id), old.state, new.state,
      coalesce(new.cause, 'unknown'));
  end if;
  return null;
end $$;
create trigger withdrawal_history_written after insert or update on withdrawal
  for each row execute function write_withdrawal_history();
create trigger withdrawal_history_immutable before update or delete on withdrawal_history
  for each row execute function refuse_change();

-- At commit: a withdrawal without its hold, or one whose hold stands otherwise than its state says, cannot be.
create function check_withdrawal_hold() returns trigger language plpgsql as $$
declare
  wanted text := (select withdrawal_state.hold from withdrawal join withdrawal_state using (state) where id = new.id);
  stands text := (select coalesce(ended.note, 'held') from journal held
    left join journal ended on ended.ext_source = 'hold' and ended.ext_ref = held.ext_ref and ended.kind = 'hold_end'
    where held.ext_source = 'hold' and held.ext_ref = new.id::text and held.kind = 'hold');
begin
  if stands is distinct from wanted then
    raise exception 'withdrawal % wants its hold to be %, and it is %', new.id, wanted, stands
      using errcode = 'check_violation', constraint = 'withdrawal_hold_agrees';
  end if;
  return null;
end $$;
create constraint trigger withdrawal_hold_agrees after insert or update of state on withdrawal
  deferrable initially deferred for each row execute function check_withdrawal_hold();

-- Reports of providers about withdrawals, once per fact, kept for ever. Parked: it could not be acted on, and is tried again.
create table withdrawal_evidence (
  provider text not null,
  event_id text not null,
  body jsonb not null,
  body_hash bytea not null,
  withdrawal_id uuid,
  status text not null check (status in ('applied', 'parked')),
  outcome text not null,
  tries int not null default 1,
  next_at timestamptz,
  received_at timestamptz not null default now(),
  primary key (provider, event_id)
);
create index withdrawal_evidence_due on withdrawal_evidence (next_at) where status = 'parked';

-- A second account of a user, and what operators keep of withdrawals.
alter table account drop constraint account_kind;
alter table account add constraint account_kind check (kind in ('user', 'user_additional', 'user_hold', 'reversal_debt',
  'provider_clearing', 'chain_clearing', 'suspense', 'below_minimum', 'bonus', 'bonus_expense', 'withdrawal_fee'));
alter table account drop constraint account_balance_of_users;
alter table account add constraint account_balance_of_users
  check ((balance is not null) = (kind in ('user', 'user_additional', 'user_hold', 'reversal_debt', 'bonus')));

alter table webhook_delivery add column withdrawal_id uuid;
