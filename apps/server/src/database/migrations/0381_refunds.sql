-- A credited deposit that its operator sends back (SRV-1): held on the user's account first, asked of the provider then, booked
-- when the money has left.
insert into deposit_transition (from_state, to_state) values ('credited', 'refunded');

create table deposit_refund (
  -- Names the hold, and is the key towards the provider.
  id uuid primary key default gen_random_uuid(),
  operator_id text not null references operator,
  -- The operator's own key: a repeat of it asks for nothing more.
  refund_id uuid not null,
  deposit_id uuid not null references deposit,
  amount bigint not null check (amount > 0),
  currency text not null,
  reason text,
  staff text not null,
  -- asked: the provider may or may not have it; accepted: it has; both hold the money.
  state text not null check (state in ('asked', 'accepted', 'declined', 'refunded')),
  -- When the provider is asked again; null: never.
  check_at timestamptz,
  checks int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint deposit_refund_key_once unique (operator_id, refund_id)
);
-- Once per deposit; what the provider declined may be asked for anew.
create unique index deposit_refund_once on deposit_refund (deposit_id) where state <> 'declined';
create index deposit_refund_due on deposit_refund (check_at) where check_at is not null;

create function guard_refund() returns trigger language plpgsql as $$
begin
  if (new.id, new.operator_id, new.refund_id, new.deposit_id, new.amount, new.currency, new.created_at)
    is distinct from (old.id, old.operator_id, old.refund_id, old.deposit_id, old.amount, old.currency, old.created_at)
    or (old.state in ('declined', 'refunded') and new.state <> old.state)
    or (old.state = 'accepted' and new.state = 'asked') then
    raise exception 'a refund does not go from % to %', old.state, new.state
      using errcode = 'check_violation', constraint = 'deposit_refund_moves';
  end if;
  new.updated_at := now();
  return new;
end $$;
create trigger deposit_refund_guarded before update on deposit_refund for each row execute function guard_refund();
create trigger deposit_refund_kept before delete on deposit_refund for each row execute function refuse_change();
