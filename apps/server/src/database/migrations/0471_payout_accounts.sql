-- Accounts that a person keeps for the next withdrawal. Each belongs to one user of one operator and is shown to nobody else; it is
-- deleted for good when its user removes it. What withdrawals went there is told by their own rows, which keep a masked copy.
create table payout_account (
  id uuid primary key default gen_random_uuid(),
  operator_id text not null references operator,
  user_id text not null,
  payment_method text not null,
  -- As they travel to the provider, whole: the next withdrawal is made of them.
  fields jsonb not null check (jsonb_typeof(fields) = 'object'),
  -- What its user is shown of them.
  masked jsonb not null check (jsonb_typeof(masked) = 'array'),
  -- SHA-256 of the fields, so that an account is kept once.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  constraint payout_account_once unique (operator_id, user_id, payment_method, fingerprint)
);
create index payout_account_of_user on payout_account (operator_id, user_id, payment_method, used_at desc);
