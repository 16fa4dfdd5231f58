-- The inbox of provider callbacks, and every report about a deposit or withdrawal, once per event.

-- Both are tables of the whole service: a callback or report is stored before its operator is known.

-- What waits is apart from what is done: a callback is written once, and the queue alone knows its tries. So the queue stays as small
-- as the work, and its vacuum never depends on the archive.
create table webhook_inbox (
  id uuid primary key default time_id(),
  source text not null,
  message_id text not null,
  raw bytea not null,
  received_at timestamptz not null default now()
) partition by range (id);
comment on table webhook_inbox is 'Callbacks of providers: stored unread, acknowledged at once, never changed. Old months leave by an archive.';
create trigger webhook_inbox_immutable before update or delete on webhook_inbox for each row execute function refuse_change();
create trigger webhook_inbox_not_truncated before truncate on webhook_inbox
  for each statement execute function refuse_change();

-- Never partitioned by time and never archived: a callback of any age that comes again finds its key.
create table inbox_key (
  source text not null,
  message_id text not null,
  -- SHA-256 of the callback's bytes.
  body_hash bytea not null,
  inbox_id uuid not null,
  primary key (source, message_id)
);
comment on table inbox_key is 'The id of every callback with the hash of its content, kept for ever. A callback is stored once.';
create trigger inbox_key_immutable before update or delete on inbox_key for each row execute function refuse_change();
create trigger inbox_key_not_truncated before truncate on inbox_key for each statement execute function refuse_change();

create table inbox_queue (
  source text not null,
  message_id text not null,
  inbox_id uuid not null,
  -- dead: it could not be read and is set aside for staff.
  status text not null default 'new' check (status in ('new', 'dead')),
  tries int not null default 0,
  next_at timestamptz not null default now(),
  last_error text,
  primary key (source, message_id)
)
-- Every callback enters and leaves. By the default, the index of due work would wait for a fifth of the table: see deposit.
with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
comment on table inbox_queue is 'Callbacks that wait to be read, or that could not be read. A callback that was applied leaves the queue.';
-- The oldest due callback of each provider.
create index inbox_queue_due on inbox_queue (source, next_at) where status = 'new';
-- Callbacks that were set aside, the newest last.
create index inbox_queue_dead on inbox_queue (source, inbox_id) where status = 'dead';

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
