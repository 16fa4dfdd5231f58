-- Where a withdrawal went, only to be found again: the HMAC of each number or address under a key of the server's settings. The values
-- themselves are forgotten once the provider knows them.
create table withdrawal_destination (
  operator_id text not null references operator,
  mark bytea not null check (octet_length(mark) = 32),
  created_at timestamptz not null default now(),
  withdrawal_id uuid not null references withdrawal,
  primary key (operator_id, mark, created_at, withdrawal_id)
);
create trigger withdrawal_destination_immutable before update or delete on withdrawal_destination
  for each row execute function refuse_change();
