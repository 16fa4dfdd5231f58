-- Receiving addresses come from series. A process opens a series of its own, so that a database that goes back (a restore, a failover
-- to a lagging replica) never makes it give an address twice. crypto_chain.next_index is used by older nodes alone.
create table crypto_series (
  chain text not null,
  account text not null,
  -- The step of the path between the account's key and the index; 0: addresses that were given out before there were series.
  branch int not null check (branch >= 0),
  opened_at timestamptz not null default now(),
  -- Somebody has looked at the addresses below this index that the chain knows and this database does not.
  acknowledged_to int not null default 0 check (acknowledged_to >= 0),
  acknowledged_by text,
  primary key (chain, account, branch)
);

alter table crypto_address add column branch int not null default 0;
-- Money without a memo lies at a destination of its own, which has no place in a series.
alter table crypto_address alter column index drop not null;
alter table crypto_address drop constraint crypto_address_chain_account_index_key;
alter table crypto_address add constraint crypto_address_place unique (chain, account, branch, index);
insert into crypto_series (chain, account, branch, opened_at)
  select chain, account, 0, min(created_at) from crypto_address group by chain, account;
