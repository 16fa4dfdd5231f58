-- Settlement files that were imported by mistake, and that two people take back (SRV-1, SRV-2). The file, its lines and its mismatches stay
-- as evidence. Its matches and its sums leave, so it settles nothing. docs/reconciliation.md has the rules.

create table settlement_take_back (
  operator_id text not null references operator,
  -- The idempotency key of the proposal.
  id uuid not null,
  file_id uuid not null,
  reason text not null,
  state text not null default 'proposed' check (state in ('proposed', 'confirmed', 'rejected')),
  proposed_by text not null,
  -- The API key that proposed it. Null: the command line.
  proposed_key uuid,
  proposed_at timestamptz not null default now(),
  decided_by text,
  decided_key uuid,
  decided_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, file_id) references settlement_file,
  constraint settlement_take_back_decided check (num_nulls(decided_by, decided_at) = case state when 'proposed' then 2 else 0 end),
  constraint settlement_take_back_by_two check (state <> 'confirmed' or lower(decided_by) <> lower(proposed_by))
);
comment on table settlement_take_back is 'Settlement files that one person proposes to take back and another confirms.';
create unique index settlement_take_back_once on settlement_take_back (operator_id, file_id) where state <> 'rejected';
create index settlement_take_back_of_file on settlement_take_back (operator_id, file_id, proposed_at);

create function guard_settlement_take_back() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'proposed' then
      raise exception 'a file is taken back by two people'
        using errcode = 'restrict_violation', constraint = 'settlement_take_back_proposed_first';
    end if;
  elsif old.state <> 'proposed' or (new.operator_id, new.id, new.file_id, new.reason, new.proposed_by, new.proposed_key, new.proposed_at)
      is distinct from (old.operator_id, old.id, old.file_id, old.reason, old.proposed_by, old.proposed_key, old.proposed_at) then
    raise exception 'a proposal to take a file back is decided once'
      using errcode = 'restrict_violation', constraint = 'settlement_take_back_immutable';
  end if;
  return new;
end $$;
create trigger settlement_take_back_guarded before insert or update on settlement_take_back
  for each row execute function guard_settlement_take_back();
create trigger settlement_take_back_kept before delete on settlement_take_back for each row execute function refuse_change();
create trigger settlement_take_back_not_truncated before truncate on settlement_take_back for each statement execute function refuse_change();

create table settlement_batch_before (
  operator_id text not null,
  -- A sum that an earlier file named, and its amount and day before this file changed it.
  batch_id uuid not null,
  file_id uuid not null,
  amount bigint not null,
  day date not null,
  primary key (operator_id, file_id, batch_id),
  foreign key (operator_id, file_id) references settlement_file
);
comment on table settlement_batch_before is 'What a sum of a provider was before a later file changed it, for when that file is taken back.';
create trigger settlement_batch_before_immutable before update or delete on settlement_batch_before
  for each row execute function refuse_change();
create trigger settlement_batch_before_not_truncated before truncate on settlement_batch_before
  for each statement execute function refuse_change();
