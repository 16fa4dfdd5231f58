-- The inbox of provider callbacks, and every report about a deposit or withdrawal, once per event.

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
)
-- The index of due work must not wait for a fifth of the table to change: see deposit.
with (autovacuum_vacuum_scale_factor = 0.01);
comment on table webhook_inbox is 'Callbacks of providers: stored unread, acknowledged at once, processed later.';
-- The oldest due callback of each provider.
create index webhook_inbox_due on webhook_inbox (source, next_at) where status = 'new';
create trigger webhook_inbox_immutable before update on webhook_inbox for each row
  when ((new.source, new.message_id, new.body_hash, new.raw) is distinct from (old.source, old.message_id, old.body_hash, old.raw))
  execute function refuse_change();
create trigger webhook_inbox_kept before delete on webhook_inbox for each row execute function refuse_change();
create trigger webhook_inbox_not_truncated before truncate on webhook_inbox
  for each statement execute function refuse_change();

create table deposit_event (
  provider text not null,
  event_id text not null,
  body jsonb not null,
  body_hash bytea not null,
  deposit_id uuid,
  -- parked: the report matches no row now and is tried again. Its deposit is missing, or the report contradicts the
  -- deposit.
  status text not null check (status in ('applied', 'parked')),
  outcome text not null,
  tries int not null default 1,
  next_at timestamptz,
  received_at timestamptz not null default now(),
  primary key (provider, event_id)
)
-- The index of due work must not wait for a fifth of the table to change: see deposit.
with (autovacuum_vacuum_scale_factor = 0.01);
comment on table deposit_event is 'Reports of providers about deposits, one row per event, kept for ever.';
create index deposit_event_due on deposit_event (next_at) where status = 'parked' and next_at is not null;
create index deposit_event_of_ref on deposit_event (provider, (body ->> 'providerRef')) where status = 'parked';
-- Payment lookup; the parked reports of a deposit; and the ledger's rules, which check that a payment was reported.
create index deposit_event_by_deposit on deposit_event (deposit_id) where deposit_id is not null;
create index deposit_event_by_txid on deposit_event (lower(body #>> '{chain,txid}')) where body #>> '{chain,txid}' is not null;
create trigger deposit_event_immutable before update on deposit_event for each row
  when ((new.provider, new.event_id, new.body, new.body_hash) is distinct from (old.provider, old.event_id, old.body, old.body_hash)
    or (old.status = 'applied' and new.status <> 'applied')) execute function refuse_change();
-- The owner of the database may delete a report that was never applied.
create trigger deposit_event_kept before delete on deposit_event for each row when (old.status = 'applied') execute function refuse_change();
create trigger deposit_event_not_truncated before truncate on deposit_event for each statement execute function refuse_change();

create table withdrawal_event (
  provider text not null,
  event_id text not null,
  body jsonb not null,
  body_hash bytea not null,
  withdrawal_id uuid,
  -- parked: the report matches no row now and is tried again.
  status text not null check (status in ('applied', 'parked')),
  outcome text not null,
  tries int not null default 1,
  next_at timestamptz,
  received_at timestamptz not null default now(),
  primary key (provider, event_id)
);
comment on table withdrawal_event is 'Reports of providers about withdrawals, one row per event, kept for ever.';
create index withdrawal_event_due on withdrawal_event (next_at) where status = 'parked' and next_at is not null;
create index withdrawal_event_of_ref on withdrawal_event (provider, (body ->> 'providerRef')) where status = 'parked';
create index withdrawal_event_by_withdrawal on withdrawal_event (withdrawal_id) where withdrawal_id is not null;
create trigger withdrawal_event_immutable before update on withdrawal_event for each row
  when ((new.provider, new.event_id, new.body, new.body_hash) is distinct from (old.provider, old.event_id, old.body, old.body_hash)
    or (old.status = 'applied' and new.status <> 'applied')) execute function refuse_change();
create trigger withdrawal_event_kept before delete on withdrawal_event for each row
  when (old.status = 'applied') execute function refuse_change();
create trigger withdrawal_event_not_truncated before truncate on withdrawal_event
  for each statement execute function refuse_change();
