-- Money between the ledger and the operator's own wallet (docs/adr/0024-whose-balance-counts.md).

create table operator_wallet_call (
  operator_id text not null references operator,
  -- The idempotency key at the wallet, the same in every try. It begins with the time of created_at.
  id uuid not null default time_id(),
  type text not null check (type in ('debit', 'credit', 'release')),
  reason text not null,
  user_id text not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  deposit_id uuid,
  withdrawal_id uuid,
  -- Of a release: the debit whose amount goes back.
  debit_id uuid,
  -- The money has left already, whatever the user's balance is.
  is_forced boolean not null default false,
  -- Of a claim of a debt: the freeze of the account that this claim, or an earlier one, has caused. It ends when its debts are paid.
  frozen_since timestamptz,
  -- What goes on when a debit is done: the refund that staff asked for.
  request jsonb,
  -- waiting: its row in operator_wallet_queue says when the wallet is asked. booked: nobody is asked, because the operator only passes
  -- deposits through.
  state text not null check (state in ('waiting', 'done', 'declined', 'booked')),
  -- Of the wallet's answer.
  transaction_id text,
  balance bigint,
  code text,
  message text,
  created_at timestamptz not null default now(),
  known_at timestamptz,
  primary key (operator_id, id),
  constraint operator_wallet_call_of_one_payment check (num_nonnulls(deposit_id, withdrawal_id) = 1),
  constraint operator_wallet_call_freeze check (frozen_since is null or is_forced),
  constraint operator_wallet_call_known check ((known_at is null) = (state = 'waiting')),
  -- What a user owns is never declined.
  constraint operator_wallet_call_declined check (state <> 'declined' or (type = 'debit' and code is not null))
) partition by range (id);
comment on table operator_wallet_call is 'Each movement of a user''s money between the ledger and the operator''s wallet, and what the wallet answered.';
create index operator_wallet_call_of_deposit on operator_wallet_call (operator_id, deposit_id) where deposit_id is not null;
create index operator_wallet_call_of_withdrawal on operator_wallet_call (operator_id, withdrawal_id) where withdrawal_id is not null;
-- The claims of a user's debts.
create index operator_wallet_call_forced on operator_wallet_call (operator_id, user_id, currency) where is_forced;

-- A call changes once, when its outcome is known.
create function guard_wallet_call() returns trigger language plpgsql as $$
begin
  if old.state <> 'waiting' or new.state not in ('done', 'declined')
    or (new.operator_id, new.id, new.type, new.reason, new.user_id, new.currency, new.amount, new.deposit_id, new.withdrawal_id,
        new.debit_id, new.is_forced, new.frozen_since, new.request, new.created_at)
      is distinct from (old.operator_id, old.id, old.type, old.reason, old.user_id, old.currency, old.amount, old.deposit_id,
        old.withdrawal_id, old.debit_id, old.is_forced, old.frozen_since, old.request, old.created_at) then
    raise exception 'a call to a wallet changes once, when its outcome is known'
      using errcode = 'restrict_violation', constraint = 'operator_wallet_call_immutable';
  end if;
  return new;
end $$;
create trigger operator_wallet_call_guarded before update on operator_wallet_call for each row execute function guard_wallet_call();
create trigger operator_wallet_call_kept before delete on operator_wallet_call for each row execute function refuse_change();
create trigger operator_wallet_call_not_truncated before truncate on operator_wallet_call
  for each statement execute function refuse_change();

-- What waits is apart from what is known. So the queue stays as small as the work.
create table operator_wallet_queue (
  operator_id text not null,
  -- Without a foreign key, which would lock and write the call once more.
  call_id uuid not null,
  -- The deposit or withdrawal. Its calls are asked one after the other.
  payment_id uuid not null,
  -- How often the call was sent without a known outcome. A call that a paused wallet did not get is not counted.
  tries int not null default 0,
  due_at timestamptz not null default now(),
  -- Why the outcome of the last try is unknown.
  why text,
  primary key (operator_id, call_id)
);
comment on table operator_wallet_queue is 'Calls to operators'' wallets whose outcome is unknown, a row for each waiting call.';
-- Due work, by operator, so that a wallet that hangs delays only its own calls.
create index operator_wallet_queue_due on operator_wallet_queue (operator_id, due_at);
create index operator_wallet_queue_of_payment on operator_wallet_queue (operator_id, payment_id, call_id);
