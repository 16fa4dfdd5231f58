-- Routes: which accounts take the deposits of a method, what was decided for each deposit, and how well the accounts answer (SRV-4). The
-- rules are in packages/core/src/routing.

create table routing_policy (
  operator_id text primary key references operator,
  -- Rises with every change, so that every node sees the change.
  version int not null check (version > 0),
  -- The routes as core has them: accounts by the ids of their connections.
  routes jsonb not null,
  -- Who of the operator's staff made the change.
  staff text not null,
  updated_at timestamptz not null default now()
);
comment on table routing_policy is 'The routes of an operator: for each method its accounts and how they are chosen.';

create table routing_change (
  operator_id text not null references operator,
  version int not null,
  routes jsonb not null,
  staff text not null,
  at timestamptz not null default now(),
  primary key (operator_id, version)
);
comment on table routing_change is 'Every version of an operator''s routes, kept for ever. Stored decisions refer to it.';
create trigger routing_change_immutable before update or delete on routing_change
  for each row execute function refuse_change();
create trigger routing_change_by_trigger before insert on routing_change for each row execute function refuse_by_hand();
create trigger routing_change_not_truncated before truncate on routing_change
  for each statement execute function refuse_change();

-- A trigger writes the history, so that no program can change routes without a record.
create function keep_routing_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (new.version <> old.version + 1 or new.operator_id <> old.operator_id)
    or tg_op = 'INSERT' and new.version <> 1 then
    raise exception 'the version must increase by one' using errcode = 'check_violation', constraint = 'routing_version_moves';
  end if;
  new.updated_at := now();
  insert into routing_change (operator_id, version, routes, staff) values (new.operator_id, new.version, new.routes, new.staff);
  return new;
end $$;
create trigger routing_policy_kept before insert or update on routing_policy
  for each row execute function keep_routing_change();
create trigger routing_policy_not_deleted before delete on routing_policy
  for each row execute function refuse_change();
create trigger routing_policy_not_truncated before truncate on routing_policy
  for each statement execute function refuse_change();

create table routing_decision (
  operator_id text not null,
  id uuid not null default time_id(),
  deposit_id uuid not null,
  -- The version of the routes that decided.
  policy_version int not null,
  -- True: the decision was stored only. The account was chosen as without a route.
  shadow boolean not null,
  -- The payment, the facts about each account, and the order with its reasons. The route itself is in `routing_change`.
  decision jsonb not null,
  primary key (operator_id, id)
) partition by range (id);
comment on table routing_decision is 'Which accounts a deposit was to try and why, in the month of its create call; dropped after 13 months.';
create index routing_decision_of_deposit on routing_decision (operator_id, deposit_id);
create trigger routing_decision_immutable before update or delete on routing_decision
  for each row execute function refuse_change();
create trigger routing_decision_not_truncated before truncate on routing_decision
  for each statement execute function refuse_change();

-- Drops the partitions whose decisions are all older than 13 months. A dispute about a payment is over by then. Runs with the owner's
-- rights, because the application's role may not drop a table. A backup that reads the table keeps it until the next hour.
create function forget_routing_decisions() returns int
language plpgsql security definer set lock_timeout = '500ms' as $$
declare
  dropped int := 0;
  old record;
begin
  for old in select name from time_partition
    where parent = 'routing_decision' and until <= date_trunc('day', now(), 'UTC') - interval '13 months' order by since
  loop
    execute format('drop table %I', old.name);
    dropped := dropped + 1;
  end loop;
  return dropped;
exception when lock_not_available then
  return 0;
end $$;
do $$ begin execute format('alter function forget_routing_decisions() set search_path = %I, pg_catalog, pg_temp', current_schema()); end $$;

create table routing_health (
  operator_id text not null references operator,
  -- The id of a connection, or `installation/` and the name of a provider.
  account text not null,
  -- The last tries, the oldest first: accepted, declined, failed or unknown.
  outcomes text not null check (outcomes ~ '^[adfu]{0,50}$'),
  -- Until then other accounts are tried first. Null: the account is well. A past time: it is being probed.
  demoted_until timestamptz,
  demotions int not null check (demotions >= 0),
  probes_accepted int not null check (probes_accepted >= 0),
  -- When it was demoted or became well.
  changed_at timestamptz not null,
  updated_at timestamptz not null default now(),
  primary key (operator_id, account)
);
comment on table routing_health is 'How well an operator''s accounts answer. Nodes share it, so that all of them leave an account that fails.';
