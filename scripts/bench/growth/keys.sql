-- The keys, unique indexes, indexes and foreign keys that do not begin with operator_id, for docs/scale.md. Each table is one row.
-- Left out: foreign keys to `operator`, tables of states, partitions, and the books of the sandbox company, which is a stranger.
with keys as (
  select conrelid as place, case contype when 'f' then 'foreign' else 'unique' end as kind,
    (select string_agg(attname, ', ' order by n) from unnest(conkey) with ordinality one(at, n)
      join pg_attribute on attrelid = conrelid and attnum = at)
      || case when contype = 'f' then ' → ' || confrelid::regclass else '' end as columns
  from pg_constraint where contype in ('p', 'u', 'f') and confrelid <> 'operator'::regclass
  union all
  select indrelid, case when indisunique then 'unique' else 'index' end,
    (select string_agg(pg_get_indexdef(indexrelid, n, true), ', ' order by n) from generate_series(1, indnkeyatts) n)
    || coalesce(' where ' || pg_get_expr(indpred, indrelid), '')
  from pg_index where not exists (select 1 from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
)
select place::regclass::text as "table",
  coalesce(string_agg(columns, '; ' order by columns) filter (where kind = 'unique'), '') as "primary keys and unique",
  coalesce(string_agg(columns, '; ' order by columns) filter (where kind = 'index'), '') as indexes,
  coalesce(string_agg(columns, '; ' order by columns) filter (where kind = 'foreign'), '') as "foreign keys",
  count(*)::int as count
from keys join pg_class on pg_class.oid = place
where relnamespace = current_schema()::regnamespace and not relispartition and columns not like 'operator_id%' and columns !~ '→ \w+_state$'
  and relname !~ '(^sandbox_|_state$|_transition$|_kind$|^operator$|^schema_migration$)'
group by place order by 1;
