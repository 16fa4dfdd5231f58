-- What users owe, and how people of the operator settle it (SRV-1, SRV-2).
create table debt_settlement (
  operator_id text not null references operator,
  -- The operator's own key: a repeat of it settles nothing more.
  decision_id uuid not null,
  -- The user's account, which the lock is of.
  account_id bigint not null references account,
  -- Who pays: the operator, where it forgives the debt or was paid otherwise, or one of the user's accounts.
  paid_from text not null check (paid_from in ('operator', 'main', 'additional')),
  amount bigint not null check (amount > 0),
  -- What was owed before.
  debt bigint not null check (debt >= amount),
  decided_by text not null,
  reason text not null,
  at timestamptz not null default now(),
  primary key (operator_id, decision_id)
);
create trigger debt_settlement_immutable before update or delete on debt_settlement
  for each row execute function refuse_change();

-- Whatever the program says: nobody pays more than is owed.
alter table account add constraint account_debt_not_overpaid check (kind <> 'reversal_debt' or balance <= 0);
create index account_in_debt on account (operator_id, id) where kind = 'reversal_debt' and balance < 0;

-- Whether what is deposited pays what is owed first; unless the operator says so, only people decide about a debt.
alter table operator add column debts_paid_by_deposits boolean not null default false;
