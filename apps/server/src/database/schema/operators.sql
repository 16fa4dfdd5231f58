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
  accounts_released_when_paid boolean not null default false,

  -- Whose balance counts (docs/adr/0024-whose-balance-counts.md): cashier, the ledger here; operator, the operator's own wallet, which the
  -- cashier asks; pass-through, nobody's: deposits go on to the operator, and there are no withdrawals.
  wallet_mode text not null default 'cashier' check (wallet_mode in ('cashier', 'operator', 'pass-through')),
  -- The wallet that is asked. Its calls are signed with the secrets of the webhooks.
  wallet_url text,
  constraint operator_wallet_has_url check (wallet_mode <> 'operator' or wallet_url is not null)
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

-- Whose balance counts, for the rest of the transaction: a change of the mode waits for it. The lock is in memory, so payments of an
-- operator do not write its row, and do not wait for each other.
create function wallet_mode_of(of_operator text) returns text language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(4726003, hashtext(of_operator));
  -- A statement of its own sees what was committed before the lock.
  return (select wallet_mode from operator where id = of_operator);
end $$;
