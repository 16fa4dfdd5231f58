-- Operators (partners) of the cashier, SRV-1.
create table operator (
  id text primary key check (id ~ '^[a-z0-9_-]{1,64}$'),
  -- Public: it stands in the address of the widget.
  partner_key text not null unique,
  name text not null,
  allowed_origins text[] not null default '{}',
  webhook_url text,
  -- Newest first; two live at once while a secret is rotated. Needed in clear to sign with.
  webhook_secrets text[] not null default '{}',
  -- Set when every try of a delivery failed: nothing is sent until somebody looks at it.
  webhook_disabled_at timestamptz,
  settings jsonb not null default '{}',
  created_at timestamptz not null default now()
);

-- Secret keys of an operator's backend: only their SHA-256 is kept.
create table operator_api_key (
  id uuid primary key default gen_random_uuid(),
  operator_id text not null references operator,
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  label text not null default '',
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index operator_api_key_operator on operator_api_key (operator_id);
