-- Trigger functions that keep rows as they were written.
-- On an append-only table or column every update, delete or truncate fails. A correction is a new row.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is written once: add a correcting row instead', tg_table_name
    using errcode = 'restrict_violation', constraint = 'ledger_immutable';
end $$;

-- On a table that only triggers fill, an insert from outside a trigger fails.
create function refuse_by_hand() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'only triggers may write %', tg_table_name using errcode = 'restrict_violation', constraint = 'ledger_immutable';
  end if;
  return new;
end $$;
