-- Operators (partners) of the cashier and the keys of their back ends (SRV-1).

create table operator (
  id text primary key check (id ~ '^[a-z0-9_-]{1,64}$'),
  -- Public: the widget's address contains it.
  partner_key text not null unique,
  name text not null,
  allowed_origins text[] not null default '{}',
  created_at timestamptz not null default now(),
  -- Codes of withdrawals, limits of deposits, the playthrough of sweep coins. The operator API checks their form.
  settings jsonb not null default '{}',

  webhook_url text,
  -- Newest first. Stored as plain text, because the cashier signs webhooks with them.
  webhook_secrets text[] not null default '{}',
  -- Until then the older secrets sign, too, so that a receiver can change its secret without a gap.
  webhook_old_secrets_until timestamptz,
  -- Set when every attempt of a delivery failed. The cashier sends no webhooks until an operator clears it.
  webhook_disabled_at timestamptz,

  -- False: no new deposit or withdrawal starts. Payments in progress continue.
  deposits_open boolean not null default true,
  withdrawals_open boolean not null default true,
  -- True: the browser console of the widget has hooks for the operator's engineers (HOST-10).
  debug_allowed boolean not null default false,

  -- True: two approvals of a withdrawal need two API keys. The command line counts as one key.
  approvals_by_different_keys boolean not null default false,
  -- How long a withdrawal waits for approval before its hold is released.
  approval_hours int not null default 168 check (approval_hours between 1 and 8760),
  -- True: a deposit first pays the user's debt. False: only staff settle a debt.
  debts_paid_by_deposits boolean not null default false,
  -- True: a frozen account is released when its debt is paid. False: only staff release it.
  accounts_released_when_paid boolean not null default false,

  -- Whose balance counts (docs/adr/0024-whose-balance-counts.md). cashier: the ledger here. operator: the operator's own wallet, which the
  -- cashier asks. pass-through: nobody's here. Deposits go on to the operator, and there are no withdrawals of money.
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

-- What staff set for one user (SRV-1). A new payment is inserted only if it was checked by the current version. So a block applies at
-- every node at once, and a user without a row costs nothing.
create table user_policy (
  operator_id text not null references operator,
  user_id text not null,
  version int not null check (version > 0),
  deposits_blocked boolean not null default false,
  withdrawals_blocked boolean not null default false,
  -- Who blocked the user, why and when. Null: the user is not blocked.
  block_reason text,
  blocked_by text,
  blocked_at timestamptz,
  -- A list of { direction, currency, paymentMethod, min, max }.
  limits jsonb not null default '[]',
  primary key (operator_id, user_id),
  constraint user_policy_block_has_reason check (
    num_nulls(block_reason, blocked_by, blocked_at) = case when deposits_blocked or withdrawals_blocked then 0 else 3 end)
);
comment on table user_policy is 'Limits and blocks of one user, as staff have set them. Their history is in setting_change.';
-- A deleted row would lift a block without a record.
create trigger user_policy_kept before delete on user_policy for each row execute function refuse_change();
create trigger user_policy_not_truncated before truncate on user_policy
  for each statement execute function refuse_change();

create table user_note (
  operator_id text not null references operator,
  id uuid not null default time_id(),
  user_id text not null,
  note text not null check (char_length(note) between 1 and 2000),
  by text not null,
  -- The API key that sent the note. Null: the command line.
  key_id uuid,
  at timestamptz not null default now(),
  primary key (operator_id, id)
);
comment on table user_note is 'Notes of staff about a user. The user never sees them.';
create index user_note_of_user on user_note (operator_id, user_id, id);
create trigger user_note_immutable before update or delete on user_note
  for each row execute function refuse_change();
create trigger user_note_not_truncated before truncate on user_note
  for each statement execute function refuse_change();

-- Whose balance counts, for the rest of the transaction: a change of the mode waits for it. The lock is in memory, so payments of an
-- operator do not write its row, and do not wait for each other.
create function wallet_mode_of(of_operator text) returns text language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(4726003, hashtext(of_operator));
  -- A statement of its own sees what was committed before the lock.
  return (select wallet_mode from operator where id = of_operator);
end $$;
