-- Withdrawals that wait for people of the operator before the provider is told (SRV-1, SRV-3).
insert into withdrawal_state (state, rank, hold) values ('awaiting_approval', 15, 'held');
insert into withdrawal_transition (from_state, to_state) values
  ('held', 'awaiting_approval'), ('awaiting_approval', 'submitted_unknown'), ('awaiting_approval', 'declined'),
  ('awaiting_approval', 'cancelled'), ('awaiting_approval', 'expired');

-- Above which amounts, in minor units; no row: none of this currency. Asked for at every confirm, so that a change counts at once.
create table approval_threshold (
  operator_id text not null references operator,
  currency text not null,
  one bigint not null check (one >= 0),
  two bigint check (two >= one),
  primary key (operator_id, currency)
);
-- How long a withdrawal waits before its amount goes back.
alter table operator add column approval_hours int not null default 168 check (approval_hours between 1 and 8760);

-- What was asked for when it was confirmed: a later change of the thresholds leaves what waits as it is.
alter table withdrawal add column approvals_needed int not null default 0 check (approvals_needed between 0 and 2);
alter table withdrawal add column approval_since timestamptz;
create index withdrawal_approval_listed on withdrawal (operator_id, approval_since, id) where state = 'awaiting_approval';
create index withdrawal_approval_due on withdrawal (expires_at) where state = 'awaiting_approval';

-- Who decided what; a part of the withdrawal's history.
create table withdrawal_decision (
  operator_id text not null references operator,
  -- The operator's own key: a repeat of it decides nothing more.
  decision_id uuid not null,
  withdrawal_id uuid not null references withdrawal,
  decision text not null check (decision in ('approve', 'decline')),
  decided_by text not null,
  reason text,
  at timestamptz not null default now(),
  primary key (operator_id, decision_id)
);
-- A second pair of eyes is another one.
create unique index withdrawal_approved_by_once on withdrawal_decision (withdrawal_id, lower(decided_by)) where decision = 'approve';
create unique index withdrawal_declined_once on withdrawal_decision (withdrawal_id) where decision = 'decline';
create trigger withdrawal_decision_immutable before update or delete on withdrawal_decision
  for each row execute function refuse_change();

-- Whatever the program says: nothing is handed to a provider without the eyes that it needs.
create function guard_approval() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and old.state in ('held', 'awaiting_approval')
    and new.state in ('submitted_unknown', 'submitted', 'paid')
    and (select count(*) from withdrawal_decision where withdrawal_id = new.id and decision = 'approve')
      < new.approvals_needed then
    raise exception 'withdrawal % lacks approvals', new.id
      using errcode = 'check_violation', constraint = 'withdrawal_approved';
  end if;
  if new.approvals_needed <> old.approvals_needed and old.state <> 'held' then
    raise exception 'the approvals that a waiting withdrawal needs never change'
      using errcode = 'restrict_violation', constraint = 'withdrawal_immutable';
  end if;
  return new;
end $$;
create trigger withdrawal_approval_guarded before update on withdrawal for each row execute function guard_approval();
