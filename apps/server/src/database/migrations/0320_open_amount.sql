-- Deposits whose payer decides how much, such as coins sent to an address (CRY-1): the amount is the least that is credited.
alter table deposit add column open_amount boolean not null default false;
-- What the provider has seen of the payment so far, for display: nothing is credited from it.
alter table deposit add column received bigint check (received > 0);

-- As before, with `open_amount` among what a deposit means.
create or replace function guard_deposit() returns trigger language plpgsql as $$
begin
  if (new.id, new.operator_id, new.user_id, new.client_key, new.fingerprint, new.payment_method, new.provider, new.currency,
      new.amount, new.open_amount, new.created_at)
    is distinct from (old.id, old.operator_id, old.user_id, old.client_key, old.fingerprint, old.payment_method, old.provider,
      old.currency, old.amount, old.open_amount, old.created_at)
    or (old.provider_ref is not null and new.provider_ref is distinct from old.provider_ref) then
    raise exception 'what a deposit means never changes' using errcode = 'restrict_violation', constraint = 'deposit_immutable';
  end if;
  if new.state <> old.state then
    if not exists (select 1 from deposit_transition where from_state = old.state and to_state = new.state) then
      raise exception 'a deposit does not go from % to %', old.state, new.state
        using errcode = 'check_violation', constraint = 'deposit_transition_allowed';
    end if;
    new.rank := (select rank from deposit_state where state = new.state);
  end if;
  if new.rank < old.rank or (new.state = old.state and new.rank <> old.rank) then
    raise exception 'the rank of a deposit only rises' using errcode = 'check_violation', constraint = 'deposit_rank_rises';
  end if;
  new.updated_at := now();
  return new;
end $$;
