-- Codes that confirm a withdrawal (WD-2). Of a code only a keyed hash is kept; the operator gets it by a web-hook, in which it
-- lies sealed until it is delivered or too old.
create table withdrawal_code (
  withdrawal_id uuid primary key references withdrawal,
  channel text not null check (channel in ('sms', 'email', 'app')),
  -- HMAC-SHA-256 of the code that was sent last.
  code_hash bytea not null check (octet_length(code_hash) = 32),
  -- Of the last wrong one: the same again is a repeat, not an attempt.
  wrong_hash bytea,
  expires_at timestamptz not null,
  sent_at timestamptz not null default now(),
  -- Of the withdrawal, whatever code was sent last.
  attempts_left int not null default 5 check (attempts_left between 0 and 5),
  sends_left int not null default 4 check (sends_left >= 0)
);

create function guard_withdrawal_code() returns trigger language plpgsql as $$
begin
  if new.withdrawal_id <> old.withdrawal_id or new.attempts_left > old.attempts_left or new.sends_left > old.sends_left then
    raise exception 'attempts at a code are never given back'
      using errcode = 'restrict_violation', constraint = 'withdrawal_code_attempts_fall';
  end if;
  return new;
end $$;
create trigger withdrawal_code_guarded before update on withdrawal_code
  for each row execute function guard_withdrawal_code();

-- Web-hooks with a secret in them: encrypted until it is sent, and gone afterwards. Too late it is not sent at all.
alter table webhook_delivery add column sealed bytea;
alter table webhook_delivery add column useless_at timestamptz;
alter table webhook_delivery drop constraint webhook_delivery_status_check;
alter table webhook_delivery add constraint webhook_delivery_status_check
  check (status in ('pending', 'delivered', 'exhausted', 'dropped'));
alter table webhook_delivery add constraint webhook_delivery_keeps_no_secret
  check (sealed is null or (status = 'pending' and useless_at is not null));
create index webhook_delivery_useless on webhook_delivery (useless_at) where sealed is not null;
