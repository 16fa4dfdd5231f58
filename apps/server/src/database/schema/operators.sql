-- Operators (partners) of the cashier and the keys of their back ends (SRV-1).

create table operator (
  id text primary key check (id ~ '^[a-z0-9_-]{1,64}$'),
  -- Public: the widget's address contains it.
  partner_key text not null unique,
  name text not null,
  allowed_origins text[] not null default '{}',
  created_at timestamptz not null default now(),
  settings jsonb not null default '{}',

  webhook_url text,
  -- Newest first. Stored as plain text, because the cashier signs webhooks with them.
  webhook_secrets text[] not null default '{}',
  -- Until then the older secrets sign, too, so that a receiver can change its secret without a gap.
  webhook_old_secrets_until timestamptz,
  -- Set when every attempt of a delivery failed. The cashier sends no webhooks until an operator clears it.
  webhook_disabled_at timestamptz,

  -- How long a withdrawal waits for approval before its hold is released.
  approval_hours int not null default 168 check (approval_hours between 1 and 8760),
  -- True: a deposit first pays the user's debt. False: only staff settle a debt.
  debts_paid_by_deposits boolean not null default false,
  -- True: a frozen account is released when its debt is paid. False: only staff release it.
  accounts_released_when_paid boolean not null default false
);
comment on table operator is 'A site that embeds the cashier, with its webhook address and its rules for debts and approvals.';

-- A key is looked up before its operator is known, so this is a table of the whole service, like `operator`.
create table operator_api_key (
  id uuid primary key default gen_random_uuid(),
  operator_id text not null references operator,
  -- SHA-256 of the key; the key itself is not stored.
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  label text not null default '',
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
comment on table operator_api_key is 'Secret keys with which an operator''s back end calls the operator API, as hashes.';
create index operator_api_key_operator on operator_api_key (operator_id);

-- Every change of a setting, so that it is known who changed what, and when (SRV-1). Secrets never enter it.
create table setting_change (
  operator_id text not null references operator,
  -- Its order is the order of the changes.
  id uuid not null default time_id(),
  -- Such as `approvals` or `operator.name`.
  setting text not null check (setting <> ''),
  -- The member of staff by the operator's own name, or the program that made the change.
  by text not null check (by <> ''),
  -- The API key that sent the change. Null: the command line or the start of the cashier.
  key_id uuid,
  -- Only the parts that differ. Null: the setting did not exist, or no longer exists.
  before jsonb,
  after jsonb,
  at timestamptz not null default now(),
  primary key (operator_id, id)
);
comment on table setting_change is 'Changes of an operator''s settings, kept for ever: who, when, before and after.';
create index setting_change_of_setting on setting_change (operator_id, setting, id);
create trigger setting_change_immutable before update or delete on setting_change
  for each row execute function refuse_change();
create trigger setting_change_not_truncated before truncate on setting_change
  for each statement execute function refuse_change();
