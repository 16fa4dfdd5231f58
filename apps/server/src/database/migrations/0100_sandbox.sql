-- The books of the sandbox company: a stranger to the cashier, so no key leads from here to a payment or back.

create table sandbox_payment (
  ref text primary key,
  -- The cashier's id: the idempotency key of the create.
  deposit_id uuid not null unique,
  payment_method text not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  return_url text not null,
  scenario text not null,
  form_token text not null,
  decision text,
  -- What has happened and what will, in order of time: [{eventId, outcome, paidMinor?, reason?, at}].
  facts jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- The outbox of its call-backs. A row is done when finished_at is set.
create table sandbox_callback (
  id bigint generated always as identity primary key,
  ref text not null references sandbox_payment (ref) on delete cascade,
  event_id text not null,
  body text not null,
  is_forged boolean not null,
  due_at timestamptz not null,
  attempts integer not null default 0,
  -- While this lies ahead, a sender is at work on the row; a sender that died lets go by it.
  leased_until timestamptz,
  finished_at timestamptz,
  -- How it ended or why it must be tried again: `delivered`, `http-503`, `unreachable`…
  result text
);

create index sandbox_callback_due on sandbox_callback (due_at, id) where finished_at is null;
create index sandbox_callback_ref on sandbox_callback (ref);
