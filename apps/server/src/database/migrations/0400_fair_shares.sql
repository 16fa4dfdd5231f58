-- Due work is taken by lane: so much of each operator's web-hooks and of each provider's payments at a time, so that one that
-- hangs keeps only its own places. Each index finds the lanes that have something due, and the oldest of each.
drop index webhook_delivery_due;
create index webhook_delivery_due on webhook_delivery (operator_id, next_at) where status = 'pending';
drop index webhook_inbox_due;
create index webhook_inbox_due on webhook_inbox (source, next_at) where status = 'new';
drop index deposit_due_check;
create index deposit_due_check on deposit (provider, check_at) where check_at is not null;
drop index deposit_due_expiry;
create index deposit_due_expiry on deposit (provider, expires_at) where state = 'awaiting_payment';
drop index withdrawal_due_check;
create index withdrawal_due_check on withdrawal (provider, check_at) where check_at is not null;

-- Failures in a row of an operator's web-hook address, over all nodes. The row goes with the first answer that is none.
create table webhook_circuit (
  operator_id text primary key references operator on delete cascade,
  -- The address that failed: another one starts anew.
  address text not null,
  failures int not null check (failures > 0),
  failing_since timestamptz not null default now(),
  -- Nothing is sent before; afterwards one delivery at a time tries the address.
  paused_until timestamptz not null default now()
);
