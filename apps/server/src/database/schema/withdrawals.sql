-- Withdrawals, their confirmation codes and approvals, and saved payout accounts (WD-2, WD-3).

create table withdrawal_state (
  state text primary key,
  rank int not null,
  -- The hold in this state: still held, released (void), or paid out (post). Null: there never was one.
  hold text check (hold in ('held', 'void', 'post')),
  -- The state of the payout that is not declined. Null: there is none.
  live_payout text
);
comment on table withdrawal_state is 'The states of a withdrawal, and its hold in each. A test compares them with withdrawal-lifecycle in core.';
create trigger withdrawal_state_not_truncated before truncate on withdrawal_state
  for each statement execute function refuse_change();
insert into withdrawal_state (state, rank, hold, live_payout) values
  ('checking', 5, null, null),                     -- the operator's wallet was asked for the amount; its answer is not known
  ('held', 10, 'held', null),                      -- created; the amount is held, the user has not confirmed
  ('awaiting_approval', 15, 'held', null),         -- confirmed; the operator's staff must approve
  ('submitted_unknown', 20, 'held', 'requested'),  -- the provider was called, its answer is not known
  ('submitted', 30, 'held', 'accepted'),           -- the provider accepted it
  ('declined', 80, 'void', null),                  -- by staff before the submission, or by the provider
  ('cancelled', 80, 'void', null),
  ('expired', 80, 'void', null),
  ('refused', 80, null, null),                     -- ended without the amount: the wallet declined, or nobody waited for it
  ('late_paid', 85, 'void', 'paid'),               -- the provider paid after the hold was released: staff decide
  ('paid', 90, 'post', 'paid'),
  ('late_settled', 95, 'void', 'paid'),            -- staff have decided about a late payment
  ('late_returned', 97, 'void', 'returned'),       -- a late payout came back before staff decided
  ('returned', 99, 'post', 'returned');            -- paid, then sent back by the receiver

create table withdrawal_transition (
  from_state text not null references withdrawal_state,
  to_state text not null references withdrawal_state,
  primary key (from_state, to_state)
);
comment on table withdrawal_transition is 'The allowed moves between withdrawal states.';
create trigger withdrawal_transition_not_truncated before truncate on withdrawal_transition
  for each statement execute function refuse_change();
insert into withdrawal_transition (from_state, to_state) values
  ('checking', 'held'), ('checking', 'refused'),
  ('held', 'awaiting_approval'), ('held', 'submitted_unknown'), ('held', 'submitted'), ('held', 'paid'),
  ('held', 'declined'), ('held', 'cancelled'), ('held', 'expired'),
  ('awaiting_approval', 'submitted_unknown'), ('awaiting_approval', 'declined'), ('awaiting_approval', 'cancelled'),
  ('awaiting_approval', 'expired'),
  ('submitted_unknown', 'submitted'), ('submitted_unknown', 'paid'), ('submitted_unknown', 'declined'),
  ('submitted', 'paid'), ('submitted', 'declined'),
  ('declined', 'late_paid'), ('cancelled', 'late_paid'), ('expired', 'late_paid'), ('late_paid', 'late_settled'), ('late_paid', 'late_returned'),
  ('paid', 'returned');

create table withdrawal_key (
  operator_id text not null references operator,
  user_id text not null,
  client_key uuid not null,
  -- Null: the user cancelled before the create call arrived.
  withdrawal_id uuid,
  at timestamptz not null default now(),
  primary key (operator_id, user_id, client_key)
);
comment on table withdrawal_key is 'Idempotency keys of withdrawals, kept for ever: a create and a cancel compete for one row.';
create trigger withdrawal_key_immutable before update or delete on withdrawal_key
  for each row execute function refuse_change();
create trigger withdrawal_key_not_truncated before truncate on withdrawal_key
  for each statement execute function refuse_change();

create table withdrawal (
  -- The client's key, or another value if another user has used the same key. Also the id of the hold, and the
  -- idempotency key at the provider.
  id uuid not null,
  operator_id text not null references operator,
  user_id text not null,
  client_key uuid not null,
  -- SHA-256 of the fields that identify the amount and the destination.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  payment_method text not null,
  country text not null,
  account_type text not null check (account_type in ('main', 'additional')),
  -- Gold coins can only be played, not withdrawn.
  currency text not null constraint withdrawal_never_gold check (currency not in ('GC', 'QGC', 'QSC')),
  amount bigint not null,
  -- A part of the amount. The user receives the rest.
  fee bigint not null,
  -- A payout in another currency, as agreed at creation: its amount, its rate and the time of the rate.
  payout_currency text,
  payout_amount bigint,
  payout_rate text,
  payout_rate_at timestamptz,

  state text not null references withdrawal_state,
  rank int not null,
  -- Why the state changed last, for the history.
  cause text,
  reason text,
  -- The answer of a refused confirm call.
  failure jsonb,
  -- The provider's reason for a decline or return, in its own words. Only the user of the withdrawal sees the reason.
  decline_cause text
    check (decline_cause in ('account-details', 'account-closed', 'limit', 'name-mismatch', 'bank-unavailable')),
  decline_message text check (char_length(decline_message) between 1 and 300),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The end of the time for the user to confirm, or for staff to approve.
  expires_at timestamptz not null,

  -- How many staff must approve, as of the confirmation. Later changes of the thresholds do not change this number.
  approvals_needed int not null default 0 check (approvals_needed between 0 and 2),
  approval_since timestamptz,
  -- Why approval is needed: the amount itself, or the user's sum within a day.
  approval_because text check (approval_because in ('amount', 'day')),

  provider text not null,
  -- The operator's own connection that pays, for ever. Null: the account in the settings of the server.
  connection_id uuid,
  provider_ref text,
  -- The fields that the provider needs; the user's entries are removed once the provider has them.
  request jsonb not null,
  -- Until this time one node is calling the provider about this row.
  busy_until timestamptz,
  -- How often the provider was asked to pay.
  submissions int not null default 0,
  -- When reconciliation asks the provider next; null: never.
  check_at timestamptz,
  checks int not null default 0,

  -- The operator comes last, because a callback may know only the id.
  constraint withdrawal_pkey primary key (id, operator_id),
  constraint withdrawal_key_once unique (operator_id, user_id, client_key),
  foreign key (operator_id, connection_id) references provider_connection (operator_id, id),
  constraint withdrawal_something_arrives check (amount > 0 and fee >= 0 and fee < amount),
  constraint withdrawal_decline_words_of_an_end check (
    (decline_cause is null and decline_message is null) or state in ('declined', 'returned', 'late_paid', 'late_settled', 'late_returned')),
  constraint withdrawal_payout_whole check (
    num_nulls(payout_currency, payout_amount, payout_rate) in (0, 3) and (payout_amount is null or payout_amount > 0)),
  -- Redeemed sweep coins are paid in another currency.
  constraint withdrawal_sweep_is_paid_out check (currency <> 'SC' or payout_currency is not null)
);
comment on table withdrawal is 'One withdrawal of a user, from the hold on the balance to the payout by the provider.';

-- Due work.
create index withdrawal_due_check on withdrawal (provider, check_at) where check_at is not null;
-- By operator, so that many expiries of one operator delay no other. In the order in which they may be claimed.
create index withdrawal_due_expiry on withdrawal (operator_id, greatest(expires_at, busy_until))
  where state in ('held', 'checking', 'awaiting_approval');
-- The operator's lists, newest first.
create index withdrawal_listed on withdrawal (operator_id, created_at desc, id desc);
create index withdrawal_open_listed on withdrawal (operator_id, created_at desc, id desc) where rank < 80;
-- The oldest open withdrawals of all operators: their number and age are metrics.
create index withdrawal_open_by_age on withdrawal (created_at) where rank < 80;
create index withdrawal_review_listed on withdrawal (operator_id) where state = 'late_paid';
create index withdrawal_approval_listed on withdrawal (operator_id, approval_since, id) where state = 'awaiting_approval';
-- The reference comes first, because payment lookup may not know the provider.
create unique index withdrawal_provider_ref_once on withdrawal (operator_id, provider_ref, provider) where provider_ref is not null;
-- A provider's report names no operator.
create index withdrawal_reported on withdrawal (provider_ref, provider) where provider_ref is not null;
-- Payment lookup by the name that a user gives it.
create index withdrawal_by_other_key on withdrawal (operator_id, client_key) where client_key <> id;

create function guard_withdrawal() returns trigger language plpgsql as $$
begin
  if (new.id, new.operator_id, new.user_id, new.client_key, new.fingerprint, new.payment_method, new.provider, new.connection_id, new.currency,
      new.amount, new.fee, new.account_type, new.created_at)
    is distinct from (old.id, old.operator_id, old.user_id, old.client_key, old.fingerprint, old.payment_method, old.provider,
      old.connection_id, old.currency, old.amount, old.fee, old.account_type, old.created_at)
    or (old.provider_ref is not null and new.provider_ref is distinct from old.provider_ref) then
    raise exception 'a withdrawal has immutable columns'
      using errcode = 'restrict_violation', constraint = 'withdrawal_immutable';
  end if;
  if new.state <> old.state and not exists (
    select 1 from withdrawal_transition where from_state = old.state and to_state = new.state) then
    raise exception 'a withdrawal does not go from % to %', old.state, new.state
      using errcode = 'check_violation', constraint = 'withdrawal_transition_allowed';
  end if;
  new.rank := (select rank from withdrawal_state where state = new.state);
  new.updated_at := now();
  return new;
end $$;
create trigger withdrawal_guarded before update on withdrawal for each row execute function guard_withdrawal();
create trigger withdrawal_kept before delete on withdrawal for each row execute function refuse_change();

-- A provider knows a withdrawal by its id and by its reference, without the operator. So two operators never share either of them.
create function check_withdrawal_names() returns trigger language plpgsql
-- A session keeps these plans. One that was made while the table was small would read it whole when it has grown.
set enable_seqscan = off as $$
begin
  if tg_op = 'INSERT' and exists (select 1 from withdrawal where id = new.id and operator_id <> new.operator_id) then
    raise exception 'another operator has a withdrawal %', new.id using errcode = 'unique_violation', constraint = 'withdrawal_pkey';
  end if;
  if new.provider_ref is not null and exists (select 1 from withdrawal where provider_ref = new.provider_ref
      and provider = new.provider and operator_id <> new.operator_id and connection_id is not distinct from new.connection_id) then
    raise exception 'another operator has a withdrawal with reference %', new.provider_ref
      using errcode = 'unique_violation', constraint = 'withdrawal_provider_ref_once';
  end if;
  return null;
end $$;
create trigger withdrawal_named_once after insert on withdrawal for each row execute function check_withdrawal_names();
create trigger withdrawal_ref_named_once after update of provider_ref on withdrawal for each row
  when (new.provider_ref is distinct from old.provider_ref) execute function check_withdrawal_names();
create trigger withdrawal_not_truncated before truncate on withdrawal for each statement execute function refuse_change();
create trigger withdrawal_payout_kept before update of payout_currency, payout_amount, payout_rate on withdrawal
  for each row when ((old.payout_currency, old.payout_amount, old.payout_rate)
    is distinct from (new.payout_currency, new.payout_amount, new.payout_rate)) execute function refuse_change();
create trigger withdrawal_rate_time_kept before update of payout_rate_at on withdrawal
  for each row when (old.payout_rate_at is distinct from new.payout_rate_at) execute function refuse_change();
create trigger withdrawal_decline_words_kept before update of decline_cause, decline_message on withdrawal
  for each row when ((old.decline_cause is not null and old.decline_cause is distinct from new.decline_cause)
    or (old.decline_message is not null and old.decline_message is distinct from new.decline_message))
  execute function refuse_change();
-- The destination never changes. It is only removed once the provider has it.
create trigger withdrawal_destination_kept before update of request on withdrawal for each row
  when (new.request -> 'fields' is distinct from old.request -> 'fields' and new.request -> 'fields' <> '{}'::jsonb)
  execute function refuse_change();

-- A withdrawal without the needed approvals never reaches a provider, whatever the program does.
create function guard_approval() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and old.state in ('held', 'awaiting_approval')
    and new.state in ('submitted_unknown', 'submitted', 'paid')
    and (select count(*) from withdrawal_decision
      where operator_id = new.operator_id and withdrawal_id = new.id and decision = 'approve') < new.approvals_needed then
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

-- Checked at the commit: the hold of a withdrawal is in the state that the withdrawal's state requires.
create function check_withdrawal_hold() returns trigger language plpgsql as $$
declare
  wanted text := (select withdrawal_state.hold from withdrawal join withdrawal_state using (state)
    where operator_id = new.operator_id and id = new.id);
  held uuid := (select journal_id from journal_key
    where operator_id = new.operator_id and ref = new.id::text and source = 'hold' and kind = 'hold');
  ended uuid := (select journal_id from journal_key
    where operator_id = new.operator_id and ref = new.id::text and source = 'hold' and kind = 'hold_end');
  stands text := (select coalesce((select note from known_journal where operator_id = new.operator_id and id = ended), 'held')
    from known_journal where operator_id = new.operator_id and id = held);
begin
  if stands is distinct from wanted then
    raise exception 'withdrawal % requires its hold to be %, but the hold is %', new.id, wanted, stands
      using errcode = 'check_violation', constraint = 'withdrawal_hold_agrees';
  end if;
  return null;
end $$;
create constraint trigger withdrawal_hold_agrees after insert or update of state on withdrawal
  deferrable initially deferred for each row execute function check_withdrawal_hold();

create table withdrawal_history (
  operator_id text not null,
  withdrawal_id uuid not null,
  n int not null,
  from_state text,
  to_state text not null,
  cause text not null,
  at timestamptz not null default now(),
  primary key (operator_id, withdrawal_id, n)
);
comment on table withdrawal_history is 'Every state of a withdrawal, with its cause. Only the trigger of the withdrawal writes this table.';
create trigger withdrawal_history_by_trigger before insert on withdrawal_history for each row execute function refuse_by_hand();
create trigger withdrawal_history_immutable before update or delete on withdrawal_history
  for each row execute function refuse_change();
create trigger withdrawal_history_not_truncated before truncate on withdrawal_history
  for each statement execute function refuse_change();

-- Runs with the owner's rights: the application's role may not write the history itself.
create function write_withdrawal_history() returns trigger language plpgsql security definer as $$
begin
  if tg_op = 'INSERT' then
    insert into withdrawal_history (operator_id, withdrawal_id, n, from_state, to_state, cause)
    values (new.operator_id, new.id, 1, null, new.state, 'create');
  elsif new.state <> old.state then
    insert into withdrawal_history (operator_id, withdrawal_id, n, from_state, to_state, cause)
    values (new.operator_id, new.id, (select max(n) + 1 from withdrawal_history
      where operator_id = new.operator_id and withdrawal_id = new.id), old.state, new.state, coalesce(new.cause, 'unknown'));
  end if;
  return null;
end $$;
-- The function searches only this schema, so that no caller can substitute a table.
do $$ begin execute format('alter function write_withdrawal_history() set search_path = %I, pg_temp', current_schema()); end $$;
create trigger withdrawal_history_written after insert or update of state on withdrawal
  for each row execute function write_withdrawal_history();

create table withdrawal_destination (
  operator_id text not null references operator,
  -- HMAC of one number or address, with a key from the server's settings.
  mark bytea not null check (octet_length(mark) = 32),
  created_at timestamptz not null default now(),
  withdrawal_id uuid not null,
  primary key (operator_id, mark, created_at, withdrawal_id),
  foreign key (operator_id, withdrawal_id) references withdrawal (operator_id, id)
);
comment on table withdrawal_destination is 'The destination of a withdrawal as a keyed hash. Staff can search by an account number that is no longer stored.';
create trigger withdrawal_destination_immutable before update or delete on withdrawal_destination
  for each row execute function refuse_change();

create table withdrawal_code (
  operator_id text not null,
  withdrawal_id uuid not null,
  channel text not null check (channel in ('sms', 'email', 'app')),
  -- HMAC-SHA-256 of the code that was sent last.
  code_hash bytea not null check (octet_length(code_hash) = 32),
  -- HMAC-SHA-256 of the last wrong code. A retry with the same code is no new attempt.
  wrong_hash bytea,
  expires_at timestamptz not null,
  sent_at timestamptz not null default now(),
  -- Counted per withdrawal, over all its codes.
  attempts_left int not null default 5 check (attempts_left between 0 and 5),
  sends_left int not null default 4 check (sends_left >= 0),
  primary key (operator_id, withdrawal_id),
  foreign key (operator_id, withdrawal_id) references withdrawal (operator_id, id)
);
comment on table withdrawal_code is 'The code that confirms a withdrawal, as a keyed hash, with the attempts that are left (WD-2).';

create function guard_withdrawal_code() returns trigger language plpgsql as $$
begin
  if (new.operator_id, new.withdrawal_id) <> (old.operator_id, old.withdrawal_id) or new.attempts_left > old.attempts_left
    or new.sends_left > old.sends_left then
    raise exception 'attempts at a code never increase'
      using errcode = 'restrict_violation', constraint = 'withdrawal_code_attempts_fall';
  end if;
  return new;
end $$;
create trigger withdrawal_code_guarded before update on withdrawal_code
  for each row execute function guard_withdrawal_code();
create trigger withdrawal_code_not_truncated before truncate on withdrawal_code
  for each statement execute function refuse_change();

create table wrong_code (
  operator_id text not null references operator,
  user_id text not null,
  -- The time of each wrong code; older times are removed.
  tried_at timestamptz[] not null default '{}',
  primary key (operator_id, user_id)
);
comment on table wrong_code is 'Wrong codes of a user within a day, over all withdrawals. Checking a code locks the row first, so that concurrent attempts are counted.';

create table approval_threshold (
  operator_id text not null references operator,
  currency text not null,
  -- A withdrawal above this amount, in minor units, needs one approval.
  one bigint check (one >= 0),
  -- Above this amount a withdrawal needs two approvals.
  two bigint check (two >= one),
  -- Above this sum of a user's withdrawals within 24 hours, a withdrawal needs one approval.
  day bigint check (day >= 0),
  primary key (operator_id, currency),
  constraint approval_threshold_says check (one is not null or day is not null),
  constraint approval_threshold_second check (two is null or one is not null)
);
comment on table approval_threshold is 'Amounts above which the operator''s staff must approve a withdrawal (SRV-1, SRV-3). No row: no approval in this currency.';

create table withdrawal_decision (
  operator_id text not null references operator,
  -- The operator's own idempotency key.
  decision_id uuid not null,
  withdrawal_id uuid not null,
  decision text not null check (decision in ('approve', 'decline')),
  decided_by text not null,
  -- The API key that sent the decision. Null: the command line.
  key_id uuid,
  reason text,
  at timestamptz not null default now(),
  primary key (operator_id, decision_id),
  foreign key (operator_id, withdrawal_id) references withdrawal (operator_id, id)
);
comment on table withdrawal_decision is 'Approvals and declines of withdrawals by the operator''s staff.';
-- Two approvals need two people.
create unique index withdrawal_approved_by_once on withdrawal_decision (operator_id, withdrawal_id, lower(decided_by))
  where decision = 'approve';
create unique index withdrawal_declined_once on withdrawal_decision (operator_id, withdrawal_id) where decision = 'decline';
create trigger withdrawal_decision_immutable before update or delete on withdrawal_decision
  for each row execute function refuse_change();
create trigger withdrawal_decision_not_truncated before truncate on withdrawal_decision
  for each statement execute function refuse_change();

create table payout_account (
  operator_id text not null references operator,
  id uuid not null default gen_random_uuid(),
  user_id text not null,
  payment_method text not null,
  -- The complete account and its masked form: AES-256-GCM (nonce, tag, text) under the key `key_id`.
  sealed bytea not null,
  key_id text not null,
  -- HMAC of the account, so that an account is saved once. A plain hash of an account number could be guessed.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  primary key (operator_id, id),
  constraint payout_account_once unique (operator_id, user_id, payment_method, fingerprint)
);
comment on table payout_account is 'Accounts that a user saved for later withdrawals. Only this user sees them. Removing an account deletes its row.';
create index payout_account_of_user on payout_account (operator_id, user_id, payment_method, used_at desc);
-- Accounts to seal again with the newest key.
create index payout_account_by_key on payout_account (key_id);
