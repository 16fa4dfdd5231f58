-- Deposits, SRV-3 and SRV-6. The table of states is core's (deposit-lifecycle); this copy is what the database itself enforces,
-- and a test compares the two.
create table deposit_state (
  state text primary key,
  rank int not null
);
insert into deposit_state (state, rank) values
  ('created', 10), ('submitted_unknown', 20), ('awaiting_payment', 30), ('detected', 40), ('confirming', 50),
  ('declined', 80), ('cancelled', 80), ('expired', 80), ('late_paid', 85), ('credited', 90), ('refunded', 95), ('reversed', 99);

create table deposit_transition (
  from_state text not null references deposit_state,
  to_state text not null references deposit_state,
  primary key (from_state, to_state)
);
insert into deposit_transition (from_state, to_state)
select before.state, after.state from deposit_state before, deposit_state after
where (before.rank between 10 and 50 and after.rank > before.rank and after.state in ('submitted_unknown', 'awaiting_payment',
    'detected', 'confirming', 'credited', 'declined', 'cancelled', 'expired'))
  or (before.rank = 80 and after.state = 'late_paid')
  or (before.state = 'late_paid' and after.state in ('credited', 'refunded'))
  or (before.state = 'credited' and after.state = 'reversed');

-- One row per key that a user ever used, kept for ever (SRV-6). It is what two creates, or a create and a cancel, fight over:
-- a row without a deposit is a cancel that came before its create (DEP-11).
create table deposit_key (
  operator_id text not null references operator,
  user_id text not null,
  client_key uuid not null,
  deposit_id uuid,
  at timestamptz not null default now(),
  primary key (operator_id, user_id, client_key)
);

create table deposit (
  -- The client's key where it is free, so that everybody names a payment alike; another value where a stranger took it first.
  id uuid primary key,
  operator_id text not null references operator,
  user_id text not null,
  client_key uuid not null,
  -- SHA-256 of the fields that say what money is meant.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  payment_method text not null,
  provider text not null,
  provider_ref text,
  currency text not null,
  amount bigint not null constraint deposit_amount_positive check (amount > 0),
  country text not null,
  state text not null references deposit_state,
  rank int not null,
  -- What a repeat of the provider call needs.
  request jsonb not null,
  -- The stored answer of the create call: a response, or a failure.
  response jsonb,
  failure jsonb,
  -- While it lies ahead, one node is talking to the provider about this row.
  busy_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  lifetime_s int not null check (lifetime_s > 0),
  expires_at timestamptz not null,
  -- When the provider is asked next (reconciliation); null: never.
  check_at timestamptz,
  checks int not null default 0,
  -- What was really paid, and what the ledger credited.
  paid bigint check (paid > 0),
  credited bigint check (credited > 0),
  reason text,
  -- Set while people have to decide about money in suspense: underpaid, overpaid, late, …
  review text,
  remote_status text,
  -- Why the last move happened, for the history.
  cause text,
  constraint deposit_key_once unique (operator_id, user_id, client_key),
  constraint deposit_provider_ref_once unique (provider, provider_ref),
  constraint deposit_credited_is_paid check (credited is null or credited = paid)
);
create index deposit_due_check on deposit (check_at) where check_at is not null;
create index deposit_due_expiry on deposit (expires_at) where state = 'awaiting_payment';
create index deposit_open on deposit (operator_id, user_id, payment_method, created_at desc) where rank < 80;
create index deposit_in_review on deposit (operator_id, updated_at) where review is not null;

create table deposit_history (
  deposit_id uuid not null,
  n int not null,
  from_state text,
  to_state text not null,
  cause text not null,
  at timestamptz not null default now(),
  primary key (deposit_id, n)
);

alter table journal add foreign key (deposit_id) references deposit;

create function guard_deposit() returns trigger language plpgsql as $$
begin
  if (new.id, new.operator_id, new.user_id, new.client_key, new.fingerprint, new.payment_method, new.provider, new.currency,
      new.amount, new.created_at)
    is distinct from (old.id, old.operator_id, old.user_id, old.client_key, old.fingerprint, old.payment_method, old.provider,
      old.currency, old.amount, old.created_at)
    or (old.provider_ref is not null and new.provider_ref is distinct from old.provider_ref) then
    raise exception 'what a deposit means never changes' using errcode = 'restrict_violation', constraint = 'deposit_immutable';
  end if;
  if new.state <> old.state then
    if not exists (select 1 from deposit_transition where from_state = old.state and to_state = new.state) then
      raise exception 'a deposit does not go from % to %', old.state, new.state
        using errcode = 'check_violation', constraint = 'deposit_transition_allowed';
    end if;
    new.rank := (select rank from deposit_state where state = new.state);
  end if;
  if new.rank < old.rank or (new.state = old.state and new.rank <> old.rank) then
    raise exception 'the rank of a deposit only rises' using errcode = 'check_violation', constraint = 'deposit_rank_rises';
  end if;
  new.updated_at := now();
  return new;
end $$;
create trigger deposit_guarded before update on deposit for each row execute function guard_deposit();
create trigger deposit_kept before delete on deposit for each row execute function refuse_change();
create trigger deposit_key_kept before delete on deposit_key for each row execute function refuse_change();

-- History writes itself, so that no path can forget it. The cause is named by the statement that moves the deposit.
create function write_deposit_history() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into deposit_history (deposit_id, n, from_state, to_state, cause) values (new.id, 1, null, new.state, 'create');
  elsif new.state <> old.state then
    insert into deposit_history (deposit_id, n, from_state, to_state, cause)
    values (new.id, (select max(n) + 1 from deposit_history where deposit_id = new.id), old.state, new.state,
      coalesce(new.cause, 'unknown'));
  end if;
  return null;
end $$;
create trigger deposit_history_written after insert or update on deposit for each row execute function write_deposit_history();
create trigger deposit_history_immutable before update or delete on deposit_history
  for each row execute function refuse_change();

-- Every report of a provider, once per fact, kept for ever. Parked: it could not be acted on (its deposit is not here yet, or
-- it contradicts), and is tried again.
create table evidence (
  provider text not null,
  event_id text not null,
  body jsonb not null,
  body_hash bytea not null,
  deposit_id uuid,
  status text not null check (status in ('applied', 'parked')),
  outcome text not null,
  tries int not null default 1,
  next_at timestamptz,
  received_at timestamptz not null default now(),
  primary key (provider, event_id)
);
create index evidence_due on evidence (next_at) where status = 'parked';
create index evidence_of_deposit on evidence (deposit_id) where status = 'parked';
create index evidence_of_ref on evidence (provider, (body ->> 'providerRef')) where status = 'parked';

-- Call-backs of providers: stored as they came, answered at once, read later.
create table webhook_inbox (
  source text not null,
  message_id text not null,
  body_hash bytea not null,
  raw bytea not null,
  status text not null default 'new' check (status in ('new', 'done', 'dead')),
  tries int not null default 0,
  next_at timestamptz not null default now(),
  last_error text,
  received_at timestamptz not null default now(),
  primary key (source, message_id)
);
create index webhook_inbox_due on webhook_inbox (next_at) where status = 'new';
