-- The bonuses that an operator offers with deposits (BON-1, SRV-1). A deposit stores the terms of its own bonus.

create table bonus_settings (
  operator_id text primary key references operator,
  version int not null check (version > 0),
  -- All bonuses, in the order in which users see them.
  bonuses jsonb not null,
  -- Who of the operator's staff made the change.
  staff text not null,
  updated_at timestamptz not null default now()
);
comment on table bonus_settings is 'Current bonuses of an operator, in the order in which users see them.';

create table bonus_change (
  operator_id text not null references operator,
  version int not null,
  bonuses jsonb not null,
  staff text not null,
  at timestamptz not null default now(),
  primary key (operator_id, version)
);
comment on table bonus_change is 'Every version of an operator''s bonuses, kept for ever.';
create trigger bonus_change_immutable before update or delete on bonus_change
  for each row execute function refuse_change();
create trigger bonus_change_not_truncated before truncate on bonus_change
  for each statement execute function refuse_change();

-- A trigger writes the history, so that no program can change a bonus without a record. It runs after the change: an insert that
-- does nothing would otherwise be recorded, too.
create function keep_bonus_change() returns trigger language plpgsql as $$
begin
  if new.version <> 1 + coalesce((select max(version) from bonus_change where operator_id = new.operator_id), 0) then
    raise exception 'the version must increase by one' using errcode = 'check_violation', constraint = 'bonus_version_moves';
  end if;
  insert into bonus_change (operator_id, version, bonuses, staff, at)
    values (new.operator_id, new.version, new.bonuses, new.staff, new.updated_at);
  return null;
end $$;
create trigger bonus_settings_kept after insert or update on bonus_settings
  for each row execute function keep_bonus_change();
create trigger bonus_settings_not_deleted before delete on bonus_settings
  for each row execute function refuse_change();

-- So that the operator learns what its engine answers wrong. One row per operator, written at most once a minute.
create table bonus_engine_problem (
  operator_id text primary key references operator,
  at timestamptz not null default now(),
  why text not null,
  -- `webhook-id` in the log of the engine.
  question_id uuid not null,
  user_id text not null,
  -- The wrong fields of the answer: [{ path, message }].
  fields jsonb not null
);
comment on table bonus_engine_problem is 'The last problem with an answer of an operator''s own bonus engine.';
