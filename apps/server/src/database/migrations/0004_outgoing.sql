-- What has to be told after money moved. Rows are written in the transaction that moves it and sent afterwards, at least once.
-- A push is a hint, so its row goes when it is sent.
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
create index outbox_due on outbox (next_at);

-- Web-hooks to operators (SRV-5). The id is the receiver's idempotency key, the same over all tries and replays.
create table webhook_delivery (
  id uuid primary key default gen_random_uuid(),
  operator_id text not null references operator,
  type text not null,
  deposit_id uuid,
  -- As it is signed, byte for byte; under 20 KB.
  body text not null check (octet_length(body) < 20480),
  status text not null default 'pending' check (status in ('pending', 'delivered', 'exhausted')),
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  last_status int,
  last_error text,
  created_at timestamptz not null default now(),
  delivered_at timestamptz
);
create index webhook_delivery_due on webhook_delivery (next_at) where status = 'pending';
create index webhook_delivery_listed on webhook_delivery (operator_id, created_at desc);

create table webhook_attempt (
  delivery_id uuid not null references webhook_delivery,
  n int not null,
  at timestamptz not null default now(),
  status int,
  error text,
  duration_ms int not null,
  primary key (delivery_id, n)
);
