-- Receiving addresses and what came to them. Nothing here is money: the ledger moves by reports alone, like with any provider.
create table crypto_chain (
  chain text primary key,
  -- Addresses are numbered per account key; another key starts anew and the old addresses are watched all the same.
  account text not null,
  next_index bigint not null default 0,
  -- The last block whose transfers are recorded, and its hash: another hash there later means that the chain has changed.
  scanned_height bigint,
  scanned_hash text,
  tip_height bigint,
  -- When the tip last rose, by the database's clock.
  tip_at timestamptz,
  -- One node at a time asks, and not more often than the chain makes blocks.
  next_at timestamptz not null default '-infinity'
);

create table crypto_address (
  chain text not null references crypto_chain,
  address text not null,
  deposit_id uuid not null unique,
  account text not null,
  index bigint not null,
  coin text not null,
  -- '' for the chain's own coin.
  contract text not null,
  created_at timestamptz not null default now(),
  -- Money that comes later is seen as well, as late; after this nobody asks any more.
  watched_until timestamptz not null,
  primary key (chain, address),
  unique (chain, account, index)
);
create index crypto_address_watched on crypto_address (chain, watched_until);

-- What one transaction brought to one address in one asset.
create table crypto_output (
  chain text not null,
  txid text not null,
  address text not null,
  contract text not null,
  raw numeric(78) not null check (raw > 0),
  -- Null: in no block.
  height bigint,
  block_hash text,
  -- What was told of it last: 'seen', 'paid' or 'taken-back'.
  told text not null default 'new',
  -- The tip's height when it was first missing from the chain; null while it is there.
  gone_at_height bigint,
  -- Deep enough that no chain takes it back: not looked at again.
  is_settled boolean not null default false,
  first_seen_at timestamptz not null default now(),
  primary key (chain, txid, address, contract),
  foreign key (chain, address) references crypto_address,
  constraint crypto_output_block check ((height is null) = (block_hash is null))
);
create index crypto_output_open on crypto_output (chain) where not is_settled;
