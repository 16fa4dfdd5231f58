-- The sweepstake (SWP-1, SWP-2). Gold coins (GC) are sold in boxes, for play only. Sweep coins (SC) are never sold and
-- can be redeemed. The ledger has one code per coin: QGC and QSC are only shown.

create table sweepstake_box (
  operator_id text not null references operator,
  box_id text not null check (box_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  -- Boxes with the same name are shown together; '' is a group like any other.
  group_name text not null default '',
  position int not null default 0,
  badge text,
  price bigint not null check (price > 0),
  price_currency text not null constraint box_price_is_money check (price_currency not in ('GC', 'SC', 'QGC', 'QSC')),
  -- A box sells gold coins. A box with only sweep coins would be a sale of sweep coins.
  gold bigint not null check (gold > 0),
  sweep bigint not null default 0 check (sweep >= 0),
  -- The total number for sale; null: no limit.
  stock int check (stock >= 0),
  -- Boxes sold or being paid for, counted while the stock is limited.
  taken int not null default 0 check (taken >= 0),
  available_from timestamptz,
  available_until timestamptz,
  updated_at timestamptz not null default now(),
  primary key (operator_id, box_id),
  constraint box_not_oversold check (taken <= stock)
);
comment on table sweepstake_box is 'Coin boxes that an operator sells: gold coins at a price, with free sweep coins.';

-- A trigger, so that a deposit that ends unpaid always releases its box.
create function settle_box_stock() returns trigger language plpgsql as $$
declare
  change int := case
    when old.rank < 80 and new.state in ('declined', 'cancelled', 'expired') then -1
    -- A late payment that staff credit: the box must still be in stock.
    when old.rank >= 80 and new.state = 'credited' then 1
    else 0 end;
begin
  if change <> 0 and (new.box ->> 'isCounted')::boolean then
    update sweepstake_box set taken = taken + change
    where operator_id = new.operator_id and box_id = new.box ->> 'boxId';
  end if;
  return null;
end $$;
create trigger deposit_settles_box after update of state on deposit for each row
  when (new.box is not null and old.state <> new.state) execute function settle_box_stock();

-- Checked at commit: a paid box has given exactly its coins, in the journal that books the payment.
create function check_box_coins() returns trigger language plpgsql
-- As for a journal: see journal_fault.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  got record;
begin
  select coalesce(sum(posting.amount) filter (where posting.asset = 'GC'), 0) as gold,
    coalesce(sum(posting.amount) filter (where posting.asset = 'SC'), 0) as sweep
  into got
  from journal_key credit cross join lateral (select * from known_posting
      where known_posting.operator_id = credit.operator_id and known_posting.journal_id = credit.journal_id offset 0) posting
    join account on account.operator_id = posting.operator_id and account.id = posting.account_id
  where credit.operator_id = new.operator_id and credit.ref = new.id::text and credit.source = 'deposit' and credit.kind = 'one_credit'
    and account.kind = 'user'
    and account.owner = new.user_id;
  if (got.gold, got.sweep) is distinct from ((new.box ->> 'gold')::numeric, (new.box ->> 'sweep')::numeric) then
    raise exception 'deposit % was paid, but its coins are % and %', new.id, got.gold, got.sweep
      using errcode = 'check_violation', constraint = 'box_coins_agree';
  end if;
  return null;
end $$;
create constraint trigger box_coins_agree after insert or update of state on deposit
  deferrable initially deferred for each row when (new.box is not null and new.state = 'credited')
  execute function check_box_coins();

create table playthrough (
  operator_id text not null references operator,
  user_id text not null,
  granted bigint not null default 0 check (granted >= 0),
  played bigint not null default 0 check (played >= 0),
  primary key (operator_id, user_id)
);
comment on table playthrough is 'Sweep coins that a user was granted and has staked so far, updated by triggers. The amount still to stake follows from them.';
create trigger playthrough_not_truncated before truncate on playthrough
  for each statement execute function refuse_change();

create function count_granted() returns trigger language plpgsql as $$
begin
  insert into playthrough as known (operator_id, user_id, granted)
  select account.operator_id, account.owner, greatest(new.amount, 0) from account, journal
  where account.operator_id = new.operator_id and account.id = new.account_id and account.kind = 'user'
    and journal.operator_id = new.operator_id and journal.id = new.journal_id
    and journal.kind in ('deposit_credit', 'coin_grant', 'deposit_reversal')
  on conflict (operator_id, user_id) do update set granted = greatest(known.granted + new.amount, 0);
  return null;
end $$;
create trigger posting_counts_granted after insert on posting for each row
  when (new.asset = 'SC') execute function count_granted();

create table coin_play (
  operator_id text not null references operator,
  play_id text not null,
  user_id text not null,
  asset text not null check (asset in ('GC', 'SC')),
  staked bigint not null check (staked > 0),
  won bigint not null check (won >= 0),
  at timestamptz not null default now(),
  primary key (operator_id, play_id)
);
comment on table coin_play is 'Plays that operators report, once per id.';
create trigger coin_play_immutable before update or delete on coin_play for each row execute function refuse_change();
create trigger coin_play_not_truncated before truncate on coin_play for each statement execute function refuse_change();

create function count_played() returns trigger language plpgsql as $$
begin
  insert into playthrough as known (operator_id, user_id, played) values (new.operator_id, new.user_id, new.staked)
  on conflict (operator_id, user_id) do update set played = known.played + excluded.played;
  return null;
end $$;
create trigger play_counts after insert on coin_play for each row
  when (new.asset = 'SC') execute function count_played();
