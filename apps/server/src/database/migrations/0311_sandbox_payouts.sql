-- What the sandbox company pays out: its own book of withdrawals, and call-backs about them beside those about payments.
create table sandbox_payout (
  ref text primary key,
  -- The cashier's id: the idempotency key of the submit.
  withdrawal_id uuid not null unique,
  receives_minor bigint not null check (receives_minor > 0),
  currency text not null,
  scenario text not null,
  -- What has happened and what will, in order of time: [{eventId, outcome, reason?, at}].
  facts jsonb not null,
  created_at timestamptz not null
);

alter table sandbox_callback alter column ref drop not null;
alter table sandbox_callback add column payout_ref text references sandbox_payout (ref) on delete cascade;
alter table sandbox_callback add constraint sandbox_callback_of_one check ((ref is null) <> (payout_ref is null));
create index sandbox_callback_payout_ref on sandbox_callback (payout_ref) where payout_ref is not null;
