-- The books of the sandbox company. It is a stranger to the cashier: no foreign key connects these tables with the cashier's own.

create table sandbox_payment (
  ref text primary key,
  -- The cashier's id: the idempotency key of the create.
  deposit_id uuid not null unique,
  -- The connection of an operator. Null: the account in the settings of the server.
  account uuid,
  payment_method text not null,
  -- How the company answers: redirect, form, code …
  flow text not null default 'redirect',
  -- The chain and the coin that a payment in coins is awaited in.
  network text,
  coin text,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  return_url text not null,
  scenario text not null,
  form_token text not null,
  decision text,
  -- What the payer entered beside "I have paid", by the names of the fields that the company asked for.
  inputs jsonb,
  -- Past and future events in the order of time: [{eventId, outcome, paidMinor?, reason?, at}].
  facts jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table sandbox_payment is 'Payments at the sandbox company, with the events that its scenario plays.';

create table sandbox_payout (
  ref text primary key,
  -- The cashier's id: the idempotency key of the submit.
  withdrawal_id uuid not null unique,
  -- The connection of an operator. Null: the account in the settings of the server.
  account uuid,
  receives_minor bigint not null check (receives_minor > 0),
  currency text not null,
  scenario text not null,
  -- Past and future events in the order of time: [{eventId, outcome, reason?, at}].
  facts jsonb not null,
  created_at timestamptz not null
);
comment on table sandbox_payout is 'Payouts at the sandbox company, with the events that its scenario plays.';

create table sandbox_callback (
  id bigint generated always as identity primary key,
  ref text references sandbox_payment (ref) on delete cascade,
  payout_ref text references sandbox_payout (ref) on delete cascade,
  event_id text not null,
  body text not null,
  is_forged boolean not null,
  due_at timestamptz not null,
  attempts integer not null default 0,
  -- While this time lies ahead, a sender works on the row. A sender that died gives the row free by it.
  leased_until timestamptz,
  -- Set when the row is done.
  finished_at timestamptz,
  -- How it ended or why it must be tried again: `delivered`, `http-503`, `unreachable` …
  result text,
  constraint sandbox_callback_of_one check ((ref is null) <> (payout_ref is null))
);
comment on table sandbox_callback is 'Callbacks that the sandbox company sends to the cashier, about a payment or a payout.';
create index sandbox_callback_due on sandbox_callback (due_at, id) where finished_at is null;
create index sandbox_callback_ref on sandbox_callback (ref);
create index sandbox_callback_payout_ref on sandbox_callback (payout_ref) where payout_ref is not null;

create table sandbox_rates (
  -- One row, so that every node gives the same answer.
  is_the_one boolean primary key default true check (is_the_one),
  mood text not null check (mood in ('fresh', 'stopped', 'down')),
  -- When the rates of a source that stopped were true.
  stopped_at timestamptz not null,
  -- Another site can post a form, but cannot read this.
  form_token text not null
);
comment on table sandbox_rates is 'What the practice source of exchange rates does at the moment.';
insert into sandbox_rates (mood, stopped_at, form_token) values ('fresh', now(), replace(gen_random_uuid()::text, '-', ''));
