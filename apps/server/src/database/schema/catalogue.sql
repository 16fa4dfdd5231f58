-- An operator's changes to its catalogue of payment methods (SRV-1, LIST-7).

create table catalogue_settings (
  operator_id text primary key references operator,
  -- Every list reads it and every new payment compares it, so that no node uses older settings.
  version int not null check (version > 0),
  settings jsonb not null,
  -- Who of the operator's staff made the change.
  staff text not null,
  updated_at timestamptz not null default now()
);
comment on table catalogue_settings is 'Current catalogue settings of an operator: methods switched off, their order, narrower limits.';

create table catalogue_change (
  operator_id text not null references operator,
  version int not null,
  settings jsonb not null,
  staff text not null,
  at timestamptz not null default now(),
  primary key (operator_id, version)
);
comment on table catalogue_change is 'Every version of an operator''s catalogue settings, kept for ever.';
create trigger catalogue_change_immutable before update or delete on catalogue_change
  for each row execute function refuse_change();
create trigger catalogue_change_not_truncated before truncate on catalogue_change
  for each statement execute function refuse_change();

-- A trigger writes the history, so that no program can change a catalogue without a record.
create function keep_catalogue_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.version <> old.version + 1 then
    raise exception 'the version must increase by one' using errcode = 'check_violation', constraint = 'catalogue_version_moves';
  end if;
  new.updated_at := now();
  insert into catalogue_change (operator_id, version, settings, staff)
    values (new.operator_id, new.version, new.settings, new.staff);
  return new;
end $$;
create trigger catalogue_settings_kept before insert or update on catalogue_settings
  for each row execute function keep_catalogue_change();
create trigger catalogue_settings_not_deleted before delete on catalogue_settings
  for each row execute function refuse_change();
