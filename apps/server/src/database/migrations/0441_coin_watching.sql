-- When a node is asked next whether something is on its way to an address, before it is in a block: later and later.
alter table crypto_address add column look_at timestamptz not null default now();
create index crypto_address_look on crypto_address (chain, look_at);
