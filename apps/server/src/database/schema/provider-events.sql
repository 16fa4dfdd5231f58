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

-- A report has a narrow row for ever: its key, its state, and the facts that the rules of the ledger ask for. What the provider wrote
-- is larger. It waits in the row while the report is parked, and moves to the month of its application. So no month has work that waits,
-- no rule searches a month, and an old month can leave (docs/adr/0022).
create table event_body (
  -- Begins with the time at which the report was applied.
  id uuid primary key default time_id(),
  body jsonb not null
) partition by range (id);
comment on table event_body is 'What providers reported, word by word, for each applied report. Old months leave by an archive.';
create trigger event_body_immutable before update or delete on event_body for each row execute function refuse_change();
create trigger event_body_not_truncated before truncate on event_body for each statement execute function refuse_change();

-- Takes the facts from the body of a new report. Moves the body when the report is applied, so that no statement can forget it.
create function keep_event_body() returns trigger language plpgsql as $$
begin
  if new.body is null then
    raise exception 'a report needs a body' using errcode = 'check_violation', constraint = tg_table_name || '_body_kept';
  end if;
  new.reported := new.body ->> 'outcome';
  new.paid := (new.body ->> 'paidMinor')::numeric;
  new.currency := new.body ->> 'currency';
  if tg_table_name = 'deposit_event' then new.txid := new.body #>> '{chain,txid}'; end if;
  if new.status = 'applied' then
    new.body_id := time_id();
    insert into event_body (id, body) values (new.body_id, new.body);
    new.body := null;
  end if;
  return new;
end $$;

create table deposit_event (
  provider text not null,
  event_id text not null,
  -- While the report is parked. Afterwards its row in `event_body`.
  body jsonb,
  body_id uuid,
  body_hash bytea not null,
  -- Facts of the body that rules, audits and searches ask for.
  reported text not null,
  paid numeric,
  currency text,
  txid text,
  deposit_id uuid,
  -- parked: the report matches no row now and is tried again. Its deposit is missing, or the report contradicts the
  -- deposit.
  status text not null check (status in ('applied', 'parked')),
  outcome text not null,
  tries int not null default 1,
  next_at timestamptz,
  received_at timestamptz not null default now(),
  primary key (provider, event_id),
  constraint deposit_event_body_kept check ((body is not null) = (status = 'parked') and (body_id is not null) = (status = 'applied'))
)
-- The index of due work must not wait for a fifth of the table to change: see deposit.
with (autovacuum_vacuum_scale_factor = 0.01);
comment on table deposit_event is 'Reports of providers about deposits, one row per event, kept for ever.';
create index deposit_event_due on deposit_event (next_at) where status = 'parked' and next_at is not null;
create index deposit_event_of_ref on deposit_event (provider, (body ->> 'providerRef')) where status = 'parked';
-- Payment lookup; the parked reports of a deposit; and the ledger's rules, which check that a payment was reported.
create index deposit_event_by_deposit on deposit_event (deposit_id) where deposit_id is not null;
create index deposit_event_by_txid on deposit_event (lower(txid)) where txid is not null;
create trigger deposit_event_immutable before update on deposit_event for each row
  when ((new.provider, new.event_id, new.body, new.body_id, new.body_hash, new.reported, new.paid, new.currency, new.txid)
      is distinct from (old.provider, old.event_id, old.body, old.body_id, old.body_hash, old.reported, old.paid, old.currency, old.txid)
    or (old.status = 'applied' and new.status <> 'applied')) execute function refuse_change();
-- After the trigger above, by its name. A statement that writes the facts and the body's row itself has no body.
create trigger deposit_event_told before insert on deposit_event for each row
  when (new.body is not null or new.body_id is null) execute function keep_event_body();
create trigger deposit_event_taken before update of status on deposit_event for each row
  when (old.status = 'parked' and new.status = 'applied') execute function keep_event_body();
-- The owner of the database may delete a report that was never applied.
create trigger deposit_event_kept before delete on deposit_event for each row when (old.status = 'applied') execute function refuse_change();
create trigger deposit_event_not_truncated before truncate on deposit_event for each statement execute function refuse_change();

create table withdrawal_event (
  provider text not null,
  event_id text not null,
  -- While the report is parked. Afterwards its row in `event_body`.
  body jsonb,
  body_id uuid,
  body_hash bytea not null,
  -- Facts of the body that rules, audits and searches ask for.
  reported text not null,
  paid numeric,
  currency text,
  withdrawal_id uuid,
  -- parked: the report matches no row now and is tried again.
  status text not null check (status in ('applied', 'parked')),
  outcome text not null,
  tries int not null default 1,
  next_at timestamptz,
  received_at timestamptz not null default now(),
  primary key (provider, event_id),
  constraint withdrawal_event_body_kept check ((body is not null) = (status = 'parked') and (body_id is not null) = (status = 'applied'))
);
comment on table withdrawal_event is 'Reports of providers about withdrawals, one row per event, kept for ever.';
create index withdrawal_event_due on withdrawal_event (next_at) where status = 'parked' and next_at is not null;
create index withdrawal_event_of_ref on withdrawal_event (provider, (body ->> 'providerRef')) where status = 'parked';
create index withdrawal_event_by_withdrawal on withdrawal_event (withdrawal_id) where withdrawal_id is not null;
create trigger withdrawal_event_immutable before update on withdrawal_event for each row
  when ((new.provider, new.event_id, new.body, new.body_id, new.body_hash, new.reported, new.paid, new.currency)
      is distinct from (old.provider, old.event_id, old.body, old.body_id, old.body_hash, old.reported, old.paid, old.currency)
    or (old.status = 'applied' and new.status <> 'applied')) execute function refuse_change();
-- After the trigger above, by its name. A statement that writes the facts and the body's row itself has no body.
create trigger withdrawal_event_told before insert on withdrawal_event for each row
  when (new.body is not null or new.body_id is null) execute function keep_event_body();
create trigger withdrawal_event_taken before update of status on withdrawal_event for each row
  when (old.status = 'parked' and new.status = 'applied') execute function keep_event_body();
create trigger withdrawal_event_kept before delete on withdrawal_event for each row
  when (old.status = 'applied') execute function refuse_change();
create trigger withdrawal_event_not_truncated before truncate on withdrawal_event
  for each statement execute function refuse_change();
