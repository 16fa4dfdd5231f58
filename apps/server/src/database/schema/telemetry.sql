-- Timings and events of widgets (NET-8, ERR-3).

create table telemetry_event (
  day date not null default (now() at time zone 'UTC')::date,
  operator_id text,
  source text not null check (source in ('events', 'rum')),
  -- Keys and codes are from the fixed vocabulary of telemetry/vocabulary.ts. No row names a user, a payment or a typed text.
  key text not null,
  number_value double precision,
  code_value text,
  at timestamptz not null default now()
) partition by range (day);
comment on table telemetry_event is 'Anonymous timings and events of widgets, by UTC day; dropped after 30 days.';
create index telemetry_event_day on telemetry_event (day, key);

-- Drops the partitions whose days are all older than 30 days. Runs with the owner's rights, because the application's role may not
-- drop a table. A backup that reads the table keeps it until the next hour: waiting would stop the writers.
create function forget_telemetry() returns int
language plpgsql security definer set lock_timeout = '500ms' as $$
declare
  dropped int := 0;
  old record;
begin
  for old in select name from time_partition
    where parent = 'telemetry_event' and until <= date_trunc('day', now(), 'UTC') - interval '30 days' order by since
  loop
    execute format('drop table %I', old.name);
    dropped := dropped + 1;
  end loop;
  return dropped;
exception when lock_not_available then
  return 0;
end $$;
do $$ begin execute format('alter function forget_telemetry() set search_path = %I, pg_catalog, pg_temp', current_schema()); end $$;
