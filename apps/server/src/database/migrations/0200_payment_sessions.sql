-- A hint that a person is about to pay (AMT-7): the amount that was being typed. Nothing is ever credited from it, so no key
-- leads from here to a deposit; `client_key` is the note that a create call named it. Deleted after 30 days.
create table payment_session (
  id uuid primary key,
  operator_id text not null,
  user_id text not null,
  amount numeric not null check (amount > 0),
  currency text not null,
  pending_group text,
  created_at timestamptz not null default now(),
  client_key uuid
);
create index payment_session_age on payment_session (created_at);
