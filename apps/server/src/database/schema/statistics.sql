-- Statistics of young tables on PostgreSQL. A session keeps its plans. Those that were made while the tables were empty may read all rows
-- of an operator for each payment. New statistics replace them, but autovacuum looks only once a minute.

-- Analyzes the tables that had no statistics, or have doubled since. Larger tables are left to autovacuum. Runs with the owner's rights,
-- because the application's role may not analyze a table. Returns the number of tables.
create function analyze_young_tables() returns int language plpgsql security definer as $$
declare
  young regclass;
  analyzed int := 0;
begin
  -- One node does it.
  if not pg_try_advisory_xact_lock(4726004) then return 0; end if;
  -- By the rows that are alive: the rows of a queue change all the time, but do not grow in number.
  for young in select stat.relid from pg_stat_user_tables stat join pg_class on pg_class.oid = stat.relid
    where stat.schemaname = current_schema() and pg_class.relkind = 'r' and pg_class.reltuples < 10000
      and stat.n_live_tup > 50 + 2 * greatest(pg_class.reltuples, 0)
  loop
    execute format('analyze (skip_locked) %s', young);
    analyzed := analyzed + 1;
  end loop;
  return analyzed;
end $$;
-- The function sees only this schema, so that no caller can substitute its own table.
do $$ begin
  execute format('alter function analyze_young_tables() set search_path = %I, pg_catalog, pg_temp', current_schema());
end $$;
