-- Payouts to a card by refunds of the payments that the card made (WD-2), and the cards that paid.

create table paid_card (
  -- The user chooses the card by this id.
  id uuid not null default gen_random_uuid(),
  operator_id text not null references operator,
  user_id text not null,
  provider text not null,
  -- The connection whose payments the card made. Null: the account in the settings of the server.
  connection_id uuid,
  -- The provider's own id of the card, which is not its number.
  provider_card text not null,
  -- Shown to the user.
  brand text not null,
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  created_at timestamptz not null default now(),
  primary key (operator_id, id),
  constraint paid_card_once unique nulls not distinct (operator_id, user_id, provider, connection_id, provider_card)
);
comment on table paid_card is 'A card that paid deposits of a user, by its brand and its last four digits.';

create table payment_card (
  operator_id text not null,
  payment_id uuid not null,
  card_id uuid not null,
  primary key (operator_id, payment_id),
  foreign key (operator_id, payment_id) references payment (operator_id, id),
  foreign key (operator_id, card_id) references paid_card (operator_id, id)
);
comment on table payment_card is 'The card by which a payment was made, where the provider reports it.';
create index payment_of_card on payment_card (operator_id, card_id);
create trigger payment_card_immutable before update or delete on payment_card for each row execute function refuse_change();
create trigger payment_card_not_truncated before truncate on payment_card for each statement execute function refuse_change();

create table payout_refund (
  -- Also the idempotency key at the provider. Stored before the provider is called, so that its reports are told apart from others.
  id uuid not null,
  operator_id text not null references operator,
  withdrawal_id uuid not null,
  payment_id uuid not null,
  -- Minor units of the payment's currency.
  amount bigint not null check (amount > 0),
  -- planned: the provider may have made the refund. declined: the provider certainly sends nothing by it.
  state text not null default 'planned' check (state in ('planned', 'declined')),
  -- The order in which the provider makes the refunds of a withdrawal.
  position int not null check (position > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, withdrawal_id) references withdrawal (operator_id, id),
  foreign key (operator_id, payment_id) references payment (operator_id, id),
  constraint payout_refund_in_order unique (operator_id, withdrawal_id, position)
);
comment on table payout_refund is 'One refund of a payment by which a withdrawal is paid out to the card.';
create index payout_refund_of_payment on payout_refund (operator_id, payment_id);

-- The part of a payment that payouts use, in minor units. A payout whose hold went back to the user, or whose money came back, uses none.
create function paid_out_of(operator text, payment uuid) returns bigint language sql stable as $$
  select coalesce(sum(payout_refund.amount), 0)::bigint from payout_refund
    join withdrawal on withdrawal.operator_id = payout_refund.operator_id and withdrawal.id = payout_refund.withdrawal_id
  where payout_refund.operator_id = operator and payout_refund.payment_id = payment and payout_refund.state = 'planned'
    and withdrawal.state not in ('declined', 'cancelled', 'expired', 'refused', 'returned', 'late_returned');
$$;

-- What can still be refunded of a payment, in minor units. `leftOf` in core is the same rule.
create function rest_of_payment(operator text, payment uuid) returns bigint language sql stable as $$
  select one.amount - paid_out_of(operator, payment)
    - (select coalesce(sum(refund.amount), 0) from refund
       where refund.operator_id = operator and refund.payment_id = payment and refund.state <> 'declined')
    - (select coalesce(sum(dispute.amount), 0) from dispute
       where dispute.operator_id = operator and dispute.deposit_id = one.deposit_id and dispute.payment_id = payment)
  from payment one where one.operator_id = operator and one.id = payment;
$$;

create function guard_payout_refund() returns trigger language plpgsql as $$
declare
  of_withdrawal withdrawal;
  of_payment payment;
begin
  if tg_op = 'UPDATE' then
    if (new.id, new.operator_id, new.withdrawal_id, new.payment_id, new.amount, new.position, new.created_at) is distinct from
        (old.id, old.operator_id, old.withdrawal_id, old.payment_id, old.amount, old.position, old.created_at)
      or (old.state = 'declined' and new.state <> 'declined') then
      raise exception 'a refund of a payout has immutable columns'
        using errcode = 'restrict_violation', constraint = 'payout_refund_immutable';
    end if;
    new.updated_at := now();
    return new;
  end if;
  select * into of_withdrawal from withdrawal where operator_id = new.operator_id and id = new.withdrawal_id;
  select * into of_payment from payment where operator_id = new.operator_id and id = new.payment_id;
  if of_payment.state is distinct from 'credited' or of_payment.origin <> 'deposit' or of_payment.currency <> of_withdrawal.currency
    or of_withdrawal.payout_currency is not null or of_payment.provider <> of_withdrawal.provider
    or not exists (select 1 from deposit where operator_id = new.operator_id and id = of_payment.deposit_id
      and user_id = of_withdrawal.user_id and connection_id is not distinct from of_withdrawal.connection_id) then
    raise exception 'a payout refunds only a payment of the same user, currency and connection'
      using errcode = 'check_violation', constraint = 'payout_refund_of_own_payment';
  end if;
  if new.amount > rest_of_payment(new.operator_id, new.payment_id) then
    raise exception 'a payout refunds no more than the rest of the payment'
      using errcode = 'check_violation', constraint = 'payout_refund_within_rest';
  end if;
  return new;
end $$;
create trigger payout_refund_guarded before insert or update on payout_refund
  for each row execute function guard_payout_refund();
create trigger payout_refund_kept before delete on payout_refund for each row execute function refuse_change();
create trigger payout_refund_not_truncated before truncate on payout_refund for each statement execute function refuse_change();

-- A version of the cashier that does not know payouts by refund cannot refund the same money a second time.
create function refuse_refund_of_paid_out() returns trigger language plpgsql as $$
begin
  if new.origin = 'operator' and paid_out_of(new.operator_id, new.payment_id) > 0 then
    raise exception 'a part of the payment was paid out to its card'
      using errcode = 'check_violation', constraint = 'refund_not_paid_out';
  end if;
  return new;
end $$;
create trigger refund_not_paid_out before insert on refund for each row execute function refuse_refund_of_paid_out();
