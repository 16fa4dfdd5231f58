-- What a deposit shows beside its state: the chain's count of blocks (CRY-2), and the terms of the bonus that was on screen.
alter table deposit add column txid text;
alter table deposit add column blockchain text;
alter table deposit add column crypto_currency text;
alter table deposit add column confirmations int check (confirmations >= 0);
alter table deposit add column required_confirmations int check (required_confirmations > 0);
alter table deposit add column bonus jsonb;

-- The terms were promised at the create: no later edit of an offer changes them.
create trigger deposit_bonus_kept before update of bonus on deposit for each row
  when (old.bonus is distinct from new.bonus) execute function refuse_change();

-- Bonus money is a user's own account, kept apart from the money that may leave; what is given is the operator's expense.
alter table account drop constraint account_kind;
alter table account add constraint account_kind check (kind in ('user', 'user_hold', 'reversal_debt', 'provider_clearing',
  'chain_clearing', 'suspense', 'below_minimum', 'bonus', 'bonus_expense'));
alter table account drop constraint account_balance_of_users;
alter table account add constraint account_balance_of_users
  check ((balance is not null) = (kind in ('user', 'user_hold', 'reversal_debt', 'bonus')));

-- What a person says about a transfer, such as the number of its receipt (FORM-10): for people, nothing is credited from it.
create table deposit_note (
  deposit_id uuid not null references deposit,
  n int not null check (n between 1 and 5),
  note text not null,
  at timestamptz not null default now(),
  primary key (deposit_id, n),
  unique (deposit_id, note)
);
