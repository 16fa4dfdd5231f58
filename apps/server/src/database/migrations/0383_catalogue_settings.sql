-- What operators say of their catalogues: methods and groups switched off, their order, narrower limits (SRV-1, LIST-7). The version
-- is read with every list and compared by every insert of a payment, so that no node goes on by older settings.
create table catalogue_settings (
  operator_id text primary key references operator,
  version int not null check (version > 0),
  settings jsonb not null,
  -- Who of the operator's people it was.
  staff text not null,
  updated_at timestamptz not null default now()
);

-- Every state that there was, for ever.
create table catalogue_change (
  operator_id text not null references operator,
  version int not null,
  settings jsonb not null,
  staff text not null,
  at timestamptz not null default now(),
  primary key (operator_id, version)
);
create trigger catalogue_change_immutable before update or delete on catalogue_change
  for each row execute function refuse_change();

-- By the database itself, so that nothing changes a catalogue unseen.
create function keep_catalogue_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.version <> old.version + 1 then
    raise exception 'the version goes up by one' using errcode = 'check_violation', constraint = 'catalogue_version_moves';
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
