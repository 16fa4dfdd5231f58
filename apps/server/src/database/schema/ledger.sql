-- The double-entry ledger (SRV-2). Amounts are integers of the asset's minor unit. Every journal sums to zero.
-- A positive posting raises what the cashier owes to the account's owner. provider_clearing is therefore negative by
-- the amount that providers owe to the cashier.
-- The database enforces these rules. Run the application with its own role, which cannot switch
-- triggers off (docs/operate.md).

create table account (
  operator_id text not null references operator,
  id bigint generated always as identity,
  -- A user, a provider, or '' for the operator's own accounts.
  owner text not null,
  asset text not null,
  kind text not null,
  -- Only on accounts of users. All payments share the other accounts, so a balance there would make payments wait for
  -- each other (2-5 times slower). Those balances are summed on request.
  balance bigint,
  -- Set when a chargeback took money that was already spent. No money may leave the account until the freeze ends.
  frozen_at timestamptz,
  primary key (operator_id, id),
  constraint account_once unique (operator_id, owner, asset, kind),
  constraint account_kind check (kind in (
    -- of a user:
    'user',               -- main balance
    'user_additional',    -- additional balance
    'user_hold',          -- held for a withdrawal or a refund, until the hold is posted or voided
    'bonus',              -- bonus money, which cannot be withdrawn
    'wallet_transit',     -- on its way to the operator's wallet: the user cannot spend it here
    'reversal_debt',      -- what the user owes after a chargeback of money that was already spent; never positive
    -- of a provider:
    'provider_clearing',  -- negative by the amount that the provider owes to the cashier
    'suspense',           -- money that staff must decide about
    -- of the operator:
    'settlement_account', -- what providers have paid to the operator's bank; negative by what is there
    'provider_fee',       -- what providers keep of payments
    'write_off',          -- differences from settlement files that the operator bears or keeps
    'operator_clearing',  -- transfers between the operator and its users
    'bonus_expense',      -- bonus money that was given
    'deposit_fee',        -- fees of deposits
    'withdrawal_fee',     -- fees of withdrawals
    'conversion',         -- withdrawals with a payout in another currency: both amounts meet here
    'coin_issue',         -- coins that were given out
    'coin_play',          -- coins that were staked and won
    'coin_sales',         -- proceeds of sold coin boxes
    'coin_redemption'     -- cost of redeemed sweep coins
  )),
  constraint account_balance_of_users check (
    (balance is not null) = (kind in ('user', 'user_additional', 'user_hold', 'wallet_transit', 'reversal_debt', 'bonus'))),
  constraint account_not_overdrawn check (balance >= 0 or kind = 'reversal_debt'),
  constraint account_debt_not_overpaid check (kind <> 'reversal_debt' or balance <= 0),
  -- Gold coins have no hold and no provider account, so that no program can pay them out.
  constraint account_coins_stay check (case asset
    when 'GC' then kind in ('user', 'coin_issue', 'coin_play')
    when 'SC' then kind in ('user', 'user_hold', 'reversal_debt', 'coin_issue', 'coin_play', 'withdrawal_fee')
    else kind not in ('coin_issue', 'coin_play') and asset not in ('QGC', 'QSC') end)
);
comment on table account is 'A place in the ledger where one asset of one owner is counted.';
create index account_frozen_listed on account (operator_id, frozen_at, id) where frozen_at is not null;
-- Without a condition on the balance: no index then changes with a balance.
create index account_in_debt on account (operator_id, id) where kind = 'reversal_debt';

-- Only the trigger of the postings changes a balance. A new account starts at zero.
create function guard_account() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.balance <> 0 then
      raise exception 'a new account must start at zero' using errcode = 'restrict_violation', constraint = 'account_balance_by_postings';
    end if;
    return new;
  end if;
  if (new.id, new.operator_id, new.owner, new.asset, new.kind)
    is distinct from (old.id, old.operator_id, old.owner, old.asset, old.kind) then
    raise exception 'the owner, asset and kind of an account cannot change'
      using errcode = 'restrict_violation', constraint = 'account_immutable';
  end if;
  if new.balance is distinct from old.balance and pg_trigger_depth() < 2 then
    raise exception 'only postings may change a balance'
      using errcode = 'restrict_violation', constraint = 'account_balance_by_postings';
  end if;
  return new;
end $$;
create trigger account_begins before insert on account for each row when (new.balance <> 0) execute function guard_account();
create trigger account_immutable before update on account for each row execute function guard_account();
create trigger account_kept before delete on account for each row execute function refuse_change();
create trigger account_not_truncated before truncate on account for each statement execute function refuse_change();

create table journal_kind (
  kind text primary key,
  -- May raise the user's available balance.
  credits_user boolean not null default false,
  -- May lower that balance on a frozen account, such as a chargeback or the payment of a debt.
  takes_frozen boolean not null default false,
  -- Starts or ends a hold. No other kind changes held money.
  holds boolean not null default false
);
comment on table journal_kind is 'The kinds of journals and what each may do; a migration adds a kind between disable and enable trigger.';
insert into journal_kind (kind, credits_user, takes_frozen, holds) values
  ('deposit_credit', true, false, false),           -- a deposit is credited
  ('deposit_reversal', false, true, false),         -- a chargeback reverses a deposit
  ('suspense_in', false, false, false),             -- money that staff must decide about arrived
  ('suspense_out', true, false, false),             -- staff decided about that money
  ('hold', false, false, true),                     -- an amount is held for a withdrawal or a refund
  ('hold_end', true, false, true),                  -- the hold is posted (paid out) or voided (returned)
  ('withdrawal_return', true, false, false),        -- a paid withdrawal was returned
  ('withdrawal_late_paid', false, false, false),    -- a provider paid after the hold was released
  ('withdrawal_late_settled', false, true, false),  -- staff decided who bears a late payout
  ('withdrawal_late_returned', false, false, false),  -- a late payout came back before staff decided
  ('operator_transfer', true, false, false),        -- the operator transferred money
  ('wallet_out', false, true, false),               -- a user's money goes to the operator's own wallet
  ('wallet_settled', false, false, false),          -- the wallet has it
  ('wallet_in', true, false, false),                -- the wallet gave a user's money
  ('debt_settlement', false, true, false),          -- staff settled a debt
  ('deposit_fee', false, true, false),              -- the user pays the fee of a credited deposit
  ('debt_payment', false, true, false),             -- a deposit paid a debt
  ('settlement_booking', false, false, false),      -- fees, settlements and differences of settlement files
  ('coin_grant', true, false, false),               -- the operator gave coins
  ('coin_play', true, true, false);                 -- coins were staked and won
create trigger journal_kind_immutable before insert or update or delete on journal_kind
  for each row execute function refuse_change();
create trigger journal_kind_not_truncated before truncate on journal_kind
  for each statement execute function refuse_change();

create table journal (
  operator_id text not null references operator,
  -- Begins with the time of the journal, so that it names the partition.
  id uuid not null default time_id(),
  kind text not null,
  deposit_id uuid,
  withdrawal_id uuid,
  -- The payment of the deposit that the journal books.
  payment_id uuid,
  refund_id uuid,
  dispute_id uuid,
  -- What of the withdrawal it books.
  payout_id uuid,
  -- The booked fact, by its source and the source's reference.
  ext_source text not null,
  ext_ref text not null,
  note text,
  at timestamptz not null default now(),
  primary key (operator_id, id),
  foreign key (operator_id, deposit_id) references deposit (operator_id, id),
  foreign key (operator_id, withdrawal_id) references withdrawal (operator_id, id),
  foreign key (operator_id, payment_id) references payment (operator_id, id),
  foreign key (operator_id, refund_id) references refund (operator_id, id),
  foreign key (operator_id, dispute_id) references dispute (operator_id, id),
  foreign key (operator_id, payout_id) references payout (operator_id, id)
) partition by range (id);
comment on table journal is 'One immutable, balanced movement of money, made of postings.';
-- Finds the journals of a payment, too: a deposit has few.
create index journal_deposit on journal (operator_id, deposit_id) where deposit_id is not null;
create index journal_of_payout on journal (operator_id, payout_id) where payout_id is not null;
create index journal_withdrawal on journal (operator_id, withdrawal_id) where withdrawal_id is not null;
-- The operator's list of chargebacks, newest first.
create index journal_reversals on journal (operator_id, at desc, id desc) where kind = 'deposit_reversal';
create trigger journal_immutable before update or delete on journal for each row execute function refuse_change();
create trigger journal_not_truncated before truncate on journal for each statement execute function refuse_change();

-- What a journal must be the only one for. A unique index of a partitioned table contains the partition's column, so it cannot keep a
-- fact unique for ever. This table can: it has no partitions and no row leaves it.
create table journal_key (
  operator_id text not null,
  source text not null,
  ref text not null,
  kind text not null,
  journal_id uuid not null,
  -- The reference comes first, because payment lookup may not know the source.
  primary key (operator_id, ref, source, kind)
);
comment on table journal_key is 'The journal of each fact. A fact is booked once per kind, however often it is reported.';
-- Finds the keys of a time, for audits and archives. Ids begin with the time and rows come in its order, so this index is tiny.
create index journal_key_by_time on journal_key using brin (journal_id) with (autosummarize = on);
create trigger journal_key_immutable before update or delete on journal_key for each row execute function refuse_change();
-- Rules of deposits and payments rely on these keys.
create trigger journal_key_by_trigger before insert on journal_key for each row
  when (new.source in ('deposit', 'payment', 'dispute')) execute function refuse_by_hand();
create trigger journal_key_not_truncated before truncate on journal_key for each statement execute function refuse_change();

-- The keys of a journal: its fact, and what happens once to a deposit, a payment or a dispute, whatever the application does.
create function journal_keys(entry journal) returns table (source text, ref text, kind text) language sql immutable as $$
  select key.* from (values (entry.ext_source, entry.ext_ref, entry.kind),
    ('deposit', case entry.kind when 'deposit_credit' then entry.deposit_id::text end, 'one_credit'),
    ('deposit', case entry.kind when 'deposit_fee' then entry.deposit_id::text end, 'one_fee'),
    ('payment', case entry.kind when 'suspense_in' then entry.payment_id::text end, 'payment_suspended_once'),
    ('payment', case entry.kind when 'suspense_out' then entry.payment_id::text end, 'payment_released_once'),
    ('dispute', entry.dispute_id::text, 'dispute_booked_once')) as key(source, ref, kind) where key.ref is not null
$$;

-- No statement can forget the keys. A statement that must know first whether a fact is new writes the fact's key itself. A key of
-- another journal stays, and then the rules refuse this journal at the commit.
create function write_journal_keys() returns trigger language plpgsql as $$
begin
  insert into journal_key (operator_id, source, ref, kind, journal_id)
  select written.operator_id, key.source, key.ref, key.kind, written.id
  from written cross join lateral journal_keys(written) key order by key.ref, key.kind
  on conflict do nothing;
  return null;
end $$;
create trigger journal_keyed after insert on journal referencing new table as written
  for each statement execute function write_journal_keys();

-- The months in which a deposit or withdrawal has journals or webhooks, apart from the month of its creation. So a search opens only these
-- months, however many there are. Few payments have a row: a chargeback, a refund, or the midnight at the end of a month.
create table later_month (
  operator_id text not null,
  -- The deposit or withdrawal.
  payment_id uuid not null,
  -- The first day of the month, UTC.
  month date not null,
  primary key (operator_id, payment_id, month)
);
comment on table later_month is 'The later months in which a deposit or withdrawal has journals or webhooks. Only triggers write it.';
create trigger later_month_immutable before update or delete on later_month for each row execute function refuse_change();
create trigger later_month_by_trigger before insert on later_month for each row execute function refuse_by_hand();
create trigger later_month_not_truncated before truncate on later_month for each statement execute function refuse_change();

create function note_later_months() returns trigger language plpgsql
-- A session keeps these plans. One that was made while the tables were small would read them whole when they have grown.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  insert into later_month (operator_id, payment_id, month)
  select operator_id, payment_id, month from (
    select written.operator_id, coalesce(written.deposit_id, written.withdrawal_id) as payment_id,
      date_trunc('month', time_of_id(written.id) at time zone 'UTC')::date as month, coalesce(
        (select created_at from deposit where deposit.operator_id = written.operator_id and deposit.id = written.deposit_id),
        (select created_at from withdrawal
          where withdrawal.operator_id = written.operator_id and withdrawal.id = written.withdrawal_id)) as created_at
    from written where num_nonnulls(written.deposit_id, written.withdrawal_id) > 0) about
  where month <> date_trunc('month', created_at at time zone 'UTC')::date
  on conflict do nothing;
  return null;
end $$;
create trigger journal_months_noted after insert on journal referencing new table as written
  for each statement execute function note_later_months();

create table posting (
  operator_id text not null,
  -- A journal and an account of the operator, and the asset of the account. The trigger below checks them, and neither is ever removed
  -- or changed. Foreign keys would lock a journal for each of its lines, and the accounts of the provider, which all payments share.
  journal_id uuid not null,
  account_id bigint not null,
  asset text not null,
  amount bigint not null,
  primary key (operator_id, journal_id, account_id),
  constraint posting_not_zero check (amount <> 0)
) partition by range (journal_id);
comment on table posting is 'One line of a journal: an account and an amount.';
create index posting_account on posting (operator_id, account_id);
create trigger posting_immutable before update or delete on posting for each row execute function refuse_change();
create trigger posting_not_truncated before truncate on posting for each statement execute function refuse_change();

-- Checks the lines of journals and updates the balances. One statement writes all postings of a journal and closes the journal.
-- It may write many journals. If several move one account, each line obeys the rules, and their sum changes the balance.
-- Runs with the owner's rights, because the application's role may not change a balance.
create function book_postings() returns trigger language plpgsql security definer
-- A session keeps these plans. One that was made while the tables were small would read them whole when they have grown.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  -- Between these only few partitions lie. As variables they exclude the others before a plan opens them.
  first uuid := (select journal_id from booked order by journal_id limit 1);
  last uuid := (select journal_id from booked order by journal_id desc limit 1);
  lines record;
  frozen bigint;
begin
  -- Reads only columns that never change, so that no lock is needed yet.
  select max(line.fault) as fault, count(distinct (line.operator_id, line.account_id)) filter (where line.stores) as accounts,
    bool_or(line.leaves) as leaves
    into lines from (
      select part.operator_id, line.account_id, account.balance is not null as stores,
        account.kind in ('user', 'user_additional') and line.amount < 0 and not rule.takes_frozen as leaves,
        case when account.id is null then 'posting_account_id_asset_fkey'
          when journal.id is null then 'posting_journal_id_fkey'
          when rule.kind is null then 'journal_kind_known'
          when part.written < 2 or part.written <> part.stored then 'journal_balanced'
          when account.kind = 'user_hold' and not rule.holds then 'hold_ends_exactly'
          when account.kind in ('user', 'user_additional', 'bonus') and line.amount > 0 and not rule.credits_user
            then 'journal_kind_credits' end as fault
      from (select operator_id, journal_id, count(*) as written, array_agg(account_id) as accounts, array_agg(asset) as assets,
        array_agg(amount) as amounts, (select count(*) from posting where posting.operator_id = booked.operator_id
          and posting.journal_id = booked.journal_id and posting.journal_id between first and last) as stored
        from booked group by operator_id, journal_id) part
      left join journal on journal.operator_id = part.operator_id and journal.id = part.journal_id
        and journal.id between first and last
      left join journal_kind rule on rule.kind = journal.kind
      cross join lateral unnest(part.accounts, part.assets, part.amounts) as line(account_id, asset, amount)
      left join account on account.operator_id = part.operator_id and account.id = line.account_id and account.asset = line.asset) line;
  if lines.fault like '%\_fkey' then
    raise exception 'a posting must name a journal of its operator, and an account of its operator and asset'
      using errcode = 'foreign_key_violation', constraint = lines.fault;
  end if;
  if lines.fault = 'journal_balanced' or exists (select 1 from booked group by operator_id, journal_id, asset having sum(amount) <> 0) then
    raise exception 'one statement must write all postings of a journal, and they must sum to zero'
      using errcode = 'check_violation', constraint = 'journal_balanced';
  end if;
  if lines.fault is not null then
    raise exception 'a posting breaks a rule of the ledger: %', lines.fault using errcode = 'check_violation', constraint = lines.fault;
  end if;
  -- In the order of the accounts, so that two statements never deadlock. One account alone is locked by its update.
  if lines.accounts > 1 then
    perform 1 from (select distinct operator_id, account_id from booked order by account_id, operator_id) line
      cross join lateral (select 1 from account
        where operator_id = line.operator_id and id = line.account_id and balance is not null for no key update) locked;
  end if;
  if lines.accounts > 0 then
    update account set balance = account.balance + line.amount
      from (select operator_id, account_id, sum(amount) as amount from booked group by operator_id, account_id) line
      -- The array lets no plan read all accounts, also one that was made while there were few.
      where account.operator_id = line.operator_id and account.id = line.account_id and account.balance is not null
        and account.id = any (array(select account_id from booked));
  end if;
  -- Under the lock: a freeze either came first, or sees the money that has left.
  if lines.leaves then
    select account.id into frozen from booked
      join journal on journal.operator_id = booked.operator_id and journal.id = booked.journal_id and journal.id between first and last
      join journal_kind rule on rule.kind = journal.kind and not rule.takes_frozen
      join account on account.operator_id = booked.operator_id and account.id = booked.account_id
        and account.kind in ('user', 'user_additional')
      where booked.amount < 0 and (account.frozen_at is not null or (account.kind = 'user_additional' and exists (
        -- A debt freezes the main account. No money may leave by the additional account then, either.
        select 1 from account main where main.operator_id = account.operator_id and main.owner = account.owner
          and main.asset = account.asset and main.kind = 'user' and main.frozen_at is not null)))
      limit 1;
    if found then
      raise exception 'account % is frozen', frozen using errcode = 'restrict_violation', constraint = 'account_frozen';
    end if;
  end if;
  return null;
end $$;
-- The function sees only this schema, so that no caller can substitute its own table.
do $$ begin execute format('alter function book_postings() set search_path = %I, pg_temp', current_schema()); end $$;
create trigger postings_booked after insert on posting referencing new table as booked
  for each statement execute function book_postings();
