-- Settlement files of providers and statements of banks, matched with the ledger (SRV-1, SRV-2). The rules are in
-- packages/core/src/reconciliation.

create table settlement_mapping (
  operator_id text not null references operator,
  -- A provider, or the operator's own name for a bank account.
  provider text not null,
  name text not null,
  -- As in the operator API.
  mapping jsonb not null,
  by text not null,
  -- The API key that sent the mapping. Null: the command line.
  key_id uuid,
  changed_at timestamptz not null default now(),
  primary key (operator_id, provider, name)
);
comment on table settlement_mapping is 'How an operator''s settlement files are read.';

create table settlement_file (
  operator_id text not null references operator,
  id uuid not null default time_id(),
  provider text not null,
  -- provider: the books of a provider. bank: a statement, whose lines pay sums of providers. chain: balances, without lines.
  source text not null check (source in ('provider', 'bank', 'chain')),
  mapping text not null,
  name text not null,
  -- SHA-256 of its bytes.
  hash bytea not null check (octet_length(hash) = 32),
  -- reading: its lines are being written. matching: they are being compared. Nobody sees the file before it is done.
  -- taken-back: two people took it back. Its lines stay, and settle nothing.
  state text not null check (state in ('reading', 'matching', 'done', 'taken-back')),
  -- Until this time one node works on the file. Afterwards an import of the same file begins again.
  busy_until timestamptz,
  lines int not null default 0,
  first_day date,
  last_day date,
  -- By currency: amount and fees in minor units.
  totals jsonb not null default '[]',
  matched int not null default 0,
  by text not null,
  key_id uuid,
  at timestamptz not null default now(),
  -- When it was compared. The close of a day counts the files since the close before.
  done_at timestamptz,
  -- The list or the file is of this account at the provider alone. Null: of all its accounts.
  connection_id uuid,
  -- Where the list goes on. Null: at its beginning, or it is complete.
  list_cursor text,
  primary key (operator_id, id),
  foreign key (operator_id, connection_id) references provider_connection (operator_id, id),
  constraint settlement_file_list check (list_cursor is null or connection_id is not null),
  constraint settlement_file_done check ((state in ('done', 'taken-back')) = (done_at is not null))
);
comment on table settlement_file is 'An imported settlement file of a provider, statement of a bank, or reading of a chain. The same bytes count once.';
create index settlement_file_listed on settlement_file (operator_id, id desc) where state in ('done', 'taken-back');
create unique index settlement_file_once on settlement_file (operator_id, provider, hash) where state <> 'taken-back';

create table settlement_line (
  operator_id text not null,
  id uuid not null default time_id(),
  file_id uuid not null,
  -- The number of its line in the file.
  n int not null,
  kind text not null check (kind in ('payment', 'refund', 'chargeback', 'payout', 'return', 'settlement', 'fee')),
  -- The provider's references, the likeliest first.
  reference_list text[] not null,
  own_id text,
  -- Lines of one payment have the same name, so that they are matched together.
  name text not null,
  currency text not null,
  -- Signed minor units as the operator sees them, before the fee.
  amount bigint not null,
  fee bigint not null,
  day date not null,
  payee text,
  -- The provider's id of the sum that it pays to the bank.
  batch text,
  primary key (operator_id, id)
) partition by range (id);
comment on table settlement_line is 'One line of a settlement file or a statement.';
create index settlement_line_of_file on settlement_line (operator_id, file_id, name, n);

create table settlement_batch (
  operator_id text not null references operator,
  id uuid not null default gen_random_uuid(),
  provider text not null,
  reference text not null,
  currency text not null,
  -- Signed minor units that the bank must receive; negative: that the provider debits.
  amount bigint not null,
  day date not null,
  -- The file that named it first.
  file_id uuid not null,
  primary key (operator_id, id),
  foreign key (operator_id, file_id) references settlement_file,
  constraint settlement_batch_once unique (operator_id, provider, reference, currency)
);
comment on table settlement_batch is 'A sum that a provider pays to the operator''s bank: many payments less refunds and fees.';
create index settlement_batch_by_reference on settlement_batch (operator_id, reference);
create index settlement_batch_by_day on settlement_batch (operator_id, day);

create table chain_balance (
  operator_id text not null references operator,
  id uuid not null default time_id(),
  -- The reading. It is the file of its mismatches and bookings.
  file_id uuid not null,
  chain text not null,
  currency text not null,
  -- What the chain says, in minor units: the receiving addresses of the operator, and the hot wallet of the operator who owns it.
  found bigint not null check (found >= 0),
  -- What the ledger and the payouts say, without the differences that staff have ended.
  expected bigint not null,
  -- What the operator's own payments and payouts on this chain, with their fees, left with the provider.
  booked bigint not null,
  -- Money in progress, by which the chain may have more or less than expected.
  may_be_in bigint not null check (may_be_in >= 0),
  may_be_out bigint not null check (may_be_out >= 0),
  -- What found holds that the ledger booked later or never. Negative: what left, and was not booked yet.
  in_progress bigint not null default 0,
  -- The blocks between which the balances were read.
  first_height bigint not null,
  last_height bigint not null,
  -- Addresses with coins.
  addresses int not null,
  at timestamptz not null default clock_timestamp(),
  primary key (operator_id, id),
  foreign key (operator_id, file_id) references settlement_file,
  constraint chain_balance_once unique (operator_id, file_id, currency)
);
comment on table chain_balance is 'What a chain said an operator had of a coin, and what the ledger expected there.';
create index chain_balance_latest on chain_balance (operator_id, chain, currency, id desc);
create trigger chain_balance_immutable before update or delete on chain_balance for each row execute function refuse_change();
create trigger chain_balance_not_truncated before truncate on chain_balance for each statement execute function refuse_change();

create table settlement_match (
  operator_id text not null,
  line_id uuid not null,
  entry_kind text not null,
  -- The payment, refund, dispute, payout or batch.
  entry_id uuid not null,
  by text not null check (by in ('reference', 'own-id', 'amount-and-date')),
  amount bigint not null,
  primary key (operator_id, line_id)
) partition by range (line_id);
comment on table settlement_match is 'Which entry of the ledger a line of a settlement file belongs to, in the month of the line.';
create index settlement_match_of_entry on settlement_match (operator_id, entry_id);

create table settlement_mismatch (
  operator_id text not null references operator,
  id uuid not null default time_id(),
  file_id uuid not null,
  class text not null check (class in ('missing-here', 'missing-there', 'amount', 'currency', 'date', 'duplicate', 'balance')),
  -- open: nobody has decided. proposed: waits for a second person. cleared: a later line settled it. resolved: staff ended it.
  -- taken-back: its file was taken back.
  state text not null default 'open' check (state in ('open', 'proposed', 'cleared', 'resolved', 'taken-back')),
  provider text not null,
  line_id uuid,
  entry_kind text,
  entry_id uuid,
  currency text not null,
  expected bigint not null,
  found bigint not null,
  day date not null,
  ended_at timestamptz,
  -- The file whose line cleared it. Null: no file did, such as a reading of a chain.
  cleared_by uuid,
  primary key (operator_id, id),
  foreign key (operator_id, file_id) references settlement_file,
  constraint settlement_mismatch_about check (line_id is not null or entry_id is not null),
  constraint settlement_mismatch_cleared check (cleared_by is null or state in ('cleared', 'taken-back')),
  constraint settlement_mismatch_ended check ((ended_at is not null) = (state in ('cleared', 'resolved', 'taken-back')))
);
comment on table settlement_mismatch is 'A difference between a settlement file and the ledger, until a later line or staff end it.';
create index settlement_mismatch_of_file on settlement_mismatch (operator_id, file_id);
create index settlement_mismatch_waiting on settlement_mismatch (operator_id, id) where state in ('open', 'proposed');
create index settlement_mismatch_of_entry on settlement_mismatch (operator_id, entry_id) where entry_id is not null;
create index settlement_mismatch_cleared_by on settlement_mismatch (operator_id, cleared_by) where cleared_by is not null;
create unique index settlement_missing_there_once on settlement_mismatch (operator_id, entry_kind, entry_id)
  where class = 'missing-there' and state <> 'taken-back';

-- Whether two people agreed to take a file back, and nothing stands that counts it. The cashier also asks for later files.
create function may_be_taken_back(file settlement_file) returns boolean language plpgsql stable as $$
begin
  return file.source <> 'chain'
    and exists (select 1 from settlement_take_back where operator_id = file.operator_id and file_id = file.id and state = 'confirmed')
    and not exists (select 1 from settlement_booking where operator_id = file.operator_id and file_id = file.id and state = 'approved'
      and amount <> 0)
    and not exists (select 1 from day_close where operator_id = file.operator_id and state <> 'rejected' and as_of >= file.done_at)
    and not exists (select 1 from archived_line_sum where operator_id = file.operator_id and file_id = file.id);
end $$;

-- What was imported and compared stays as it was. An import that was interrupted begins again, so its own rows may go until it is done.
create function guard_settlement_file() returns trigger language plpgsql as $$
declare
  -- A list grows page by page.
  free text[] := case old.state when 'reading' then '{state,busy_until,matched,done_at,lines,totals,list_cursor}'
    else '{state,busy_until,matched,done_at}' end;
begin
  if old.state = 'done' and new.state = 'taken-back' and to_jsonb(new) - 'state' = to_jsonb(old) - 'state' and may_be_taken_back(old) then
    return new;
  end if;
  if old.state in ('done', 'taken-back') or new.state = 'taken-back' or to_jsonb(new) - free is distinct from to_jsonb(old) - free then
    raise exception 'an imported file stays as it was' using errcode = 'restrict_violation', constraint = 'settlement_file_immutable';
  end if;
  return new;
end $$;
create trigger settlement_file_guarded before update on settlement_file for each row execute function guard_settlement_file();
create trigger settlement_file_kept before delete on settlement_file for each row execute function refuse_change();
create trigger settlement_file_not_truncated before truncate on settlement_file for each statement execute function refuse_change();

-- For each statement, because a file may have millions of lines.
create function guard_new_lines() returns trigger language plpgsql as $$
begin
  if exists (select 1 from (select distinct operator_id, file_id from written) line left join settlement_file file
      on file.operator_id = line.operator_id and file.id = line.file_id where file.state is distinct from 'reading') then
    raise exception 'lines are written while their file is read' using errcode = 'restrict_violation', constraint = 'settlement_line_immutable';
  end if;
  return null;
end $$;
create function guard_gone_lines() returns trigger language plpgsql as $$
begin
  if exists (select 1 from (select distinct operator_id, file_id from gone) line join settlement_file file
      on file.operator_id = line.operator_id and file.id = line.file_id where file.state in ('done', 'taken-back')) then
    raise exception 'an imported file stays as it was' using errcode = 'restrict_violation', constraint = 'settlement_line_immutable';
  end if;
  return null;
end $$;
create function guard_gone_matches() returns trigger language plpgsql as $$
begin
  if exists (select 1 from gone join settlement_line line on line.operator_id = gone.operator_id and line.id = gone.line_id
      join settlement_file file on file.operator_id = line.operator_id and file.id = line.file_id
      -- A later file, which was taken back, may have found the entry of a line that was missing here.
      where file.state = 'done' and not exists (select 1 from settlement_mismatch missing
        join settlement_file later on later.operator_id = missing.operator_id and later.id = missing.cleared_by and later.state = 'taken-back'
        where missing.operator_id = line.operator_id and missing.file_id = line.file_id and missing.line_id = line.id
          and missing.class = 'missing-here')) then
    raise exception 'an imported file stays as it was' using errcode = 'restrict_violation', constraint = 'settlement_match_immutable';
  end if;
  return null;
end $$;
create trigger settlement_line_written after insert on settlement_line referencing new table as written
  for each statement execute function guard_new_lines();
create trigger settlement_line_gone after delete on settlement_line referencing old table as gone
  for each statement execute function guard_gone_lines();
create trigger settlement_line_immutable before update on settlement_line for each row execute function refuse_change();
create trigger settlement_line_not_truncated before truncate on settlement_line for each statement execute function refuse_change();
create trigger settlement_match_gone after delete on settlement_match referencing old table as gone
  for each statement execute function guard_gone_matches();
create trigger settlement_match_immutable before update on settlement_match for each row execute function refuse_change();
create trigger settlement_match_not_truncated before truncate on settlement_match for each statement execute function refuse_change();

create function guard_settlement_batch() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if not exists (select 1 from settlement_file where operator_id = old.operator_id and id = old.file_id and state = 'taken-back') then
      raise exception 'a sum leaves with its file' using errcode = 'restrict_violation', constraint = 'settlement_batch_immutable';
    end if;
    return old;
  end if;
  -- A sum may come in two files.
  if (new.operator_id, new.id, new.provider, new.reference, new.currency, new.file_id)
    is distinct from (old.operator_id, old.id, old.provider, old.reference, old.currency, old.file_id) then
    raise exception 'a sum keeps its name' using errcode = 'restrict_violation', constraint = 'settlement_batch_immutable';
  end if;
  return new;
end $$;
create trigger settlement_batch_guarded before update or delete on settlement_batch for each row execute function guard_settlement_batch();
create trigger settlement_batch_not_truncated before truncate on settlement_batch for each statement execute function refuse_change();

create function guard_settlement_mismatch() returns trigger language plpgsql as $$
declare
  is_undone boolean;
begin
  if tg_op = 'DELETE' then
    if exists (select 1 from settlement_file where operator_id = old.operator_id and id = old.file_id and state in ('done', 'taken-back')) then
      raise exception 'a mismatch ends, and stays' using errcode = 'restrict_violation', constraint = 'settlement_mismatch_immutable';
    end if;
    return old;
  end if;
  -- It is taken back with its file. What only a file that was taken back has cleared is open again.
  is_undone := case when new.state = 'taken-back' then old.state <> 'taken-back' and exists (select 1 from settlement_file
      where operator_id = old.operator_id and id = old.file_id and state = 'taken-back')
    else old.state = 'cleared' and new.state = 'open' and old.file_id <> old.cleared_by and exists (select 1 from settlement_file
      where operator_id = old.operator_id and id = old.cleared_by and state = 'taken-back') end;
  if ((old.state in ('cleared', 'resolved', 'taken-back') or new.state = 'taken-back') and is_undone is not true)
    or (new.operator_id, new.id, new.file_id, new.class, new.provider, new.line_id, new.entry_kind,
      new.entry_id, new.currency, new.expected, new.found, new.day)
    is distinct from (old.operator_id, old.id, old.file_id, old.class, old.provider, old.line_id, old.entry_kind, old.entry_id,
      old.currency, old.expected, old.found, old.day) then
    raise exception 'a mismatch ends, and stays' using errcode = 'restrict_violation', constraint = 'settlement_mismatch_immutable';
  end if;
  return new;
end $$;
create trigger settlement_mismatch_guarded before update or delete on settlement_mismatch
  for each row execute function guard_settlement_mismatch();
create trigger settlement_mismatch_not_truncated before truncate on settlement_mismatch for each statement execute function refuse_change();

-- Money of settlements that the ledger must book. One person proposes it, and another approves it.
create table settlement_booking (
  operator_id text not null references operator,
  -- The idempotency key of the proposal. The cashier makes those of files.
  id uuid not null default gen_random_uuid(),
  -- fees: what the provider kept of a file. settlement: what a statement says that providers paid. mismatch: a difference.
  kind text not null check (kind in ('fees', 'settlement', 'mismatch')),
  provider text not null,
  file_id uuid not null,
  mismatch_id uuid,
  -- The other account. none: nothing is booked, such as for another day.
  account text not null check (account in ('provider_fee', 'write_off', 'settlement_account', 'none')),
  currency text not null,
  -- What the account of the provider changes by, in minor units. Positive: the provider owes less.
  amount bigint not null,
  reason text not null,
  state text not null default 'proposed' check (state in ('proposed', 'approved', 'rejected')),
  proposed_by text not null,
  -- The API key that proposed it. Null: the command line.
  proposed_key uuid,
  proposed_at timestamptz not null default now(),
  decided_by text,
  decided_key uuid,
  decided_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, file_id) references settlement_file,
  foreign key (operator_id, mismatch_id) references settlement_mismatch,
  constraint settlement_booking_moves check ((amount = 0) = (account = 'none')),
  constraint settlement_booking_about check ((mismatch_id is not null) = (kind = 'mismatch')),
  constraint settlement_booking_decided check (num_nulls(decided_by, decided_at) = case state when 'proposed' then 2 else 0 end),
  constraint settlement_booking_by_two check (state <> 'approved' or lower(decided_by) <> lower(proposed_by))
);
comment on table settlement_booking is 'Fees, settlements and differences that one person proposes to book and another approves.';
create index settlement_booking_waiting on settlement_booking (operator_id, proposed_at, id) where state = 'proposed';
create unique index settlement_booking_open_once on settlement_booking (operator_id, mismatch_id) where state <> 'rejected' and mismatch_id is not null;

create function guard_settlement_booking() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'proposed' then
      raise exception 'a booking begins as a proposal' using errcode = 'restrict_violation', constraint = 'settlement_booking_proposed_first';
    end if;
  end if;
  if new.state <> 'rejected' and exists (select 1 from settlement_file where operator_id = new.operator_id and id = new.file_id
      and state = 'taken-back') then
    raise exception 'nothing is booked for a file that was taken back'
      using errcode = 'restrict_violation', constraint = 'settlement_booking_of_file';
  end if;
  if tg_op = 'INSERT' then return new; end if;
  if old.state <> 'proposed' or (new.operator_id, new.id, new.kind, new.provider, new.file_id, new.mismatch_id, new.account, new.currency, new.amount,
      new.reason, new.proposed_by, new.proposed_key, new.proposed_at)
    is distinct from (old.operator_id, old.id, old.kind, old.provider, old.file_id, old.mismatch_id, old.account, old.currency, old.amount,
      old.reason, old.proposed_by, old.proposed_key, old.proposed_at) then
    raise exception 'a booking is decided once' using errcode = 'restrict_violation', constraint = 'settlement_booking_immutable';
  end if;
  return new;
end $$;
create trigger settlement_booking_guarded before insert or update on settlement_booking
  for each row execute function guard_settlement_booking();
create trigger settlement_booking_kept before delete on settlement_booking for each row execute function refuse_change();
create trigger settlement_booking_not_truncated before truncate on settlement_booking for each statement execute function refuse_change();

-- Finds the entries of some days. A tiny index, because rows come in the order of time.
create index payment_by_time on payment using brin (created_at) with (autosummarize = on);
create index payout_by_time on payout using brin (created_at) with (autosummarize = on);

-- What the ledger has booked with providers, with the signs of the operator's side.
create view settlement_entry as
  select operator_id, provider, case origin when 'returned' then 'return' else 'payment' end as kind, id, provider_ref as reference,
    deposit_id as own_id, null::uuid as other_id, currency, amount, created_at as at, deposit_id
  from payment
  union all
  select refund.operator_id, payment.provider, 'refund', refund.id, payment.provider_ref, refund.id, refund.refund_id, refund.currency,
    -refund.amount, refund.created_at, refund.deposit_id
  from refund join payment on payment.operator_id = refund.operator_id and payment.id = refund.payment_id
  where refund.state in ('succeeded', 'bounced')
  union all
  select dispute.operator_id, payment.provider, 'chargeback', dispute.id, payment.provider_ref, dispute.id, null, dispute.currency,
    -dispute.amount, dispute.created_at, dispute.deposit_id
  from dispute join payment on payment.operator_id = dispute.operator_id and payment.id = dispute.payment_id
  union all
  select operator_id, provider, 'payout', id, provider_ref, withdrawal_id, id, currency, -amount, created_at, null
  from payout where state in ('paid', 'returned')
  union all
  select operator_id, provider, 'return', id, provider_ref, withdrawal_id, id, currency, amount, updated_at, null
  from payout where state = 'returned';
