-- Partitions by time of the tables that grow for ever (docs/adr/0022). A partitioned table needs nothing but its
-- `partition by range (column)`: the functions below find it, make its partitions and watch them.
-- The column is a time, a day, or an id of time_id().

-- An id that begins with a time, in the layout of UUID version 7: 48 bits of ms, then 12 bits for the part of the ms. It is the column
-- of the partitions, so no client chooses where a row is kept. The time is that of the transaction. So a row with
-- `default now()` in another column has one time in both, and the order by id is the order by time. One expression: the planner then puts
-- it into the statement, and no function is called for each row.
create function time_id(moment timestamptz default now()) returns uuid language sql volatile parallel safe as $$
  select (lpad(to_hex((extract(epoch from moment) * 1000000)::int8 / 1000), 12, '0')
    || to_hex(28672 + (extract(epoch from moment) * 1000000)::int8 % 1000 * 4096 / 1000) || right(gen_random_uuid()::text, 17))::uuid
$$;

-- The first id of a time. Rows since a time have `id >= time_id_at(time)`.
create function time_id_at(moment timestamptz) returns uuid language sql immutable parallel safe as $$
  select (lpad(to_hex(floor(extract(epoch from moment) * 1000)::int8), 12, '0') || repeat('0', 20))::uuid
$$;

-- The time of an id, in whole ms.
create function time_of_id(id uuid) returns timestamptz language sql immutable parallel safe as $$
  select to_timestamp(('x' || lpad(left(replace(id::text, '-', ''), 12), 16, '0'))::bit(64)::int8 / 1000.0)
$$;

-- Each partition of this schema with its times: from `since` to just before `until`.
create view time_partition as
select parent.relname::text as parent, part.relname::text as name, moment.since, moment.until
from pg_partitioned_table kind
  join pg_class parent on parent.oid = kind.partrelid and parent.relnamespace = current_schema()::regnamespace
  join pg_attribute attribute on attribute.attrelid = parent.oid and attribute.attnum = kind.partattrs[0]
  join pg_inherits link on link.inhparent = parent.oid
  join pg_class part on part.oid = link.inhrelid
  cross join lateral regexp_match(pg_get_expr(part.relpartbound, part.oid), $re$FROM \('([^']+)'\) TO \('([^']+)'\)$re$) bound
  cross join lateral (select
    case attribute.atttypid when 'uuid'::regtype then time_of_id(bound[1]::uuid)
      when 'date'::regtype then bound[1]::timestamp at time zone 'UTC' else bound[1]::timestamptz end as since,
    case attribute.atttypid when 'uuid'::regtype then time_of_id(bound[2]::uuid)
      when 'date'::regtype then bound[2]::timestamp at time zone 'UTC' else bound[2]::timestamptz end as until) moment
where kind.partstrat = 'r' and kind.partnatts = 1;

-- Each partitioned table with the end of its partitions. `covered_until` is now if the partition of now is missing.
create view time_partitioned as
select parent.relname::text as name, attribute.attname::text as key, attribute.atttypid::regtype::text as type,
  coalesce((select min(until) from (
      select since, until, lead(since) over (order by since) is distinct from until as is_last
      from time_partition where time_partition.parent = parent.relname) part
    where until > now() and is_last and exists (
      select 1 from time_partition where time_partition.parent = parent.relname and since <= now() and until > now())), now())
    as covered_until
from pg_partitioned_table kind
  join pg_class parent on parent.oid = kind.partrelid and parent.relnamespace = current_schema()::regnamespace
  join pg_attribute attribute on attribute.attrelid = parent.oid and attribute.attnum = kind.partattrs[0]
where kind.partstrat = 'r' and kind.partnatts = 1;

-- Makes the missing partitions of a table for the times from `first` to `upto`, a partition for each step: a day, a month or a year.
-- Runs with the caller's rights, so only the owner of the tables can call it for any time.
create function extend_partitions(place text, first timestamptz, upto timestamptz, step text) returns int
language plpgsql set timezone = 'UTC' as $$
declare
  made int := 0;
  begins timestamptz := date_trunc(step, first);
  ends timestamptz;
  part text;
  type text := (select time_partitioned.type from time_partitioned where time_partitioned.name = place);
  rule record;
  bounds text[];
begin
  while begins < upto loop
    select until into ends from time_partition where parent = place and since <= begins and until > begins;
    if not found then
      ends := least(date_trunc(step, begins) + ('1 ' || step)::interval,
        (select min(since) from time_partition where parent = place and since > begins));
      part := place || to_char(begins, case when step = 'day' then '_YYYY_MM_DD'
        when step = 'year' and begins = date_trunc(step, begins) then '_YYYY' else '_YYYY_MM' end);
      bounds := case type when 'uuid' then array[time_id_at(begins)::text, time_id_at(ends)::text]
        when 'date' then array[begins::date::text, ends::date::text] else array[begins::text, ends::text] end;
      -- A table is attached without stopping its readers and writers. `create table … partition of` would wait for all of them. Only
      -- writers of tables that it references wait for a moment.
      execute format('create table %I (like %I including defaults including constraints including storage)', part, place);
      -- Triggers of each row come by themselves. Triggers of a statement would miss a statement that names the partition.
      for rule in select pg_get_triggerdef(oid) as text from pg_trigger
        where tgrelid = place::regclass and not tgisinternal and tgtype & 1 = 0
      loop
        execute regexp_replace(rule.text, ' ON \S+ ', format(' ON %I ', part));
      end loop;
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', place, part, bounds[1], bounds[2]);
      made := made + 1;
    end if;
    begins := ends;
  end loop;
  return made;
end $$;

-- Makes the partitions of this month and the next three, and of the next seven days in a table by day. Runs with the owner's rights,
-- because the application's role may not create tables. A caller chooses only whether a partition is a month or a year.
create function make_partitions(every text) returns int
language plpgsql security definer set timezone = 'UTC' set lock_timeout = '500ms' as $$
declare
  made int := 0;
  months timestamptz := date_trunc('month', now()) + interval '4 months';
  days timestamptz := date_trunc('day', now()) + interval '8 days';
  short record;
begin
  if every not in ('month', 'year') then raise exception 'a partition is a month or a year, not %', every; end if;
  if not exists (select 1 from time_partitioned where covered_until < case type when 'date' then days else months end) then
    return 0;
  end if;
  -- One node makes them. The others find them later.
  if not pg_try_advisory_xact_lock(4726002) then return 0; end if;
  for short in select name, type from time_partitioned where covered_until < case type when 'date' then days else months end
    order by name
  loop
    begin
      made := made + case short.type
        when 'date' then extend_partitions(short.name, now(), days, case every when 'month' then 'day' else 'month' end)
        else extend_partitions(short.name, now(), months, every) end;
    exception when lock_not_available then
      -- A long transaction writes to a table that this one references. Waiting longer would stop its other writers, and the next
      -- hour is early enough.
      raise notice 'the partitions of % wait for a lock', short.name;
    end;
  end loop;
  return made;
end $$;
-- The functions see only this schema, so that no caller can substitute its own table.
do $$ begin
  execute format('alter function extend_partitions(text, timestamptz, timestamptz, text) set search_path = %I, pg_temp', current_schema());
  execute format('alter function make_partitions(text) set search_path = %I, pg_catalog, pg_temp', current_schema());
end $$;

-- Writes half a megabyte, which the end of the transaction drops, to see whether the disk has room. Runs with the owner's rights: the
-- application's role may make no temporary table, because a trigger of its own would look like one of the triggers that guard the rows.
create function write_half_a_megabyte() returns void language plpgsql security definer set search_path = pg_temp as $$
begin
  create temporary table room_for_data on commit drop as select md5(random()::text) as filler from generate_series(1, 10000);
end $$;

-- What `opencashier archive` has taken away. A row is written when the partition leaves its table, and closed when its file is
-- complete, so that the command can go on after a crash.
create table archived_partition (
  name text primary key,
  parent text not null,
  since timestamptz not null,
  until timestamptz not null,
  detached_at timestamptz not null default now(),
  -- The file with its rows as lines of JSON, and the SHA-256 of its bytes.
  file text,
  rows bigint,
  sha256 bytea check (octet_length(sha256) = 32),
  -- The table stays in the schema `archive`. False: it was dropped.
  is_kept boolean,
  finished_at timestamptz,
  constraint archived_partition_finished check (num_nulls(file, rows, sha256, is_kept, finished_at) in (0, 5))
);
comment on table archived_partition is 'Partitions that were archived, each with its file and the hash of the file.';
create trigger archived_partition_immutable before update or delete on archived_partition for each row
  when (old.finished_at is not null) execute function refuse_change();
create trigger archived_partition_not_truncated before truncate on archived_partition
  for each statement execute function refuse_change();
