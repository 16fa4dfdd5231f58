-- Decisions of an operator's staff about money. Each has a name, is made once and is kept for ever
-- (SRV-1, SRV-2, SRV-3, WD-1).
-- Approvals of withdrawals are in withdrawals.sql, refunds in payments.sql.

create table review_decision (
  operator_id text not null references operator,
  -- The reviewed payment and the number of its review, such as deposit-<id>-1.
  review_id text not null,
  decision text not null check (decision in ('credit', 'refund', 'charge', 'bear')),
  staff text not null,
  -- The API key that sent the decision. Null: the command line.
  key_id uuid,
  at timestamptz not null default now(),
  primary key (operator_id, review_id)
);
comment on table review_decision is 'How staff ended a review of money in suspense.';
create trigger review_decision_immutable before update or delete on review_decision
  for each row execute function refuse_change();
create trigger review_decision_not_truncated before truncate on review_decision
  for each statement execute function refuse_change();

create table report_dismissal (
  operator_id text not null references operator,
  provider text not null,
  event_id text not null,
  decided_by text not null,
  -- The API key that sent the decision. Null: the command line.
  key_id uuid,
  reason text not null,
  at timestamptz not null default now(),
  -- The transfer that gave the user the money of a part of a payout that came back. No transfer ends two reports.
  transfer_id uuid,
  primary key (operator_id, provider, event_id),
  constraint report_dismissal_transfer_once unique (operator_id, transfer_id)
);
comment on table report_dismissal is 'Parked reports of providers that staff dismissed, beside the report itself.';
-- A check instead of a foreign key: reports are stored before their operator is known.
create function guard_dismissal() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from deposit_event where provider = new.provider and event_id = new.event_id)
    and not exists (select 1 from withdrawal_event where provider = new.provider and event_id = new.event_id) then
    raise exception 'a dismissal must name a report' using errcode = 'foreign_key_violation', constraint = 'dismissal_of_its_report';
  end if;
  return new;
end $$;
create trigger report_dismissal_guarded before insert on report_dismissal for each row execute function guard_dismissal();
create trigger report_dismissal_immutable before update or delete on report_dismissal
  for each row execute function refuse_change();
create trigger report_dismissal_not_truncated before truncate on report_dismissal
  for each statement execute function refuse_change();

create table operator_transfer (
  operator_id text not null references operator,
  -- The operator's own idempotency key.
  transfer_id uuid not null,
  user_id text not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  from_account text not null check (from_account in ('main', 'additional', 'operator', 'bonus')),
  to_account text not null check (to_account in ('main', 'additional', 'operator')),
  created_at timestamptz not null default now(),
  primary key (operator_id, transfer_id),
  constraint operator_transfer_moves check (from_account <> to_account)
);
comment on table operator_transfer is 'Money that an operator moved between a user''s accounts, or between a user and itself.';
create trigger operator_transfer_immutable before update or delete on operator_transfer
  for each row execute function refuse_change();
create trigger operator_transfer_not_truncated before truncate on operator_transfer
  for each statement execute function refuse_change();

create table account_release (
  operator_id text not null references operator,
  -- The operator's own idempotency key.
  decision_id uuid not null,
  account_id bigint not null,
  frozen_since timestamptz not null,
  -- The user's debt at that time, in minor units; the release does not change it.
  debt bigint not null check (debt >= 0),
  decided_by text not null,
  -- The API key that sent the decision. Null: the command line.
  key_id uuid,
  reason text not null,
  at timestamptz not null default now(),
  primary key (operator_id, decision_id),
  foreign key (operator_id, account_id) references account (operator_id, id)
);
comment on table account_release is 'How staff ended the freeze of an account that a debt had caused.';
-- A freeze ends once.
create unique index account_release_once on account_release (operator_id, account_id, frozen_since);
create trigger account_release_immutable before update or delete on account_release
  for each row execute function refuse_change();
create trigger account_release_not_truncated before truncate on account_release
  for each statement execute function refuse_change();

-- A freeze ends only by a release with a name, whatever the application does.
create function guard_release() returns trigger language plpgsql as $$
begin
  if new.frozen_at is not null or not exists (
    select 1 from account_release where operator_id = old.operator_id and account_id = old.id and frozen_since = old.frozen_at
  ) then
    raise exception 'account % stays frozen until a release is recorded', old.id
      using errcode = 'restrict_violation', constraint = 'account_released_by_name';
  end if;
  return new;
end $$;
create trigger account_release_guarded before update of frozen_at on account
  for each row when (old.frozen_at is not null and new.frozen_at is distinct from old.frozen_at)
  execute function guard_release();

create table debt_settlement (
  operator_id text not null references operator,
  -- The operator's own idempotency key.
  decision_id uuid not null,
  -- The user's main account.
  account_id bigint not null,
  -- Who pays: the operator (it forgives the debt or was paid otherwise), or one of the user's accounts.
  paid_from text not null check (paid_from in ('operator', 'main', 'additional')),
  amount bigint not null check (amount > 0),
  -- The debt before the settlement.
  debt bigint not null check (debt >= amount),
  decided_by text not null,
  -- The API key that sent the decision. Null: the command line.
  key_id uuid,
  reason text not null,
  at timestamptz not null default now(),
  primary key (operator_id, decision_id),
  foreign key (operator_id, account_id) references account (operator_id, id)
);
comment on table debt_settlement is 'How staff settled a user''s debt, in whole or in part.';
create trigger debt_settlement_immutable before update or delete on debt_settlement
  for each row execute function refuse_change();
create trigger debt_settlement_not_truncated before truncate on debt_settlement
  for each statement execute function refuse_change();

create table debt_claim (
  operator_id text not null references operator,
  -- The operator's own idempotency key.
  decision_id uuid not null,
  -- The user's main account.
  account_id bigint not null,
  -- The call to the operator's wallet. Without a foreign key: calls of old months leave for the archive.
  call_id uuid not null,
  decided_by text not null,
  -- The API key that sent the decision. Null: the command line.
  key_id uuid,
  reason text not null,
  at timestamptz not null default now(),
  primary key (operator_id, decision_id),
  foreign key (operator_id, account_id) references account (operator_id, id)
);
comment on table debt_claim is 'How staff claimed a user''s debt from the operator''s own wallet.';
create trigger debt_claim_immutable before update or delete on debt_claim
  for each row execute function refuse_change();
create trigger debt_claim_not_truncated before truncate on debt_claim
  for each statement execute function refuse_change();
