-- Payouts of coins from hot wallets (WD-2, docs/adr/0034-external-signer.md). Nothing here is money: the ledger moves by reports alone.

create table coin_payout_transition (
  from_state text not null,
  to_state text not null,
  primary key (from_state, to_state)
);
comment on table coin_payout_transition is 'The allowed moves between the states of a coin payout.';
insert into coin_payout_transition (from_state, to_state) values
  ('queued', 'prepared'), ('queued', 'declined'),
  ('prepared', 'signed'), ('prepared', 'refused'),
  -- A block has its transaction, although the signer's answer was lost.
  ('prepared', 'confirmed'), ('prepared', 'failed'),
  -- Its transaction has certainly expired (guard_coin_payout).
  ('prepared', 'queued'), ('signed', 'queued'), ('broadcast', 'queued'), ('seen', 'queued'),
  ('signed', 'broadcast'), ('signed', 'seen'), ('signed', 'confirmed'), ('signed', 'failed'), ('signed', 'displaced'),
  ('broadcast', 'seen'), ('broadcast', 'confirmed'), ('broadcast', 'failed'), ('broadcast', 'displaced'),
  -- A reorganisation takes a transaction out of its block.
  ('seen', 'broadcast'), ('seen', 'confirmed'), ('seen', 'failed'), ('seen', 'displaced'),
  -- Staff let the signer be asked again, for the same slot or for a new one.
  ('refused', 'prepared'), ('refused', 'queued'), ('refused', 'declined'), ('refused', 'confirmed'),
  ('displaced', 'declined'), ('displaced', 'confirmed');
create trigger coin_payout_transition_not_truncated before truncate on coin_payout_transition
  for each statement execute function refuse_change();

create table coin_wallet (
  chain text not null,
  -- The address that pays.
  wallet text not null,
  -- One node of the cashier works on a wallet at a time.
  next_at timestamptz not null default '-infinity',
  -- When a signer last answered, and since when it does not. Null: never, and it answers.
  answered_at timestamptz,
  silent_since timestamptz,
  -- It has less of a coin than the settings want.
  is_low boolean not null default false,
  -- Why the nodes are not believed, so that no payout begins, and since when. Null: nothing speaks against them.
  doubt text check (doubt in ('node-behind', 'nodes-disagree', 'used-elsewhere')),
  doubted_since timestamptz,
  -- The first nonce or seqno that no block has spent, for the node that names the smallest one. Staff accept nothing from there on.
  doubt_next numeric check (doubt_next >= 0),
  -- The first nonce or seqno after those that staff accepted as used elsewhere (coin_wallet_acceptance). Null: nothing was accepted.
  accepted_slot numeric(78) check (accepted_slot >= 0),
  primary key (chain, wallet),
  constraint coin_wallet_doubted check ((doubt is null) = (doubted_since is null)
    and (doubt is not distinct from 'used-elsewhere') = (doubt_next is not null))
);
comment on table coin_wallet is 'The hot wallets that pay coins out, for all operators.';

-- One person proposes to accept that a wallet was used elsewhere, and another confirms it.
create table coin_wallet_acceptance (
  id uuid primary key default time_id(clock_timestamp()),
  -- The order of the proposals of a wallet. It is given under the lock of the wallet. Ids follow clocks, and clocks of servers differ.
  place bigint generated always as identity,
  chain text not null,
  wallet text not null,
  -- The nonce or seqno of the wallet's next transaction, as staff read it from the chain.
  slot numeric(78) not null check (slot >= 0),
  -- What the first person saw: why no payout begins, since when, the number that the nodes named, and what was accepted last. Null: nothing.
  doubt text,
  doubted_since timestamptz,
  doubt_next numeric,
  slot_before numeric(78),
  -- What the transactions are that the cashier does not know.
  reason text not null,
  state text not null default 'proposed' check (state in ('proposed', 'confirmed', 'rejected')),
  proposed_by text not null,
  proposed_at timestamptz not null default now(),
  -- The cashier rejects a proposal whose wallet has changed, when somebody makes another one.
  decided_by text,
  decided_at timestamptz,
  foreign key (chain, wallet) references coin_wallet,
  constraint coin_wallet_acceptance_decided check (num_nulls(decided_by, decided_at) = case state when 'proposed' then 2 else 0 end),
  -- Nobody accepts transactions that are not on the chain yet. Without such a doubt, a number gets lower.
  constraint coin_wallet_acceptance_bounded check (coalesce(slot <= doubt_next, slot < slot_before, false)),
  constraint coin_wallet_acceptance_by_two check (state <> 'confirmed' or lower(decided_by) <> lower(proposed_by))
);
comment on table coin_wallet_acceptance is 'Proposals of one person to accept that a hot wallet was used elsewhere, and who decided.';
create unique index coin_wallet_acceptance_waits_once on coin_wallet_acceptance (chain, wallet) where state = 'proposed';
create index coin_wallet_acceptance_newest on coin_wallet_acceptance (chain, wallet, place desc);
create function guard_coin_wallet_acceptance() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'proposed' then
      raise exception 'an acceptance begins as a proposal' using errcode = 'restrict_violation',
        constraint = 'coin_wallet_acceptance_proposed_first';
    end if;
  elsif old.state <> 'proposed'
      or (new.id, new.place, new.chain, new.wallet, new.slot, new.doubt, new.doubted_since, new.doubt_next, new.slot_before, new.reason,
        new.proposed_by, new.proposed_at)
      is distinct from
        (old.id, old.place, old.chain, old.wallet, old.slot, old.doubt, old.doubted_since, old.doubt_next, old.slot_before, old.reason,
        old.proposed_by, old.proposed_at) then
    raise exception 'an acceptance is decided once' using errcode = 'restrict_violation', constraint = 'coin_wallet_acceptance_immutable';
  end if;
  return new;
end $$;
create trigger coin_wallet_acceptance_guarded before insert or update on coin_wallet_acceptance
  for each row execute function guard_coin_wallet_acceptance();
create trigger coin_wallet_acceptance_kept before delete on coin_wallet_acceptance for each row execute function refuse_change();
create trigger coin_wallet_acceptance_not_truncated before truncate on coin_wallet_acceptance
  for each statement execute function refuse_change();

-- A wallet continues with an accepted number only by its newest confirmed acceptance, and only from the state that two people saw.
create function guard_coin_wallet() returns trigger language plpgsql as $$
declare
  before coin_wallet;
  agreed coin_wallet_acceptance;
begin
  if tg_op = 'UPDATE' then
    before := old;
  end if;
  if new.accepted_slot is not distinct from before.accepted_slot then
    return new;
  end if;
  select * into agreed from coin_wallet_acceptance where chain = new.chain and wallet = new.wallet and state = 'confirmed'
    order by place desc limit 1;
  if (agreed.slot, agreed.slot_before, agreed.doubt, agreed.doubted_since, agreed.doubt_next)
      is distinct from (new.accepted_slot, before.accepted_slot, before.doubt, before.doubted_since, before.doubt_next) then
    raise exception 'two people accept the use of a hot wallet' using errcode = 'restrict_violation', constraint = 'coin_wallet_accepted';
  end if;
  return new;
end $$;
create trigger coin_wallet_guarded before insert or update on coin_wallet for each row execute function guard_coin_wallet();

create table coin_payout (
  operator_id text not null references operator,
  withdrawal_id uuid not null,
  chain text not null,
  wallet text not null,
  coin text not null,
  -- '' for the chain's own coin.
  contract text not null,
  address text not null,
  -- The amount in minor units of the ledger, and in the asset's smallest unit.
  minor bigint not null check (minor > 0),
  raw numeric(78) not null check (raw > 0),
  state text not null default 'queued' check (state in ('queued', 'prepared', 'signed', 'broadcast', 'seen', 'confirmed', 'failed',
    'refused', 'displaced', 'declined')),
  -- Why it waits or is being checked. Letters, digits and hyphens.
  reason text,
  -- The transaction that the chain took, and what it cost, in the smallest unit of the chain's coin.
  hash text,
  fee numeric(78),
  -- The fee as the ledger has it: the chain's coin, its minor units, and since when. 0: the network took nothing. Null: not booked.
  fee_coin text,
  fee_minor bigint check (fee_minor >= 0),
  fee_booked_at timestamptz,
  created_at timestamptz not null default now(),
  -- When its slot was reserved. It counts for the limits from then on.
  prepared_at timestamptz,
  -- When its end was reported to the payment. Null: not yet.
  reported_at timestamptz,
  primary key (operator_id, withdrawal_id),
  foreign key (operator_id, withdrawal_id) references withdrawal (operator_id, id),
  constraint coin_payout_fee_booked check (num_nonnulls(fee_coin, fee_minor, fee_booked_at) in (0, 3)
    and (fee_booked_at is null or (fee is not null and hash is not null and state in ('confirmed', 'failed'))))
);
comment on table coin_payout is 'One payout on a chain: what it pays to whom, and how far it has come.';
create index coin_payout_open on coin_payout (chain, wallet, created_at) where reported_at is null;
create index coin_payout_fee_open on coin_payout (chain, wallet, created_at)
  where fee_booked_at is null and state in ('confirmed', 'failed');
create index coin_payout_newest on coin_payout (chain, wallet, prepared_at) where prepared_at is not null;
create index coin_payout_spent on coin_payout (operator_id, coin, prepared_at) where prepared_at is not null;

create table coin_payout_decision (
  operator_id text not null,
  withdrawal_id uuid not null,
  id uuid not null default time_id(),
  decision text not null check (decision in ('again', 'release', 'decline', 'paid')),
  -- How the payout stood, and the reason that it had. Null: none.
  state text not null,
  reason text,
  -- Whether staff said that they have looked the other transaction up, and the one that they named as the payment. Null: none.
  has_looked boolean not null default false,
  hash text,
  by text not null,
  at timestamptz not null default now(),
  primary key (operator_id, withdrawal_id, id),
  foreign key (operator_id, withdrawal_id) references coin_payout
);
comment on table coin_payout_decision is 'What staff have decided about coin payouts that were being checked, kept for ever.';
create trigger coin_payout_decision_immutable before update or delete on coin_payout_decision for each row execute function refuse_change();
create trigger coin_payout_decision_not_truncated before truncate on coin_payout_decision for each statement execute function refuse_change();

create table coin_slot (
  chain text not null,
  wallet text not null,
  -- What a chain lets a wallet spend only once: a nonce, an output as txid:index, or a whole transaction by its hash.
  slot text not null,
  operator_id text not null,
  withdrawal_id uuid not null,
  -- The signer refused the payout, so that another one may use the slot.
  is_released boolean not null default false,
  primary key (chain, wallet, slot, operator_id, withdrawal_id),
  foreign key (operator_id, withdrawal_id) references coin_payout
);
comment on table coin_slot is 'The nonces, outputs or transactions that payouts have reserved. One slot pays once.';
create unique index coin_slot_once on coin_slot (chain, wallet, slot) where not is_released;
create index coin_slot_payout on coin_slot (operator_id, withdrawal_id);

create table coin_transaction (
  operator_id text not null,
  withdrawal_id uuid not null,
  -- 1, and one more for each replacement by a higher fee, or for each transaction after one that has expired.
  version int not null check (version between 1 and 100000),
  -- In the chain's own form, as the signer gets it.
  unsigned text not null,
  -- The fee by which the next replacement is measured, and the most that this one can cost.
  fee_rate numeric(78) not null,
  most_fee numeric(78) not null,
  -- Both are stored before the bytes are sent.
  hash text,
  signed text,
  created_at timestamptz not null default now(),
  -- Who took it first to sign it by file, and with which API key. Null: nobody, and the command line.
  taken_by text,
  taken_key text,
  taken_at timestamptz,
  -- Who gave the signed transaction as a file, and with which API key. Null: a signer on the network or nobody, and the command line.
  given_by text,
  given_key text,
  sent_at timestamptz,
  -- When the chain stops to take it, and when it was proven that no block has it or can have it. Null: never, and not yet.
  expires_at timestamptz,
  expired_at timestamptz,
  primary key (operator_id, withdrawal_id, version),
  foreign key (operator_id, withdrawal_id) references coin_payout,
  constraint coin_transaction_signed check ((hash is null) = (signed is null)),
  constraint coin_transaction_expired check (expired_at is null or expires_at is not null),
  constraint coin_transaction_by_two check (given_by is null
    or (hash is not null and taken_by is not null and lower(given_by) <> lower(taken_by)))
);
comment on table coin_transaction is 'The transactions of a coin payout. The chain takes one of them at most.';

create table coin_transaction_take (
  operator_id text not null,
  withdrawal_id uuid not null,
  version int not null,
  id uuid not null default time_id(),
  by text not null,
  -- The API key that asked. Null: the command line.
  key_id text,
  at timestamptz not null default now(),
  primary key (operator_id, withdrawal_id, version, id),
  foreign key (operator_id, withdrawal_id, version) references coin_transaction
);
comment on table coin_transaction_take is 'Who has taken a transaction to sign it by file: the first time of each person and API key.';
-- Clients ask again and again what waits, so only the first time of each is kept.
create unique index coin_transaction_take_once on coin_transaction_take
  (operator_id, withdrawal_id, version, lower(by), coalesce(key_id, ''));
create trigger coin_transaction_take_immutable before update or delete on coin_transaction_take for each row execute function refuse_change();
create trigger coin_transaction_take_not_truncated before truncate on coin_transaction_take for each statement execute function refuse_change();

-- Transactions that expire have no slot in common. So a payout has one of them that a block may still take.
create unique index coin_transaction_live on coin_transaction (operator_id, withdrawal_id)
  where expires_at is not null and expired_at is null;

create function guard_coin_payout() returns trigger language plpgsql as $$
begin
  if (new.operator_id, new.withdrawal_id, new.chain, new.wallet, new.coin, new.contract, new.address, new.minor, new.raw)
      is distinct from (old.operator_id, old.withdrawal_id, old.chain, old.wallet, old.coin, old.contract, old.address, old.minor,
      old.raw) then
    raise exception 'a coin payout has immutable columns' using errcode = 'restrict_violation', constraint = 'coin_payout_immutable';
  end if;
  if old.fee_booked_at is not null and (new.hash, new.fee, new.fee_coin, new.fee_minor, new.fee_booked_at)
      is distinct from (old.hash, old.fee, old.fee_coin, old.fee_minor, old.fee_booked_at) then
    raise exception 'the fee of a coin payout is booked' using errcode = 'restrict_violation', constraint = 'coin_payout_immutable';
  end if;
  if new.state <> old.state and not exists (select 1 from coin_payout_transition
      where from_state = old.state and to_state = new.state) then
    raise exception 'a coin payout does not go from % to %', old.state, new.state
      using errcode = 'check_violation', constraint = 'coin_payout_transition_allowed';
  end if;
  if new.state = 'queued' and old.state not in ('queued', 'refused') and exists (select 1 from coin_transaction
      where operator_id = old.operator_id and withdrawal_id = old.withdrawal_id and expired_at is null) then
    raise exception 'a block may still take a transaction of this coin payout'
      using errcode = 'check_violation', constraint = 'coin_payout_expired';
  end if;
  return new;
end $$;
create trigger coin_payout_guarded before update on coin_payout for each row execute function guard_coin_payout();
create trigger coin_payout_kept before delete on coin_payout for each row execute function refuse_change();
create trigger coin_payout_not_truncated before truncate on coin_payout for each statement execute function refuse_change();

-- Signed bytes may be on their way. Nothing replaces them.
create function guard_coin_transaction() returns trigger language plpgsql as $$
begin
  if (new.unsigned, new.fee_rate, new.most_fee, new.expires_at)
        is distinct from (old.unsigned, old.fee_rate, old.most_fee, old.expires_at)
      or (old.expired_at is not null and new.expired_at is distinct from old.expired_at)
      or (old.hash is not null and (new.hash, new.signed, new.given_by, new.given_key)
        is distinct from (old.hash, old.signed, old.given_by, old.given_key))
      or (old.taken_by is not null and (new.taken_by, new.taken_key, new.taken_at)
        is distinct from (old.taken_by, old.taken_key, old.taken_at)) then
    raise exception 'a transaction has immutable columns' using errcode = 'restrict_violation', constraint = 'coin_transaction_immutable';
  end if;
  -- The rows of takes came after the columns of the first one: coin_transaction_by_two is the rule for that.
  if old.given_by is null and exists (select 1 from coin_transaction_take take where take.operator_id = new.operator_id
      and take.withdrawal_id = new.withdrawal_id and take.version = new.version and lower(take.by) = lower(new.given_by)) then
    raise exception 'who took a transaction never gives it' using errcode = 'check_violation', constraint = 'coin_transaction_by_two';
  end if;
  return new;
end $$;
create trigger coin_transaction_guarded before update on coin_transaction for each row execute function guard_coin_transaction();
create trigger coin_transaction_kept before delete on coin_transaction for each row execute function refuse_change();
create trigger coin_transaction_not_truncated before truncate on coin_transaction for each statement execute function refuse_change();
