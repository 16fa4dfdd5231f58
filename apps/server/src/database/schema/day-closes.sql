-- The signed close of a day (SRV-1, SRV-2): the totals of the ledger, what was compared with files and statements, and what is open. One
-- person proposes it, and another confirms it. Each close has the hash of the close before.

create table day_close_key (
  operator_id text not null references operator,
  id uuid not null default time_id(),
  -- Ed25519, as DER of SubjectPublicKeyInfo. Everybody may know it.
  public_key bytea not null check (octet_length(public_key) = 44),
  -- The private key, sealed by a key of stored data (DATA_KEY).
  sealed bytea not null,
  data_key text not null,
  at timestamptz not null default now(),
  primary key (operator_id, id)
);
comment on table day_close_key is 'The keys that sign the closes of an operator''s days. The newest signs.';

create function guard_day_close_key() returns trigger language plpgsql as $$
begin
  if (new.operator_id, new.id, new.public_key, new.at) is distinct from (old.operator_id, old.id, old.public_key, old.at) then
    raise exception 'only the seal of a key changes' using errcode = 'restrict_violation', constraint = 'day_close_key_immutable';
  end if;
  return new;
end $$;
create trigger day_close_key_guarded before update on day_close_key for each row execute function guard_day_close_key();
create trigger day_close_key_kept before delete on day_close_key for each row execute function refuse_change();
create trigger day_close_key_not_truncated before truncate on day_close_key for each statement execute function refuse_change();

create table day_close (
  operator_id text not null references operator,
  id uuid not null default time_id(),
  -- In UTC.
  day date not null,
  -- Files and decisions of a later time are in the next close.
  as_of timestamptz not null,
  -- The hash of the day before. Null: the operator's first close.
  previous bytea check (octet_length(previous) = 32),
  -- JSON, as the second person reads it.
  totals text not null,
  state text not null default 'proposed' check (state in ('proposed', 'closed', 'rejected')),
  proposed_by text not null,
  -- The API key that proposed it. Null: the command line.
  proposed_key uuid,
  proposed_at timestamptz not null default now(),
  decided_by text,
  decided_key uuid,
  decided_at timestamptz,
  -- Why it was rejected.
  reason text,
  -- The signed text, byte for byte. Its hash is SHA-256 of its UTF-8 bytes.
  document text,
  hash bytea check (octet_length(hash) = 32),
  signature bytea check (octet_length(signature) = 64),
  signing_key uuid,
  primary key (operator_id, id),
  foreign key (operator_id, signing_key) references day_close_key,
  constraint day_close_decided check (num_nulls(decided_by, decided_at) = case state when 'proposed' then 2 else 0 end),
  constraint day_close_by_two check (state <> 'closed' or lower(decided_by) <> lower(proposed_by)),
  constraint day_close_signed check (num_nulls(document, hash, signature, signing_key) = case state when 'closed' then 0 else 4 end),
  constraint day_close_hashed check (hash = sha256(convert_to(document, 'UTF8')))
);
comment on table day_close is 'The close of a day: its totals, proposed by one person, and signed when another confirms them.';
create unique index day_close_once on day_close (operator_id, day) where state <> 'rejected';
create unique index day_close_waits_once on day_close (operator_id) where state = 'proposed';

-- A close follows the day before, is decided once, and never changes afterwards.
create function guard_day_close() returns trigger language plpgsql as $$
declare
  last record;
begin
  if tg_op = 'UPDATE' and (old.state <> 'proposed'
    or (new.operator_id, new.id, new.day, new.as_of, new.previous, new.totals, new.proposed_by, new.proposed_key, new.proposed_at)
      is distinct from (old.operator_id, old.id, old.day, old.as_of, old.previous, old.totals, old.proposed_by, old.proposed_key,
        old.proposed_at)) then
    raise exception 'the close of a day is decided once' using errcode = 'restrict_violation', constraint = 'day_close_immutable';
  end if;
  if tg_op = 'INSERT' and new.state <> 'proposed' then
    raise exception 'a close begins as a proposal' using errcode = 'restrict_violation', constraint = 'day_close_proposed_first';
  end if;
  if new.state <> 'rejected' then
    select day, hash into last from day_close where operator_id = new.operator_id and state = 'closed' order by day desc limit 1;
    if new.previous is distinct from last.hash or new.day <> coalesce(last.day + 1, new.day)
      or (new.day + 1)::timestamp at time zone 'UTC' > now() then
      raise exception 'a close follows the day before, and its day is over'
        using errcode = 'restrict_violation', constraint = 'day_close_chained';
    end if;
  end if;
  return new;
end $$;
create trigger day_close_guarded before insert or update on day_close for each row execute function guard_day_close();
create trigger day_close_kept before delete on day_close for each row execute function refuse_change();
create trigger day_close_not_truncated before truncate on day_close for each statement execute function refuse_change();
