-- Transfers that leave in files for a bank, and what the bank answers (WD-2, docs/adr/0033-files-of-payouts.md).

create table payout_file (
  operator_id text not null references operator,
  id uuid not null default time_id(),
  -- The connection whose account is debited.
  connection_id uuid not null,
  version text not null check (version in ('pain.001.001.09', 'pain.001.001.03')),
  transfers int not null check (transfers > 0),
  currency text not null,
  -- The control sum, in minor units.
  total bigint not null check (total > 0),
  execution_day date not null,
  is_instant boolean not null,
  -- SHA-256 of the content.
  hash bytea not null check (octet_length(hash) = 32),
  -- The content, encrypted under the data key `key_id`: it names payees and their accounts. Null: erased, since nobody needs it any more.
  sealed bytea,
  key_id text,
  erased_at timestamptz,
  -- built: nobody has the file. downloaded: the bank may have the file. handed: another person says that the bank has the file.
  -- rejected: the bank executes nothing.
  state text not null default 'built' check (state in ('built', 'downloaded', 'handed', 'rejected')),
  built_at timestamptz not null default now(),
  downloaded_by text,
  -- The API key that asked. Null: the command line.
  downloaded_key uuid,
  downloaded_at timestamptz,
  handed_by text,
  handed_key uuid,
  handed_at timestamptz,
  primary key (operator_id, id),
  foreign key (operator_id, connection_id) references provider_connection (operator_id, id),
  constraint payout_file_erased_whole check (num_nulls(sealed, key_id) = case when erased_at is null then 0 else 2 end),
  constraint payout_file_downloaded_whole check (num_nulls(downloaded_by, downloaded_at) in (0, 2)),
  constraint payout_file_handed_whole check (num_nulls(handed_by, handed_at) in (0, 2)),
  constraint payout_file_by_two check (handed_by is null or (downloaded_by is not null and lower(handed_by) <> lower(downloaded_by)))
);
comment on table payout_file is 'A file of transfers for a bank, with its sealed content. The content never changes until it is erased.';
-- What may be erased, the oldest first.
create index payout_file_unerased on payout_file (built_at) where erased_at is null;

create table payout_file_take (
  operator_id text not null,
  file_id uuid not null,
  id uuid not null default time_id(),
  by text not null,
  -- The API key that asked. Null: the command line.
  key_id uuid,
  at timestamptz not null default now(),
  primary key (operator_id, file_id, id),
  foreign key (operator_id, file_id) references payout_file (operator_id, id)
);
comment on table payout_file_take is 'Every download of a payout file. Who has a copy never says that the bank has the file.';
create trigger payout_file_take_immutable before update or delete on payout_file_take for each row execute function refuse_change();
create trigger payout_file_take_not_truncated before truncate on payout_file_take for each statement execute function refuse_change();

create table bank_message (
  operator_id text not null references operator,
  id uuid not null default time_id(),
  kind text not null check (kind in ('pain.002', 'camt.053', 'camt.054')),
  name text not null,
  -- SHA-256 of its bytes.
  hash bytea not null check (octet_length(hash) = 32),
  -- Transfers that it names, and those that it changed.
  found int not null,
  changed int not null,
  -- Lines that did not fit. Nothing was changed for them.
  problems int not null default 0,
  by text not null,
  -- The API key that sent it. Null: the command line.
  key_id uuid,
  at timestamptz not null default now(),
  primary key (operator_id, id),
  constraint bank_message_once unique (operator_id, hash)
);
comment on table bank_message is 'An answer or a statement of a bank about payout files. The same bytes are applied once.';
create trigger bank_message_immutable before update or delete on bank_message for each row execute function refuse_change();
create trigger bank_message_not_truncated before truncate on bank_message for each statement execute function refuse_change();

create table payout_transfer (
  operator_id text not null references operator,
  withdrawal_id uuid not null,
  connection_id uuid not null,
  currency text not null,
  -- What the payee receives, in minor units.
  amount bigint not null check (amount > 0),
  -- queued: waits for a file. filed: is in a file. stopped: staff decide. paid, declined, returned: the cashier reports it.
  state text not null default 'queued' check (state in ('queued', 'filed', 'stopped', 'paid', 'declined', 'returned')),
  -- The file that may pay it. A transfer is in one such file at most.
  file_id uuid,
  -- When a file is built of it.
  due_at timestamptz,
  -- The payee, encrypted under the data key `payee_key`. Null: the transfer has ended and needs no payee.
  payee bytea,
  payee_key text,
  -- Who decided last about a stopped transfer, and how many files had had it then. A newer file shows that the cashier moved it since.
  decided_by text,
  decided_key uuid,
  decided_files int check (decided_files >= 0),
  -- The bank message whose step moved it last. Null: staff or the cashier moved it.
  message_id uuid,
  -- The code of the bank's reason, such as AC04.
  reason text,
  -- What came back, in minor units.
  returned bigint check (returned > 0),
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  primary key (operator_id, withdrawal_id),
  foreign key (operator_id, withdrawal_id) references withdrawal (operator_id, id),
  foreign key (operator_id, connection_id) references provider_connection (operator_id, id),
  foreign key (operator_id, file_id) references payout_file (operator_id, id),
  foreign key (operator_id, message_id) references bank_message (operator_id, id),
  constraint payout_transfer_decided check ((decided_by is null) = (decided_files is null)),
  constraint payout_transfer_due check ((due_at is not null) = (state = 'queued')),
  constraint payout_transfer_filed check (state <> 'queued' or file_id is null),
  constraint payout_transfer_in_file check (state <> 'filed' or file_id is not null),
  constraint payout_transfer_returned check ((returned is not null) = (state = 'returned')),
  constraint payout_transfer_payee check (num_nulls(payee, payee_key) = case when state in ('queued', 'filed', 'stopped') then 0 else 2 end)
);
comment on table payout_transfer is 'The transfer of a withdrawal: waiting for a file, in a file, or answered by the bank.';
create index payout_transfer_due on payout_transfer (connection_id, due_at) where state = 'queued';
create index payout_transfer_of_file on payout_transfer (operator_id, file_id);
-- Files whose transfers wait for an answer, the oldest first: the id of a file begins with its time.
create index payout_transfer_filed on payout_transfer (file_id, operator_id) where state = 'filed';
create index payout_transfer_stopped on payout_transfer (operator_id, withdrawal_id) where state = 'stopped';

create table payout_file_line (
  operator_id text not null,
  file_id uuid not null,
  -- The place in the file, from 1.
  n int not null check (n > 0),
  withdrawal_id uuid not null,
  amount bigint not null check (amount > 0),
  -- False: the bank certainly does not execute this line.
  is_live boolean not null default true,
  primary key (operator_id, file_id, n),
  foreign key (operator_id, file_id) references payout_file (operator_id, id),
  foreign key (operator_id, withdrawal_id) references payout_transfer (operator_id, withdrawal_id)
);
comment on table payout_file_line is 'The transfers of a file. A withdrawal is in one live line at most, so no second file can pay it.';
create unique index payout_file_line_live_once on payout_file_line (operator_id, withdrawal_id) where is_live;
-- Also ended lines: a decision counts all files of a transfer under the lock of its payout.
create index payout_file_line_of_transfer on payout_file_line (operator_id, withdrawal_id);

create table bank_message_step (
  operator_id text not null,
  message_id uuid not null,
  -- The place among the steps of the message, from 1.
  n int not null check (n > 0),
  withdrawal_id uuid not null,
  -- What the transfer becomes.
  state text not null check (state in ('stopped', 'paid', 'declined', 'returned')),
  -- The code of the bank's reason.
  reason text,
  -- What came back, in minor units.
  returned bigint check (returned > 0),
  primary key (operator_id, message_id, n),
  foreign key (operator_id, message_id) references bank_message (operator_id, id),
  foreign key (operator_id, withdrawal_id) references payout_transfer (operator_id, withdrawal_id)
);
comment on table bank_message_step is 'Steps of a bank message that are decided and not applied yet. Applying a step deletes its row.';
create index bank_message_step_of_transfer on bank_message_step (operator_id, withdrawal_id);

-- What waits is apart from what is done, as in `inbox_queue`.
create table bank_message_queue (
  operator_id text not null,
  message_id uuid not null,
  -- Failures of any kind since a part was applied whole. The pause grows with them.
  failures int not null default 0 check (failures >= 0),
  -- Refusals since a part was applied whole.
  refusals int not null default 0 check (refusals >= 0),
  -- The next steps, of which the database refuses one. Null: none is suspected.
  suspects int check (suspects > 0),
  -- Steps that were set aside since a full part was applied.
  set_aside int not null default 0 check (set_aside >= 0),
  next_at timestamptz not null default now(),
  -- The constraint or the code of the last failure.
  last_error text,
  primary key (operator_id, message_id),
  foreign key (operator_id, message_id) references bank_message (operator_id, id)
);
comment on table bank_message_queue is 'Bank messages with steps that are not applied yet, and how a part that the database refuses is tried again.';
create index bank_message_queue_due on bank_message_queue (operator_id, next_at);

create table bank_step_set_aside (
  operator_id text not null,
  message_id uuid not null,
  -- The place among the steps of the message.
  n int not null check (n > 0),
  withdrawal_id uuid not null,
  -- The order of the steps of a transfer. It is given under the lock of the transfer, unlike the id of a message.
  place bigint generated always as identity,
  -- What the transfer was to become.
  state text not null check (state in ('stopped', 'paid', 'declined', 'returned')),
  -- The code of the bank's reason.
  reason text,
  -- What came back, in minor units.
  returned bigint check (returned > 0),
  -- The constraint or the code by which the database refused it. earlier-step: an earlier step of the transfer is set aside.
  cause text not null check (length(cause) between 1 and 100),
  set_aside_at timestamptz not null default now(),
  -- applied: staff tried it again, and it was applied. dismissed: staff say that it is never applied.
  outcome text check (outcome in ('applied', 'dismissed')),
  ended_by text,
  -- The API key of who ended it. Null: the command line.
  ended_key uuid,
  note text check (length(note) between 1 and 500),
  ended_at timestamptz,
  -- How the transfer stood when the step was dismissed. It shows whether something moved the transfer later.
  stood_state text check (stood_state in ('queued', 'filed', 'stopped', 'paid', 'declined', 'returned')),
  stood_reason text,
  stood_file_id uuid,
  -- How many files had had the transfer.
  stood_files int check (stood_files >= 0),
  primary key (operator_id, message_id, n),
  foreign key (operator_id, message_id) references bank_message (operator_id, id),
  foreign key (operator_id, withdrawal_id) references payout_transfer (operator_id, withdrawal_id),
  constraint bank_step_set_aside_end check ((outcome is null) = (ended_at is null) and (outcome is null) = (ended_by is null)
    and (outcome is distinct from 'dismissed' or note is not null)
    and (outcome is not distinct from 'dismissed') = (stood_state is not null)
    and (stood_state is null) = (stood_files is null))
);
comment on table bank_step_set_aside is 'Steps of bank messages that the database refused alone. They wait for staff. Ended rows are kept.';
create index bank_step_set_aside_open on bank_step_set_aside (operator_id, withdrawal_id) where ended_at is null;
create index bank_step_set_aside_dismissed on bank_step_set_aside (operator_id, place) where outcome = 'dismissed';
create trigger bank_step_set_aside_kept before delete on bank_step_set_aside for each row execute function refuse_change();
create trigger bank_step_set_aside_not_truncated before truncate on bank_step_set_aside
  for each statement execute function refuse_change();

create table bank_step_brought_back (
  operator_id text not null,
  message_id uuid not null,
  n int not null,
  -- The dismissal that ended here.
  dismissed_by text not null,
  -- The API key of who dismissed it. Null: the command line.
  dismissed_key uuid,
  dismissed_note text not null,
  dismissed_at timestamptz not null,
  by text not null,
  -- The API key of who brought it back. Null: the command line.
  key_id uuid,
  note text not null check (length(note) between 1 and 500),
  at timestamptz not null default now(),
  primary key (operator_id, message_id, n, dismissed_at),
  foreign key (operator_id, message_id, n) references bank_step_set_aside (operator_id, message_id, n)
);
comment on table bank_step_brought_back is 'Each time that staff brought a dismissed step of a bank message back, with the dismissal.';

create function guard_bank_step_brought_back() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from bank_step_set_aside step where step.operator_id = new.operator_id and step.message_id = new.message_id
      and step.n = new.n and step.outcome = 'dismissed' and (step.ended_by, step.note, step.ended_at)
        = (new.dismissed_by, new.dismissed_note, new.dismissed_at) and step.ended_key is not distinct from new.dismissed_key) then
    raise exception 'only a dismissed step is brought back' using errcode = 'restrict_violation', constraint = 'bank_step_brought_back_guarded';
  end if;
  return new;
end $$;
create trigger bank_step_brought_back_guarded before insert on bank_step_brought_back
  for each row execute function guard_bank_step_brought_back();
create trigger bank_step_brought_back_immutable before update or delete on bank_step_brought_back for each row execute function refuse_change();
create trigger bank_step_brought_back_not_truncated before truncate on bank_step_brought_back
  for each statement execute function refuse_change();

create function guard_bank_step_set_aside() returns trigger language plpgsql as $$
begin
  if (new.operator_id, new.message_id, new.n, new.withdrawal_id, new.place, new.state, new.reason, new.returned, new.cause, new.set_aside_at)
    is distinct from (old.operator_id, old.message_id, old.n, old.withdrawal_id, old.place, old.state, old.reason, old.returned, old.cause,
      old.set_aside_at) then
    raise exception 'a step that is set aside never changes' using errcode = 'restrict_violation', constraint = 'bank_step_set_aside_guarded';
  end if;
  -- An end is kept. Only a dismissal can be undone, and its row is then in bank_step_brought_back.
  if old.ended_at is not null and not (old.outcome = 'dismissed' and num_nonnulls(new.outcome, new.ended_by, new.ended_key, new.note,
      new.ended_at, new.stood_state, new.stood_reason, new.stood_file_id, new.stood_files) = 0 and exists (select 1 from bank_step_brought_back back
        where back.operator_id = old.operator_id and back.message_id = old.message_id and back.n = old.n
          and back.dismissed_at = old.ended_at)) then
    raise exception 'the end of a step that was set aside is kept' using errcode = 'restrict_violation',
      constraint = 'bank_step_set_aside_guarded';
  end if;
  return new;
end $$;
create trigger bank_step_set_aside_guarded before update on bank_step_set_aside for each row execute function guard_bank_step_set_aside();

create function guard_payout_file() returns trigger language plpgsql as $$
begin
  if (new.operator_id, new.id, new.connection_id, new.version, new.transfers, new.currency, new.total, new.execution_day, new.is_instant,
      new.hash, new.built_at)
    is distinct from (old.operator_id, old.id, old.connection_id, old.version, old.transfers, old.currency, old.total, old.execution_day,
      old.is_instant, old.hash, old.built_at)
    or new.erased_at is null and (new.sealed, new.key_id) is distinct from (old.sealed, old.key_id)
    or old.erased_at is not null and new.erased_at is distinct from old.erased_at
    or old.state = 'rejected' and new.state <> 'rejected'
    or old.handed_by is not null and new.handed_by is distinct from old.handed_by
    or old.downloaded_by is not null and (new.downloaded_by, new.downloaded_key, new.downloaded_at)
      is distinct from (old.downloaded_by, old.downloaded_key, old.downloaded_at) then
    raise exception 'the content of a payout file never changes' using errcode = 'restrict_violation', constraint = 'payout_file_immutable';
  end if;
  if old.erased_at is null and new.erased_at is not null and exists (select 1 from payout_file_line line
      join payout_transfer transfer using (operator_id, withdrawal_id)
      where line.operator_id = new.operator_id and line.file_id = new.id and transfer.state in ('queued', 'filed', 'stopped')) then
    raise exception 'a payout file is kept while one of its transfers is open' using errcode = 'restrict_violation',
      constraint = 'payout_file_immutable';
  end if;
  -- The rows of takes came after the columns of the first one: payout_file_by_two is the rule for that.
  if old.handed_by is null and exists (select 1 from payout_file_take take where take.operator_id = new.operator_id and take.file_id = new.id
      and lower(take.by) = lower(new.handed_by)) then
    raise exception 'who took a payout file never hands it over' using errcode = 'check_violation', constraint = 'payout_file_by_two';
  end if;
  return new;
end $$;
create trigger payout_file_guarded before update on payout_file for each row execute function guard_payout_file();
create trigger payout_file_kept before delete on payout_file for each row execute function refuse_change();
create trigger payout_file_not_truncated before truncate on payout_file for each statement execute function refuse_change();

create function guard_payout_file_line() returns trigger language plpgsql as $$
begin
  if (new.operator_id, new.file_id, new.n, new.withdrawal_id, new.amount)
    is distinct from (old.operator_id, old.file_id, old.n, old.withdrawal_id, old.amount) or (new.is_live and not old.is_live) then
    raise exception 'a line of a payout file never changes' using errcode = 'restrict_violation', constraint = 'payout_file_line_immutable';
  end if;
  return new;
end $$;
create trigger payout_file_line_guarded before update on payout_file_line for each row execute function guard_payout_file_line();
create trigger payout_file_line_kept before delete on payout_file_line for each row execute function refuse_change();
create trigger payout_file_line_not_truncated before truncate on payout_file_line for each statement execute function refuse_change();

create function guard_payout_transfer() returns trigger language plpgsql as $$
begin
  if (new.operator_id, new.withdrawal_id, new.connection_id, new.currency, new.amount, new.created_at)
    is distinct from (old.operator_id, old.withdrawal_id, old.connection_id, old.currency, old.amount, old.created_at) then
    raise exception 'a transfer never changes its payment' using errcode = 'restrict_violation', constraint = 'payout_transfer_immutable';
  end if;
  -- What the bank has paid is never sent again.
  if old.state <> new.state and (old.state, new.state) not in (
    ('queued', 'filed'), ('queued', 'paid'), ('queued', 'declined'), ('filed', 'stopped'), ('filed', 'paid'), ('filed', 'declined'),
    ('stopped', 'queued'), ('stopped', 'declined'), ('stopped', 'paid'), ('declined', 'paid'), ('paid', 'returned')
  ) then
    raise exception 'a transfer cannot become % after %', new.state, old.state
      using errcode = 'restrict_violation', constraint = 'payout_transfer_moves';
  end if;
  -- The bank may have paid it: what the bank said is not applied yet.
  if old.state <> new.state and new.state in ('queued', 'filed') and (
      exists (select 1 from bank_message_step step where step.operator_id = new.operator_id and step.withdrawal_id = new.withdrawal_id)
      or exists (select 1 from bank_step_set_aside aside where aside.operator_id = new.operator_id
        and aside.withdrawal_id = new.withdrawal_id and aside.ended_at is null)) then
    raise exception 'a transfer is not sent while a step of it waits' using errcode = 'restrict_violation',
      constraint = 'payout_transfer_step_waits';
  end if;
  new.changed_at := now();
  return new;
end $$;
create trigger payout_transfer_guarded before update on payout_transfer for each row execute function guard_payout_transfer();
create trigger payout_transfer_kept before delete on payout_transfer for each row execute function refuse_change();
create trigger payout_transfer_not_truncated before truncate on payout_transfer for each statement execute function refuse_change();
