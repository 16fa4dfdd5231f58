-- What an operator moves between a user's accounts, and between them and itself (WD-1, SRV-1). What it gives it owes to the
-- cashier, and the other way round: that is summed in `operator_clearing`.
alter table account drop constraint account_kind;
alter table account add constraint account_kind check (kind in ('user', 'user_additional', 'user_hold', 'reversal_debt',
  'provider_clearing', 'chain_clearing', 'operator_clearing', 'suspense', 'below_minimum', 'bonus', 'bonus_expense',
  'withdrawal_fee'));

create table operator_transfer (
  operator_id text not null references operator,
  -- The operator's own key: a repeat of it moves nothing.
  transfer_id uuid not null,
  user_id text not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  from_account text not null check (from_account in ('main', 'additional', 'operator')),
  to_account text not null check (to_account in ('main', 'additional', 'operator')),
  created_at timestamptz not null default now(),
  primary key (operator_id, transfer_id),
  constraint operator_transfer_moves check (from_account <> to_account)
);
create trigger operator_transfer_immutable before update or delete on operator_transfer
  for each row execute function refuse_change();

-- The operator's list of transactions, newest first.
create index deposit_listed on deposit (operator_id, created_at desc, id desc);
create index withdrawal_listed on withdrawal (operator_id, created_at desc, id desc);
