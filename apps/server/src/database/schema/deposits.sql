-- Deposits: requests of users to top up the balance, and their states (SRV-3, SRV-6).

create table deposit_state (
  state text primary key,
  rank int not null
);
comment on table deposit_state is 'The states of a deposit. A deposit only moves to a higher rank. A test compares them with deposit-lifecycle in core.';
create trigger deposit_state_immutable before update or delete on deposit_state
  for each row execute function refuse_change();
create trigger deposit_state_not_truncated before truncate on deposit_state
  for each statement execute function refuse_change();
insert into deposit_state (state, rank) values
  ('created', 10),            -- stored; the provider was not called yet
  ('submitted_unknown', 20),  -- the provider was called, its answer is not known
  ('awaiting_payment', 30),   -- the provider accepted it, the user has not paid
  ('detected', 40),           -- a payment was seen
  ('confirming', 50),         -- a payment is being confirmed
  ('declined', 80),
  ('cancelled', 80),
  ('expired', 80),
  ('late_paid', 85),          -- paid after it was declined, cancelled or expired: staff decide
  ('credited', 90),           -- on the user's balance
  ('refunded', 95),           -- sent back to the payer
  ('reversed', 99);           -- charged back

create table deposit_transition (
  from_state text not null references deposit_state,
  to_state text not null references deposit_state,
  primary key (from_state, to_state)
);
comment on table deposit_transition is 'The allowed moves between deposit states.';
create trigger deposit_transition_not_truncated before truncate on deposit_transition
  for each statement execute function refuse_change();
insert into deposit_transition (from_state, to_state) values
  ('created', 'submitted_unknown'), ('created', 'awaiting_payment'), ('created', 'detected'), ('created', 'confirming'),
  ('created', 'credited'), ('created', 'declined'), ('created', 'cancelled'), ('created', 'expired'),
  ('submitted_unknown', 'awaiting_payment'), ('submitted_unknown', 'detected'), ('submitted_unknown', 'confirming'),
  ('submitted_unknown', 'credited'), ('submitted_unknown', 'declined'), ('submitted_unknown', 'cancelled'),
  ('submitted_unknown', 'expired'),
  ('awaiting_payment', 'detected'), ('awaiting_payment', 'confirming'), ('awaiting_payment', 'credited'),
  ('awaiting_payment', 'declined'), ('awaiting_payment', 'cancelled'), ('awaiting_payment', 'expired'),
  ('detected', 'confirming'), ('detected', 'credited'), ('detected', 'declined'), ('detected', 'cancelled'),
  ('detected', 'expired'),
  ('confirming', 'credited'), ('confirming', 'declined'), ('confirming', 'cancelled'), ('confirming', 'expired'),
  ('declined', 'late_paid'), ('cancelled', 'late_paid'), ('expired', 'late_paid'),
  ('late_paid', 'credited'), ('late_paid', 'refunded'),
  ('credited', 'refunded'), ('credited', 'reversed');

create table deposit_key (
  operator_id text not null references operator,
  user_id text not null,
  client_key uuid not null,
  -- Null: the user cancelled before the create call arrived (DEP-11).
  deposit_id uuid,
  at timestamptz not null default now(),
  primary key (operator_id, user_id, client_key)
);
comment on table deposit_key is 'Idempotency keys of deposits, kept for ever: two creates, or a create and a cancel, compete for one row.';
create trigger deposit_key_immutable before update on deposit_key for each row execute function refuse_change();
create trigger deposit_key_kept before delete on deposit_key for each row execute function refuse_change();
create trigger deposit_key_not_truncated before truncate on deposit_key
  for each statement execute function refuse_change();

create table deposit (
  -- The client's key, so that all parties use one id. Another value if another user has used the same key.
  id uuid not null,
  operator_id text not null references operator,
  user_id text not null,
  client_key uuid not null,
  -- SHA-256 of the fields that identify the request.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  payment_method text not null,
  country text not null,
  currency text not null constraint deposit_of_money check (currency not in ('GC', 'SC', 'QGC', 'QSC')),
  amount bigint not null constraint deposit_amount_positive check (amount > 0),
  -- True: the payer chooses the amount (CRY-1), and `amount` is the least that is credited.
  open_amount boolean not null default false,
  -- Bounds of an open amount, from the method's limits at creation. Staff decide about amounts outside. Null: no
  -- bound.
  open_least bigint check (open_least > 0),
  open_most bigint check (open_most > 0),
  -- The deposit whose address received this money as a further transfer.
  further_of uuid,
  -- Terms of the bonus that the user saw at creation. Later edits of the offer do not change them.
  bonus jsonb,
  -- The coin box that the deposit buys, as of creation: { boxId, gold, sweep, isCounted }. Its price is `amount`.
  box jsonb,
  -- The fee of the method at creation, which the user pays of the credited amount. Later changes of the catalogue do not change it.
  -- Null: no fee.
  fee jsonb constraint deposit_fee_of_money check (fee is null or box is null),
  created_at timestamptz not null default now(),
  provider text not null,
  -- The operator's own connection that takes the payment, for ever. Null: the account in the settings of the server.
  connection_id uuid,
  -- The id of the payment at the provider, where a route went on to another connection. Null: the id of the deposit.
  attempt_id uuid,

  -- The wide columns, which change once, lie between those that never change and those that change often. The log of
  -- an update has only the part of the row from its first change to its last one.
  provider_ref text,
  -- The stored answer of the create call: a response, or a failure.
  response jsonb,
  failure jsonb,
  lifetime_s int not null check (lifetime_s > 0),
  -- Fields that a repeated call to the provider needs.
  request jsonb not null,

  -- The database checks every move below, so only a new row needs a check of its state. A reference to the table of
  -- states would lock the state's row, which all deposits share.
  state text not null constraint deposit_state_known check (state in ('created', 'submitted_unknown', 'awaiting_payment',
    'detected', 'confirming', 'declined', 'cancelled', 'expired', 'late_paid', 'credited', 'refunded', 'reversed')),
  rank int not null,
  -- Why the state changed last, for the history.
  cause text,
  reason text,
  expires_at timestamptz not null,
  remote_status text,

  -- Crypto (CRY-2): the transaction and its confirmations.
  txid text,
  blockchain text,
  crypto_currency text,
  confirmations int check (confirmations >= 0),
  required_confirmations int check (required_confirmations > 0),
  -- The amount that the provider has seen so far, for display only: nothing is credited from it.
  received bigint check (received > 0),

  -- A summary of the payments, up to review_since, so that lists need no join. Every move writes the summary, and a
  -- trigger checks it. `paid` is the amount of the deposit's own payment; `credited` is the amount that the ledger
  -- credited.
  paid bigint check (paid > 0),
  credited bigint check (credited > 0),
  -- The part of `credited` that paid the user's debt and is not on the balance (SRV-2, DEP-15).
  paid_debt bigint check (paid_debt > 0 and paid_debt <= credited),
  -- The part of `credited` that the fee took.
  charged_fee bigint check (charged_fee >= 0 and charged_fee <= credited),
  -- Why staff must decide about the payment under review (underpaid, overpaid, late …); null: no open review.
  review text,
  -- The highest number of a review. Decisions name this number, so that a retry never decides about another payment.
  reviews int not null default 0,
  review_since timestamptz,

  updated_at timestamptz not null default now(),
  -- Until this time one node is calling the provider about this row. In the past: the end of the last call.
  busy_until timestamptz,
  -- When reconciliation asks the provider next; null: never.
  check_at timestamptz,
  checks int not null default 0,

  -- The operator comes last, because a callback may know only the id.
  constraint deposit_pkey primary key (id, operator_id),
  foreign key (operator_id, further_of) references deposit (operator_id, id),
  foreign key (operator_id, connection_id) references provider_connection (operator_id, id),
  constraint deposit_credited_is_paid check (credited is null or credited = paid),
  constraint deposit_credited_by_amount check (state <> 'credited' or credited is not null)
)
-- New rows leave room for their own later versions. Those are about half as long again, so the page is full in the end.
-- Every deposit leaves the indexes of due work soon. By the default, vacuum would come only after a fifth of all deposits, and a search
-- for due work would read past the dead entries until then.
with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.01);
comment on table deposit is 'One deposit of a user, from the create call to the credit, with its provider, amounts and review.';

-- Due work, by provider.
create index deposit_due_check on deposit (provider, check_at) where check_at is not null;
-- In the order in which they may be claimed, so that a claim never reads past rows that others hold.
create index deposit_due_expiry on deposit (provider, greatest(expires_at, busy_until))
  where state = 'awaiting_payment' and review is null;
-- The user's open deposits of a method.
create index deposit_open on deposit (operator_id, user_id, payment_method, created_at desc) where rank < 80;
-- The operator's lists, newest first: all, the open ones, those of one user.
create index deposit_listed on deposit (operator_id, created_at desc, id desc);
create index deposit_open_listed on deposit (operator_id, created_at desc, id desc) where rank < 80;
create index deposit_listed_of_user on deposit (operator_id, user_id, created_at desc, id desc);
-- Few rows: their number and age are metrics.
create index deposit_of_unknown_outcome on deposit (created_at) where state = 'submitted_unknown';
create index deposit_in_review on deposit (operator_id, updated_at) where review is not null;
create index deposit_review_listed on deposit (operator_id, review_since) where review is not null;
-- The operator comes last, because a callback knows only the reference. Payment lookup may not know the provider.
create unique index deposit_provider_ref_once on deposit (provider_ref, provider, operator_id) where provider_ref is not null;
-- A callback knows only the id that its provider got.
create index deposit_by_attempt on deposit (attempt_id) where attempt_id is not null;
-- Payment lookup by the names that a user or a chain gives it.
create index deposit_by_other_key on deposit (operator_id, client_key) where client_key <> id;
create index deposit_by_txid on deposit (operator_id, lower(txid)) where txid is not null;
create index deposit_by_address on deposit (operator_id, lower(response #>> '{apiResponse,data,depositAddress}'))
  where response #>> '{apiResponse,data,depositAddress}' is not null;

-- The attempts of a deposit whose route went on to another connection. A deposit with one attempt has no row here: it is its own attempt.
create table deposit_attempt (
  operator_id text not null,
  deposit_id uuid not null,
  n int not null check (n between 1 and 20),
  -- The id of the payment at the provider, and its idempotency key there. The first attempt has the id of the deposit.
  id uuid not null,
  provider text not null,
  connection_id uuid,
  -- The request as it is sent, where the provider keeps it (SRV-6).
  request text,
  -- `failed`, `declined`: the provider said that it certainly took nothing. `not_sent`: nothing was sent. Null: the state of the
  -- deposit tells.
  outcome text constraint deposit_attempt_outcome_known check (outcome in ('failed', 'declined', 'not_sent')),
  code text,
  began_at timestamptz not null default now(),
  ended_at timestamptz,
  -- The deposit that holds money which came although the attempt had failed.
  money_deposit_id uuid,
  primary key (operator_id, deposit_id, n),
  constraint deposit_attempt_named_once unique (operator_id, id),
  foreign key (operator_id, deposit_id) references deposit (operator_id, id),
  foreign key (operator_id, connection_id) references provider_connection (operator_id, id),
  foreign key (operator_id, money_deposit_id) references deposit (operator_id, id),
  constraint deposit_attempt_ends_once check ((outcome is null) = (ended_at is null) and (money_deposit_id is null or outcome is not null))
);
comment on table deposit_attempt is 'Attempts of deposits that went on to another connection of their route, each with its id at the provider.';
-- A callback knows only the id that its provider got.
create index deposit_attempt_by_id on deposit_attempt (id);

create function guard_deposit_attempt() returns trigger language plpgsql as $$
begin
  if (new.operator_id, new.deposit_id, new.n, new.id, new.provider, new.connection_id, new.began_at)
    is distinct from (old.operator_id, old.deposit_id, old.n, old.id, old.provider, old.connection_id, old.began_at)
    or (old.outcome is not null and (new.outcome, new.code, new.ended_at) is distinct from (old.outcome, old.code, old.ended_at))
    or (old.request is not null and new.request is distinct from old.request)
    or (old.money_deposit_id is not null and new.money_deposit_id is distinct from old.money_deposit_id) then
    raise exception 'an attempt has immutable columns' using errcode = 'restrict_violation', constraint = 'deposit_attempt_immutable';
  end if;
  return new;
end $$;
create trigger deposit_attempt_guarded before update on deposit_attempt for each row execute function guard_deposit_attempt();
create trigger deposit_attempt_kept before delete on deposit_attempt for each row execute function refuse_change();
create trigger deposit_attempt_not_truncated before truncate on deposit_attempt for each statement execute function refuse_change();

-- A deposit goes on to another connection only while its provider has answered nothing else, and only after the attempt before
-- has certainly taken nothing.
create function may_go_on(was deposit, wanted deposit) returns boolean language sql stable as $$
  select was.state = 'created' and wanted.state = 'created' and was.provider_ref is null and wanted.provider_ref is null
    and wanted.attempt_id is not null
    and exists (select 1 from deposit_attempt ended where ended.operator_id = was.operator_id and ended.deposit_id = was.id
      and ended.id = coalesce(was.attempt_id, was.id) and ended.outcome is not null)
    and exists (select 1 from deposit_attempt begun where begun.operator_id = was.operator_id and begun.deposit_id = was.id
      and begun.id = wanted.attempt_id and begun.provider = wanted.provider
      and begun.connection_id is not distinct from wanted.connection_id and begun.outcome is null);
$$;

create function guard_deposit() returns trigger language plpgsql as $$
begin
  if (new.id, new.operator_id, new.user_id, new.client_key, new.fingerprint, new.payment_method, new.currency,
      new.amount, new.open_amount, new.fee, new.created_at)
    is distinct from (old.id, old.operator_id, old.user_id, old.client_key, old.fingerprint, old.payment_method,
      old.currency, old.amount, old.open_amount, old.fee, old.created_at)
    or (old.provider_ref is not null and new.provider_ref is distinct from old.provider_ref) then
    raise exception 'a deposit has immutable columns' using errcode = 'restrict_violation', constraint = 'deposit_immutable';
  end if;
  if (new.provider, new.connection_id, new.attempt_id) is distinct from (old.provider, old.connection_id, old.attempt_id)
    and not may_go_on(old, new) then
    raise exception 'a deposit keeps its connection' using errcode = 'restrict_violation', constraint = 'deposit_immutable';
  end if;
  if new.state <> old.state then
    new.rank := (select rank from deposit_transition join deposit_state on state = to_state
      where from_state = old.state and to_state = new.state);
    if new.rank is null then
      raise exception 'a deposit does not go from % to %', old.state, new.state
        using errcode = 'check_violation', constraint = 'deposit_transition_allowed';
    end if;
  end if;
  if new.rank < old.rank or (new.state = old.state and new.rank <> old.rank) then
    raise exception 'the rank of a deposit only rises' using errcode = 'check_violation', constraint = 'deposit_rank_rises';
  end if;
  new.updated_at := now();
  return new;
end $$;
create trigger deposit_guarded before update on deposit for each row execute function guard_deposit();
create trigger deposit_kept before delete on deposit for each row execute function refuse_change();

-- A key has one deposit: the table of keys names it, for ever. And a provider knows a deposit by its id and by its reference, without
-- the operator, so two operators never share either of them. The keys begin where a callback searches, and each is unique for one
-- operator.
create function check_new_deposits() returns trigger language plpgsql
-- A session keeps these plans. One that was made while the table was small would read it whole when it has grown.
set enable_seqscan = off as $$
declare
  broken record;
begin
  select id, rule into broken from (
    select id, case
      when (select true from deposit_key key where key.operator_id = written.operator_id and key.user_id = written.user_id
        and key.client_key = written.client_key and key.deposit_id = written.id) is null then 'deposit_key_once'
      when (select true from deposit other where other.id = written.id and other.operator_id <> written.operator_id limit 1)
        then 'deposit_pkey'
      when provider_ref is not null and (select true from deposit other where other.provider_ref = written.provider_ref
        and other.provider = written.provider and other.operator_id <> written.operator_id
        and other.connection_id is not distinct from written.connection_id limit 1) then 'deposit_provider_ref_once'
      end as rule
    from written) judged
  where rule is not null limit 1;
  if found then
    raise exception 'deposit % has another''s key, id or reference', broken.id using errcode = 'unique_violation', constraint = broken.rule;
  end if;
  return null;
end $$;
create trigger deposits_named_once after insert on deposit referencing new table as written
  for each statement execute function check_new_deposits();

create function check_deposit_ref() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if exists (select 1 from deposit where provider_ref = new.provider_ref and provider = new.provider
      and operator_id <> new.operator_id and connection_id is not distinct from new.connection_id) then
    raise exception 'another operator has a deposit with reference %', new.provider_ref
      using errcode = 'unique_violation', constraint = 'deposit_provider_ref_once';
  end if;
  return null;
end $$;
create trigger deposit_ref_named_once after update of provider_ref on deposit for each row
  when (new.provider_ref is distinct from old.provider_ref) execute function check_deposit_ref();
create trigger deposit_not_truncated before truncate on deposit for each statement execute function refuse_change();
create trigger deposit_open_kept before update of open_least, open_most, further_of on deposit
  for each row execute function refuse_change();
create trigger deposit_bonus_kept before update of bonus on deposit for each row
  when (old.bonus is distinct from new.bonus) execute function refuse_change();
create trigger deposit_box_kept before update of box on deposit for each row
  when (old.box is distinct from new.box) execute function refuse_change();
create trigger deposit_credit_kept before update of credited, paid on deposit for each row
  when (old.credited is not null and (new.credited, new.paid) is distinct from (old.credited, old.paid))
  execute function refuse_change();

create table deposit_history (
  operator_id text not null,
  deposit_id uuid not null,
  n int not null,
  from_state text,
  to_state text not null,
  cause text not null,
  at timestamptz not null default now(),
  primary key (operator_id, deposit_id, n)
);
comment on table deposit_history is 'Every state of a deposit, with its cause. Only the trigger of the deposit writes this table.';
create trigger deposit_history_by_trigger before insert on deposit_history for each row execute function refuse_by_hand();
create trigger deposit_history_immutable before update or delete on deposit_history
  for each row execute function refuse_change();
create trigger deposit_history_not_truncated before truncate on deposit_history
  for each statement execute function refuse_change();

-- Runs with the owner's rights: the application's role may not write the history itself. A plan that was made for one deposit would
-- compare all deposits of a larger statement with each other, so it may not.
create function write_deposit_history() returns trigger language plpgsql security definer set enable_nestloop = off as $$
begin
  if tg_op = 'INSERT' then
    insert into deposit_history (operator_id, deposit_id, n, from_state, to_state, cause)
    select operator_id, id, 1, null, state, 'create' from written;
  else
    insert into deposit_history (operator_id, deposit_id, n, from_state, to_state, cause)
    select written.operator_id, written.id,
      (select max(n) + 1 from deposit_history kept where kept.operator_id = written.operator_id and kept.deposit_id = written.id),
      was.state, written.state, coalesce(written.cause, 'unknown')
    from written join was on was.operator_id = written.operator_id and was.id = written.id
    where written.state <> was.state;
  end if;
  return null;
end $$;
-- The function searches only this schema, so that no caller can substitute a table.
do $$ begin execute format('alter function write_deposit_history() set search_path = %I, pg_temp', current_schema()); end $$;
create trigger deposit_history_begun after insert on deposit referencing new table as written
  for each statement execute function write_deposit_history();
create trigger deposit_history_written after update on deposit referencing old table as was new table as written
  for each statement execute function write_deposit_history();

create table deposit_note (
  operator_id text not null,
  deposit_id uuid not null,
  n int not null check (n between 1 and 5),
  note text not null,
  at timestamptz not null default now(),
  primary key (operator_id, deposit_id, n),
  unique (operator_id, deposit_id, note),
  foreign key (operator_id, deposit_id) references deposit (operator_id, id)
);
comment on table deposit_note is 'Notes of the payer about a transfer, such as a receipt number (FORM-10). For staff; nothing is credited from a note.';

create table provider_request (
  operator_id text not null,
  deposit_id uuid not null,
  request text not null,
  at timestamptz not null default now(),
  primary key (operator_id, deposit_id),
  foreign key (operator_id, deposit_id) references deposit (operator_id, id)
);
comment on table provider_request is 'The request that created a payment. A retry must send the same bytes under the same key (SRV-6).';
create trigger provider_request_immutable before update on provider_request for each row execute function refuse_change();
