-- Payments of deposits, and their refunds and disputes (SRV-3, SRV-6, docs/adr/0014-payments-refunds-disputes.md).
-- Each is a row with its own state. The database refuses a move that is not listed.

-- The money is in suspense while a payment is in review, and staff decide about it. A credited payment is on the user's account.
-- Nothing is left of a payment that is refunded or charged back. The operator or its staff sent the last part of a refunded payment
-- back. The provider took the last part of a charged-back one.
create table payment_transition (
  -- Null: the state in which a payment may begin.
  from_state text,
  to_state text not null,
  unique nulls not distinct (from_state, to_state)
);
comment on table payment_transition is 'The allowed moves between payment states. A test compares them with payment-lifecycle in core.';
insert into payment_transition (from_state, to_state) values
  (null, 'in_review'), (null, 'credited'),
  ('in_review', 'credited'), ('in_review', 'refunded'), ('in_review', 'charged_back'),
  ('credited', 'refunded'), ('credited', 'charged_back');

create table payment (
  id uuid not null,
  -- The deposit's operator. The reference to the deposit proves that it exists.
  operator_id text not null,
  deposit_id uuid not null,
  provider text not null,
  -- The provider's reference of this payment. Money that came back has a reference of its own.
  provider_ref text not null,
  -- deposit: the payment that the deposit asked for. further: more money for the same deposit. returned: money of a
  -- refund or dispute that came back.
  origin text not null check (origin in ('deposit', 'further', 'returned')),
  -- For a returned payment: the provider's id of the refund or dispute that ended. Null: the whole payment came back.
  part text,
  state text not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  -- When the user was credited.
  credited_at timestamptz,
  -- The part that paid the user's debt and is not on the balance (SRV-2, DEP-15).
  paid_debt bigint check (paid_debt > 0 and paid_debt <= amount),
  -- The fee that the ledger took of the credit, zero included. Null: the deposit has no fee, or is not credited.
  charged_fee bigint check (charged_fee >= 0 and charged_fee <= amount),
  -- Why staff must decide (underpaid, late, second-payment, returned …). Null: credited at once.
  reason text,
  -- Number of the review within the deposit. Null: no review, or the payment waits until another review has ended.
  review int check (review > 0),
  review_since timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, deposit_id) references deposit (operator_id, id),
  -- The operator comes last, because a provider gives one reference to one payment of the whole service. See the guard.
  constraint payment_reported_once unique (provider, provider_ref, operator_id),
  constraint payment_review_numbered unique (operator_id, deposit_id, review),
  constraint payment_review_has_reason check ((review is null or reason is not null) and (review is null) = (review_since is null)),
  constraint payment_in_review_has_reason check (state <> 'in_review' or reason is not null)
);
comment on table payment is 'One receipt of money for a deposit, with its state and its review.';
create unique index payment_of_deposit_once on payment (operator_id, deposit_id) where origin = 'deposit';
-- Money in suspense, the longest waiting first: its sums and age are metrics.
create index payment_in_suspense on payment (created_at) where state = 'in_review';
create unique index payment_reviewed_one_by_one on payment (operator_id, deposit_id) where state = 'in_review' and review is not null;

-- Refuses changes of immutable columns, and moves that are not allowed.
create function guard_payment() returns trigger language plpgsql
-- A session keeps these plans. One that was made while the table was small would read it whole when it has grown.
set enable_seqscan = off as $$
begin
  if tg_op = 'UPDATE' and ((new.id, new.operator_id, new.deposit_id, new.provider, new.provider_ref, new.origin, new.part,
      new.currency, new.amount, new.reason, new.created_at) is distinct from (old.id, old.operator_id, old.deposit_id, old.provider,
      old.provider_ref, old.origin, old.part, old.currency, old.amount, old.reason, old.created_at)
    -- Fee and debt are known right after the credit, once.
    or (old.credited_at is not null and (new.credited_at, new.paid_debt, new.charged_fee)
        is distinct from (old.credited_at, old.paid_debt, old.charged_fee)
      and not (old.credited_at = new.credited_at and new.state = old.state
        and (old.paid_debt is null or old.paid_debt is not distinct from new.paid_debt)
        and (old.charged_fee is null or old.charged_fee is not distinct from new.charged_fee)))
    -- The review of the deposit's own payment interrupts another review. The other review begins again later, with a
    -- higher number.
    or (new.review is distinct from old.review and (old.state <> 'in_review' or new.review <= old.review))) then
    raise exception 'a payment has immutable columns' using errcode = 'restrict_violation', constraint = 'payment_immutable';
  end if;
  if (tg_op = 'INSERT' or new.state <> old.state) and not exists (select 1 from payment_transition
      where from_state is not distinct from case when tg_op = 'UPDATE' then old.state end and to_state = new.state) then
    raise exception 'a payment does not go to %', new.state using errcode = 'check_violation', constraint = 'payment_transition_allowed';
  end if;
  -- The key is unique for one operator. Two operators never have the same payment of one account, either. An operator can choose the
  -- references of its own connection, and must not be able to take those of another operator.
  if tg_op = 'INSERT' and exists (select 1 from payment where provider = new.provider and provider_ref = new.provider_ref
      and operator_id <> new.operator_id) then
    if exists (select 1 from payment other
        join deposit theirs on theirs.operator_id = other.operator_id and theirs.id = other.deposit_id
        where other.provider = new.provider and other.provider_ref = new.provider_ref and other.operator_id <> new.operator_id
          and theirs.connection_id is not distinct from (select connection_id from deposit
            where operator_id = new.operator_id and id = new.deposit_id)) then
      raise exception 'another operator has the payment %', new.provider_ref
        using errcode = 'unique_violation', constraint = 'payment_reported_once';
    end if;
  end if;
  if new.state = 'credited' then new.credited_at := coalesce(new.credited_at, now()); end if;
  new.updated_at := now();
  return new;
end $$;
create trigger payment_guarded before insert or update on payment for each row execute function guard_payment();
create trigger payment_kept before delete on payment for each row execute function refuse_change();

create trigger payment_not_truncated before truncate on payment
  for each statement execute function refuse_change();
create trigger payment_transition_not_truncated before truncate on payment_transition
  for each statement execute function refuse_change();

-- The summary of its payments that a deposit repeats. Every change of a payment writes the summary to the deposit in
-- the same transaction.
create view payment_summary as
  select deposit.operator_id, deposit.id as deposit_id, max(payment.amount) filter (where origin = 'deposit') as paid,
    max(payment.amount) filter (where origin = 'deposit' and credited_at is not null) as credited,
    max(payment.paid_debt) filter (where origin = 'deposit') as paid_debt,
    max(payment.charged_fee) filter (where origin = 'deposit') as charged_fee,
    max(payment.reason) filter (where payment.state = 'in_review' and payment.review is not null) as review,
    coalesce(max(payment.review), 0)::int as reviews,
    max(payment.review_since) filter (where payment.state = 'in_review') as review_since
  from deposit left join payment on payment.operator_id = deposit.operator_id and payment.deposit_id = deposit.id
  group by deposit.operator_id, deposit.id;
create function check_summary() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from deposit
    join payment_summary wanted on wanted.operator_id = deposit.operator_id and wanted.deposit_id = deposit.id
    where deposit.operator_id = new.operator_id and deposit.id = new.id
      and (deposit.paid, deposit.credited, deposit.paid_debt, deposit.charged_fee, deposit.review, deposit.reviews,
        deposit.review_since) is not distinct from
      (wanted.paid, wanted.credited, wanted.paid_debt, wanted.charged_fee, wanted.review, wanted.reviews, wanted.review_since)) then
    raise exception 'deposit % disagrees with its payments', new.id
      using errcode = 'check_violation', constraint = 'deposit_payments_agree';
  end if;
  return null;
end $$;
create trigger deposit_begins_unpaid before insert on deposit for each row
  when (new.paid is not null or new.credited is not null or new.review is not null or new.reviews <> 0)
  execute function refuse_change();
create constraint trigger deposit_payments_agree after update on deposit
  deferrable initially deferred for each row
  when ((new.paid, new.credited, new.paid_debt, new.charged_fee, new.review, new.reviews, new.review_since)
    is distinct from (old.paid, old.credited, old.paid_debt, old.charged_fee, old.review, old.reviews, old.review_since))
  execute function check_summary();

create table refund_transition (
  -- Null: the state in which a refund may begin.
  from_state text,
  to_state text not null,
  unique nulls not distinct (from_state, to_state)
);
comment on table refund_transition is 'The allowed moves between refund states.';
insert into refund_transition (from_state, to_state) values
  (null, 'requested'), (null, 'succeeded'),
  ('requested', 'accepted'), ('requested', 'succeeded'), ('requested', 'declined'),
  ('accepted', 'succeeded'), ('accepted', 'declined'), ('succeeded', 'bounced');

create trigger refund_transition_not_truncated before truncate on refund_transition
  for each statement execute function refuse_change();

create table refund (
  -- Also the id of the hold, and the idempotency key at the provider.
  id uuid not null default gen_random_uuid(),
  operator_id text not null references operator,
  -- The operator's idempotency key. Null: staff refunded suspended money.
  refund_id uuid,
  deposit_id uuid not null,
  payment_id uuid not null,
  -- operator: requested through the API. review: staff sent suspended money back.
  origin text not null check (origin in ('operator', 'review')),
  amount bigint not null check (amount > 0),
  currency text not null,
  reason text,
  staff text not null,
  -- The API key that asked for the refund. Null: the command line, or a review.
  key_id uuid,
  -- requested: the provider may have received the request. accepted: the provider confirmed the request. The amount
  -- is held in both states. bounced: the money came back.
  state text not null check (state in ('requested', 'accepted', 'succeeded', 'declined', 'bounced')),
  -- When the provider reported this refund. Null: a report may still come.
  confirmed_at timestamptz,
  -- When the provider is asked next; null: never.
  check_at timestamptz,
  checks int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, deposit_id) references deposit (operator_id, id),
  foreign key (operator_id, payment_id) references payment (operator_id, id),
  constraint refund_key_once unique (operator_id, refund_id),
  constraint refund_has_key check ((refund_id is not null) = (origin = 'operator'))
);
comment on table refund is 'One transfer of a payment back to the payer, which the operator or its staff decided.';
-- A payment has at most one refund by the operator. After a decline the operator can request another.
create unique index refund_once on refund (operator_id, payment_id) where origin = 'operator' and state <> 'declined';
create index refund_due on refund (check_at) where check_at is not null;
create index refund_of_payment on refund (operator_id, payment_id);
create index refund_of_deposit on refund (operator_id, deposit_id);
create function guard_refund() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (new.id, new.operator_id, new.refund_id, new.deposit_id, new.payment_id, new.origin, new.amount, new.currency,
      new.created_at) is distinct from (old.id, old.operator_id, old.refund_id, old.deposit_id, old.payment_id, old.origin, old.amount,
      old.currency, old.created_at) then
    raise exception 'a refund has immutable columns' using errcode = 'restrict_violation', constraint = 'refund_immutable';
  end if;
  if tg_op = 'INSERT' and not exists (select 1 from payment where operator_id = new.operator_id and id = new.payment_id
      and deposit_id = new.deposit_id and currency = new.currency) then
    raise exception 'a refund must name a payment of its deposit' using errcode = 'check_violation', constraint = 'refund_of_its_payment';
  end if;
  if (tg_op = 'INSERT' or new.state <> old.state) and not exists (select 1 from refund_transition
      where from_state is not distinct from case when tg_op = 'UPDATE' then old.state end and to_state = new.state) then
    raise exception 'a refund does not go to %', new.state using errcode = 'check_violation', constraint = 'refund_transition_allowed';
  end if;
  new.updated_at := now();
  return new;
end $$;
create trigger refund_guarded before insert or update on refund for each row execute function guard_refund();
create trigger refund_kept before delete on refund for each row execute function refuse_change();

create trigger refund_not_truncated before truncate on refund
  for each statement execute function refuse_change();

create table dispute (
  id uuid not null,
  operator_id text not null,
  deposit_id uuid not null,
  payment_id uuid not null,
  -- The report of the dispute.
  provider text not null,
  event_id text not null,
  -- The provider's id of the refund or dispute. Null: the provider took all that was left.
  part text,
  -- open: the provider took the money. won: the money came back.
  state text not null check (state in ('open', 'won')),
  currency text not null,
  amount bigint not null check (amount > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, deposit_id) references deposit (operator_id, id),
  foreign key (operator_id, payment_id) references payment (operator_id, id),
  constraint dispute_reported_once unique (operator_id, payment_id, provider, event_id)
);
comment on table dispute is 'One withdrawal of a payment''s money by the provider: a chargeback, a failed debit, or a refund made at the provider.';
create index dispute_of_deposit on dispute (operator_id, deposit_id);

create function guard_dispute() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and not exists (select 1 from payment where operator_id = new.operator_id and id = new.payment_id
      and deposit_id = new.deposit_id and currency = new.currency) then
    raise exception 'a dispute must name a payment of its deposit' using errcode = 'check_violation', constraint = 'dispute_of_its_payment';
  end if;
  if tg_op = 'INSERT' and not exists (select 1 from deposit_event where provider = new.provider and event_id = new.event_id) then
    raise exception 'a dispute must name its report' using errcode = 'foreign_key_violation', constraint = 'dispute_of_its_report';
  end if;
  if (tg_op = 'INSERT' and new.state <> 'open') or (tg_op = 'UPDATE' and new.state <> old.state and new.state <> 'won') then
    raise exception 'a dispute does not go to %', new.state using errcode = 'check_violation', constraint = 'dispute_transition_allowed';
  end if;
  if tg_op = 'UPDATE' and (new.id, new.operator_id, new.deposit_id, new.payment_id, new.provider, new.event_id, new.part, new.currency,
      new.amount, new.created_at) is distinct from (old.id, old.operator_id, old.deposit_id, old.payment_id, old.provider, old.event_id,
      old.part, old.currency, old.amount, old.created_at) then
    raise exception 'a dispute has immutable columns' using errcode = 'restrict_violation', constraint = 'dispute_immutable';
  end if;
  new.updated_at := now();
  return new;
end $$;
create trigger dispute_guarded before insert or update on dispute for each row execute function guard_dispute();
create trigger dispute_kept before delete on dispute for each row execute function refuse_change();

create trigger dispute_not_truncated before truncate on dispute
  for each statement execute function refuse_change();
