-- A key belongs to whoever takes it first: the create, or a cancel that came before it (a tombstone: no withdrawal). WD-2.
create table withdrawal_key (
  operator_id text not null references operator,
  user_id text not null,
  client_key uuid not null,
  withdrawal_id uuid,
  at timestamptz not null default now(),
  primary key (operator_id, user_id, client_key)
);
insert into withdrawal_key (operator_id, user_id, client_key, withdrawal_id, at)
select operator_id, user_id, client_key, id, created_at from withdrawal;
create trigger withdrawal_key_immutable before update or delete on withdrawal_key
  for each row execute function refuse_change();
