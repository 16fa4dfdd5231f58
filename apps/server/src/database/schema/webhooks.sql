-- Messages that the cashier sends after money moved: pushes to widgets, and webhooks to operators (SRV-5).
-- The transaction that moves the money writes the row. The row is sent afterwards, at least once.

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
);
comment on table outbox is 'Pushes to widgets that wait to be sent. A push is a hint, so its row is deleted once it is sent.';
create index outbox_due on outbox (next_at);

create table webhook_delivery (
  -- The receiver's idempotency key, the same in every attempt and replay.
  id uuid primary key default gen_random_uuid(),
  operator_id text not null references operator,
  type text not null,
  deposit_id uuid,
  withdrawal_id uuid,
  -- The signed bytes.
  body text not null check (octet_length(body) < 20480),
  -- Encrypted: a secret, such as a confirmation code. Deleted once it is sent.
  sealed bytea,
  -- A delivery with a secret is dropped after this time.
  useless_at timestamptz,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'exhausted', 'dropped')),
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  last_status int,
  last_error text,
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  constraint webhook_delivery_keeps_no_secret check (sealed is null or (status = 'pending' and useless_at is not null))
)
-- The index of due work must not wait for a fifth of the table to change: see deposit.
with (autovacuum_vacuum_scale_factor = 0.01);
comment on table webhook_delivery is 'Webhooks to operators, with the state of their delivery.';
-- Due work, by operator, so that a receiver that hangs delays only its own webhooks.
create index webhook_delivery_due on webhook_delivery (operator_id, next_at) where status = 'pending';
create index webhook_delivery_useless on webhook_delivery (useless_at) where sealed is not null;
create index webhook_delivery_listed on webhook_delivery (operator_id, created_at desc);
-- The operator's list of webhooks that failed or wait.
create index webhook_delivery_undelivered on webhook_delivery (operator_id, status, created_at desc, id desc)
  where status <> 'delivered';
create index webhook_delivery_by_deposit on webhook_delivery (deposit_id) where deposit_id is not null;
create index webhook_delivery_by_withdrawal on webhook_delivery (withdrawal_id) where withdrawal_id is not null;

create table webhook_attempt (
  delivery_id uuid not null references webhook_delivery,
  n int not null,
  at timestamptz not null default now(),
  status int,
  error text,
  duration_ms int not null,
  primary key (delivery_id, n)
);
comment on table webhook_attempt is 'Every attempt to deliver a webhook and how it ended.';

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
