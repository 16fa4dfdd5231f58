-- The sums by which a chain is compared with the ledger (SRV-1, docs/reconciliation.md#balances-of-chains). A row of a payment that changes
-- a sum notes the change in its own transaction. A comparison adds the changes to the sums and deletes them. So the sums and the changes are
-- together always what the rows say, however old a row is that changes.

create table chain_sum_point (
  chain text not null,
  -- '' for the chain's own coin.
  contract text not null,
  -- The smallest units of the asset in one minor unit of the ledger. Other decimals in the settings let all be counted again.
  unit numeric(78) not null check (unit > 0),
  counted_at timestamptz not null default now(),
  primary key (chain, contract)
);
comment on table chain_sum_point is 'The assets whose payments were all counted once. Changes are added since.';

create table chain_sum (
  operator_id text not null references operator,
  chain text not null,
  -- The wallet that deposits share, or the hot wallet of payouts. '': receiving addresses of one deposit each.
  wallet text not null,
  contract text not null,
  -- What the ledger booked of deposits, and of payouts and their network fees, in minor units.
  credited bigint not null default 0,
  paid_out bigint not null default 0,
  -- In the asset's smallest unit: what credits left out as parts of minor units, paid payouts, and network fees.
  rests numeric(78) not null default 0,
  sent numeric(78) not null default 0,
  cost numeric(78) not null default 0,
  primary key (operator_id, chain, wallet, contract)
);
comment on table chain_sum is 'What all payments and payouts of a coin on a chain add up to, without later changes.';

create table chain_change (
  operator_id text not null,
  id uuid not null default time_id(),
  chain text not null,
  wallet text not null,
  contract text not null,
  credited bigint not null default 0,
  paid_out bigint not null default 0,
  -- One payment on the chain that is credited. Negative: it is no more. Its rest is counted later, by the unit.
  received numeric(78) not null default 0,
  sent numeric(78) not null default 0,
  cost numeric(78) not null default 0,
  primary key (operator_id, id)
);
comment on table chain_change is 'What changed in the sums of a chain since they were added up last.';
create index chain_change_of_chain on chain_change (chain, contract);
-- Whoever could write the sums and changes could hide a coin that is missing. So the application's role may not write them: the functions below
-- have the owner's rights, and changes come from triggers alone.
create trigger chain_change_by_trigger before insert on chain_change for each row execute function refuse_by_hand();
create trigger chain_change_kept before update on chain_change for each row execute function refuse_change();

-- Who let counted sums replace kept ones, and what they were: a person by a recount, or the settings by other decimals of an asset. Where
-- somebody changed rows past the triggers, nothing else shows it later.
create table chain_sum_correction (
  -- The order of the corrections. Clocks of servers differ.
  place bigint generated always as identity primary key,
  chain text not null,
  -- Each sum that was replaced: its operator, wallet, contract and part, what was kept and what was counted. A changed unit is a part, too.
  -- JSON has no large numbers, so the numbers are texts.
  wrong jsonb not null check (jsonb_typeof(wrong) = 'array'),
  -- Payments that comparisons read again since, although they had been left.
  read_again int not null check (read_again >= 0),
  by text not null,
  at timestamptz not null default clock_timestamp(),
  constraint chain_sum_correction_found check (wrong <> '[]' or read_again > 0)
);
comment on table chain_sum_correction is 'Kept sums of chains that counted ones replaced: who let it happen, and what was kept and counted.';
create trigger chain_sum_correction_immutable before update or delete on chain_sum_correction for each row execute function refuse_change();
create trigger chain_sum_correction_not_truncated before truncate on chain_sum_correction for each statement execute function refuse_change();

-- Counts all payments of assets of a chain, and keeps the sums instead of those that were kept.
create function count_chain(of_chain text, contracts text[], units numeric[]) returns void language plpgsql security definer as $$
begin
  -- First: a process that counts the same assets meanwhile waits here, fails to serialise, and repeats.
  insert into chain_sum_point (chain, contract, unit) select of_chain, asset.contract, asset.unit
      from unnest(contracts, units) asset(contract, unit)
    on conflict (chain, contract) do update set unit = excluded.unit, counted_at = now();
  delete from chain_change where chain = of_chain and contract = any(contracts);
  delete from chain_sum where chain = of_chain and contract = any(contracts);
  insert into chain_sum (chain, operator_id, wallet, contract, credited, paid_out, rests, sent, cost)
    select of_chain, counted.* from counted_sums(of_chain, contracts, units) counted;
end $$;

-- Adds what changed since the last time. Changes that others commit meanwhile are not in the snapshot, and stay.
create function add_chain_changes(of_chain text) returns void language plpgsql security definer as $$
begin
  with added as (delete from chain_change change using chain_sum_point point
      where change.chain = of_chain and point.chain = change.chain and point.contract = change.contract returning change.*, point.unit)
  insert into chain_sum (operator_id, chain, wallet, contract, credited, paid_out, rests, sent, cost)
    select operator_id, chain, wallet, contract, sum(credited), sum(paid_out), sum(mod(received, unit)), sum(sent), sum(cost)
      from added group by 1, 2, 3, 4
    on conflict (operator_id, chain, wallet, contract) do update set credited = chain_sum.credited + excluded.credited,
      paid_out = chain_sum.paid_out + excluded.paid_out, rests = chain_sum.rests + excluded.rests,
      sent = chain_sum.sent + excluded.sent, cost = chain_sum.cost + excluded.cost;
end $$;

-- Forgets changes of assets that were never counted. Nobody needs them: the first count reads all payments. A count that runs does not see the
-- newest changes and has not kept its sums yet, so nothing is forgotten meanwhile. Each count holds the table of points from its beginning.
create function forget_uncounted_changes(of_chain text) returns void language plpgsql security definer as $$
begin
  begin
    lock table chain_sum_point in access exclusive mode nowait;
  exception when lock_not_available then
    return;
  end;
  delete from chain_change change where change.chain = of_chain
    and not exists (select 1 from chain_sum_point point where point.chain = change.chain and point.contract = change.contract);
end $$;

-- One deposit's own address has no wallet. The destination of payments without a memo has no index.
create function deposit_wallet(address text, index bigint) returns text language sql immutable as $$
  select case when index is null or position('/' in address) > 0 then split_part(address, '/', 1) else '' end
$$;

-- A change of what the ledger booked of a deposit. No row for a deposit without an address on a chain.
create function note_chain_credit(of_operator text, of_deposit uuid, minor bigint) returns void language plpgsql security definer
set enable_seqscan = off as $$
begin
  insert into chain_change (operator_id, chain, wallet, contract, credited)
    select of_operator, given.chain, deposit_wallet(given.address, given.index), given.contract, minor
    from crypto_address given where given.deposit_id = of_deposit;
end $$;

-- The same entries as the view settlement_entry. Amounts are immutable, and no row is ever deleted.
create function note_chain_payment() returns trigger language plpgsql as $$
begin
  perform note_chain_credit(new.operator_id, new.deposit_id, new.amount);
  return null;
end $$;
create trigger payment_in_chain_sums after insert on payment for each row when (new.provider = 'crypto')
  execute function note_chain_payment();

create function note_chain_refund() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  has_left boolean := new.state in ('succeeded', 'bounced');
  had_left boolean := tg_op = 'UPDATE' and old.state in ('succeeded', 'bounced');
begin
  if has_left <> had_left and exists (select 1 from payment where operator_id = new.operator_id and id = new.payment_id
      and provider = 'crypto') then
    perform note_chain_credit(new.operator_id, new.deposit_id, case when has_left then -new.amount else new.amount end);
  end if;
  return null;
end $$;
-- A refund that has left can only bounce, so no other state changes a sum.
create trigger refund_in_chain_sums after insert or update of state on refund for each row when (new.state in ('succeeded', 'bounced'))
  execute function note_chain_refund();

create function note_chain_dispute() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if exists (select 1 from payment where operator_id = new.operator_id and id = new.payment_id and provider = 'crypto') then
    perform note_chain_credit(new.operator_id, new.deposit_id, -new.amount);
  end if;
  return null;
end $$;
create trigger dispute_in_chain_sums after insert on dispute for each row execute function note_chain_dispute();

-- A payout is paid, or its money came back.
create function note_chain_payout() returns trigger language plpgsql security definer set enable_seqscan = off as $$
declare
  times int := (new.state = 'paid')::int - (tg_op = 'UPDATE' and old.state = 'paid')::int;
begin
  if times <> 0 then
    insert into chain_change (operator_id, chain, wallet, contract, paid_out, sent)
      select sent.operator_id, sent.chain, sent.wallet, sent.contract, times * new.amount, times * sent.raw
      from coin_payout sent where sent.operator_id = new.operator_id and sent.withdrawal_id = new.withdrawal_id;
  end if;
  return null;
end $$;
create trigger payout_in_chain_sums after insert or update of state on payout for each row when (new.provider = 'crypto')
  execute function note_chain_payout();

-- What the chain took for good for a coin payout, in the smallest unit of its own coin. A test compares it with payout-in-balance in core.
create function cost_of_payout(one coin_payout) returns numeric language sql immutable as $$
  select case when one.reported_at is not null and one.state in ('confirmed', 'failed') then coalesce(one.fee, 0) else 0 end
$$;
create function note_chain_fee() returns trigger language plpgsql security definer as $$
declare
  minor bigint := coalesce(new.fee_minor, 0);
  cost numeric := cost_of_payout(new);
begin
  if tg_op = 'UPDATE' then
    minor := minor - coalesce(old.fee_minor, 0);
    cost := cost - cost_of_payout(old);
  end if;
  if minor <> 0 or cost <> 0 then
    insert into chain_change (operator_id, chain, wallet, contract, paid_out, cost)
      values (new.operator_id, new.chain, new.wallet, '', minor, cost);
  end if;
  return null;
end $$;
create trigger coin_payout_in_chain_sums after insert or update of state, fee, fee_minor, reported_at on coin_payout
  for each row execute function note_chain_fee();

-- Payouts whose end was reported a short time ago may be missing in a balance.
create index coin_payout_reported on coin_payout (chain, wallet, reported_at);

do $$
declare
  name text;
begin
  foreach name in array array['count_chain(text, text[], numeric[])', 'add_chain_changes(text)', 'forget_uncounted_changes(text)',
      'note_chain_credit(text, uuid, bigint)', 'note_chain_payout()', 'note_chain_fee()'] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
  end loop;
end $$;
