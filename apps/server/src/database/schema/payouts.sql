-- Payouts: transfers that a provider makes for withdrawals (WD-2, docs/adr/0014-payments-refunds-disputes.md).

create table payout_transition (
  -- Null: the state in which a payout may begin.
  from_state text,
  to_state text not null,
  unique nulls not distinct (from_state, to_state)
);
comment on table payout_transition is 'The allowed moves between payout states.';
insert into payout_transition (from_state, to_state) values
  -- A provider can report a payout that the cashier never requested.
  (null, 'requested'), (null, 'accepted'), (null, 'paid'), (null, 'declined'),
  ('requested', 'accepted'), ('requested', 'paid'), ('requested', 'declined'),
  ('accepted', 'paid'), ('accepted', 'declined'),
  -- The provider paid although the held amount went back to the user. Staff decide.
  ('declined', 'paid'),
  ('paid', 'returned');
create trigger payout_transition_not_truncated before truncate on payout_transition
  for each statement execute function refuse_change();

create table payout (
  id uuid not null,
  operator_id text not null references operator,
  withdrawal_id uuid not null,
  provider text not null,
  -- The provider's reference. Null: not known yet.
  provider_ref text,
  -- The amount that the user receives, in minor units.
  currency text not null,
  amount bigint not null check (amount > 0),
  -- requested: the provider may have received the request. accepted: the provider confirmed the request. returned:
  -- the money was paid and came back.
  state text not null check (state in ('requested', 'accepted', 'paid', 'declined', 'returned')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, withdrawal_id) references withdrawal (operator_id, id),
  constraint payout_provider_ref_once unique (operator_id, provider, provider_ref)
);
comment on table payout is 'One transfer of money by a provider for a withdrawal.';
-- A withdrawal has at most one payout that is not declined, so that it is paid once.
create unique index payout_once on payout (operator_id, withdrawal_id) where state <> 'declined';
create index payout_of_withdrawal on payout (operator_id, withdrawal_id);

create function guard_payout() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and ((new.id, new.operator_id, new.withdrawal_id, new.provider, new.currency, new.amount, new.created_at)
      is distinct from (old.id, old.operator_id, old.withdrawal_id, old.provider, old.currency, old.amount, old.created_at)
    or (old.provider_ref is not null and new.provider_ref is distinct from old.provider_ref)) then
    raise exception 'a payout has immutable columns' using errcode = 'restrict_violation', constraint = 'payout_immutable';
  end if;
  if (tg_op = 'INSERT' or new.state <> old.state) and not exists (select 1 from payout_transition
      where from_state is not distinct from case when tg_op = 'UPDATE' then old.state end and to_state = new.state) then
    raise exception 'a payout does not go to %', new.state using errcode = 'check_violation', constraint = 'payout_transition_allowed';
  end if;
  new.updated_at := now();
  return new;
end $$;
create trigger payout_guarded before insert or update on payout for each row execute function guard_payout();
create trigger payout_kept before delete on payout for each row execute function refuse_change();
create trigger payout_not_truncated before truncate on payout for each statement execute function refuse_change();

-- The broken rule between a withdrawal and its payout; null: none. Checked at each commit, and by the audit.
create function payout_fault(one withdrawal) returns text language plpgsql stable
-- As for a journal: see journal_fault.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  wanted text := (select live_payout from withdrawal_state where state = one.state);
  live payout;
begin
  select * into live from payout where operator_id = one.operator_id and withdrawal_id = one.id and state <> 'declined';
  if live.state is distinct from wanted then return 'payout_agrees'; end if;
  if live.id is not null and (live.provider, live.provider_ref, live.currency, live.amount) is distinct from (one.provider,
      one.provider_ref, coalesce(one.payout_currency, one.currency), coalesce(one.payout_amount, one.amount - one.fee)) then
    return 'payout_agrees';
  end if;
  if live.state in ('paid', 'returned') and not exists (select 1 from withdrawal_event
      where withdrawal_id = one.id and status = 'applied' and reported = 'paid' and paid = live.amount
        and currency = live.currency) then
    return 'payout_reported';
  end if;
  -- Each of these states books a journal. The rule of the hold already asks for the journal of `paid`.
  if exists (select 1 from (values ('returned', 'withdrawal_return'), ('late_paid', 'withdrawal_late_paid'),
      ('late_settled', 'withdrawal_late_paid'), ('late_settled', 'withdrawal_late_settled'),
      ('late_returned', 'withdrawal_late_paid'), ('late_returned', 'withdrawal_late_returned')) as books (state, kind)
    where books.state = one.state
      -- A day earlier, because the clock of another database server may be behind.
      and not exists (select 1 from known_journal where operator_id = one.operator_id and id >= time_id_at(one.created_at - interval '1 day')
        and withdrawal_id = one.id and known_journal.kind = books.kind)) then
    return 'payout_booked';
  end if;
  return null;
end $$;

create function check_payout() returns trigger language plpgsql as $$
declare
  fault text;
begin
  select payout_fault(withdrawal) into fault from withdrawal
  where operator_id = new.operator_id and id = (to_jsonb(new) ->> tg_argv[0])::uuid;
  if fault is not null then
    raise exception 'withdrawal % and its payout disagree', to_jsonb(new) ->> tg_argv[0]
      using errcode = 'check_violation', constraint = fault;
  end if;
  return null;
end $$;
-- Checked at the commit, so that both rows may be written in either order.
create constraint trigger payout_agrees after insert or update on payout
  deferrable initially deferred for each row execute function check_payout('withdrawal_id');
create constraint trigger withdrawal_payout_agrees after insert or update of state, provider_ref on withdrawal
  deferrable initially deferred for each row execute function check_payout('id');
