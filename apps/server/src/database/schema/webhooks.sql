-- Messages that the cashier sends after money moved: pushes to widgets, and webhooks to operators (SRV-5).
-- The transaction that moves the money writes the row. The row is sent afterwards, at least once.

-- A table of the whole service: a worker sends the oldest pushes of all operators, and a sent row is deleted.
create table outbox (
  id bigint generated always as identity primary key,
  topic text not null check (topic in ('push')),
  operator_id text not null,
  user_id text not null,
  name text not null,
  body jsonb not null,
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  created_at timestamptz not null default now()
)
-- A claim changes each row once. Room in its page, and no index of a changed column, keep the row where it is: no index then has to follow.
with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
comment on table outbox is 'Pushes to widgets that wait to be sent. A push is a hint, so its row is deleted once it is sent.';

create table webhook_delivery (
  operator_id text not null references operator,
  -- The receiver's idempotency key, the same in every attempt and replay. It begins with the time of created_at.
  id uuid not null default time_id(),
  type text not null,
  deposit_id uuid,
  withdrawal_id uuid,
  -- The signed bytes.
  body text not null check (octet_length(body) < 20480),
  -- Set if the webhook has a secret: it is not sent after this time, and never again.
  useless_at timestamptz,
  -- pending: its row in webhook_queue says when it is sent. undeliverable: for 30 days nobody could receive it.
  status text not null default 'pending' check (status in ('pending', 'delivered', 'exhausted', 'undeliverable', 'dropped')),
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  -- The list of an operator's webhooks is in this order, too.
  primary key (operator_id, id)
) partition by range (id);
comment on table webhook_delivery is 'Webhooks to operators, and whether they were delivered.';
-- The operator's list of webhooks that failed or wait.
create index webhook_delivery_undelivered on webhook_delivery (operator_id, status, id desc) where status <> 'delivered';
create index webhook_delivery_by_deposit on webhook_delivery (operator_id, deposit_id) where deposit_id is not null;
create index webhook_delivery_by_withdrawal on webhook_delivery (operator_id, withdrawal_id) where withdrawal_id is not null;
create trigger webhook_delivery_months_noted after insert on webhook_delivery referencing new table as written
  for each statement execute function note_later_months();

-- What waits is apart from what is done. So the queue stays as small as the work, and its vacuum never depends on the archive.
create table webhook_queue (
  operator_id text not null,
  -- Without a foreign key, which would lock and write the delivery once more.
  delivery_id uuid not null,
  -- Encrypted: a secret, such as a confirmation code. It leaves with this row.
  sealed bytea,
  useless_at timestamptz,
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  primary key (operator_id, delivery_id),
  constraint webhook_queue_keeps_no_secret check (sealed is null or useless_at is not null)
)
-- Every webhook enters and leaves. By the default, the index of due work would wait for a fifth of the table: see deposit.
with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
comment on table webhook_queue is 'Webhooks that wait to be sent or tried again, a row for each pending delivery.';
-- Due work, by operator, so that a receiver that hangs delays only its own webhooks.
create index webhook_queue_due on webhook_queue (operator_id, next_at);
create index webhook_queue_useless on webhook_queue (useless_at) where sealed is not null;

create table webhook_listener (
  operator_id text primary key references operator on delete cascade,
  -- By the machine's time, also where the clock of a sandbox was moved.
  until timestamptz not null
);
comment on table webhook_listener is 'Operators of a sandbox whose engineer listens for webhooks, so that these exist without an address.';

create table webhook_attempt (
  operator_id text not null,
  -- Without a foreign key: a partition of deliveries could not be detached without reading all attempts.
  delivery_id uuid not null,
  n int not null,
  at timestamptz not null default now(),
  status int,
  error text,
  duration_ms int not null,
  primary key (operator_id, delivery_id, n)
) partition by range (delivery_id);
comment on table webhook_attempt is 'Every attempt to deliver a webhook and how it ended, in the month of the delivery.';

create table webhook_circuit (
  operator_id text primary key references operator on delete cascade,
  -- The address that failed. Another address starts at zero.
  address text not null,
  failures int not null check (failures > 0),
  failing_since timestamptz not null default now(),
  -- Nothing is sent before this time. Afterwards one delivery at a time tries the address.
  paused_until timestamptz not null default now()
);
comment on table webhook_circuit is 'Webhook addresses that fail, counted over all nodes. The first good answer deletes the row.';
