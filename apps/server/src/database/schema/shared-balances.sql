-- Wallets that all operators share, such as on TON (SRV-1): what they had at each reading, and the differences that staff accepted. No
-- operator owns a row.

-- One person proposes to accept a difference, and another confirms it.
create table shared_acceptance (
  id uuid primary key default time_id(clock_timestamp()),
  -- The order of writing. Ids follow clocks, and clocks of servers differ.
  place bigint generated always as identity,
  chain text not null,
  currency text not null,
  -- Of the last reading, in minor units. The second person agrees to this difference, and it alone is accepted.
  difference bigint not null check (difference <> 0),
  -- Where the difference is from.
  reason text not null,
  state text not null default 'proposed' check (state in ('proposed', 'confirmed', 'rejected')),
  proposed_by text not null,
  proposed_at timestamptz not null default now(),
  -- The cashier rejects a proposal whose difference has changed.
  decided_by text,
  decided_at timestamptz,
  constraint shared_acceptance_decided check (num_nulls(decided_by, decided_at) = case state when 'proposed' then 2 else 0 end),
  constraint shared_acceptance_by_two check (state <> 'confirmed' or lower(decided_by) <> lower(proposed_by))
);
comment on table shared_acceptance is 'Differences of shared wallets that one person proposes to accept and another confirms.';
create unique index shared_acceptance_waits_once on shared_acceptance (chain, currency) where state = 'proposed';
create function guard_shared_acceptance() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'proposed' then
      raise exception 'an acceptance begins as a proposal' using errcode = 'restrict_violation', constraint = 'shared_acceptance_proposed_first';
    end if;
  elsif old.state <> 'proposed'
      or (new.id, new.place, new.chain, new.currency, new.difference, new.reason, new.proposed_by, new.proposed_at) is distinct from
        (old.id, old.place, old.chain, old.currency, old.difference, old.reason, old.proposed_by, old.proposed_at) then
    raise exception 'an acceptance is decided once' using errcode = 'restrict_violation', constraint = 'shared_acceptance_immutable';
  end if;
  return new;
end $$;
create trigger shared_acceptance_guarded before insert or update on shared_acceptance
  for each row execute function guard_shared_acceptance();
create trigger shared_acceptance_kept before delete on shared_acceptance for each row execute function refuse_change();
create trigger shared_acceptance_not_truncated before truncate on shared_acceptance for each statement execute function refuse_change();

create table shared_balance (
  id uuid primary key default time_id(clock_timestamp()),
  -- The order of the rows of a coin. It is given under a lock. Ids follow clocks, and clocks of servers differ.
  place bigint generated always as identity,
  chain text not null,
  currency text not null,
  -- What the chain says of the wallets that all operators share, in minor units.
  found bigint not null check (found >= 0),
  -- What the books of all operators say together.
  expected bigint not null,
  -- The sum of all differences that two people have accepted.
  accepted bigint not null,
  -- What the wallets have beyond both; negative: what they lack. Money in progress explains the rest.
  difference bigint not null,
  -- How far another reading may be above and below a difference that two people agree to, and be the same. 0 for tokens.
  dust bigint not null default 0 check (dust >= 0),
  rent bigint not null default 0 check (rent >= 0),
  -- The blocks between which the balances were read.
  first_height bigint not null,
  last_height bigint not null,
  -- The acceptance of the difference of the row before, to within its dust and rent. Null: a reading.
  acceptance_id uuid references shared_acceptance constraint shared_balance_accepted_once unique,
  at timestamptz not null default clock_timestamp(),
  constraint shared_balance_accepted check (acceptance_id is null or difference = 0)
);
comment on table shared_balance is 'What wallets shared by all operators had of a coin, and what remained after an acceptance.';
create index shared_balance_latest on shared_balance (chain, currency, place desc);
create function guard_shared_balance() returns trigger language plpgsql as $$
declare
  agreed bigint := 0;
  last shared_balance;
begin
  select * into last from shared_balance where chain = new.chain and currency = new.currency order by place desc limit 1;
  if new.acceptance_id is not null then
    select difference into agreed from shared_acceptance
      where id = new.acceptance_id and chain = new.chain and currency = new.currency and state = 'confirmed'
        and last.difference <> 0 and last.difference - difference between - last.rent and last.dust;
  end if;
  if new.accepted is distinct from coalesce(last.accepted, 0) + agreed then
    raise exception 'two people accept a difference' using errcode = 'restrict_violation', constraint = 'shared_balance_agrees';
  end if;
  return new;
end $$;
create trigger shared_balance_guarded before insert on shared_balance for each row execute function guard_shared_balance();
create trigger shared_balance_immutable before update or delete on shared_balance for each row execute function refuse_change();
create trigger shared_balance_not_truncated before truncate on shared_balance for each statement execute function refuse_change();
