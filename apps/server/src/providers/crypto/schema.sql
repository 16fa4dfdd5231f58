-- Receiving addresses and the transactions that reached them. Nothing here is money: the ledger moves by reports alone, as with any
-- provider.
-- All are tables of the whole service: a scanner reads one chain for all operators, and a wallet's addresses are one series. A transfer
-- is stored before its deposit, and so its operator, is known.

create table crypto_chain (
  chain text primary key,
  -- Addresses are numbered per account key and series. Another key starts a new
  -- numbering. The addresses of the old key are still watched.
  account text not null,
  -- The last block whose transfers are recorded, and its hash. Another hash there later means that the chain has changed.
  scanned_height bigint,
  scanned_hash text,
  tip_height bigint,
  -- When the tip last rose, by the database's clock.
  tip_at timestamptz,
  -- One node at a time asks, and not more often than the chain makes blocks.
  next_at timestamptz not null default '-infinity',
  -- When its balances are read next, and the address after which a reading goes on. '': at the first one.
  balances_due_at timestamptz not null default '-infinity',
  balances_after text not null default '',
  -- When a whole reading was handed over to be compared with the ledger, and its newest block. Null: none waits.
  read_at timestamptz,
  read_height bigint,
  opened_at timestamptz not null default now(),
  -- When its balances were last compared with the ledger, of all operators with coins there. Null: never.
  compared_at timestamptz
);
comment on table crypto_chain is 'How far each chain was scanned.';

create table crypto_coin (
  chain text not null,
  coin text not null,
  -- When a server first watched it. A coin that nobody has compared since has no row in shared_balance.
  since timestamptz not null default now(),
  -- Each round of the chain on a server that names the coin moves it on, whether or not a node answers.
  watched_at timestamptz not null default now(),
  primary key (chain, coin)
);
comment on table crypto_coin is 'When a server whose settings name a coin last watched it. All operators share the wallet of these coins.';

create table crypto_series (
  chain text not null,
  account text not null,
  -- The step of the path between the account's key and the index; 0: addresses from before there were series.
  branch int not null check (branch >= 0),
  opened_at timestamptz not null default now(),
  -- Staff have checked the addresses below this index that the chain knows and this database does not.
  acknowledged_to int not null default 0 check (acknowledged_to >= 0),
  acknowledged_by text,
  primary key (chain, account, branch)
);
comment on table crypto_series is 'Series of addresses: each process opens one, so that a restored database never gives an address twice.';

create table crypto_address (
  chain text not null references crypto_chain,
  address text not null,
  deposit_id uuid not null unique,
  -- Its place in a series. The destination of money without a memo has no index.
  account text not null,
  branch int not null default 0,
  index bigint,
  coin text not null,
  -- '' for the chain's own coin.
  contract text not null,
  created_at timestamptz not null default now(),
  -- Later money is seen as well, as late. After this time nobody asks any more.
  watched_until timestamptz not null,
  -- When a node is asked next for transactions that are in no block yet: less and less often; infinity: never.
  look_at timestamptz not null default now(),
  primary key (chain, address),
  constraint crypto_address_place unique (chain, account, branch, index)
);
comment on table crypto_address is 'The receiving address of each deposit on a chain, and how long it is watched.';
create index crypto_address_watched on crypto_address (chain, watched_until);
create index crypto_address_look on crypto_address (chain, look_at);
create index crypto_address_by_address on crypto_address (lower(address));
-- Whose an address is, and of which asset, says whose coins are compared. Changed, a loss would count for another operator.
create trigger crypto_address_kept before update of chain, address, deposit_id, account, branch, index, coin, contract on crypto_address
  for each row when ((old.chain, old.address, old.deposit_id, old.account, old.branch, old.index, old.coin, old.contract)
    is distinct from (new.chain, new.address, new.deposit_id, new.account, new.branch, new.index, new.coin, new.contract))
  execute function refuse_change();

create table crypto_output (
  chain text not null,
  txid text not null,
  address text not null,
  contract text not null,
  raw numeric(78) not null check (raw > 0),
  -- Null: in no block.
  height bigint,
  block_hash text,
  -- The last report about it. 'new': none. A test compares the reports with output-in-balance in core.
  told text not null default 'new' constraint crypto_output_told check (told in ('new', 'seen', 'paid', 'gone', 'taken-back')),
  -- The tip's height when it was first missing from the chain; null while it is there.
  gone_at_height bigint,
  -- So deep in the chain that it cannot disappear: not checked again.
  is_settled boolean not null default false,
  first_seen_at timestamptz not null default now(),
  -- Settled, and its address was read at its block or later. So it is nothing to its balance but a part of chain_sum.
  is_summed boolean not null default false,
  primary key (chain, txid, address, contract),
  foreign key (chain, address) references crypto_address,
  constraint crypto_output_block check ((height is null) = (block_hash is null))
);
comment on table crypto_output is 'What one transaction brought to one address in one asset.';
create index crypto_output_open on crypto_output (chain) where not is_settled;
create index crypto_output_address on crypto_output (chain, address);
create index crypto_output_by_txid on crypto_output (lower(txid));
create index crypto_output_unsummed on crypto_output (chain, address) where not is_summed and height is not null;
create trigger crypto_output_kept before update of chain, txid, address, contract on crypto_output for each row
  when ((old.chain, old.txid, old.address, old.contract) is distinct from (new.chain, new.txid, new.address, new.contract))
  execute function refuse_change();

-- Notes what changed in the sums of credited payments. The rest of a sum is not the sum of rests, so both amounts are noted.
create function note_crypto_output() returns trigger language plpgsql security definer set enable_seqscan = off as $$
declare
  after numeric := case when tg_op <> 'DELETE' and new.told = 'paid' and new.height is not null then new.raw end;
  before numeric := case when tg_op <> 'INSERT' and old.told = 'paid' and old.height is not null then old.raw end;
  place crypto_output := case when tg_op = 'DELETE' then old else new end;
begin
  -- A payment that was never credited leaves a sum of nothing, so that its operator is still compared.
  if after is distinct from before or (tg_op <> 'DELETE' and new.told = 'gone') then
    insert into chain_change (operator_id, chain, wallet, contract, received)
      select deposit.operator_id, given.chain, deposit_wallet(given.address, given.index), place.contract, changed.received
      from crypto_address given join deposit on deposit.id = given.deposit_id
        cross join (values (coalesce(after, 0)), (-before)) as changed(received)
      where given.chain = place.chain and given.address = place.address and changed.received is not null;
  end if;
  return null;
end $$;
do $$ begin execute format('alter function note_crypto_output() set search_path = %I, pg_temp', current_schema()); end $$;
create trigger crypto_output_in_chain_sums after insert or delete on crypto_output for each row execute function note_crypto_output();
-- The watch writes each payment again in each round until it is settled.
create trigger crypto_output_moves_in_chain_sums after update of told, height, raw on crypto_output for each row
  when ((new.told, new.height, new.raw) is distinct from (old.told, old.height, old.raw)) execute function note_crypto_output();

-- Each comparison reads a payment that changed, until it is settled and its address was read again.
create function look_at_output() returns trigger language plpgsql as $$
begin
  new.is_summed := false;
  return new;
end $$;
create trigger crypto_output_changed before update of told, height, raw on crypto_output for each row
  when (old.is_summed and (new.told, new.height, new.raw) is distinct from (old.told, old.height, old.raw))
  execute function look_at_output();

create table crypto_balance (
  chain text not null,
  -- A receiving address, or a hot wallet.
  address text not null,
  -- '' for the chain's own coin.
  contract text not null,
  raw numeric(78) not null check (raw >= 0),
  -- The blocks between which the node answered. The same one where the node was asked for the state at a block.
  height bigint not null,
  last_height bigint not null check (last_height >= height),
  read_at timestamptz not null default now(),
  primary key (chain, address, contract)
);
comment on table crypto_balance is 'What a node said last about the balance of an address or a hot wallet.';
-- Receiving addresses with coins, for their sum.
create index crypto_balance_with_coins on crypto_balance (chain, address) where raw > 0;

-- A node may answer as of an earlier block than before. Then the comparison reads the payments after that block again. Also one that a
-- comparison is just about to leave to the sums: the update waits for it.
create function look_at_outputs_after() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  known_to bigint := case when tg_op = 'DELETE' then -1 else new.height end;
begin
  update crypto_output output set is_summed = false where output.chain = old.chain and output.address = old.address
    and output.contract = old.contract and output.height > known_to and is_settled;
  -- A wallet that deposits share has one balance, and each deposit a memo.
  if not exists (select 1 from crypto_address where chain = old.chain and address = old.address and index is not null) then
    update crypto_output output set is_summed = false where output.chain = old.chain and split_part(output.address, '/', 1) = old.address
      and output.contract = old.contract and output.height > known_to and is_settled;
  end if;
  return null;
end $$;
create trigger crypto_balance_of_earlier_block after update of height on crypto_balance for each row when (new.height < old.height)
  execute function look_at_outputs_after();
create trigger crypto_balance_gone after delete on crypto_balance for each row execute function look_at_outputs_after();

-- What all payments and payouts of assets add up to, as the triggers note it. Each operator that was paid has a row.
create function counted_sums(of_chain text, contracts text[], units numeric[])
returns table (operator_id text, wallet text, contract text, credited bigint, paid_out bigint, rests numeric, sent numeric, cost numeric)
language sql stable as $$
  select moved.operator_id, moved.wallet, moved.contract, sum(moved.credited)::bigint, sum(moved.paid_out)::bigint, sum(moved.rests),
      sum(moved.sent), sum(moved.cost)
    from (select entry.operator_id, deposit_wallet(given.address, given.index) as wallet, given.contract, entry.amount as credited,
          0 as paid_out, 0::numeric as rests, 0::numeric as sent, 0::numeric as cost
        from settlement_entry entry join crypto_address given on given.chain = of_chain and given.deposit_id = entry.deposit_id
        where entry.provider = 'crypto' and entry.deposit_id is not null
      union all
      select deposit.operator_id, deposit_wallet(given.address, given.index), output.contract, 0, 0,
          case when output.told = 'paid' then mod(output.raw, asset.unit) else 0 end, 0, 0
        from crypto_output output join unnest(contracts, units) as asset(contract, unit) on asset.contract = output.contract
        join crypto_address given on given.chain = output.chain and given.address = output.address
        join deposit on deposit.id = given.deposit_id
        where output.chain = of_chain and output.height is not null
      union all
      select paid.operator_id, paid.wallet, paid.contract, 0, booked.amount, 0, paid.raw, 0 from coin_payout paid
        join payout booked on booked.operator_id = paid.operator_id and booked.withdrawal_id = paid.withdrawal_id and booked.state = 'paid'
        where paid.chain = of_chain
      union all
      select fees.operator_id, fees.wallet, '', 0, coalesce(fees.fee_minor, 0), 0, 0, cost_of_payout(fees)
        from coin_payout fees where fees.chain = of_chain and (fees.fee_minor is not null or cost_of_payout(fees) <> 0)) moved
    where moved.contract = any(contracts)
    group by 1, 2, 3
$$;
