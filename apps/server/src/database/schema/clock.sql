-- The time of this database. In production it is the machine's. The clock of a sandbox can be moved ahead (docs/sandbox.md): then rows,
-- defaults and triggers must all read the moved time. They read it by name, because this schema stands before pg_catalog in the path of
-- migrations and of sandboxes. The planner replaces these two by the functions that they call, so production pays nothing for them.

create function now() returns timestamptz language sql stable parallel safe as 'select pg_catalog.now()';
create function clock_timestamp() returns timestamptz language sql volatile parallel safe as 'select pg_catalog.clock_timestamp()';

-- The owner of the tables alone writes it. It is empty in production.
create table clock_move (
  -- The machine's time from which the clock is ahead. It is in the future when the row is written, so no transaction sees two times.
  since timestamptz primary key,
  ahead_seconds int8 not null check (ahead_seconds >= 0)
);
comment on table clock_move is 'How far the clock of a sandbox is ahead of the machine''s, and since when.';
