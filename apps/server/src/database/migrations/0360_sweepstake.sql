-- The sweepstake, SWP-1 and SWP-2: gold coins (GC) are bought in boxes and only ever played with; sweep coins (SC) are never
-- sold, and are redeemed. The ledger knows each coin by one name: QGC and QSC are ways to show them.

-- Whatever kinds other migrations have added are kept.
do $$ begin
  execute (
    select 'alter table account drop constraint account_kind, add constraint account_kind '
      || replace(pg_get_constraintdef(oid), 'ARRAY[',
        'ARRAY[''coin_issue''::text, ''coin_play''::text, ''coin_sales''::text, ''coin_redemption''::text, ')
    from pg_constraint where conrelid = 'account'::regclass and conname = 'account_kind');
end $$;
-- Of gold there can be no held amount and no provider's account, so there is no way out for it, whatever the code above does.
alter table account add constraint account_coins_stay check (case asset
  when 'GC' then kind in ('user', 'coin_issue', 'coin_play')
  when 'SC' then kind in ('user', 'user_hold', 'reversal_debt', 'coin_issue', 'coin_play', 'withdrawal_fee')
  else kind not in ('coin_issue', 'coin_play') and asset not in ('QGC', 'QSC') end);
alter table withdrawal add constraint withdrawal_never_gold check (currency not in ('GC', 'QGC', 'QSC'));
alter table deposit add constraint deposit_of_money check (currency not in ('GC', 'SC', 'QGC', 'QSC'));

create table sweepstake_box (
  operator_id text not null references operator,
  box_id text not null check (box_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  -- Boxes of one name stand together; '' is a group like any other.
  group_name text not null default '',
  position int not null default 0,
  badge text,
  price bigint not null check (price > 0),
  price_currency text not null constraint box_price_is_money check (price_currency not in ('GC', 'SC', 'QGC', 'QSC')),
  -- What is bought is gold; a box of sweep coins alone would be a sale of them.
  gold bigint not null check (gold > 0),
  sweep bigint not null default 0 check (sweep >= 0),
  -- How many are put on sale in all; null: as many as are wanted.
  stock int check (stock >= 0),
  -- Those that are being paid for, and those that were sold, while stock was counted.
  taken int not null default 0 check (taken >= 0),
  available_from timestamptz,
  available_until timestamptz,
  updated_at timestamptz not null default now(),
  primary key (operator_id, box_id),
  constraint box_not_oversold check (taken <= stock)
);

-- The box that a deposit buys, as it was at the create: { boxId, gold, sweep, isCounted }. Its price is the deposit's amount.
alter table deposit add column box jsonb;
create trigger deposit_box_kept before update of box on deposit for each row
  when (old.box is distinct from new.box) execute function refuse_change();

-- A trigger, so that no way to the end of a deposit can keep a box that nobody gets.
create function settle_box_stock() returns trigger language plpgsql as $$
declare
  change int := case
    when old.rank < 80 and new.state in ('declined', 'cancelled', 'expired') then -1
    -- Money that came late and is credited by people: the box must still be there.
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

-- At commit: who paid for a box has its coins, to the last one, and in the journal that books the payment.
create function check_box_coins() returns trigger language plpgsql as $$
declare
  got record;
begin
  select coalesce(sum(posting.amount) filter (where posting.asset = 'GC'), 0) as gold,
    coalesce(sum(posting.amount) filter (where posting.asset = 'SC'), 0) as sweep
  into got
  from journal join posting on posting.journal_id = journal.id join account on account.id = posting.account_id
  where journal.deposit_id = new.id and journal.kind = 'deposit_credit' and account.kind = 'user'
    and account.owner = new.user_id;
  if (got.gold, got.sweep) is distinct from ((new.box ->> 'gold')::numeric, (new.box ->> 'sweep')::numeric) then
    raise exception 'deposit % was paid and its coins are % and %', new.id, got.gold, got.sweep
      using errcode = 'check_violation', constraint = 'box_coins_agree';
  end if;
  return null;
end $$;
create constraint trigger box_coins_agree after insert or update of state on deposit
  deferrable initially deferred for each row when (new.box is not null and new.state = 'credited')
  execute function check_box_coins();

-- What a user got of sweep coins and staked of them, ever: what must still be played is derived from it. Kept by triggers.
create table playthrough (
  operator_id text not null references operator,
  user_id text not null,
  granted bigint not null default 0 check (granted >= 0),
  played bigint not null default 0 check (played >= 0),
  primary key (operator_id, user_id)
);

create function count_granted() returns trigger language plpgsql as $$
begin
  insert into playthrough as known (operator_id, user_id, granted)
  select account.operator_id, account.owner, greatest(new.amount, 0) from account, journal
  where account.id = new.account_id and account.kind = 'user' and journal.id = new.journal_id
    and journal.kind in ('deposit_credit', 'coin_grant', 'deposit_reversal')
  on conflict (operator_id, user_id) do update set granted = greatest(known.granted + new.amount, 0);
  return null;
end $$;
create trigger posting_counts_granted after insert on posting for each row
  when (new.asset = 'SC') execute function count_granted();

-- What operators report of play, once per id.
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

-- What arrives of a withdrawal in another currency, agreed at the create. Sweep coins never arrive as such.
alter table withdrawal add column payout_currency text;
alter table withdrawal add column payout_amount bigint;
alter table withdrawal add column payout_rate text;
alter table withdrawal add constraint withdrawal_payout_whole check (
  num_nulls(payout_currency, payout_amount, payout_rate) in (0, 3) and (payout_amount is null or payout_amount > 0));
alter table withdrawal add constraint withdrawal_sweep_is_paid_out check (currency <> 'SC' or payout_currency is not null);
create trigger withdrawal_payout_kept before update of payout_currency, payout_amount, payout_rate on withdrawal
  for each row when ((old.payout_currency, old.payout_amount, old.payout_rate)
    is distinct from (new.payout_currency, new.payout_amount, new.payout_rate)) execute function refuse_change();
