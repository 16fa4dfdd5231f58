-- The whole schema. Generated from the database by `npm run docs:schema`. Change it in `apps/server/src/database`.

-- A place in the ledger where one asset of one owner is counted.
create table account (
  operator_id text not null,
  id bigint not null generated always as identity,
  owner text not null,
  asset text not null,
  kind text not null,
  balance bigint,
  frozen_at timestamptz,
  constraint account_pkey primary key (operator_id, id),
  constraint account_once unique (operator_id, owner, asset, kind),
  constraint account_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint account_balance_of_users check ((balance is not null) = (kind = any (array['user', 'user_additional', 'user_hold', 'wallet_transit', 'reversal_debt', 'bonus']))),
  constraint account_coins_stay check ( case asset when 'GC' then kind = any (array['user', 'coin_issue', 'coin_play']) when 'SC' then kind = any (array['user', 'user_hold', 'reversal_debt', 'coin_issue', 'coin_play', 'withdrawal_fee']) else (kind <> all (array['coin_issue', 'coin_play'])) and (asset <> all (array['QGC', 'QSC'])) end),
  constraint account_debt_not_overpaid check (kind <> 'reversal_debt' or balance <= 0),
  constraint account_kind check (kind = any (array['user', 'user_additional', 'user_hold', 'bonus', 'wallet_transit', 'reversal_debt', 'provider_clearing', 'suspense', 'settlement_account', 'provider_fee', 'write_off', 'operator_clearing', 'bonus_expense', 'deposit_fee', 'withdrawal_fee', 'network_fee', 'conversion', 'coin_issue', 'coin_play', 'coin_sales', 'coin_redemption'])),
  constraint account_not_overdrawn check (balance >= 0 or kind = 'reversal_debt')
);
create index account_frozen_listed on account (operator_id, frozen_at, id) where (frozen_at is not null);
create index account_in_debt on account (operator_id, id) where (kind = 'reversal_debt');
create trigger account_begins before insert on account for each row when (new.balance <> 0) execute function guard_account();
create trigger account_immutable before update on account for each row execute function guard_account();
create trigger account_kept before delete on account for each row execute function refuse_change();
create trigger account_not_truncated before truncate on account for each statement execute function refuse_change();
create trigger account_release_guarded before update of frozen_at on account for each row when (old.frozen_at is not null and new.frozen_at is distinct from old.frozen_at) execute function guard_release();

-- How staff ended the freeze of an account that a debt had caused.
create table account_release (
  operator_id text not null,
  decision_id uuid not null,
  account_id bigint not null,
  frozen_since timestamptz not null,
  debt bigint not null,
  decided_by text not null,
  key_id uuid,
  reason text not null,
  at timestamptz not null default now(),
  constraint account_release_pkey primary key (operator_id, decision_id),
  constraint account_release_operator_id_account_id_fkey foreign key (operator_id, account_id) references account(operator_id, id),
  constraint account_release_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint account_release_debt_check check (debt >= 0)
);
create unique index account_release_once on account_release (operator_id, account_id, frozen_since);
create trigger account_release_immutable before delete or update on account_release for each row execute function refuse_change();
create trigger account_release_not_truncated before truncate on account_release for each statement execute function refuse_change();

-- Amounts above which the operator's staff must approve a withdrawal (SRV-1, SRV-3). No row: no approval in this currency.
create table approval_threshold (
  operator_id text not null,
  currency text not null,
  one bigint,
  two bigint,
  day bigint,
  constraint approval_threshold_pkey primary key (operator_id, currency),
  constraint approval_threshold_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint approval_threshold_check check (two >= one),
  constraint approval_threshold_day_check check (day >= 0),
  constraint approval_threshold_one_check check (one >= 0),
  constraint approval_threshold_says check (one is not null or day is not null),
  constraint approval_threshold_second check (two is null or one is not null)
);

-- The sum of an account's postings in a month that has left the database.
create table archived_balance (
  operator_id text not null,
  account_id bigint not null,
  until timestamptz not null,
  sum numeric not null,
  lowered_at timestamptz,
  constraint archived_balance_pkey primary key (operator_id, account_id, until),
  constraint archived_balance_operator_id_account_id_fkey foreign key (operator_id, account_id) references account(operator_id, id)
);
create trigger archived_balance_immutable before delete or update on archived_balance for each row execute function refuse_change();
create trigger archived_balance_not_truncated before truncate on archived_balance for each statement execute function refuse_change();

-- The journals of archived months that a later rule, chargeback or refund asks for: all but plain credits, transfers and coins.
create table archived_journal (
  operator_id text not null,
  id uuid not null,
  kind text not null,
  deposit_id uuid,
  withdrawal_id uuid,
  payment_id uuid,
  refund_id uuid,
  dispute_id uuid,
  payout_id uuid,
  ext_source text not null,
  ext_ref text not null,
  note text,
  at timestamptz not null,
  lines jsonb not null,
  constraint archived_journal_pkey primary key (operator_id, id)
);
create index archived_journal_of_deposit on archived_journal (operator_id, deposit_id) where (deposit_id is not null);
create index archived_journal_of_withdrawal on archived_journal (operator_id, withdrawal_id) where (withdrawal_id is not null);
create index archived_journal_reversals on archived_journal (operator_id, at desc, id desc) where (kind = 'deposit_reversal');
create trigger archived_journal_immutable before delete or update on archived_journal for each row execute function refuse_change();
create trigger archived_journal_not_truncated before truncate on archived_journal for each statement execute function refuse_change();

-- The number and the sums of a settlement file's lines that have left the database.
create table archived_line_sum (
  operator_id text not null,
  file_id uuid not null,
  until timestamptz not null,
  currency text not null,
  lines bigint not null,
  amount numeric not null,
  fee numeric not null,
  constraint archived_line_sum_pkey primary key (operator_id, file_id, until, currency),
  constraint archived_line_sum_operator_id_file_id_fkey foreign key (operator_id, file_id) references settlement_file(operator_id, id)
);
create trigger archived_line_sum_immutable before delete or update on archived_line_sum for each row execute function refuse_change();
create trigger archived_line_sum_not_truncated before truncate on archived_line_sum for each statement execute function refuse_change();

-- What settlement lines that have left the database settled of an entry of the ledger.
create table archived_match (
  operator_id text not null,
  entry_id uuid not null,
  entry_kind text not null,
  until timestamptz not null,
  lines bigint not null,
  amount numeric not null,
  constraint archived_match_pkey primary key (operator_id, entry_id, entry_kind, until)
);
create index archived_match_of_month on archived_match (operator_id, until);
create trigger archived_match_immutable before delete or update on archived_match for each row execute function refuse_change();
create trigger archived_match_not_truncated before truncate on archived_match for each statement execute function refuse_change();

-- A month of an operator's journals that has left the database, with a digest of what stays of it.
create table archived_month (
  operator_id text not null,
  until timestamptz not null,
  since timestamptz not null,
  journals bigint not null,
  postings bigint not null,
  digest bytea not null,
  at timestamptz not null default now(),
  constraint archived_month_pkey primary key (operator_id, until),
  constraint archived_month_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint archived_month_digest_check check (octet_length(digest) = 32)
);
create trigger archived_month_immutable before delete or update on archived_month for each row execute function refuse_change();
create trigger archived_month_not_truncated before truncate on archived_month for each statement execute function refuse_change();

-- Partitions that were archived, each with its file and the hash of the file.
create table archived_partition (
  name text not null,
  parent text not null,
  since timestamptz not null,
  until timestamptz not null,
  detached_at timestamptz not null default now(),
  file text,
  rows bigint,
  sha256 bytea,
  is_kept boolean,
  finished_at timestamptz,
  constraint archived_partition_pkey primary key (name),
  constraint archived_partition_finished check (num_nulls(file, rows, sha256, is_kept, finished_at) = any (array[0, 5])),
  constraint archived_partition_sha256_check check (octet_length(sha256) = 32)
);
create trigger archived_partition_immutable before delete or update on archived_partition for each row when (old.finished_at is not null) execute function refuse_change();
create trigger archived_partition_not_truncated before truncate on archived_partition for each statement execute function refuse_change();

-- A month of an operator's settlement lines that has left the database, with a digest of what stays of it.
create table archived_settlement (
  operator_id text not null,
  until timestamptz not null,
  since timestamptz not null,
  lines bigint not null,
  matches bigint not null,
  place bigint not null generated always as identity,
  digest bytea not null,
  at timestamptz not null default now(),
  constraint archived_settlement_pkey primary key (operator_id, until),
  constraint archived_settlement_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint archived_settlement_digest_check check (octet_length(digest) = 32)
);
create trigger archived_settlement_immutable before delete or update on archived_settlement for each row execute function refuse_change();
create trigger archived_settlement_not_truncated before truncate on archived_settlement for each statement execute function refuse_change();

-- A time up to which the ledger of an operator was found sound, with a digest of its journals.
create table audit_point (
  operator_id text not null,
  until timestamptz not null,
  journals bigint not null,
  postings bigint not null,
  digest bytea not null,
  at timestamptz not null default now(),
  constraint audit_point_pkey primary key (operator_id, until),
  constraint audit_point_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint audit_point_digest_check check (octet_length(digest) = 32)
);
create trigger audit_point_immutable before delete or update on audit_point for each row execute function refuse_change();
create trigger audit_point_not_truncated before truncate on audit_point for each statement execute function refuse_change();

-- The sum of an account's postings at a checked point.
create table audit_sum (
  operator_id text not null,
  account_id bigint not null,
  until timestamptz not null,
  sum numeric not null,
  constraint audit_sum_pkey primary key (operator_id, account_id, until),
  constraint audit_sum_operator_id_account_id_fkey foreign key (operator_id, account_id) references account(operator_id, id)
);
create trigger audit_sum_immutable before delete or update on audit_sum for each row execute function refuse_change();
create trigger audit_sum_not_truncated before truncate on audit_sum for each statement execute function refuse_change();

-- An answer or a statement of a bank about payout files. The same bytes are applied once.
create table bank_message (
  operator_id text not null,
  id uuid not null default time_id(),
  kind text not null,
  name text not null,
  hash bytea not null,
  found integer not null,
  changed integer not null,
  problems integer not null default 0,
  by text not null,
  key_id uuid,
  at timestamptz not null default now(),
  constraint bank_message_pkey primary key (operator_id, id),
  constraint bank_message_once unique (operator_id, hash),
  constraint bank_message_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint bank_message_hash_check check (octet_length(hash) = 32),
  constraint bank_message_kind_check check (kind = any (array['pain.002', 'camt.053', 'camt.054']))
);
create trigger bank_message_immutable before delete or update on bank_message for each row execute function refuse_change();
create trigger bank_message_not_truncated before truncate on bank_message for each statement execute function refuse_change();

-- Bank messages with steps that are not applied yet, and how a part that the database refuses is tried again.
create table bank_message_queue (
  operator_id text not null,
  message_id uuid not null,
  failures integer not null default 0,
  refusals integer not null default 0,
  suspects integer,
  set_aside integer not null default 0,
  next_at timestamptz not null default now(),
  last_error text,
  constraint bank_message_queue_pkey primary key (operator_id, message_id),
  constraint bank_message_queue_operator_id_message_id_fkey foreign key (operator_id, message_id) references bank_message(operator_id, id),
  constraint bank_message_queue_failures_check check (failures >= 0),
  constraint bank_message_queue_refusals_check check (refusals >= 0),
  constraint bank_message_queue_set_aside_check check (set_aside >= 0),
  constraint bank_message_queue_suspects_check check (suspects > 0)
);
create index bank_message_queue_due on bank_message_queue (operator_id, next_at);

-- Steps of a bank message that are decided and not applied yet. Applying a step deletes its row.
create table bank_message_step (
  operator_id text not null,
  message_id uuid not null,
  n integer not null,
  withdrawal_id uuid not null,
  state text not null,
  reason text,
  returned bigint,
  constraint bank_message_step_pkey primary key (operator_id, message_id, n),
  constraint bank_message_step_operator_id_message_id_fkey foreign key (operator_id, message_id) references bank_message(operator_id, id),
  constraint bank_message_step_operator_id_withdrawal_id_fkey foreign key (operator_id, withdrawal_id) references payout_transfer(operator_id, withdrawal_id),
  constraint bank_message_step_n_check check (n > 0),
  constraint bank_message_step_returned_check check (returned > 0),
  constraint bank_message_step_state_check check (state = any (array['stopped', 'paid', 'declined', 'returned']))
);
create index bank_message_step_of_transfer on bank_message_step (operator_id, withdrawal_id);

-- Each time that staff brought a dismissed step of a bank message back, with the dismissal.
create table bank_step_brought_back (
  operator_id text not null,
  message_id uuid not null,
  n integer not null,
  dismissed_by text not null,
  dismissed_key uuid,
  dismissed_note text not null,
  dismissed_at timestamptz not null,
  by text not null,
  key_id uuid,
  note text not null,
  at timestamptz not null default now(),
  constraint bank_step_brought_back_pkey primary key (operator_id, message_id, n, dismissed_at),
  constraint bank_step_brought_back_operator_id_message_id_n_fkey foreign key (operator_id, message_id, n) references bank_step_set_aside(operator_id, message_id, n),
  constraint bank_step_brought_back_note_check check (length(note) >= 1 and length(note) <= 500)
);
create trigger bank_step_brought_back_guarded before insert on bank_step_brought_back for each row execute function guard_bank_step_brought_back();
create trigger bank_step_brought_back_immutable before delete or update on bank_step_brought_back for each row execute function refuse_change();
create trigger bank_step_brought_back_not_truncated before truncate on bank_step_brought_back for each statement execute function refuse_change();

-- Steps of bank messages that the database refused alone. They wait for staff. Ended rows are kept.
create table bank_step_set_aside (
  operator_id text not null,
  message_id uuid not null,
  n integer not null,
  withdrawal_id uuid not null,
  place bigint not null generated always as identity,
  state text not null,
  reason text,
  returned bigint,
  cause text not null,
  set_aside_at timestamptz not null default now(),
  outcome text,
  ended_by text,
  ended_key uuid,
  note text,
  ended_at timestamptz,
  stood_state text,
  stood_reason text,
  stood_file_id uuid,
  stood_files integer,
  constraint bank_step_set_aside_pkey primary key (operator_id, message_id, n),
  constraint bank_step_set_aside_operator_id_message_id_fkey foreign key (operator_id, message_id) references bank_message(operator_id, id),
  constraint bank_step_set_aside_operator_id_withdrawal_id_fkey foreign key (operator_id, withdrawal_id) references payout_transfer(operator_id, withdrawal_id),
  constraint bank_step_set_aside_cause_check check (length(cause) >= 1 and length(cause) <= 100),
  constraint bank_step_set_aside_end check ((outcome is null) = (ended_at is null) and (outcome is null) = (ended_by is null) and (outcome is distinct from 'dismissed' or note is not null) and (not outcome is distinct from 'dismissed') = (stood_state is not null) and (stood_state is null) = (stood_files is null)),
  constraint bank_step_set_aside_n_check check (n > 0),
  constraint bank_step_set_aside_note_check check (length(note) >= 1 and length(note) <= 500),
  constraint bank_step_set_aside_outcome_check check (outcome = any (array['applied', 'dismissed'])),
  constraint bank_step_set_aside_returned_check check (returned > 0),
  constraint bank_step_set_aside_state_check check (state = any (array['stopped', 'paid', 'declined', 'returned'])),
  constraint bank_step_set_aside_stood_files_check check (stood_files >= 0),
  constraint bank_step_set_aside_stood_state_check check (stood_state = any (array['queued', 'filed', 'stopped', 'paid', 'declined', 'returned']))
);
create index bank_step_set_aside_dismissed on bank_step_set_aside (operator_id, place) where (outcome = 'dismissed');
create index bank_step_set_aside_open on bank_step_set_aside (operator_id, withdrawal_id) where (ended_at is null);
create trigger bank_step_set_aside_guarded before update on bank_step_set_aside for each row execute function guard_bank_step_set_aside();
create trigger bank_step_set_aside_kept before delete on bank_step_set_aside for each row execute function refuse_change();
create trigger bank_step_set_aside_not_truncated before truncate on bank_step_set_aside for each statement execute function refuse_change();

-- Every version of an operator's bonuses, kept for ever.
create table bonus_change (
  operator_id text not null,
  version integer not null,
  bonuses jsonb not null,
  staff text not null,
  at timestamptz not null default now(),
  constraint bonus_change_pkey primary key (operator_id, version),
  constraint bonus_change_operator_id_fkey foreign key (operator_id) references operator(id)
);
create trigger bonus_change_immutable before delete or update on bonus_change for each row execute function refuse_change();
create trigger bonus_change_not_truncated before truncate on bonus_change for each statement execute function refuse_change();

-- The last problem with an answer of an operator's own bonus engine.
create table bonus_engine_problem (
  operator_id text not null,
  at timestamptz not null default now(),
  why text not null,
  question_id uuid not null,
  user_id text not null,
  fields jsonb not null,
  constraint bonus_engine_problem_pkey primary key (operator_id),
  constraint bonus_engine_problem_operator_id_fkey foreign key (operator_id) references operator(id)
);

-- Current bonuses of an operator, in the order in which users see them.
create table bonus_settings (
  operator_id text not null,
  version integer not null,
  bonuses jsonb not null,
  staff text not null,
  updated_at timestamptz not null default now(),
  constraint bonus_settings_pkey primary key (operator_id),
  constraint bonus_settings_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint bonus_settings_version_check check (version > 0)
);
create trigger bonus_settings_kept after insert or update on bonus_settings for each row execute function keep_bonus_change();
create trigger bonus_settings_not_deleted before delete on bonus_settings for each row execute function refuse_change();

-- Forms of providers on their way to a browser (DEP-3), one row per visit; the visit deletes it.
create table bounce (
  token_hash bytea not null,
  operator_id text not null,
  form jsonb not null,
  language text not null,
  expires_at timestamptz not null,
  constraint bounce_pkey primary key (token_hash),
  constraint bounce_token_hash_check check (octet_length(token_hash) = 32)
);
create index bounce_age on bounce (expires_at);

-- Solved captchas that a create call has used, each once (ERR-5); deleted after 30 days.
create table captcha_use (
  lot_hash bytea not null,
  operator_id text not null,
  user_id text not null,
  client_key uuid not null,
  used_at timestamptz not null default now(),
  constraint captcha_use_pkey primary key (lot_hash),
  constraint captcha_use_lot_hash_check check (octet_length(lot_hash) = 32)
);
create index captcha_use_age on captcha_use (used_at);

-- Every version of an operator's catalogue settings, kept for ever.
create table catalogue_change (
  operator_id text not null,
  version integer not null,
  settings jsonb not null,
  staff text not null,
  at timestamptz not null default now(),
  constraint catalogue_change_pkey primary key (operator_id, version),
  constraint catalogue_change_operator_id_fkey foreign key (operator_id) references operator(id)
);
create trigger catalogue_change_immutable before delete or update on catalogue_change for each row execute function refuse_change();
create trigger catalogue_change_not_truncated before truncate on catalogue_change for each statement execute function refuse_change();

-- Current catalogue settings of an operator: methods switched off, their order, narrower limits.
create table catalogue_settings (
  operator_id text not null,
  version integer not null,
  settings jsonb not null,
  staff text not null,
  updated_at timestamptz not null default now(),
  constraint catalogue_settings_pkey primary key (operator_id),
  constraint catalogue_settings_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint catalogue_settings_version_check check (version > 0)
);
create trigger catalogue_settings_kept before insert or update on catalogue_settings for each row execute function keep_catalogue_change();
create trigger catalogue_settings_not_deleted before delete on catalogue_settings for each row execute function refuse_change();

-- What a chain said an operator had of a coin, and what the ledger expected there.
create table chain_balance (
  operator_id text not null,
  id uuid not null default time_id(),
  file_id uuid not null,
  chain text not null,
  currency text not null,
  found bigint not null,
  expected bigint not null,
  booked bigint not null,
  may_be_in bigint not null,
  may_be_out bigint not null,
  in_progress bigint not null default 0,
  first_height bigint not null,
  last_height bigint not null,
  addresses integer not null,
  at timestamptz not null default clock_timestamp(),
  constraint chain_balance_pkey primary key (operator_id, id),
  constraint chain_balance_once unique (operator_id, file_id, currency),
  constraint chain_balance_operator_id_file_id_fkey foreign key (operator_id, file_id) references settlement_file(operator_id, id),
  constraint chain_balance_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint chain_balance_found_check check (found >= 0),
  constraint chain_balance_may_be_in_check check (may_be_in >= 0),
  constraint chain_balance_may_be_out_check check (may_be_out >= 0)
);
create index chain_balance_latest on chain_balance (operator_id, chain, currency, id desc);
create trigger chain_balance_immutable before delete or update on chain_balance for each row execute function refuse_change();
create trigger chain_balance_not_truncated before truncate on chain_balance for each statement execute function refuse_change();

-- What changed in the sums of a chain since they were added up last.
create table chain_change (
  operator_id text not null,
  id uuid not null default time_id(),
  chain text not null,
  wallet text not null,
  contract text not null,
  credited bigint not null default 0,
  paid_out bigint not null default 0,
  received numeric(78,0) not null default 0,
  sent numeric(78,0) not null default 0,
  cost numeric(78,0) not null default 0,
  constraint chain_change_pkey primary key (operator_id, id)
);
create index chain_change_of_chain on chain_change (chain, contract);
create trigger chain_change_by_trigger before insert on chain_change for each row execute function refuse_by_hand();
create trigger chain_change_kept before update on chain_change for each row execute function refuse_change();

-- What all payments and payouts of a coin on a chain add up to, without later changes.
create table chain_sum (
  operator_id text not null,
  chain text not null,
  wallet text not null,
  contract text not null,
  credited bigint not null default 0,
  paid_out bigint not null default 0,
  rests numeric(78,0) not null default 0,
  sent numeric(78,0) not null default 0,
  cost numeric(78,0) not null default 0,
  constraint chain_sum_pkey primary key (operator_id, chain, wallet, contract),
  constraint chain_sum_operator_id_fkey foreign key (operator_id) references operator(id)
);

-- Kept sums of chains that counted ones replaced: who let it happen, and what was kept and counted.
create table chain_sum_correction (
  place bigint not null generated always as identity,
  chain text not null,
  wrong jsonb not null,
  read_again integer not null,
  by text not null,
  at timestamptz not null default clock_timestamp(),
  constraint chain_sum_correction_pkey primary key (place),
  constraint chain_sum_correction_found check (wrong <> '[]'::jsonb or read_again > 0),
  constraint chain_sum_correction_read_again_check check (read_again >= 0),
  constraint chain_sum_correction_wrong_check check (jsonb_typeof(wrong) = 'array')
);
create trigger chain_sum_correction_immutable before delete or update on chain_sum_correction for each row execute function refuse_change();
create trigger chain_sum_correction_not_truncated before truncate on chain_sum_correction for each statement execute function refuse_change();

-- The assets whose payments were all counted once. Changes are added since.
create table chain_sum_point (
  chain text not null,
  contract text not null,
  unit numeric(78,0) not null,
  counted_at timestamptz not null default now(),
  constraint chain_sum_point_pkey primary key (chain, contract),
  constraint chain_sum_point_unit_check check (unit > 0::numeric)
);

-- How far the clock of a sandbox is ahead of the machine's, and since when.
create table clock_move (
  since timestamptz not null,
  ahead_seconds bigint not null,
  constraint clock_move_pkey primary key (since),
  constraint clock_move_ahead_seconds_check check (ahead_seconds >= 0)
);

-- One payout on a chain: what it pays to whom, and how far it has come.
create table coin_payout (
  operator_id text not null,
  withdrawal_id uuid not null,
  chain text not null,
  wallet text not null,
  coin text not null,
  contract text not null,
  address text not null,
  minor bigint not null,
  raw numeric(78,0) not null,
  state text not null default 'queued',
  reason text,
  hash text,
  fee numeric(78,0),
  fee_coin text,
  fee_minor bigint,
  fee_booked_at timestamptz,
  created_at timestamptz not null default now(),
  prepared_at timestamptz,
  reported_at timestamptz,
  constraint coin_payout_pkey primary key (operator_id, withdrawal_id),
  constraint coin_payout_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint coin_payout_operator_id_withdrawal_id_fkey foreign key (operator_id, withdrawal_id) references withdrawal(operator_id, id),
  constraint coin_payout_fee_booked check ((num_nonnulls(fee_coin, fee_minor, fee_booked_at) = any (array[0, 3])) and (fee_booked_at is null or fee is not null and hash is not null and (state = any (array['confirmed', 'failed'])))),
  constraint coin_payout_fee_minor_check check (fee_minor >= 0),
  constraint coin_payout_minor_check check (minor > 0),
  constraint coin_payout_raw_check check (raw > 0::numeric),
  constraint coin_payout_state_check check (state = any (array['queued', 'prepared', 'signed', 'broadcast', 'seen', 'confirmed', 'failed', 'refused', 'displaced', 'declined']))
);
create index coin_payout_fee_open on coin_payout (chain, wallet, created_at) where ((fee_booked_at is null) and (state = any (array['confirmed', 'failed'])));
create index coin_payout_newest on coin_payout (chain, wallet, prepared_at) where (prepared_at is not null);
create index coin_payout_open on coin_payout (chain, wallet, created_at) where (reported_at is null);
create index coin_payout_reported on coin_payout (chain, wallet, reported_at);
create index coin_payout_spent on coin_payout (operator_id, coin, prepared_at) where (prepared_at is not null);
create trigger coin_payout_guarded before update on coin_payout for each row execute function guard_coin_payout();
create trigger coin_payout_in_chain_sums after insert or update of state, fee, fee_minor, reported_at on coin_payout for each row execute function note_chain_fee();
create trigger coin_payout_kept before delete on coin_payout for each row execute function refuse_change();
create trigger coin_payout_not_truncated before truncate on coin_payout for each statement execute function refuse_change();

-- What staff have decided about coin payouts that were being checked, kept for ever.
create table coin_payout_decision (
  operator_id text not null,
  withdrawal_id uuid not null,
  id uuid not null default time_id(),
  decision text not null,
  state text not null,
  reason text,
  has_looked boolean not null default false,
  hash text,
  by text not null,
  at timestamptz not null default now(),
  constraint coin_payout_decision_pkey primary key (operator_id, withdrawal_id, id),
  constraint coin_payout_decision_operator_id_withdrawal_id_fkey foreign key (operator_id, withdrawal_id) references coin_payout(operator_id, withdrawal_id),
  constraint coin_payout_decision_decision_check check (decision = any (array['again', 'release', 'decline', 'paid']))
);
create trigger coin_payout_decision_immutable before delete or update on coin_payout_decision for each row execute function refuse_change();
create trigger coin_payout_decision_not_truncated before truncate on coin_payout_decision for each statement execute function refuse_change();

-- The allowed moves between the states of a coin payout.
create table coin_payout_transition (
  from_state text not null,
  to_state text not null,
  constraint coin_payout_transition_pkey primary key (from_state, to_state)
);
create trigger coin_payout_transition_not_truncated before truncate on coin_payout_transition for each statement execute function refuse_change();

-- Plays that operators report, once per id.
create table coin_play (
  operator_id text not null,
  play_id text not null,
  user_id text not null,
  asset text not null,
  staked bigint not null,
  won bigint not null,
  at timestamptz not null default now(),
  constraint coin_play_pkey primary key (operator_id, play_id),
  constraint coin_play_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint coin_play_asset_check check (asset = any (array['GC', 'SC'])),
  constraint coin_play_staked_check check (staked > 0),
  constraint coin_play_won_check check (won >= 0)
);
create trigger coin_play_immutable before delete or update on coin_play for each row execute function refuse_change();
create trigger coin_play_not_truncated before truncate on coin_play for each statement execute function refuse_change();
create trigger play_counts after insert on coin_play for each row when (new.asset = 'SC') execute function count_played();

-- The nonces, outputs or transactions that payouts have reserved. One slot pays once.
create table coin_slot (
  chain text not null,
  wallet text not null,
  slot text not null,
  operator_id text not null,
  withdrawal_id uuid not null,
  is_released boolean not null default false,
  constraint coin_slot_pkey primary key (chain, wallet, slot, operator_id, withdrawal_id),
  constraint coin_slot_operator_id_withdrawal_id_fkey foreign key (operator_id, withdrawal_id) references coin_payout(operator_id, withdrawal_id)
);
create unique index coin_slot_once on coin_slot (chain, wallet, slot) where (not is_released);
create index coin_slot_payout on coin_slot (operator_id, withdrawal_id);

-- The transactions of a coin payout. The chain takes one of them at most.
create table coin_transaction (
  operator_id text not null,
  withdrawal_id uuid not null,
  version integer not null,
  unsigned text not null,
  fee_rate numeric(78,0) not null,
  most_fee numeric(78,0) not null,
  hash text,
  signed text,
  created_at timestamptz not null default now(),
  taken_by text,
  taken_key text,
  taken_at timestamptz,
  given_by text,
  given_key text,
  sent_at timestamptz,
  expires_at timestamptz,
  expired_at timestamptz,
  constraint coin_transaction_pkey primary key (operator_id, withdrawal_id, version),
  constraint coin_transaction_operator_id_withdrawal_id_fkey foreign key (operator_id, withdrawal_id) references coin_payout(operator_id, withdrawal_id),
  constraint coin_transaction_by_two check (given_by is null or hash is not null and taken_by is not null and lower(given_by) <> lower(taken_by)),
  constraint coin_transaction_expired check (expired_at is null or expires_at is not null),
  constraint coin_transaction_signed check ((hash is null) = (signed is null)),
  constraint coin_transaction_version_check check (version >= 1 and version <= 100000)
);
create unique index coin_transaction_live on coin_transaction (operator_id, withdrawal_id) where ((expires_at is not null) and (expired_at is null));
create trigger coin_transaction_guarded before update on coin_transaction for each row execute function guard_coin_transaction();
create trigger coin_transaction_kept before delete on coin_transaction for each row execute function refuse_change();
create trigger coin_transaction_not_truncated before truncate on coin_transaction for each statement execute function refuse_change();

-- Who has taken a transaction to sign it by file: the first time of each person and API key.
create table coin_transaction_take (
  operator_id text not null,
  withdrawal_id uuid not null,
  version integer not null,
  id uuid not null default time_id(),
  by text not null,
  key_id text,
  at timestamptz not null default now(),
  constraint coin_transaction_take_pkey primary key (operator_id, withdrawal_id, version, id),
  constraint coin_transaction_take_operator_id_withdrawal_id_version_fkey foreign key (operator_id, withdrawal_id, version) references coin_transaction(operator_id, withdrawal_id, version)
);
create unique index coin_transaction_take_once on coin_transaction_take (operator_id, withdrawal_id, version, lower(by), coalesce(key_id, ''));
create trigger coin_transaction_take_immutable before delete or update on coin_transaction_take for each row execute function refuse_change();
create trigger coin_transaction_take_not_truncated before truncate on coin_transaction_take for each statement execute function refuse_change();

-- The hot wallets that pay coins out, for all operators.
create table coin_wallet (
  chain text not null,
  wallet text not null,
  next_at timestamptz not null default '-infinity'::timestamptz,
  answered_at timestamptz,
  silent_since timestamptz,
  is_low boolean not null default false,
  doubt text,
  doubted_since timestamptz,
  doubt_next numeric,
  accepted_slot numeric(78,0),
  constraint coin_wallet_pkey primary key (chain, wallet),
  constraint coin_wallet_accepted_slot_check check (accepted_slot >= 0::numeric),
  constraint coin_wallet_doubt_check check (doubt = any (array['node-behind', 'nodes-disagree', 'used-elsewhere'])),
  constraint coin_wallet_doubt_next_check check (doubt_next >= 0::numeric),
  constraint coin_wallet_doubted check ((doubt is null) = (doubted_since is null) and (not doubt is distinct from 'used-elsewhere') = (doubt_next is not null))
);
create trigger coin_wallet_guarded before insert or update on coin_wallet for each row execute function guard_coin_wallet();

-- Proposals of one person to accept that a hot wallet was used elsewhere, and who decided.
create table coin_wallet_acceptance (
  id uuid not null default time_id(clock_timestamp()),
  place bigint not null generated always as identity,
  chain text not null,
  wallet text not null,
  slot numeric(78,0) not null,
  doubt text,
  doubted_since timestamptz,
  doubt_next numeric,
  slot_before numeric(78,0),
  reason text not null,
  state text not null default 'proposed',
  proposed_by text not null,
  proposed_at timestamptz not null default now(),
  decided_by text,
  decided_at timestamptz,
  constraint coin_wallet_acceptance_pkey primary key (id),
  constraint coin_wallet_acceptance_chain_wallet_fkey foreign key (chain, wallet) references coin_wallet(chain, wallet),
  constraint coin_wallet_acceptance_bounded check (coalesce(slot <= doubt_next, slot < slot_before, false)),
  constraint coin_wallet_acceptance_by_two check (state <> 'confirmed' or lower(decided_by) <> lower(proposed_by)),
  constraint coin_wallet_acceptance_decided check (num_nulls(decided_by, decided_at) = case state when 'proposed' then 2 else 0 end),
  constraint coin_wallet_acceptance_slot_check check (slot >= 0::numeric),
  constraint coin_wallet_acceptance_state_check check (state = any (array['proposed', 'confirmed', 'rejected']))
);
create index coin_wallet_acceptance_newest on coin_wallet_acceptance (chain, wallet, place desc);
create unique index coin_wallet_acceptance_waits_once on coin_wallet_acceptance (chain, wallet) where (state = 'proposed');
create trigger coin_wallet_acceptance_guarded before insert or update on coin_wallet_acceptance for each row execute function guard_coin_wallet_acceptance();
create trigger coin_wallet_acceptance_kept before delete on coin_wallet_acceptance for each row execute function refuse_change();
create trigger coin_wallet_acceptance_not_truncated before truncate on coin_wallet_acceptance for each statement execute function refuse_change();

-- What a running transaction must prove at its commit. Only triggers write it, and no row outlives its transaction.
create table commit_check (
  id bigint not null generated always as identity,
  operator_ids text[] not null,
  journal_ids uuid[],
  payment_ids uuid[],
  deposit_ids uuid[],
  constraint commit_check_pkey primary key (id)
);
create constraint trigger commit_checked after insert on commit_check deferrable initially deferred for each row execute function check_at_commit();

-- The receiving address of each deposit on a chain, and how long it is watched.
create table crypto_address (
  chain text not null,
  address text not null,
  deposit_id uuid not null,
  account text not null,
  branch integer not null default 0,
  index bigint,
  coin text not null,
  contract text not null,
  created_at timestamptz not null default now(),
  watched_until timestamptz not null,
  look_at timestamptz not null default now(),
  constraint crypto_address_pkey primary key (chain, address),
  constraint crypto_address_deposit_id_key unique (deposit_id),
  constraint crypto_address_place unique (chain, account, branch, index),
  constraint crypto_address_chain_fkey foreign key (chain) references crypto_chain(chain)
);
create index crypto_address_by_address on crypto_address (lower(address));
create index crypto_address_look on crypto_address (chain, look_at);
create index crypto_address_watched on crypto_address (chain, watched_until);
create trigger crypto_address_kept before update of chain, address, deposit_id, account, branch, index, coin, contract on crypto_address for each row when (old.chain is distinct from new.chain or old.address is distinct from new.address or old.deposit_id is distinct from new.deposit_id or old.account is distinct from new.account or old.branch is distinct from new.branch or old.index is distinct from new.index or old.coin is distinct from new.coin or old.contract is distinct from new.contract) execute function refuse_change();

-- What a node said last about the balance of an address or a hot wallet.
create table crypto_balance (
  chain text not null,
  address text not null,
  contract text not null,
  raw numeric(78,0) not null,
  height bigint not null,
  last_height bigint not null,
  read_at timestamptz not null default now(),
  constraint crypto_balance_pkey primary key (chain, address, contract),
  constraint crypto_balance_check check (last_height >= height),
  constraint crypto_balance_raw_check check (raw >= 0::numeric)
);
create index crypto_balance_with_coins on crypto_balance (chain, address) where (raw > (0)::numeric);
create trigger crypto_balance_gone after delete on crypto_balance for each row execute function look_at_outputs_after();
create trigger crypto_balance_of_earlier_block after update of height on crypto_balance for each row when (new.height < old.height) execute function look_at_outputs_after();

-- How far each chain was scanned.
create table crypto_chain (
  chain text not null,
  account text not null,
  scanned_height bigint,
  scanned_hash text,
  tip_height bigint,
  tip_at timestamptz,
  next_at timestamptz not null default '-infinity'::timestamptz,
  balances_due_at timestamptz not null default '-infinity'::timestamptz,
  balances_after text not null default '',
  read_at timestamptz,
  read_height bigint,
  opened_at timestamptz not null default now(),
  compared_at timestamptz,
  constraint crypto_chain_pkey primary key (chain)
);

-- When a server whose settings name a coin last watched it. All operators share the wallet of these coins.
create table crypto_coin (
  chain text not null,
  coin text not null,
  since timestamptz not null default now(),
  watched_at timestamptz not null default now(),
  constraint crypto_coin_pkey primary key (chain, coin)
);

-- What one transaction brought to one address in one asset.
create table crypto_output (
  chain text not null,
  txid text not null,
  address text not null,
  contract text not null,
  raw numeric(78,0) not null,
  height bigint,
  block_hash text,
  told text not null default 'new',
  gone_at_height bigint,
  is_settled boolean not null default false,
  first_seen_at timestamptz not null default now(),
  is_summed boolean not null default false,
  constraint crypto_output_pkey primary key (chain, txid, address, contract),
  constraint crypto_output_chain_address_fkey foreign key (chain, address) references crypto_address(chain, address),
  constraint crypto_output_block check ((height is null) = (block_hash is null)),
  constraint crypto_output_raw_check check (raw > 0::numeric),
  constraint crypto_output_told check (told = any (array['new', 'seen', 'paid', 'gone', 'taken-back']))
);
create index crypto_output_address on crypto_output (chain, address);
create index crypto_output_by_txid on crypto_output (lower(txid));
create index crypto_output_open on crypto_output (chain) where (not is_settled);
create index crypto_output_unsummed on crypto_output (chain, address) where ((not is_summed) and (height is not null));
create trigger crypto_output_changed before update of told, height, raw on crypto_output for each row when (old.is_summed and (new.told is distinct from old.told or new.height is distinct from old.height or new.raw is distinct from old.raw)) execute function look_at_output();
create trigger crypto_output_in_chain_sums after insert or delete on crypto_output for each row execute function note_crypto_output();
create trigger crypto_output_kept before update of chain, txid, address, contract on crypto_output for each row when (old.chain is distinct from new.chain or old.txid is distinct from new.txid or old.address is distinct from new.address or old.contract is distinct from new.contract) execute function refuse_change();
create trigger crypto_output_moves_in_chain_sums after update of told, height, raw on crypto_output for each row when (new.told is distinct from old.told or new.height is distinct from old.height or new.raw is distinct from old.raw) execute function note_crypto_output();

-- Series of addresses: each process opens one, so that a restored database never gives an address twice.
create table crypto_series (
  chain text not null,
  account text not null,
  branch integer not null,
  opened_at timestamptz not null default now(),
  acknowledged_to integer not null default 0,
  acknowledged_by text,
  constraint crypto_series_pkey primary key (chain, account, branch),
  constraint crypto_series_acknowledged_to_check check (acknowledged_to >= 0),
  constraint crypto_series_branch_check check (branch >= 0)
);

-- The close of a day: its totals, proposed by one person, and signed when another confirms them.
create table day_close (
  operator_id text not null,
  id uuid not null default time_id(),
  day date not null,
  as_of timestamptz not null,
  previous bytea,
  totals text not null,
  state text not null default 'proposed',
  proposed_by text not null,
  proposed_key uuid,
  proposed_at timestamptz not null default now(),
  decided_by text,
  decided_key uuid,
  decided_at timestamptz,
  reason text,
  document text,
  hash bytea,
  signature bytea,
  signing_key uuid,
  constraint day_close_pkey primary key (operator_id, id),
  constraint day_close_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint day_close_operator_id_signing_key_fkey foreign key (operator_id, signing_key) references day_close_key(operator_id, id),
  constraint day_close_by_two check (state <> 'closed' or lower(decided_by) <> lower(proposed_by)),
  constraint day_close_decided check (num_nulls(decided_by, decided_at) = case state when 'proposed' then 2 else 0 end),
  constraint day_close_hash_check check (octet_length(hash) = 32),
  constraint day_close_hashed check (hash = sha256(convert_to(document, 'UTF8'::name))),
  constraint day_close_previous_check check (octet_length(previous) = 32),
  constraint day_close_signature_check check (octet_length(signature) = 64),
  constraint day_close_signed check (num_nulls(document, hash, signature, signing_key) = case state when 'closed' then 0 else 4 end),
  constraint day_close_state_check check (state = any (array['proposed', 'closed', 'rejected']))
);
create unique index day_close_once on day_close (operator_id, day) where (state <> 'rejected');
create unique index day_close_waits_once on day_close (operator_id) where (state = 'proposed');
create trigger day_close_guarded before insert or update on day_close for each row execute function guard_day_close();
create trigger day_close_kept before delete on day_close for each row execute function refuse_change();
create trigger day_close_not_truncated before truncate on day_close for each statement execute function refuse_change();

-- The keys that sign the closes of an operator's days. The newest signs.
create table day_close_key (
  operator_id text not null,
  id uuid not null default time_id(),
  public_key bytea not null,
  sealed bytea not null,
  data_key text not null,
  at timestamptz not null default now(),
  constraint day_close_key_pkey primary key (operator_id, id),
  constraint day_close_key_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint day_close_key_public_key_check check (octet_length(public_key) = 44)
);
create trigger day_close_key_guarded before update on day_close_key for each row execute function guard_day_close_key();
create trigger day_close_key_kept before delete on day_close_key for each row execute function refuse_change();
create trigger day_close_key_not_truncated before truncate on day_close_key for each statement execute function refuse_change();

-- How staff claimed a user's debt from the operator's own wallet.
create table debt_claim (
  operator_id text not null,
  decision_id uuid not null,
  account_id bigint not null,
  call_id uuid not null,
  decided_by text not null,
  key_id uuid,
  reason text not null,
  at timestamptz not null default now(),
  constraint debt_claim_pkey primary key (operator_id, decision_id),
  constraint debt_claim_operator_id_account_id_fkey foreign key (operator_id, account_id) references account(operator_id, id),
  constraint debt_claim_operator_id_fkey foreign key (operator_id) references operator(id)
);
create trigger debt_claim_immutable before delete or update on debt_claim for each row execute function refuse_change();
create trigger debt_claim_not_truncated before truncate on debt_claim for each statement execute function refuse_change();

-- How staff settled a user's debt, in whole or in part.
create table debt_settlement (
  operator_id text not null,
  decision_id uuid not null,
  account_id bigint not null,
  paid_from text not null,
  amount bigint not null,
  debt bigint not null,
  decided_by text not null,
  key_id uuid,
  reason text not null,
  at timestamptz not null default now(),
  constraint debt_settlement_pkey primary key (operator_id, decision_id),
  constraint debt_settlement_operator_id_account_id_fkey foreign key (operator_id, account_id) references account(operator_id, id),
  constraint debt_settlement_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint debt_settlement_amount_check check (amount > 0),
  constraint debt_settlement_check check (debt >= amount),
  constraint debt_settlement_paid_from_check check (paid_from = any (array['operator', 'main', 'additional']))
);
create trigger debt_settlement_immutable before delete or update on debt_settlement for each row execute function refuse_change();
create trigger debt_settlement_not_truncated before truncate on debt_settlement for each statement execute function refuse_change();

-- One deposit of a user, from the create call to the credit, with its provider, amounts and review.
create table deposit (
  id uuid not null,
  operator_id text not null,
  user_id text not null,
  client_key uuid not null,
  fingerprint bytea not null,
  payment_method text not null,
  country text not null,
  currency text not null,
  amount bigint not null,
  open_amount boolean not null default false,
  open_least bigint,
  open_most bigint,
  further_of uuid,
  bonus jsonb,
  box jsonb,
  fee jsonb,
  created_at timestamptz not null default now(),
  provider text not null,
  connection_id uuid,
  attempt_id uuid,
  provider_ref text,
  response jsonb,
  failure jsonb,
  lifetime_s integer not null,
  request jsonb not null,
  state text not null,
  rank integer not null,
  cause text,
  reason text,
  expires_at timestamptz not null,
  remote_status text,
  txid text,
  blockchain text,
  crypto_currency text,
  confirmations integer,
  required_confirmations integer,
  received bigint,
  paid bigint,
  credited bigint,
  paid_debt bigint,
  charged_fee bigint,
  review text,
  reviews integer not null default 0,
  review_since timestamptz,
  updated_at timestamptz not null default now(),
  busy_until timestamptz,
  check_at timestamptz,
  checks integer not null default 0,
  constraint deposit_pkey primary key (id, operator_id),
  constraint deposit_operator_id_connection_id_fkey foreign key (operator_id, connection_id) references provider_connection(operator_id, id),
  constraint deposit_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint deposit_operator_id_further_of_fkey foreign key (operator_id, further_of) references deposit(operator_id, id),
  constraint deposit_amount_positive check (amount > 0),
  constraint deposit_check check (paid_debt > 0 and paid_debt <= credited),
  constraint deposit_check1 check (charged_fee >= 0 and charged_fee <= credited),
  constraint deposit_confirmations_check check (confirmations >= 0),
  constraint deposit_credited_by_amount check (state <> 'credited' or credited is not null),
  constraint deposit_credited_check check (credited > 0),
  constraint deposit_credited_is_paid check (credited is null or credited = paid),
  constraint deposit_fee_of_money check (fee is null or box is null),
  constraint deposit_fingerprint_check check (octet_length(fingerprint) = 32),
  constraint deposit_lifetime_s_check check (lifetime_s > 0),
  constraint deposit_of_money check (currency <> all (array['GC', 'SC', 'QGC', 'QSC'])),
  constraint deposit_open_least_check check (open_least > 0),
  constraint deposit_open_most_check check (open_most > 0),
  constraint deposit_paid_check check (paid > 0),
  constraint deposit_received_check check (received > 0),
  constraint deposit_required_confirmations_check check (required_confirmations > 0),
  constraint deposit_state_known check (state = any (array['created', 'submitted_unknown', 'awaiting_payment', 'detected', 'confirming', 'declined', 'cancelled', 'expired', 'late_paid', 'credited', 'refunded', 'reversed']))
);
create index deposit_by_address on deposit (operator_id, lower((response #>> '{apiResponse,data,depositAddress}'[]))) where ((response #>> '{apiResponse,data,depositAddress}'[]) is not null);
create index deposit_by_attempt on deposit (attempt_id) where (attempt_id is not null);
create index deposit_by_other_key on deposit (operator_id, client_key) where (client_key <> id);
create index deposit_by_txid on deposit (operator_id, lower(txid)) where (txid is not null);
create index deposit_due_check on deposit (provider, check_at) where (check_at is not null);
create index deposit_due_expiry on deposit (provider, greatest(expires_at, busy_until)) where ((state = 'awaiting_payment') and (review is null));
create index deposit_in_review on deposit (operator_id, updated_at) where (review is not null);
create index deposit_listed on deposit (operator_id, created_at desc, id desc);
create index deposit_listed_of_user on deposit (operator_id, user_id, created_at desc, id desc);
create index deposit_of_unknown_outcome on deposit (created_at) where (state = 'submitted_unknown');
create index deposit_open on deposit (operator_id, user_id, payment_method, created_at desc) where (rank < 80);
create index deposit_open_listed on deposit (operator_id, created_at desc, id desc) where (rank < 80);
create unique index deposit_provider_ref_once on deposit (provider_ref, provider, operator_id) where (provider_ref is not null);
create index deposit_review_listed on deposit (operator_id, review_since) where (review is not null);
create constraint trigger box_coins_agree after insert or update of state on deposit deferrable initially deferred for each row when (new.box is not null and new.state = 'credited') execute function check_box_coins();
create trigger deposit_begins_unpaid before insert on deposit for each row when (new.paid is not null or new.credited is not null or new.review is not null or new.reviews <> 0) execute function refuse_change();
create trigger deposit_bonus_kept before update of bonus on deposit for each row when (old.bonus is distinct from new.bonus) execute function refuse_change();
create trigger deposit_box_kept before update of box on deposit for each row when (old.box is distinct from new.box) execute function refuse_change();
create trigger deposit_credit_kept before update of credited, paid on deposit for each row when (old.credited is not null and (new.credited is distinct from old.credited or new.paid is distinct from old.paid)) execute function refuse_change();
create trigger deposit_guarded before update on deposit for each row execute function guard_deposit();
create trigger deposit_history_begun after insert on deposit referencing new table as written for each statement execute function write_deposit_history();
create trigger deposit_history_written after update on deposit referencing old table as was new table as written for each statement execute function write_deposit_history();
create trigger deposit_kept before delete on deposit for each row execute function refuse_change();
create trigger deposit_not_truncated before truncate on deposit for each statement execute function refuse_change();
create trigger deposit_open_kept before update of open_least, open_most, further_of on deposit for each row execute function refuse_change();
create trigger deposit_ref_named_once after update of provider_ref on deposit for each row when (new.provider_ref is distinct from old.provider_ref) execute function check_deposit_ref();
create trigger deposit_settles_box after update of state on deposit for each row when (new.box is not null and old.state <> new.state) execute function settle_box_stock();
create trigger deposits_agree after update on deposit referencing old table as was new table as written for each statement execute function note_for_commit();
create trigger deposits_named_once after insert on deposit referencing new table as written for each statement execute function check_new_deposits();

-- Attempts of deposits that went on to another connection of their route, each with its id at the provider.
create table deposit_attempt (
  operator_id text not null,
  deposit_id uuid not null,
  n integer not null,
  id uuid not null,
  provider text not null,
  connection_id uuid,
  request text,
  outcome text,
  code text,
  began_at timestamptz not null default now(),
  ended_at timestamptz,
  money_deposit_id uuid,
  constraint deposit_attempt_pkey primary key (operator_id, deposit_id, n),
  constraint deposit_attempt_named_once unique (operator_id, id),
  constraint deposit_attempt_operator_id_connection_id_fkey foreign key (operator_id, connection_id) references provider_connection(operator_id, id),
  constraint deposit_attempt_operator_id_deposit_id_fkey foreign key (operator_id, deposit_id) references deposit(operator_id, id),
  constraint deposit_attempt_operator_id_money_deposit_id_fkey foreign key (operator_id, money_deposit_id) references deposit(operator_id, id),
  constraint deposit_attempt_ends_once check ((outcome is null) = (ended_at is null) and (money_deposit_id is null or outcome is not null)),
  constraint deposit_attempt_n_check check (n >= 1 and n <= 20),
  constraint deposit_attempt_outcome_known check (outcome = any (array['failed', 'declined', 'not_sent']))
);
create index deposit_attempt_by_id on deposit_attempt (id);
create trigger deposit_attempt_guarded before update on deposit_attempt for each row execute function guard_deposit_attempt();
create trigger deposit_attempt_kept before delete on deposit_attempt for each row execute function refuse_change();
create trigger deposit_attempt_not_truncated before truncate on deposit_attempt for each statement execute function refuse_change();

-- Reports of providers about deposits, one row per event, kept for ever.
create table deposit_event (
  provider text not null,
  event_id text not null,
  body jsonb,
  body_id uuid,
  body_hash bytea not null,
  reported text not null,
  paid numeric,
  currency text,
  txid text,
  deposit_id uuid,
  status text not null,
  outcome text not null,
  tries integer not null default 1,
  next_at timestamptz,
  received_at timestamptz not null default now(),
  constraint deposit_event_pkey primary key (provider, event_id),
  constraint deposit_event_body_kept check ((body is not null) = (status = 'parked') and (body_id is not null) = (status = 'applied')),
  constraint deposit_event_status_check check (status = any (array['applied', 'parked']))
);
create index deposit_event_by_deposit on deposit_event (deposit_id) where (deposit_id is not null);
create index deposit_event_by_txid on deposit_event (lower(txid)) where (txid is not null);
create index deposit_event_due on deposit_event (next_at) where ((status = 'parked') and (next_at is not null));
create index deposit_event_of_ref on deposit_event (provider, ((body ->> 'providerRef'))) where (status = 'parked');
create trigger deposit_event_immutable before update on deposit_event for each row when (new.provider is distinct from old.provider or new.event_id is distinct from old.event_id or new.body is distinct from old.body or new.body_id is distinct from old.body_id or new.body_hash is distinct from old.body_hash or new.reported is distinct from old.reported or new.paid is distinct from old.paid or new.currency is distinct from old.currency or new.txid is distinct from old.txid or old.status = 'applied' and new.status <> 'applied') execute function refuse_change();
create trigger deposit_event_kept before delete on deposit_event for each row when (old.status = 'applied') execute function refuse_change();
create trigger deposit_event_not_truncated before truncate on deposit_event for each statement execute function refuse_change();
create trigger deposit_event_taken before update of status on deposit_event for each row when (old.status = 'parked' and new.status = 'applied') execute function keep_event_body();
create trigger deposit_event_told before insert on deposit_event for each row when (new.body is not null or new.body_id is null) execute function keep_event_body();

-- Every state of a deposit, with its cause. Only the trigger of the deposit writes this table.
create table deposit_history (
  operator_id text not null,
  deposit_id uuid not null,
  n integer not null,
  from_state text,
  to_state text not null,
  cause text not null,
  at timestamptz not null default now(),
  constraint deposit_history_pkey primary key (operator_id, deposit_id, n)
);
create trigger deposit_history_by_trigger before insert on deposit_history for each row execute function refuse_by_hand();
create trigger deposit_history_immutable before delete or update on deposit_history for each row execute function refuse_change();
create trigger deposit_history_not_truncated before truncate on deposit_history for each statement execute function refuse_change();

-- Idempotency keys of deposits, kept for ever: two creates, or a create and a cancel, compete for one row.
create table deposit_key (
  operator_id text not null,
  user_id text not null,
  client_key uuid not null,
  deposit_id uuid,
  at timestamptz not null default now(),
  constraint deposit_key_pkey primary key (operator_id, user_id, client_key),
  constraint deposit_key_operator_id_fkey foreign key (operator_id) references operator(id)
);
create trigger deposit_key_immutable before update on deposit_key for each row execute function refuse_change();
create trigger deposit_key_kept before delete on deposit_key for each row execute function refuse_change();
create trigger deposit_key_not_truncated before truncate on deposit_key for each statement execute function refuse_change();

-- Notes of the payer about a transfer, such as a receipt number (FORM-10). For staff; nothing is credited from a note.
create table deposit_note (
  operator_id text not null,
  deposit_id uuid not null,
  n integer not null,
  note text not null,
  at timestamptz not null default now(),
  constraint deposit_note_pkey primary key (operator_id, deposit_id, n),
  constraint deposit_note_operator_id_deposit_id_note_key unique (operator_id, deposit_id, note),
  constraint deposit_note_operator_id_deposit_id_fkey foreign key (operator_id, deposit_id) references deposit(operator_id, id),
  constraint deposit_note_n_check check (n >= 1 and n <= 5)
);

-- The states of a deposit. A deposit only moves to a higher rank. A test compares them with deposit-lifecycle in core.
create table deposit_state (
  state text not null,
  rank integer not null,
  constraint deposit_state_pkey primary key (state)
);
create trigger deposit_state_immutable before delete or update on deposit_state for each row execute function refuse_change();
create trigger deposit_state_not_truncated before truncate on deposit_state for each statement execute function refuse_change();
-- Rows of deposit_state:
--   (awaiting_payment,30)
--   (cancelled,80)
--   (confirming,50)
--   (created,10)
--   (credited,90)
--   (declined,80)
--   (detected,40)
--   (expired,80)
--   (late_paid,85)
--   (refunded,95)
--   (reversed,99)
--   (submitted_unknown,20)

-- The allowed moves between deposit states.
create table deposit_transition (
  from_state text not null,
  to_state text not null,
  constraint deposit_transition_pkey primary key (from_state, to_state),
  constraint deposit_transition_from_state_fkey foreign key (from_state) references deposit_state(state),
  constraint deposit_transition_to_state_fkey foreign key (to_state) references deposit_state(state)
);
create trigger deposit_transition_not_truncated before truncate on deposit_transition for each statement execute function refuse_change();
-- Rows of deposit_transition:
--   (awaiting_payment,cancelled)
--   (awaiting_payment,confirming)
--   (awaiting_payment,credited)
--   (awaiting_payment,declined)
--   (awaiting_payment,detected)
--   (awaiting_payment,expired)
--   (cancelled,late_paid)
--   (confirming,cancelled)
--   (confirming,credited)
--   (confirming,declined)
--   (confirming,expired)
--   (created,awaiting_payment)
--   (created,cancelled)
--   (created,confirming)
--   (created,credited)
--   (created,declined)
--   (created,detected)
--   (created,expired)
--   (created,submitted_unknown)
--   (credited,refunded)
--   (credited,reversed)
--   (declined,late_paid)
--   (detected,cancelled)
--   (detected,confirming)
--   (detected,credited)
--   (detected,declined)
--   (detected,expired)
--   (expired,late_paid)
--   (late_paid,credited)
--   (late_paid,refunded)
--   (submitted_unknown,awaiting_payment)
--   (submitted_unknown,cancelled)
--   (submitted_unknown,confirming)
--   (submitted_unknown,credited)
--   (submitted_unknown,declined)
--   (submitted_unknown,detected)
--   (submitted_unknown,expired)

-- One withdrawal of a payment's money by the provider: a chargeback, a failed debit, or a refund made at the provider.
create table dispute (
  id uuid not null,
  operator_id text not null,
  deposit_id uuid not null,
  payment_id uuid not null,
  provider text not null,
  event_id text not null,
  part text,
  state text not null,
  currency text not null,
  amount bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint dispute_pkey primary key (operator_id, id),
  constraint dispute_reported_once unique (operator_id, payment_id, provider, event_id),
  constraint dispute_operator_id_deposit_id_fkey foreign key (operator_id, deposit_id) references deposit(operator_id, id),
  constraint dispute_operator_id_payment_id_fkey foreign key (operator_id, payment_id) references payment(operator_id, id),
  constraint dispute_amount_check check (amount > 0),
  constraint dispute_state_check check (state = any (array['open', 'won']))
);
create index dispute_of_deposit on dispute (operator_id, deposit_id);
create constraint trigger dispute_agrees after insert on dispute deferrable initially deferred for each row execute function check_payment('payment_id');
create constraint trigger dispute_booked after insert on dispute deferrable initially deferred for each row execute function check_dispute();
create trigger dispute_guarded before insert or update on dispute for each row execute function guard_dispute();
create trigger dispute_in_chain_sums after insert on dispute for each row execute function note_chain_dispute();
create trigger dispute_kept before delete on dispute for each row execute function refuse_change();
create trigger dispute_not_truncated before truncate on dispute for each statement execute function refuse_change();

-- What providers reported, word by word, for each applied report. Old months leave by an archive.
create table event_body (
  id uuid not null default time_id(),
  body jsonb not null,
  constraint event_body_pkey primary key (id)
) partition by range (id);
create trigger event_body_immutable before delete or update on event_body for each row execute function refuse_change();
create trigger event_body_not_truncated before truncate on event_body for each statement execute function refuse_change();

-- The id of every callback with the hash of its content, kept for ever. A callback is stored once.
create table inbox_key (
  source text not null,
  message_id text not null,
  body_hash bytea not null,
  inbox_id uuid not null,
  constraint inbox_key_pkey primary key (source, message_id)
);
create trigger inbox_key_immutable before delete or update on inbox_key for each row execute function refuse_change();
create trigger inbox_key_not_truncated before truncate on inbox_key for each statement execute function refuse_change();

-- Callbacks that wait to be read, or that could not be read. A callback that was applied leaves the queue.
create table inbox_queue (
  source text not null,
  message_id text not null,
  inbox_id uuid not null,
  status text not null default 'new',
  tries integer not null default 0,
  next_at timestamptz not null default now(),
  last_error text,
  constraint inbox_queue_pkey primary key (source, message_id),
  constraint inbox_queue_status_check check (status = any (array['new', 'dead']))
);
create index inbox_queue_dead on inbox_queue (source, inbox_id) where (status = 'dead');
create index inbox_queue_due on inbox_queue (source, next_at) where (status = 'new');

-- One immutable, balanced movement of money, made of postings.
create table journal (
  operator_id text not null,
  id uuid not null default time_id(),
  kind text not null,
  deposit_id uuid,
  withdrawal_id uuid,
  payment_id uuid,
  refund_id uuid,
  dispute_id uuid,
  payout_id uuid,
  ext_source text not null,
  ext_ref text not null,
  note text,
  at timestamptz not null default now(),
  constraint journal_pkey primary key (operator_id, id),
  constraint journal_operator_id_deposit_id_fkey foreign key (operator_id, deposit_id) references deposit(operator_id, id),
  constraint journal_operator_id_dispute_id_fkey foreign key (operator_id, dispute_id) references dispute(operator_id, id),
  constraint journal_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint journal_operator_id_payment_id_fkey foreign key (operator_id, payment_id) references payment(operator_id, id),
  constraint journal_operator_id_payout_id_fkey foreign key (operator_id, payout_id) references payout(operator_id, id),
  constraint journal_operator_id_refund_id_fkey foreign key (operator_id, refund_id) references refund(operator_id, id),
  constraint journal_operator_id_withdrawal_id_fkey foreign key (operator_id, withdrawal_id) references withdrawal(operator_id, id)
) partition by range (id);
create index journal_deposit on only journal (operator_id, deposit_id) where (deposit_id is not null);
create index journal_of_payout on only journal (operator_id, payout_id) where (payout_id is not null);
create index journal_reversals on only journal (operator_id, at desc, id desc) where (kind = 'deposit_reversal');
create index journal_withdrawal on only journal (operator_id, withdrawal_id) where (withdrawal_id is not null);
create trigger journal_agrees after insert on journal referencing new table as written for each statement execute function note_for_commit();
create trigger journal_immutable before delete or update on journal for each row execute function refuse_change();
create trigger journal_keyed after insert on journal referencing new table as written for each statement execute function write_journal_keys();
create trigger journal_months_noted after insert on journal referencing new table as written for each statement execute function note_later_months();
create trigger journal_not_truncated before truncate on journal for each statement execute function refuse_change();

-- The journal of each fact. A fact is booked once per kind, however often it is reported.
create table journal_key (
  operator_id text not null,
  source text not null,
  ref text not null,
  kind text not null,
  journal_id uuid not null,
  constraint journal_key_pkey primary key (operator_id, ref, source, kind)
);
create index journal_key_by_time on journal_key using brin (journal_id) with (autosummarize='on');
create trigger journal_key_by_trigger before insert on journal_key for each row when (new.source = any (array['deposit', 'payment', 'dispute'])) execute function refuse_by_hand();
create trigger journal_key_immutable before delete or update on journal_key for each row execute function refuse_change();
create trigger journal_key_not_truncated before truncate on journal_key for each statement execute function refuse_change();

-- The kinds of journals and what each may do; a migration adds a kind between disable and enable trigger.
create table journal_kind (
  kind text not null,
  credits_user boolean not null default false,
  takes_frozen boolean not null default false,
  holds boolean not null default false,
  constraint journal_kind_pkey primary key (kind)
);
create trigger journal_kind_immutable before insert or delete or update on journal_kind for each row execute function refuse_change();
create trigger journal_kind_not_truncated before truncate on journal_kind for each statement execute function refuse_change();
-- Rows of journal_kind:
--   (coin_grant,t,f,f)
--   (coin_play,t,t,f)
--   (debt_payment,f,t,f)
--   (debt_settlement,f,t,f)
--   (deposit_credit,t,f,f)
--   (deposit_fee,f,t,f)
--   (deposit_reversal,f,t,f)
--   (hold,f,f,t)
--   (hold_end,t,f,t)
--   (network_fee,f,f,f)
--   (operator_transfer,t,f,f)
--   (settlement_booking,f,f,f)
--   (suspense_in,f,f,f)
--   (suspense_out,t,f,f)
--   (wallet_in,t,f,f)
--   (wallet_out,f,t,f)
--   (wallet_settled,f,f,f)
--   (withdrawal_late_paid,f,f,f)
--   (withdrawal_late_returned,f,f,f)
--   (withdrawal_late_settled,f,t,f)
--   (withdrawal_return,t,f,f)

-- The later months in which a deposit or withdrawal has journals or webhooks. Only triggers write it.
create table later_month (
  operator_id text not null,
  payment_id uuid not null,
  month date not null,
  constraint later_month_pkey primary key (operator_id, payment_id, month)
);
create trigger later_month_by_trigger before insert on later_month for each row execute function refuse_by_hand();
create trigger later_month_immutable before delete or update on later_month for each row execute function refuse_change();
create trigger later_month_not_truncated before truncate on later_month for each statement execute function refuse_change();

-- The last run of each check of the ledger, and of the backup.
create table maintenance_run (
  kind text not null,
  at timestamptz not null default now(),
  faults integer not null,
  constraint maintenance_run_pkey primary key (kind),
  constraint maintenance_run_faults_check check (faults >= 0),
  constraint maintenance_run_kind_check check (kind = any (array['audit', 'full-audit', 'backup']))
);

-- The numbers of the gauges that need the database, which one node takes for all.
create table metric_snapshot (
  is_the_one boolean not null default true,
  leased_until timestamptz not null default '-infinity'::timestamptz,
  taken_at timestamptz,
  samples jsonb not null default '[]'::jsonb,
  constraint metric_snapshot_pkey primary key (is_the_one),
  constraint metric_snapshot_is_the_one_check check (is_the_one)
);

-- A site that embeds the cashier, with its webhook address and its rules for debts and approvals.
create table operator (
  id text not null,
  partner_key text not null,
  name text not null,
  allowed_origins text[] not null default '{}'[],
  created_at timestamptz not null default now(),
  settings jsonb not null default '{}'::jsonb,
  webhook_url text,
  webhook_secrets text[] not null default '{}'[],
  webhook_old_secrets_until timestamptz,
  webhook_disabled_at timestamptz,
  deposits_open boolean not null default true,
  withdrawals_open boolean not null default true,
  debug_allowed boolean not null default false,
  approvals_by_different_keys boolean not null default false,
  approval_hours integer not null default 168,
  debts_paid_by_deposits boolean not null default false,
  accounts_released_when_paid boolean not null default false,
  wallet_mode text not null default 'cashier',
  wallet_url text,
  constraint operator_pkey primary key (id),
  constraint operator_partner_key_key unique (partner_key),
  constraint operator_approval_hours_check check (approval_hours >= 1 and approval_hours <= 8760),
  constraint operator_id_check check (id ~ '^[a-z0-9_-]{1,64}$'),
  constraint operator_wallet_has_url check (wallet_mode <> 'operator' or wallet_url is not null),
  constraint operator_wallet_mode_check check (wallet_mode = any (array['cashier', 'operator', 'pass-through']))
);

-- Secret keys with which an operator's back end calls the operator API, as hashes.
create table operator_api_key (
  id uuid not null default gen_random_uuid(),
  operator_id text not null,
  key_hash bytea not null,
  label text not null default '',
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  constraint operator_api_key_pkey primary key (id),
  constraint operator_api_key_key_hash_key unique (key_hash),
  constraint operator_api_key_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint operator_api_key_key_hash_check check (octet_length(key_hash) = 32)
);
create index operator_api_key_operator on operator_api_key (operator_id);

-- Money that an operator moved between a user's accounts, or between a user and itself.
create table operator_transfer (
  operator_id text not null,
  transfer_id uuid not null,
  user_id text not null,
  currency text not null,
  amount bigint not null,
  from_account text not null,
  to_account text not null,
  created_at timestamptz not null default now(),
  constraint operator_transfer_pkey primary key (operator_id, transfer_id),
  constraint operator_transfer_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint operator_transfer_amount_check check (amount > 0),
  constraint operator_transfer_from_account_check check (from_account = any (array['main', 'additional', 'operator', 'bonus'])),
  constraint operator_transfer_moves check (from_account <> to_account),
  constraint operator_transfer_to_account_check check (to_account = any (array['main', 'additional', 'operator']))
);
create trigger operator_transfer_immutable before delete or update on operator_transfer for each row execute function refuse_change();
create trigger operator_transfer_not_truncated before truncate on operator_transfer for each statement execute function refuse_change();

-- Each movement of a user's money between the ledger and the operator's wallet, and what the wallet answered.
create table operator_wallet_call (
  operator_id text not null,
  id uuid not null default time_id(),
  type text not null,
  reason text not null,
  user_id text not null,
  currency text not null,
  amount bigint not null,
  deposit_id uuid,
  withdrawal_id uuid,
  debit_id uuid,
  is_forced boolean not null default false,
  frozen_since timestamptz,
  request jsonb,
  state text not null,
  transaction_id text,
  balance bigint,
  code text,
  message text,
  created_at timestamptz not null default now(),
  known_at timestamptz,
  constraint operator_wallet_call_pkey primary key (operator_id, id),
  constraint operator_wallet_call_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint operator_wallet_call_amount_check check (amount > 0),
  constraint operator_wallet_call_declined check (state <> 'declined' or type = 'debit' and code is not null),
  constraint operator_wallet_call_freeze check (frozen_since is null or is_forced),
  constraint operator_wallet_call_known check ((known_at is null) = (state = 'waiting')),
  constraint operator_wallet_call_of_one_payment check (num_nonnulls(deposit_id, withdrawal_id) = 1),
  constraint operator_wallet_call_state_check check (state = any (array['waiting', 'done', 'declined', 'booked'])),
  constraint operator_wallet_call_type_check check (type = any (array['debit', 'credit', 'release']))
) partition by range (id);
create index operator_wallet_call_forced on only operator_wallet_call (operator_id, user_id, currency) where is_forced;
create index operator_wallet_call_of_deposit on only operator_wallet_call (operator_id, deposit_id) where (deposit_id is not null);
create index operator_wallet_call_of_withdrawal on only operator_wallet_call (operator_id, withdrawal_id) where (withdrawal_id is not null);
create trigger operator_wallet_call_guarded before update on operator_wallet_call for each row execute function guard_wallet_call();
create trigger operator_wallet_call_kept before delete on operator_wallet_call for each row execute function refuse_change();
create trigger operator_wallet_call_not_truncated before truncate on operator_wallet_call for each statement execute function refuse_change();

-- Calls to operators' wallets whose outcome is unknown, a row for each waiting call.
create table operator_wallet_queue (
  operator_id text not null,
  call_id uuid not null,
  payment_id uuid not null,
  tries integer not null default 0,
  due_at timestamptz not null default now(),
  why text,
  constraint operator_wallet_queue_pkey primary key (operator_id, call_id)
);
create index operator_wallet_queue_due on operator_wallet_queue (operator_id, due_at);
create index operator_wallet_queue_of_payment on operator_wallet_queue (operator_id, payment_id, call_id);

-- Pushes to widgets that wait to be sent. A push is a hint, so its row is deleted once it is sent.
create table outbox (
  id bigint not null generated always as identity,
  topic text not null,
  operator_id text not null,
  user_id text not null,
  name text not null,
  body jsonb not null,
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  constraint outbox_pkey primary key (id),
  constraint outbox_topic_check check (topic = 'push')
);

-- Current own texts of an operator in one language, in place of shipped texts of the widget.
create table own_texts (
  operator_id text not null,
  locale text not null,
  version integer not null,
  texts jsonb not null,
  staff text not null,
  updated_at timestamptz not null default now(),
  constraint own_texts_pkey primary key (operator_id, locale),
  constraint own_texts_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint own_texts_version_check check (version > 0)
);
create trigger own_texts_kept after insert or update on own_texts for each row execute function keep_own_texts_change();
create trigger own_texts_not_deleted before delete on own_texts for each row execute function refuse_change();

-- Every version of an operator's own texts, kept for ever.
create table own_texts_change (
  operator_id text not null,
  version integer not null,
  locale text not null,
  texts jsonb not null,
  staff text not null,
  at timestamptz not null default now(),
  constraint own_texts_change_pkey primary key (operator_id, version),
  constraint own_texts_change_operator_id_fkey foreign key (operator_id) references operator(id)
);
create trigger own_texts_change_immutable before delete or update on own_texts_change for each row execute function refuse_change();
create trigger own_texts_change_not_truncated before truncate on own_texts_change for each statement execute function refuse_change();

-- A card that paid deposits of a user, by its brand and its last four digits.
create table paid_card (
  id uuid not null default gen_random_uuid(),
  operator_id text not null,
  user_id text not null,
  provider text not null,
  connection_id uuid,
  provider_card text not null,
  brand text not null,
  last4 text not null,
  created_at timestamptz not null default now(),
  constraint paid_card_pkey primary key (operator_id, id),
  constraint paid_card_once unique nulls not distinct (operator_id, user_id, provider, connection_id, provider_card),
  constraint paid_card_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint paid_card_last4_check check (last4 ~ '^[0-9]{4}$')
);

-- One receipt of money for a deposit, with its state and its review.
create table payment (
  id uuid not null,
  operator_id text not null,
  deposit_id uuid not null,
  provider text not null,
  provider_ref text not null,
  origin text not null,
  part text,
  state text not null,
  currency text not null,
  amount bigint not null,
  credited_at timestamptz,
  paid_debt bigint,
  charged_fee bigint,
  reason text,
  review integer,
  review_since timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint payment_pkey primary key (operator_id, id),
  constraint payment_reported_once unique (provider, provider_ref, operator_id),
  constraint payment_review_numbered unique (operator_id, deposit_id, review),
  constraint payment_operator_id_deposit_id_fkey foreign key (operator_id, deposit_id) references deposit(operator_id, id),
  constraint payment_amount_check check (amount > 0),
  constraint payment_check check (paid_debt > 0 and paid_debt <= amount),
  constraint payment_check1 check (charged_fee >= 0 and charged_fee <= amount),
  constraint payment_in_review_has_reason check (state <> 'in_review' or reason is not null),
  constraint payment_origin_check check (origin = any (array['deposit', 'further', 'returned'])),
  constraint payment_review_check check (review > 0),
  constraint payment_review_has_reason check ((review is null or reason is not null) and (review is null) = (review_since is null))
);
create index payment_by_time on payment using brin (created_at) with (autosummarize='on');
create index payment_in_suspense on payment (created_at) where (state = 'in_review');
create unique index payment_of_deposit_once on payment (operator_id, deposit_id) where (origin = 'deposit');
create unique index payment_reviewed_one_by_one on payment (operator_id, deposit_id) where ((state = 'in_review') and (review is not null));
create constraint trigger payment_agrees after update on payment deferrable initially deferred for each row execute function check_payment('id');
create trigger payment_guarded before insert or update on payment for each row execute function guard_payment();
create trigger payment_in_chain_sums after insert on payment for each row when (new.provider = 'crypto') execute function note_chain_payment();
create trigger payment_kept before delete on payment for each row execute function refuse_change();
create trigger payment_not_truncated before truncate on payment for each statement execute function refuse_change();
create trigger payments_agree after insert on payment referencing new table as written for each statement execute function note_for_commit();
create trigger payments_reported_once after insert on payment referencing new table as written for each statement execute function check_new_payments();

-- The card by which a payment was made, where the provider reports it.
create table payment_card (
  operator_id text not null,
  payment_id uuid not null,
  card_id uuid not null,
  constraint payment_card_pkey primary key (operator_id, payment_id),
  constraint payment_card_operator_id_card_id_fkey foreign key (operator_id, card_id) references paid_card(operator_id, id),
  constraint payment_card_operator_id_payment_id_fkey foreign key (operator_id, payment_id) references payment(operator_id, id)
);
create index payment_of_card on payment_card (operator_id, card_id);
create trigger payment_card_immutable before delete or update on payment_card for each row execute function refuse_change();
create trigger payment_card_not_truncated before truncate on payment_card for each statement execute function refuse_change();

-- A user is about to pay: the amount in the form (AMT-7). Nothing is credited from it; deleted after 30 days.
create table payment_session (
  operator_id text not null,
  id uuid not null,
  user_id text not null,
  amount numeric,
  currency text not null,
  pending_group text,
  created_at timestamptz not null default now(),
  client_key uuid,
  constraint payment_session_pkey primary key (operator_id, id),
  constraint payment_session_amount_check check (amount > 0::numeric)
);
create index payment_session_age on payment_session (created_at);

-- The allowed moves between payment states. A test compares them with payment-lifecycle in core.
create table payment_transition (
  from_state text,
  to_state text not null,
  constraint payment_transition_from_state_to_state_key unique nulls not distinct (from_state, to_state)
);
create trigger payment_transition_not_truncated before truncate on payment_transition for each statement execute function refuse_change();
-- Rows of payment_transition:
--   (,credited)
--   (,in_review)
--   (credited,charged_back)
--   (credited,refunded)
--   (in_review,charged_back)
--   (in_review,credited)
--   (in_review,refunded)

-- One transfer of money by a provider for a withdrawal.
create table payout (
  id uuid not null,
  operator_id text not null,
  withdrawal_id uuid not null,
  provider text not null,
  provider_ref text,
  currency text not null,
  amount bigint not null,
  state text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint payout_pkey primary key (operator_id, id),
  constraint payout_provider_ref_once unique (operator_id, provider, provider_ref),
  constraint payout_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint payout_operator_id_withdrawal_id_fkey foreign key (operator_id, withdrawal_id) references withdrawal(operator_id, id),
  constraint payout_amount_check check (amount > 0),
  constraint payout_state_check check (state = any (array['requested', 'accepted', 'paid', 'declined', 'returned']))
);
create index payout_by_time on payout using brin (created_at) with (autosummarize='on');
create index payout_of_withdrawal on payout (operator_id, withdrawal_id);
create unique index payout_once on payout (operator_id, withdrawal_id) where (state <> 'declined');
create constraint trigger payout_agrees after insert or update on payout deferrable initially deferred for each row execute function check_payout('withdrawal_id');
create trigger payout_guarded before insert or update on payout for each row execute function guard_payout();
create trigger payout_in_chain_sums after insert or update of state on payout for each row when (new.provider = 'crypto') execute function note_chain_payout();
create trigger payout_kept before delete on payout for each row execute function refuse_change();
create trigger payout_not_truncated before truncate on payout for each statement execute function refuse_change();

-- Accounts that a user saved for later withdrawals. Only this user sees them. Removing an account deletes its row.
create table payout_account (
  operator_id text not null,
  id uuid not null default gen_random_uuid(),
  user_id text not null,
  payment_method text not null,
  sealed bytea not null,
  key_id text not null,
  fingerprint bytea not null,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  constraint payout_account_pkey primary key (operator_id, id),
  constraint payout_account_once unique (operator_id, user_id, payment_method, fingerprint),
  constraint payout_account_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint payout_account_fingerprint_check check (octet_length(fingerprint) = 32)
);
create index payout_account_by_key on payout_account (key_id);
create index payout_account_of_user on payout_account (operator_id, user_id, payment_method, used_at desc);

-- A file of transfers for a bank, with its sealed content. The content never changes until it is erased.
create table payout_file (
  operator_id text not null,
  id uuid not null default time_id(),
  connection_id uuid not null,
  version text not null,
  transfers integer not null,
  currency text not null,
  total bigint not null,
  execution_day date not null,
  is_instant boolean not null,
  hash bytea not null,
  sealed bytea,
  key_id text,
  erased_at timestamptz,
  state text not null default 'built',
  built_at timestamptz not null default now(),
  downloaded_by text,
  downloaded_key uuid,
  downloaded_at timestamptz,
  handed_by text,
  handed_key uuid,
  handed_at timestamptz,
  constraint payout_file_pkey primary key (operator_id, id),
  constraint payout_file_operator_id_connection_id_fkey foreign key (operator_id, connection_id) references provider_connection(operator_id, id),
  constraint payout_file_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint payout_file_by_two check (handed_by is null or downloaded_by is not null and lower(handed_by) <> lower(downloaded_by)),
  constraint payout_file_downloaded_whole check (num_nulls(downloaded_by, downloaded_at) = any (array[0, 2])),
  constraint payout_file_erased_whole check (num_nulls(sealed, key_id) = case when erased_at is null then 0 else 2 end),
  constraint payout_file_handed_whole check (num_nulls(handed_by, handed_at) = any (array[0, 2])),
  constraint payout_file_hash_check check (octet_length(hash) = 32),
  constraint payout_file_state_check check (state = any (array['built', 'downloaded', 'handed', 'rejected'])),
  constraint payout_file_total_check check (total > 0),
  constraint payout_file_transfers_check check (transfers > 0),
  constraint payout_file_version_check check (version = any (array['pain.001.001.09', 'pain.001.001.03']))
);
create index payout_file_unerased on payout_file (built_at) where (erased_at is null);
create trigger payout_file_guarded before update on payout_file for each row execute function guard_payout_file();
create trigger payout_file_kept before delete on payout_file for each row execute function refuse_change();
create trigger payout_file_not_truncated before truncate on payout_file for each statement execute function refuse_change();

-- The transfers of a file. A withdrawal is in one live line at most, so no second file can pay it.
create table payout_file_line (
  operator_id text not null,
  file_id uuid not null,
  n integer not null,
  withdrawal_id uuid not null,
  amount bigint not null,
  is_live boolean not null default true,
  constraint payout_file_line_pkey primary key (operator_id, file_id, n),
  constraint payout_file_line_operator_id_file_id_fkey foreign key (operator_id, file_id) references payout_file(operator_id, id),
  constraint payout_file_line_operator_id_withdrawal_id_fkey foreign key (operator_id, withdrawal_id) references payout_transfer(operator_id, withdrawal_id),
  constraint payout_file_line_amount_check check (amount > 0),
  constraint payout_file_line_n_check check (n > 0)
);
create unique index payout_file_line_live_once on payout_file_line (operator_id, withdrawal_id) where is_live;
create index payout_file_line_of_transfer on payout_file_line (operator_id, withdrawal_id);
create trigger payout_file_line_guarded before update on payout_file_line for each row execute function guard_payout_file_line();
create trigger payout_file_line_kept before delete on payout_file_line for each row execute function refuse_change();
create trigger payout_file_line_not_truncated before truncate on payout_file_line for each statement execute function refuse_change();

-- Every download of a payout file. Who has a copy never says that the bank has the file.
create table payout_file_take (
  operator_id text not null,
  file_id uuid not null,
  id uuid not null default time_id(),
  by text not null,
  key_id uuid,
  at timestamptz not null default now(),
  constraint payout_file_take_pkey primary key (operator_id, file_id, id),
  constraint payout_file_take_operator_id_file_id_fkey foreign key (operator_id, file_id) references payout_file(operator_id, id)
);
create trigger payout_file_take_immutable before delete or update on payout_file_take for each row execute function refuse_change();
create trigger payout_file_take_not_truncated before truncate on payout_file_take for each statement execute function refuse_change();

-- One refund of a payment by which a withdrawal is paid out to the card.
create table payout_refund (
  id uuid not null,
  operator_id text not null,
  withdrawal_id uuid not null,
  payment_id uuid not null,
  amount bigint not null,
  state text not null default 'planned',
  position integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint payout_refund_pkey primary key (operator_id, id),
  constraint payout_refund_in_order unique (operator_id, withdrawal_id, "position"),
  constraint payout_refund_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint payout_refund_operator_id_payment_id_fkey foreign key (operator_id, payment_id) references payment(operator_id, id),
  constraint payout_refund_operator_id_withdrawal_id_fkey foreign key (operator_id, withdrawal_id) references withdrawal(operator_id, id),
  constraint payout_refund_amount_check check (amount > 0),
  constraint payout_refund_position_check check ("position" > 0),
  constraint payout_refund_state_check check (state = any (array['planned', 'declined']))
);
create index payout_refund_of_payment on payout_refund (operator_id, payment_id);
create trigger payout_refund_guarded before insert or update on payout_refund for each row execute function guard_payout_refund();
create trigger payout_refund_kept before delete on payout_refund for each row execute function refuse_change();
create trigger payout_refund_not_truncated before truncate on payout_refund for each statement execute function refuse_change();

-- The transfer of a withdrawal: waiting for a file, in a file, or answered by the bank.
create table payout_transfer (
  operator_id text not null,
  withdrawal_id uuid not null,
  connection_id uuid not null,
  currency text not null,
  amount bigint not null,
  state text not null default 'queued',
  file_id uuid,
  due_at timestamptz,
  payee bytea,
  payee_key text,
  decided_by text,
  decided_key uuid,
  decided_files integer,
  message_id uuid,
  reason text,
  returned bigint,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  constraint payout_transfer_pkey primary key (operator_id, withdrawal_id),
  constraint payout_transfer_operator_id_connection_id_fkey foreign key (operator_id, connection_id) references provider_connection(operator_id, id),
  constraint payout_transfer_operator_id_file_id_fkey foreign key (operator_id, file_id) references payout_file(operator_id, id),
  constraint payout_transfer_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint payout_transfer_operator_id_message_id_fkey foreign key (operator_id, message_id) references bank_message(operator_id, id),
  constraint payout_transfer_operator_id_withdrawal_id_fkey foreign key (operator_id, withdrawal_id) references withdrawal(operator_id, id),
  constraint payout_transfer_amount_check check (amount > 0),
  constraint payout_transfer_decided check ((decided_by is null) = (decided_files is null)),
  constraint payout_transfer_decided_files_check check (decided_files >= 0),
  constraint payout_transfer_due check ((due_at is not null) = (state = 'queued')),
  constraint payout_transfer_filed check (state <> 'queued' or file_id is null),
  constraint payout_transfer_in_file check (state <> 'filed' or file_id is not null),
  constraint payout_transfer_payee check (num_nulls(payee, payee_key) = case when state = any (array['queued', 'filed', 'stopped']) then 0 else 2 end),
  constraint payout_transfer_returned check ((returned is not null) = (state = 'returned')),
  constraint payout_transfer_returned_check check (returned > 0),
  constraint payout_transfer_state_check check (state = any (array['queued', 'filed', 'stopped', 'paid', 'declined', 'returned']))
);
create index payout_transfer_due on payout_transfer (connection_id, due_at) where (state = 'queued');
create index payout_transfer_filed on payout_transfer (file_id, operator_id) where (state = 'filed');
create index payout_transfer_of_file on payout_transfer (operator_id, file_id);
create index payout_transfer_stopped on payout_transfer (operator_id, withdrawal_id) where (state = 'stopped');
create trigger payout_transfer_guarded before update on payout_transfer for each row execute function guard_payout_transfer();
create trigger payout_transfer_kept before delete on payout_transfer for each row execute function refuse_change();
create trigger payout_transfer_not_truncated before truncate on payout_transfer for each statement execute function refuse_change();

-- The allowed moves between payout states.
create table payout_transition (
  from_state text,
  to_state text not null,
  constraint payout_transition_from_state_to_state_key unique nulls not distinct (from_state, to_state)
);
create trigger payout_transition_not_truncated before truncate on payout_transition for each statement execute function refuse_change();
-- Rows of payout_transition:
--   (,accepted)
--   (,declined)
--   (,paid)
--   (,requested)
--   (accepted,declined)
--   (accepted,paid)
--   (declined,paid)
--   (paid,returned)
--   (requested,accepted)
--   (requested,declined)
--   (requested,paid)

-- Sweep coins that a user was granted and has staked so far, updated by triggers. The amount still to stake follows from them.
create table playthrough (
  operator_id text not null,
  user_id text not null,
  granted bigint not null default 0,
  played bigint not null default 0,
  constraint playthrough_pkey primary key (operator_id, user_id),
  constraint playthrough_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint playthrough_granted_check check (granted >= 0),
  constraint playthrough_played_check check (played >= 0)
);
create trigger playthrough_not_truncated before truncate on playthrough for each statement execute function refuse_change();

-- One line of a journal: an account and an amount.
create table posting (
  operator_id text not null,
  journal_id uuid not null,
  account_id bigint not null,
  asset text not null,
  amount bigint not null,
  constraint posting_pkey primary key (operator_id, journal_id, account_id),
  constraint posting_not_zero check (amount <> 0)
) partition by range (journal_id);
create index posting_account on only posting (operator_id, account_id);
create trigger posting_counts_granted after insert on posting for each row when (new.asset = 'SC') execute function count_granted();
create trigger posting_immutable before delete or update on posting for each row execute function refuse_change();
create trigger posting_not_truncated before truncate on posting for each statement execute function refuse_change();
create trigger postings_booked after insert on posting referencing new table as booked for each statement execute function book_postings();

-- An operator's own accounts at providers, with sealed secrets. Payments keep their connection, so no row is deleted.
create table provider_connection (
  operator_id text not null,
  id uuid not null default gen_random_uuid(),
  version integer not null default 1,
  provider text not null,
  name text not null,
  mode text not null,
  currencies text[],
  enabled boolean not null default false,
  first_enabled_at timestamptz,
  options jsonb not null default '{}'::jsonb,
  sealed bytea not null,
  wrapped_key bytea not null,
  key_id text not null,
  shown jsonb not null,
  old_secrets_until timestamptz,
  tested_at timestamptz,
  test_result text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint provider_connection_pkey primary key (operator_id, id),
  constraint provider_connection_named_once unique (operator_id, name),
  constraint provider_connection_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint provider_connection_currencies_check check (cardinality(currencies) > 0),
  constraint provider_connection_enabled_once check (not enabled or first_enabled_at is not null),
  constraint provider_connection_mode_check check (mode = any (array['test', 'live'])),
  constraint provider_connection_name_check check (char_length(name) >= 1 and char_length(name) <= 64),
  constraint provider_connection_version_check check (version > 0)
);
create index provider_connection_by_id on provider_connection (id);
create index provider_connection_by_key on provider_connection (key_id);
create trigger provider_connection_guarded before update on provider_connection for each row execute function guard_connection();
create trigger provider_connection_kept before delete on provider_connection for each row execute function refuse_change();
create trigger provider_connection_not_truncated before truncate on provider_connection for each statement execute function refuse_change();

-- Accounts whose calls run apart on a node, because the process of a package crashed with them.
create table provider_quarantine (
  operator_id text not null,
  provider text not null,
  account text not null,
  node uuid not null,
  state text not null,
  crashes integer not null,
  since timestamptz not null,
  until timestamptz not null,
  constraint provider_quarantine_pkey primary key (operator_id, provider, account, node),
  constraint provider_quarantine_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint provider_quarantine_crashes_check check (crashes >= 0),
  constraint provider_quarantine_state_check check (state = any (array['suspected', 'proven', 'off']))
);

-- The request that created a payment. A retry must send the same bytes under the same key (SRV-6).
create table provider_request (
  operator_id text not null,
  deposit_id uuid not null,
  request text not null,
  at timestamptz not null default now(),
  constraint provider_request_pkey primary key (operator_id, deposit_id),
  constraint provider_request_operator_id_deposit_id_fkey foreign key (operator_id, deposit_id) references deposit(operator_id, id)
);
create trigger provider_request_immutable before update on provider_request for each row execute function refuse_change();

-- One transfer of a payment back to the payer, which the operator or its staff decided.
create table refund (
  id uuid not null default gen_random_uuid(),
  operator_id text not null,
  refund_id uuid,
  deposit_id uuid not null,
  payment_id uuid not null,
  origin text not null,
  amount bigint not null,
  currency text not null,
  reason text,
  staff text not null,
  key_id uuid,
  state text not null,
  confirmed_at timestamptz,
  check_at timestamptz,
  checks integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint refund_pkey primary key (operator_id, id),
  constraint refund_key_once unique (operator_id, refund_id),
  constraint refund_operator_id_deposit_id_fkey foreign key (operator_id, deposit_id) references deposit(operator_id, id),
  constraint refund_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint refund_operator_id_payment_id_fkey foreign key (operator_id, payment_id) references payment(operator_id, id),
  constraint refund_amount_check check (amount > 0),
  constraint refund_has_key check ((refund_id is not null) = (origin = 'operator')),
  constraint refund_origin_check check (origin = any (array['operator', 'review'])),
  constraint refund_state_check check (state = any (array['requested', 'accepted', 'succeeded', 'declined', 'bounced']))
);
create index refund_due on refund (check_at) where (check_at is not null);
create index refund_of_deposit on refund (operator_id, deposit_id);
create index refund_of_payment on refund (operator_id, payment_id);
create unique index refund_once on refund (operator_id, payment_id) where ((origin = 'operator') and (state <> 'declined'));
create constraint trigger refund_agrees after insert or update of state on refund deferrable initially deferred for each row execute function check_payment('payment_id');
create trigger refund_guarded before insert or update on refund for each row execute function guard_refund();
create trigger refund_in_chain_sums after insert or update of state on refund for each row when (new.state = any (array['succeeded', 'bounced'])) execute function note_chain_refund();
create trigger refund_kept before delete on refund for each row execute function refuse_change();
create trigger refund_not_paid_out before insert on refund for each row execute function refuse_refund_of_paid_out();
create trigger refund_not_truncated before truncate on refund for each statement execute function refuse_change();

-- The allowed moves between refund states.
create table refund_transition (
  from_state text,
  to_state text not null,
  constraint refund_transition_from_state_to_state_key unique nulls not distinct (from_state, to_state)
);
create trigger refund_transition_not_truncated before truncate on refund_transition for each statement execute function refuse_change();
-- Rows of refund_transition:
--   (,requested)
--   (,succeeded)
--   (accepted,declined)
--   (accepted,succeeded)
--   (requested,accepted)
--   (requested,declined)
--   (requested,succeeded)
--   (succeeded,bounced)

-- Parked reports of providers that staff dismissed, beside the report itself.
create table report_dismissal (
  operator_id text not null,
  provider text not null,
  event_id text not null,
  decided_by text not null,
  key_id uuid,
  reason text not null,
  at timestamptz not null default now(),
  transfer_id uuid,
  constraint report_dismissal_pkey primary key (operator_id, provider, event_id),
  constraint report_dismissal_transfer_once unique (operator_id, transfer_id),
  constraint report_dismissal_operator_id_fkey foreign key (operator_id) references operator(id)
);
create trigger report_dismissal_guarded before insert on report_dismissal for each row execute function guard_dismissal();
create trigger report_dismissal_immutable before delete or update on report_dismissal for each row execute function refuse_change();
create trigger report_dismissal_not_truncated before truncate on report_dismissal for each statement execute function refuse_change();

-- How staff ended a review of money in suspense.
create table review_decision (
  operator_id text not null,
  review_id text not null,
  decision text not null,
  staff text not null,
  key_id uuid,
  at timestamptz not null default now(),
  constraint review_decision_pkey primary key (operator_id, review_id),
  constraint review_decision_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint review_decision_decision_check check (decision = any (array['credit', 'refund', 'charge', 'bear']))
);
create trigger review_decision_immutable before delete or update on review_decision for each row execute function refuse_change();
create trigger review_decision_not_truncated before truncate on review_decision for each statement execute function refuse_change();

-- Every version of an operator's routes, kept for ever. Stored decisions refer to it.
create table routing_change (
  operator_id text not null,
  version integer not null,
  routes jsonb not null,
  staff text not null,
  at timestamptz not null default now(),
  constraint routing_change_pkey primary key (operator_id, version),
  constraint routing_change_operator_id_fkey foreign key (operator_id) references operator(id)
);
create trigger routing_change_by_trigger before insert on routing_change for each row execute function refuse_by_hand();
create trigger routing_change_immutable before delete or update on routing_change for each row execute function refuse_change();
create trigger routing_change_not_truncated before truncate on routing_change for each statement execute function refuse_change();

-- Which accounts a deposit was to try and why, in the month of its create call; dropped after 13 months.
create table routing_decision (
  operator_id text not null,
  id uuid not null default time_id(),
  deposit_id uuid not null,
  policy_version integer not null,
  shadow boolean not null,
  decision jsonb not null,
  constraint routing_decision_pkey primary key (operator_id, id)
) partition by range (id);
create index routing_decision_of_deposit on only routing_decision (operator_id, deposit_id);
create trigger routing_decision_immutable before delete or update on routing_decision for each row execute function refuse_change();
create trigger routing_decision_not_truncated before truncate on routing_decision for each statement execute function refuse_change();

-- How well an operator's accounts answer. Nodes share it, so that all of them leave an account that fails.
create table routing_health (
  operator_id text not null,
  account text not null,
  outcomes text not null,
  demoted_until timestamptz,
  demotions integer not null,
  probes_accepted integer not null,
  changed_at timestamptz not null,
  updated_at timestamptz not null default now(),
  constraint routing_health_pkey primary key (operator_id, account),
  constraint routing_health_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint routing_health_demotions_check check (demotions >= 0),
  constraint routing_health_outcomes_check check (outcomes ~ '^[adfu]{0,50}$'),
  constraint routing_health_probes_accepted_check check (probes_accepted >= 0)
);

-- The routes of an operator: for each method its accounts and how they are chosen.
create table routing_policy (
  operator_id text not null,
  version integer not null,
  routes jsonb not null,
  staff text not null,
  updated_at timestamptz not null default now(),
  constraint routing_policy_pkey primary key (operator_id),
  constraint routing_policy_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint routing_policy_version_check check (version > 0)
);
create trigger routing_policy_kept before insert or update on routing_policy for each row execute function keep_routing_change();
create trigger routing_policy_not_deleted before delete on routing_policy for each row execute function refuse_change();
create trigger routing_policy_not_truncated before truncate on routing_policy for each statement execute function refuse_change();

-- Callbacks that the sandbox company sends to the cashier, about a payment or a payout.
create table sandbox_callback (
  id bigint not null generated always as identity,
  ref text,
  payout_ref text,
  event_id text not null,
  body text not null,
  is_forged boolean not null,
  due_at timestamptz not null,
  attempts integer not null default 0,
  leased_until timestamptz,
  finished_at timestamptz,
  result text,
  constraint sandbox_callback_pkey primary key (id),
  constraint sandbox_callback_payout_ref_fkey foreign key (payout_ref) references sandbox_payout(ref) on delete cascade,
  constraint sandbox_callback_ref_fkey foreign key (ref) references sandbox_payment(ref) on delete cascade,
  constraint sandbox_callback_of_one check ((ref is null) <> (payout_ref is null))
);
create index sandbox_callback_due on sandbox_callback (due_at, id) where (finished_at is null);
create index sandbox_callback_payout_ref on sandbox_callback (payout_ref) where (payout_ref is not null);
create index sandbox_callback_ref on sandbox_callback (ref);

-- Payments at the sandbox company, with the events that its scenario plays.
create table sandbox_payment (
  ref text not null,
  deposit_id uuid not null,
  account uuid,
  payment_method text not null,
  flow text not null default 'redirect',
  network text,
  coin text,
  amount_minor bigint not null,
  currency text not null,
  return_url text not null,
  scenario text not null,
  form_token text not null,
  decision text,
  inputs jsonb,
  facts jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint sandbox_payment_pkey primary key (ref),
  constraint sandbox_payment_deposit_id_key unique (deposit_id),
  constraint sandbox_payment_amount_minor_check check (amount_minor > 0)
);

-- Payouts at the sandbox company, with the events that its scenario plays.
create table sandbox_payout (
  ref text not null,
  withdrawal_id uuid not null,
  account uuid,
  receives_minor bigint not null,
  currency text not null,
  scenario text not null,
  facts jsonb not null,
  created_at timestamptz not null,
  constraint sandbox_payout_pkey primary key (ref),
  constraint sandbox_payout_withdrawal_id_key unique (withdrawal_id),
  constraint sandbox_payout_receives_minor_check check (receives_minor > 0)
);

-- What the practice source of exchange rates does at the moment.
create table sandbox_rates (
  is_the_one boolean not null default true,
  mood text not null,
  stopped_at timestamptz not null,
  form_token text not null,
  constraint sandbox_rates_pkey primary key (is_the_one),
  constraint sandbox_rates_is_the_one_check check (is_the_one),
  constraint sandbox_rates_mood_check check (mood = any (array['fresh', 'stopped', 'down']))
);

-- The versions of the cashier that migrated this database, each with the last time.
create table schema_build (
  version text not null,
  migrated_at timestamptz not null default pg_catalog.now(),
  constraint schema_build_pkey primary key (version)
);

-- The schema files that this database has applied, with their checksums.
create table schema_migration (
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default pg_catalog.now(),
  class text,
  compatible_with text,
  constraint schema_migration_pkey primary key (name),
  constraint schema_migration_class_check check (class = any (array['expand', 'contract']))
);

-- Changes of an operator's settings, kept for ever: who, when, before and after.
create table setting_change (
  operator_id text not null,
  id uuid not null default time_id(),
  setting text not null,
  by text not null,
  key_id uuid,
  before jsonb,
  after jsonb,
  at timestamptz not null default now(),
  constraint setting_change_pkey primary key (operator_id, id),
  constraint setting_change_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint setting_change_by_check check (by <> ''),
  constraint setting_change_setting_check check (setting <> '')
);
create index setting_change_of_setting on setting_change (operator_id, setting, id);
create trigger setting_change_immutable before delete or update on setting_change for each row execute function refuse_change();
create trigger setting_change_not_truncated before truncate on setting_change for each statement execute function refuse_change();

-- A sum that a provider pays to the operator's bank: many payments less refunds and fees.
create table settlement_batch (
  operator_id text not null,
  id uuid not null default gen_random_uuid(),
  provider text not null,
  reference text not null,
  currency text not null,
  amount bigint not null,
  day date not null,
  file_id uuid not null,
  constraint settlement_batch_pkey primary key (operator_id, id),
  constraint settlement_batch_once unique (operator_id, provider, reference, currency),
  constraint settlement_batch_operator_id_file_id_fkey foreign key (operator_id, file_id) references settlement_file(operator_id, id),
  constraint settlement_batch_operator_id_fkey foreign key (operator_id) references operator(id)
);
create index settlement_batch_by_day on settlement_batch (operator_id, day);
create index settlement_batch_by_reference on settlement_batch (operator_id, reference);
create trigger settlement_batch_guarded before delete or update on settlement_batch for each row execute function guard_settlement_batch();
create trigger settlement_batch_not_truncated before truncate on settlement_batch for each statement execute function refuse_change();

-- What a sum of a provider was before a later file changed it, for when that file is taken back.
create table settlement_batch_before (
  operator_id text not null,
  batch_id uuid not null,
  file_id uuid not null,
  amount bigint not null,
  day date not null,
  constraint settlement_batch_before_pkey primary key (operator_id, file_id, batch_id),
  constraint settlement_batch_before_operator_id_file_id_fkey foreign key (operator_id, file_id) references settlement_file(operator_id, id)
);
create trigger settlement_batch_before_immutable before delete or update on settlement_batch_before for each row execute function refuse_change();
create trigger settlement_batch_before_not_truncated before truncate on settlement_batch_before for each statement execute function refuse_change();

-- Fees, settlements and differences that one person proposes to book and another approves.
create table settlement_booking (
  operator_id text not null,
  id uuid not null default gen_random_uuid(),
  kind text not null,
  provider text not null,
  file_id uuid not null,
  mismatch_id uuid,
  account text not null,
  currency text not null,
  amount bigint not null,
  reason text not null,
  state text not null default 'proposed',
  proposed_by text not null,
  proposed_key uuid,
  proposed_at timestamptz not null default now(),
  decided_by text,
  decided_key uuid,
  decided_at timestamptz,
  constraint settlement_booking_pkey primary key (operator_id, id),
  constraint settlement_booking_operator_id_file_id_fkey foreign key (operator_id, file_id) references settlement_file(operator_id, id),
  constraint settlement_booking_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint settlement_booking_operator_id_mismatch_id_fkey foreign key (operator_id, mismatch_id) references settlement_mismatch(operator_id, id),
  constraint settlement_booking_about check ((mismatch_id is not null) = (kind = 'mismatch')),
  constraint settlement_booking_account_check check (account = any (array['provider_fee', 'write_off', 'settlement_account', 'none'])),
  constraint settlement_booking_by_two check (state <> 'approved' or lower(decided_by) <> lower(proposed_by)),
  constraint settlement_booking_decided check (num_nulls(decided_by, decided_at) = case state when 'proposed' then 2 else 0 end),
  constraint settlement_booking_kind_check check (kind = any (array['fees', 'settlement', 'mismatch'])),
  constraint settlement_booking_moves check ((amount = 0) = (account = 'none')),
  constraint settlement_booking_state_check check (state = any (array['proposed', 'approved', 'rejected']))
);
create unique index settlement_booking_open_once on settlement_booking (operator_id, mismatch_id) where ((state <> 'rejected') and (mismatch_id is not null));
create index settlement_booking_waiting on settlement_booking (operator_id, proposed_at, id) where (state = 'proposed');
create trigger settlement_booking_guarded before insert or update on settlement_booking for each row execute function guard_settlement_booking();
create trigger settlement_booking_kept before delete on settlement_booking for each row execute function refuse_change();
create trigger settlement_booking_not_truncated before truncate on settlement_booking for each statement execute function refuse_change();

-- An imported settlement file of a provider, statement of a bank, or reading of a chain. The same bytes count once.
create table settlement_file (
  operator_id text not null,
  id uuid not null default time_id(),
  provider text not null,
  source text not null,
  mapping text not null,
  name text not null,
  hash bytea not null,
  state text not null,
  busy_until timestamptz,
  lines integer not null default 0,
  first_day date,
  last_day date,
  totals jsonb not null default '[]'::jsonb,
  matched integer not null default 0,
  by text not null,
  key_id uuid,
  at timestamptz not null default now(),
  done_at timestamptz,
  connection_id uuid,
  list_cursor text,
  constraint settlement_file_pkey primary key (operator_id, id),
  constraint settlement_file_operator_id_connection_id_fkey foreign key (operator_id, connection_id) references provider_connection(operator_id, id),
  constraint settlement_file_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint settlement_file_done check ((state = any (array['done', 'taken-back'])) = (done_at is not null)),
  constraint settlement_file_hash_check check (octet_length(hash) = 32),
  constraint settlement_file_list check (list_cursor is null or connection_id is not null),
  constraint settlement_file_source_check check (source = any (array['provider', 'bank', 'chain'])),
  constraint settlement_file_state_check check (state = any (array['reading', 'matching', 'done', 'taken-back']))
);
create index settlement_file_listed on settlement_file (operator_id, id desc) where (state = any (array['done', 'taken-back']));
create unique index settlement_file_once on settlement_file (operator_id, provider, hash) where (state <> 'taken-back');
create trigger settlement_file_guarded before update on settlement_file for each row execute function guard_settlement_file();
create trigger settlement_file_kept before delete on settlement_file for each row execute function refuse_change();
create trigger settlement_file_not_truncated before truncate on settlement_file for each statement execute function refuse_change();

-- One line of a settlement file or a statement.
create table settlement_line (
  operator_id text not null,
  id uuid not null default time_id(),
  file_id uuid not null,
  n integer not null,
  kind text not null,
  reference_list text[] not null,
  own_id text,
  name text not null,
  currency text not null,
  amount bigint not null,
  fee bigint not null,
  day date not null,
  payee text,
  batch text,
  constraint settlement_line_pkey primary key (operator_id, id),
  constraint settlement_line_kind_check check (kind = any (array['payment', 'refund', 'chargeback', 'payout', 'return', 'settlement', 'fee']))
) partition by range (id);
create index settlement_line_of_file on only settlement_line (operator_id, file_id, name, n);
create trigger settlement_line_gone after delete on settlement_line referencing old table as gone for each statement execute function guard_gone_lines();
create trigger settlement_line_immutable before update on settlement_line for each row execute function refuse_change();
create trigger settlement_line_not_truncated before truncate on settlement_line for each statement execute function refuse_change();
create trigger settlement_line_written after insert on settlement_line referencing new table as written for each statement execute function guard_new_lines();

-- How an operator's settlement files are read.
create table settlement_mapping (
  operator_id text not null,
  provider text not null,
  name text not null,
  mapping jsonb not null,
  by text not null,
  key_id uuid,
  changed_at timestamptz not null default now(),
  constraint settlement_mapping_pkey primary key (operator_id, provider, name),
  constraint settlement_mapping_operator_id_fkey foreign key (operator_id) references operator(id)
);

-- Which entry of the ledger a line of a settlement file belongs to, in the month of the line.
create table settlement_match (
  operator_id text not null,
  line_id uuid not null,
  entry_kind text not null,
  entry_id uuid not null,
  by text not null,
  amount bigint not null,
  constraint settlement_match_pkey primary key (operator_id, line_id),
  constraint settlement_match_by_check check (by = any (array['reference', 'own-id', 'amount-and-date']))
) partition by range (line_id);
create index settlement_match_of_entry on only settlement_match (operator_id, entry_id);
create trigger settlement_match_gone after delete on settlement_match referencing old table as gone for each statement execute function guard_gone_matches();
create trigger settlement_match_immutable before update on settlement_match for each row execute function refuse_change();
create trigger settlement_match_not_truncated before truncate on settlement_match for each statement execute function refuse_change();

-- A difference between a settlement file and the ledger, until a later line or staff end it.
create table settlement_mismatch (
  operator_id text not null,
  id uuid not null default time_id(),
  file_id uuid not null,
  class text not null,
  state text not null default 'open',
  provider text not null,
  line_id uuid,
  entry_kind text,
  entry_id uuid,
  currency text not null,
  expected bigint not null,
  found bigint not null,
  day date not null,
  ended_at timestamptz,
  cleared_by uuid,
  constraint settlement_mismatch_pkey primary key (operator_id, id),
  constraint settlement_mismatch_operator_id_file_id_fkey foreign key (operator_id, file_id) references settlement_file(operator_id, id),
  constraint settlement_mismatch_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint settlement_mismatch_about check (line_id is not null or entry_id is not null),
  constraint settlement_mismatch_class_check check (class = any (array['missing-here', 'missing-there', 'amount', 'currency', 'date', 'duplicate', 'balance'])),
  constraint settlement_mismatch_cleared check (cleared_by is null or (state = any (array['cleared', 'taken-back']))),
  constraint settlement_mismatch_ended check ((ended_at is not null) = (state = any (array['cleared', 'resolved', 'taken-back']))),
  constraint settlement_mismatch_state_check check (state = any (array['open', 'proposed', 'cleared', 'resolved', 'taken-back']))
);
create index settlement_mismatch_cleared_by on settlement_mismatch (operator_id, cleared_by) where (cleared_by is not null);
create index settlement_mismatch_of_entry on settlement_mismatch (operator_id, entry_id) where (entry_id is not null);
create index settlement_mismatch_of_file on settlement_mismatch (operator_id, file_id);
create index settlement_mismatch_waiting on settlement_mismatch (operator_id, id) where (state = any (array['open', 'proposed']));
create unique index settlement_missing_there_once on settlement_mismatch (operator_id, entry_kind, entry_id) where ((class = 'missing-there') and (state <> 'taken-back'));
create trigger settlement_mismatch_guarded before delete or update on settlement_mismatch for each row execute function guard_settlement_mismatch();
create trigger settlement_mismatch_not_truncated before truncate on settlement_mismatch for each statement execute function refuse_change();

-- Settlement files that one person proposes to take back and another confirms.
create table settlement_take_back (
  operator_id text not null,
  id uuid not null,
  file_id uuid not null,
  reason text not null,
  state text not null default 'proposed',
  proposed_by text not null,
  proposed_key uuid,
  proposed_at timestamptz not null default now(),
  decided_by text,
  decided_key uuid,
  decided_at timestamptz,
  constraint settlement_take_back_pkey primary key (operator_id, id),
  constraint settlement_take_back_operator_id_file_id_fkey foreign key (operator_id, file_id) references settlement_file(operator_id, id),
  constraint settlement_take_back_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint settlement_take_back_by_two check (state <> 'confirmed' or lower(decided_by) <> lower(proposed_by)),
  constraint settlement_take_back_decided check (num_nulls(decided_by, decided_at) = case state when 'proposed' then 2 else 0 end),
  constraint settlement_take_back_state_check check (state = any (array['proposed', 'confirmed', 'rejected']))
);
create index settlement_take_back_of_file on settlement_take_back (operator_id, file_id, proposed_at);
create unique index settlement_take_back_once on settlement_take_back (operator_id, file_id) where (state <> 'rejected');
create trigger settlement_take_back_guarded before insert or update on settlement_take_back for each row execute function guard_settlement_take_back();
create trigger settlement_take_back_kept before delete on settlement_take_back for each row execute function refuse_change();
create trigger settlement_take_back_not_truncated before truncate on settlement_take_back for each statement execute function refuse_change();

-- Differences of shared wallets that one person proposes to accept and another confirms.
create table shared_acceptance (
  id uuid not null default time_id(clock_timestamp()),
  place bigint not null generated always as identity,
  chain text not null,
  currency text not null,
  difference bigint not null,
  reason text not null,
  state text not null default 'proposed',
  proposed_by text not null,
  proposed_at timestamptz not null default now(),
  decided_by text,
  decided_at timestamptz,
  constraint shared_acceptance_pkey primary key (id),
  constraint shared_acceptance_by_two check (state <> 'confirmed' or lower(decided_by) <> lower(proposed_by)),
  constraint shared_acceptance_decided check (num_nulls(decided_by, decided_at) = case state when 'proposed' then 2 else 0 end),
  constraint shared_acceptance_difference_check check (difference <> 0),
  constraint shared_acceptance_state_check check (state = any (array['proposed', 'confirmed', 'rejected']))
);
create unique index shared_acceptance_waits_once on shared_acceptance (chain, currency) where (state = 'proposed');
create trigger shared_acceptance_guarded before insert or update on shared_acceptance for each row execute function guard_shared_acceptance();
create trigger shared_acceptance_kept before delete on shared_acceptance for each row execute function refuse_change();
create trigger shared_acceptance_not_truncated before truncate on shared_acceptance for each statement execute function refuse_change();

-- What wallets shared by all operators had of a coin, and what remained after an acceptance.
create table shared_balance (
  id uuid not null default time_id(clock_timestamp()),
  place bigint not null generated always as identity,
  chain text not null,
  currency text not null,
  found bigint not null,
  expected bigint not null,
  accepted bigint not null,
  difference bigint not null,
  dust bigint not null default 0,
  rent bigint not null default 0,
  first_height bigint not null,
  last_height bigint not null,
  acceptance_id uuid,
  at timestamptz not null default clock_timestamp(),
  constraint shared_balance_pkey primary key (id),
  constraint shared_balance_accepted_once unique (acceptance_id),
  constraint shared_balance_acceptance_id_fkey foreign key (acceptance_id) references shared_acceptance(id),
  constraint shared_balance_accepted check (acceptance_id is null or difference = 0),
  constraint shared_balance_dust_check check (dust >= 0),
  constraint shared_balance_found_check check (found >= 0),
  constraint shared_balance_rent_check check (rent >= 0)
);
create index shared_balance_latest on shared_balance (chain, currency, place desc);
create trigger shared_balance_guarded before insert on shared_balance for each row execute function guard_shared_balance();
create trigger shared_balance_immutable before delete or update on shared_balance for each row execute function refuse_change();
create trigger shared_balance_not_truncated before truncate on shared_balance for each statement execute function refuse_change();

-- Coin boxes that an operator sells: gold coins at a price, with free sweep coins.
create table sweepstake_box (
  operator_id text not null,
  box_id text not null,
  group_name text not null default '',
  position integer not null default 0,
  badge text,
  price bigint not null,
  price_currency text not null,
  gold bigint not null,
  sweep bigint not null default 0,
  stock integer,
  taken integer not null default 0,
  available_from timestamptz,
  available_until timestamptz,
  updated_at timestamptz not null default now(),
  constraint sweepstake_box_pkey primary key (operator_id, box_id),
  constraint sweepstake_box_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint box_not_oversold check (taken <= stock),
  constraint box_price_is_money check (price_currency <> all (array['GC', 'SC', 'QGC', 'QSC'])),
  constraint sweepstake_box_box_id_check check (box_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  constraint sweepstake_box_gold_check check (gold > 0),
  constraint sweepstake_box_price_check check (price > 0),
  constraint sweepstake_box_stock_check check (stock >= 0),
  constraint sweepstake_box_sweep_check check (sweep >= 0),
  constraint sweepstake_box_taken_check check (taken >= 0)
);

-- Anonymous timings and events of widgets, by UTC day; dropped after 30 days.
create table telemetry_event (
  day date not null default ((now() at time zone 'UTC'))::date,
  operator_id text,
  source text not null,
  key text not null,
  number_value double precision,
  code_value text,
  at timestamptz not null default now(),
  constraint telemetry_event_source_check check (source = any (array['events', 'rum']))
) partition by range (day);
create index telemetry_event_day on only telemetry_event (day, key);

-- Notes of staff about a user. The user never sees them.
create table user_note (
  operator_id text not null,
  id uuid not null default time_id(),
  user_id text not null,
  note text not null,
  by text not null,
  key_id uuid,
  at timestamptz not null default now(),
  constraint user_note_pkey primary key (operator_id, id),
  constraint user_note_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint user_note_note_check check (char_length(note) >= 1 and char_length(note) <= 2000)
);
create index user_note_of_user on user_note (operator_id, user_id, id);
create trigger user_note_immutable before delete or update on user_note for each row execute function refuse_change();
create trigger user_note_not_truncated before truncate on user_note for each statement execute function refuse_change();

-- Limits and blocks of one user, as staff have set them. Their history is in setting_change.
create table user_policy (
  operator_id text not null,
  user_id text not null,
  version integer not null,
  deposits_blocked boolean not null default false,
  withdrawals_blocked boolean not null default false,
  block_reason text,
  blocked_by text,
  blocked_at timestamptz,
  limits jsonb not null default '[]'::jsonb,
  constraint user_policy_pkey primary key (operator_id, user_id),
  constraint user_policy_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint user_policy_block_has_reason check (num_nulls(block_reason, blocked_by, blocked_at) = case when deposits_blocked or withdrawals_blocked then 0 else 3 end),
  constraint user_policy_version_check check (version > 0)
);
create trigger user_policy_kept before delete on user_policy for each row execute function refuse_change();
create trigger user_policy_not_truncated before truncate on user_policy for each statement execute function refuse_change();

-- Every attempt to deliver a webhook and how it ended, in the month of the delivery.
create table webhook_attempt (
  operator_id text not null,
  delivery_id uuid not null,
  n integer not null,
  at timestamptz not null default now(),
  status integer,
  error text,
  duration_ms integer not null,
  constraint webhook_attempt_pkey primary key (operator_id, delivery_id, n)
) partition by range (delivery_id);

-- Webhook addresses that fail, counted over all nodes. The first good answer deletes the row.
create table webhook_circuit (
  operator_id text not null,
  address text not null,
  failures integer not null,
  failing_since timestamptz not null default now(),
  paused_until timestamptz not null default now(),
  constraint webhook_circuit_pkey primary key (operator_id),
  constraint webhook_circuit_operator_id_fkey foreign key (operator_id) references operator(id) on delete cascade,
  constraint webhook_circuit_failures_check check (failures > 0)
);

-- Webhooks to operators, and whether they were delivered.
create table webhook_delivery (
  operator_id text not null,
  id uuid not null default time_id(),
  type text not null,
  deposit_id uuid,
  withdrawal_id uuid,
  body text not null,
  useless_at timestamptz,
  status text not null default 'pending',
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  constraint webhook_delivery_pkey primary key (operator_id, id),
  constraint webhook_delivery_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint webhook_delivery_body_check check (octet_length(body) < 20480),
  constraint webhook_delivery_status_check check (status = any (array['pending', 'delivered', 'exhausted', 'undeliverable', 'dropped']))
) partition by range (id);
create index webhook_delivery_by_deposit on only webhook_delivery (operator_id, deposit_id) where (deposit_id is not null);
create index webhook_delivery_by_withdrawal on only webhook_delivery (operator_id, withdrawal_id) where (withdrawal_id is not null);
create index webhook_delivery_undelivered on only webhook_delivery (operator_id, status, id desc) where (status <> 'delivered');
create trigger webhook_delivery_months_noted after insert on webhook_delivery referencing new table as written for each statement execute function note_later_months();

-- Callbacks of providers: stored unread, acknowledged at once, never changed. Old months leave by an archive.
create table webhook_inbox (
  id uuid not null default time_id(),
  source text not null,
  message_id text not null,
  raw bytea not null,
  received_at timestamptz not null default now(),
  constraint webhook_inbox_pkey primary key (id)
) partition by range (id);
create trigger webhook_inbox_immutable before delete or update on webhook_inbox for each row execute function refuse_change();
create trigger webhook_inbox_not_truncated before truncate on webhook_inbox for each statement execute function refuse_change();

-- Operators of a sandbox whose engineer listens for webhooks, so that these exist without an address.
create table webhook_listener (
  operator_id text not null,
  until timestamptz not null,
  constraint webhook_listener_pkey primary key (operator_id),
  constraint webhook_listener_operator_id_fkey foreign key (operator_id) references operator(id) on delete cascade
);

-- Webhooks that wait to be sent or tried again, a row for each pending delivery.
create table webhook_queue (
  operator_id text not null,
  delivery_id uuid not null,
  sealed bytea,
  useless_at timestamptz,
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  constraint webhook_queue_pkey primary key (operator_id, delivery_id),
  constraint webhook_queue_keeps_no_secret check (sealed is null or useless_at is not null)
);
create index webhook_queue_due on webhook_queue (operator_id, next_at);
create index webhook_queue_useless on webhook_queue (useless_at) where (sealed is not null);

-- One withdrawal of a user, from the hold on the balance to the payout by the provider.
create table withdrawal (
  id uuid not null,
  operator_id text not null,
  user_id text not null,
  client_key uuid not null,
  fingerprint bytea not null,
  payment_method text not null,
  country text not null,
  account_type text not null,
  currency text not null,
  amount bigint not null,
  fee bigint not null,
  payout_currency text,
  payout_amount bigint,
  payout_rate text,
  payout_rate_at timestamptz,
  state text not null,
  rank integer not null,
  cause text,
  reason text,
  failure jsonb,
  decline_cause text,
  decline_message text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  approvals_needed integer not null default 0,
  approval_since timestamptz,
  approval_because text,
  provider text not null,
  connection_id uuid,
  provider_ref text,
  request jsonb not null,
  busy_until timestamptz,
  submissions integer not null default 0,
  check_at timestamptz,
  checks integer not null default 0,
  constraint withdrawal_pkey primary key (id, operator_id),
  constraint withdrawal_key_once unique (operator_id, user_id, client_key),
  constraint withdrawal_operator_id_connection_id_fkey foreign key (operator_id, connection_id) references provider_connection(operator_id, id),
  constraint withdrawal_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint withdrawal_state_fkey foreign key (state) references withdrawal_state(state),
  constraint withdrawal_account_type_check check (account_type = any (array['main', 'additional'])),
  constraint withdrawal_approval_because_check check (approval_because = any (array['amount', 'day'])),
  constraint withdrawal_approvals_needed_check check (approvals_needed >= 0 and approvals_needed <= 2),
  constraint withdrawal_decline_cause_check check (decline_cause = any (array['account-details', 'account-closed', 'limit', 'name-mismatch', 'bank-unavailable'])),
  constraint withdrawal_decline_message_check check (char_length(decline_message) >= 1 and char_length(decline_message) <= 300),
  constraint withdrawal_decline_words_of_an_end check (decline_cause is null and decline_message is null or (state = any (array['declined', 'returned', 'late_paid', 'late_settled', 'late_returned']))),
  constraint withdrawal_fingerprint_check check (octet_length(fingerprint) = 32),
  constraint withdrawal_never_gold check (currency <> all (array['GC', 'QGC', 'QSC'])),
  constraint withdrawal_payout_whole check ((num_nulls(payout_currency, payout_amount, payout_rate) = any (array[0, 3])) and (payout_amount is null or payout_amount > 0)),
  constraint withdrawal_something_arrives check (amount > 0 and fee >= 0 and fee < amount),
  constraint withdrawal_sweep_is_paid_out check (currency <> 'SC' or payout_currency is not null)
);
create index withdrawal_approval_listed on withdrawal (operator_id, approval_since, id) where (state = 'awaiting_approval');
create index withdrawal_by_other_key on withdrawal (operator_id, client_key) where (client_key <> id);
create index withdrawal_due_check on withdrawal (provider, check_at) where (check_at is not null);
create index withdrawal_due_expiry on withdrawal (operator_id, greatest(expires_at, busy_until)) where (state = any (array['held', 'checking', 'awaiting_approval']));
create index withdrawal_listed on withdrawal (operator_id, created_at desc, id desc);
create index withdrawal_open_by_age on withdrawal (created_at) where (rank < 80);
create index withdrawal_open_listed on withdrawal (operator_id, created_at desc, id desc) where (rank < 80);
create unique index withdrawal_provider_ref_once on withdrawal (operator_id, provider_ref, provider) where (provider_ref is not null);
create index withdrawal_reported on withdrawal (provider_ref, provider) where (provider_ref is not null);
create index withdrawal_review_listed on withdrawal (operator_id) where (state = 'late_paid');
create trigger withdrawal_approval_guarded before update on withdrawal for each row execute function guard_approval();
create trigger withdrawal_decline_words_kept before update of decline_cause, decline_message on withdrawal for each row when (old.decline_cause is not null and old.decline_cause is distinct from new.decline_cause or old.decline_message is not null and old.decline_message is distinct from new.decline_message) execute function refuse_change();
create trigger withdrawal_destination_kept before update of request on withdrawal for each row when ((new.request -> 'fields') is distinct from (old.request -> 'fields') and (new.request -> 'fields') <> '{}'::jsonb) execute function refuse_change();
create trigger withdrawal_guarded before update on withdrawal for each row execute function guard_withdrawal();
create trigger withdrawal_history_written after insert or update of state on withdrawal for each row execute function write_withdrawal_history();
create constraint trigger withdrawal_hold_agrees after insert or update of state on withdrawal deferrable initially deferred for each row execute function check_withdrawal_hold();
create trigger withdrawal_kept before delete on withdrawal for each row execute function refuse_change();
create trigger withdrawal_named_once after insert on withdrawal for each row execute function check_withdrawal_names();
create trigger withdrawal_not_truncated before truncate on withdrawal for each statement execute function refuse_change();
create constraint trigger withdrawal_payout_agrees after insert or update of state, provider_ref on withdrawal deferrable initially deferred for each row execute function check_payout('id');
create trigger withdrawal_payout_kept before update of payout_currency, payout_amount, payout_rate on withdrawal for each row when (old.payout_currency is distinct from new.payout_currency or old.payout_amount is distinct from new.payout_amount or old.payout_rate is distinct from new.payout_rate) execute function refuse_change();
create trigger withdrawal_rate_time_kept before update of payout_rate_at on withdrawal for each row when (old.payout_rate_at is distinct from new.payout_rate_at) execute function refuse_change();
create trigger withdrawal_ref_named_once after update of provider_ref on withdrawal for each row when (new.provider_ref is distinct from old.provider_ref) execute function check_withdrawal_names();

-- The code that confirms a withdrawal, as a keyed hash, with the attempts that are left (WD-2).
create table withdrawal_code (
  operator_id text not null,
  withdrawal_id uuid not null,
  channel text not null,
  code_hash bytea not null,
  wrong_hash bytea,
  expires_at timestamptz not null,
  sent_at timestamptz not null default now(),
  attempts_left integer not null default 5,
  sends_left integer not null default 4,
  constraint withdrawal_code_pkey primary key (operator_id, withdrawal_id),
  constraint withdrawal_code_operator_id_withdrawal_id_fkey foreign key (operator_id, withdrawal_id) references withdrawal(operator_id, id),
  constraint withdrawal_code_attempts_left_check check (attempts_left >= 0 and attempts_left <= 5),
  constraint withdrawal_code_channel_check check (channel = any (array['sms', 'email', 'app'])),
  constraint withdrawal_code_code_hash_check check (octet_length(code_hash) = 32),
  constraint withdrawal_code_sends_left_check check (sends_left >= 0)
);
create trigger withdrawal_code_guarded before update on withdrawal_code for each row execute function guard_withdrawal_code();
create trigger withdrawal_code_not_truncated before truncate on withdrawal_code for each statement execute function refuse_change();

-- Approvals and declines of withdrawals by the operator's staff.
create table withdrawal_decision (
  operator_id text not null,
  decision_id uuid not null,
  withdrawal_id uuid not null,
  decision text not null,
  decided_by text not null,
  key_id uuid,
  reason text,
  at timestamptz not null default now(),
  constraint withdrawal_decision_pkey primary key (operator_id, decision_id),
  constraint withdrawal_decision_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint withdrawal_decision_operator_id_withdrawal_id_fkey foreign key (operator_id, withdrawal_id) references withdrawal(operator_id, id),
  constraint withdrawal_decision_decision_check check (decision = any (array['approve', 'decline']))
);
create unique index withdrawal_approved_by_once on withdrawal_decision (operator_id, withdrawal_id, lower(decided_by)) where (decision = 'approve');
create unique index withdrawal_declined_once on withdrawal_decision (operator_id, withdrawal_id) where (decision = 'decline');
create trigger withdrawal_decision_immutable before delete or update on withdrawal_decision for each row execute function refuse_change();
create trigger withdrawal_decision_not_truncated before truncate on withdrawal_decision for each statement execute function refuse_change();

-- The destination of a withdrawal as a keyed hash. Staff can search by an account number that is no longer stored.
create table withdrawal_destination (
  operator_id text not null,
  mark bytea not null,
  created_at timestamptz not null default now(),
  withdrawal_id uuid not null,
  constraint withdrawal_destination_pkey primary key (operator_id, mark, created_at, withdrawal_id),
  constraint withdrawal_destination_operator_id_fkey foreign key (operator_id) references operator(id),
  constraint withdrawal_destination_operator_id_withdrawal_id_fkey foreign key (operator_id, withdrawal_id) references withdrawal(operator_id, id),
  constraint withdrawal_destination_mark_check check (octet_length(mark) = 32)
);
create trigger withdrawal_destination_immutable before delete or update on withdrawal_destination for each row execute function refuse_change();

-- Reports of providers about withdrawals, one row per event, kept for ever.
create table withdrawal_event (
  provider text not null,
  event_id text not null,
  body jsonb,
  body_id uuid,
  body_hash bytea not null,
  reported text not null,
  paid numeric,
  currency text,
  withdrawal_id uuid,
  status text not null,
  outcome text not null,
  tries integer not null default 1,
  next_at timestamptz,
  received_at timestamptz not null default now(),
  constraint withdrawal_event_pkey primary key (provider, event_id),
  constraint withdrawal_event_body_kept check ((body is not null) = (status = 'parked') and (body_id is not null) = (status = 'applied')),
  constraint withdrawal_event_status_check check (status = any (array['applied', 'parked']))
);
create index withdrawal_event_by_withdrawal on withdrawal_event (withdrawal_id) where (withdrawal_id is not null);
create index withdrawal_event_due on withdrawal_event (next_at) where ((status = 'parked') and (next_at is not null));
create index withdrawal_event_of_ref on withdrawal_event (provider, ((body ->> 'providerRef'))) where (status = 'parked');
create trigger withdrawal_event_immutable before update on withdrawal_event for each row when (new.provider is distinct from old.provider or new.event_id is distinct from old.event_id or new.body is distinct from old.body or new.body_id is distinct from old.body_id or new.body_hash is distinct from old.body_hash or new.reported is distinct from old.reported or new.paid is distinct from old.paid or new.currency is distinct from old.currency or old.status = 'applied' and new.status <> 'applied') execute function refuse_change();
create trigger withdrawal_event_kept before delete on withdrawal_event for each row when (old.status = 'applied') execute function refuse_change();
create trigger withdrawal_event_not_truncated before truncate on withdrawal_event for each statement execute function refuse_change();
create trigger withdrawal_event_taken before update of status on withdrawal_event for each row when (old.status = 'parked' and new.status = 'applied') execute function keep_event_body();
create trigger withdrawal_event_told before insert on withdrawal_event for each row when (new.body is not null or new.body_id is null) execute function keep_event_body();

-- Every state of a withdrawal, with its cause. Only the trigger of the withdrawal writes this table.
create table withdrawal_history (
  operator_id text not null,
  withdrawal_id uuid not null,
  n integer not null,
  from_state text,
  to_state text not null,
  cause text not null,
  at timestamptz not null default now(),
  constraint withdrawal_history_pkey primary key (operator_id, withdrawal_id, n)
);
create trigger withdrawal_history_by_trigger before insert on withdrawal_history for each row execute function refuse_by_hand();
create trigger withdrawal_history_immutable before delete or update on withdrawal_history for each row execute function refuse_change();
create trigger withdrawal_history_not_truncated before truncate on withdrawal_history for each statement execute function refuse_change();

-- Idempotency keys of withdrawals, kept for ever: a create and a cancel compete for one row.
create table withdrawal_key (
  operator_id text not null,
  user_id text not null,
  client_key uuid not null,
  withdrawal_id uuid,
  at timestamptz not null default now(),
  constraint withdrawal_key_pkey primary key (operator_id, user_id, client_key),
  constraint withdrawal_key_operator_id_fkey foreign key (operator_id) references operator(id)
);
create trigger withdrawal_key_immutable before delete or update on withdrawal_key for each row execute function refuse_change();
create trigger withdrawal_key_not_truncated before truncate on withdrawal_key for each statement execute function refuse_change();

-- The states of a withdrawal, and its hold in each. A test compares them with withdrawal-lifecycle in core.
create table withdrawal_state (
  state text not null,
  rank integer not null,
  hold text,
  live_payout text,
  constraint withdrawal_state_pkey primary key (state),
  constraint withdrawal_state_hold_check check (hold = any (array['held', 'void', 'post']))
);
create trigger withdrawal_state_not_truncated before truncate on withdrawal_state for each statement execute function refuse_change();
-- Rows of withdrawal_state:
--   (awaiting_approval,15,held,)
--   (cancelled,80,void,)
--   (checking,5,,)
--   (declined,80,void,)
--   (expired,80,void,)
--   (held,10,held,)
--   (late_paid,85,void,paid)
--   (late_returned,97,void,returned)
--   (late_settled,95,void,paid)
--   (paid,90,post,paid)
--   (refused,80,,)
--   (returned,99,post,returned)
--   (submitted,30,held,accepted)
--   (submitted_unknown,20,held,requested)

-- The allowed moves between withdrawal states.
create table withdrawal_transition (
  from_state text not null,
  to_state text not null,
  constraint withdrawal_transition_pkey primary key (from_state, to_state),
  constraint withdrawal_transition_from_state_fkey foreign key (from_state) references withdrawal_state(state),
  constraint withdrawal_transition_to_state_fkey foreign key (to_state) references withdrawal_state(state)
);
create trigger withdrawal_transition_not_truncated before truncate on withdrawal_transition for each statement execute function refuse_change();
-- Rows of withdrawal_transition:
--   (awaiting_approval,cancelled)
--   (awaiting_approval,declined)
--   (awaiting_approval,expired)
--   (awaiting_approval,submitted_unknown)
--   (cancelled,late_paid)
--   (checking,held)
--   (checking,refused)
--   (declined,late_paid)
--   (expired,late_paid)
--   (held,awaiting_approval)
--   (held,cancelled)
--   (held,declined)
--   (held,expired)
--   (held,paid)
--   (held,submitted)
--   (held,submitted_unknown)
--   (late_paid,late_returned)
--   (late_paid,late_settled)
--   (paid,returned)
--   (submitted,declined)
--   (submitted,paid)
--   (submitted_unknown,declined)
--   (submitted_unknown,paid)
--   (submitted_unknown,submitted)

-- Wrong codes of a user within a day, over all withdrawals. Checking a code locks the row first, so that concurrent attempts are counted.
create table wrong_code (
  operator_id text not null,
  user_id text not null,
  tried_at timestamptz[] not null default '{}'::timestamptz[],
  constraint wrong_code_pkey primary key (operator_id, user_id),
  constraint wrong_code_operator_id_fkey foreign key (operator_id) references operator(id)
);

create view known_journal as select journal.operator_id, journal.id, journal.kind, journal.deposit_id, journal.withdrawal_id, journal.payment_id, journal.refund_id, journal.dispute_id, journal.payout_id, journal.ext_source, journal.ext_ref, journal.note, journal.at from journal union all select archived_journal.operator_id, archived_journal.id, archived_journal.kind, archived_journal.deposit_id, archived_journal.withdrawal_id, archived_journal.payment_id, archived_journal.refund_id, archived_journal.dispute_id, archived_journal.payout_id, archived_journal.ext_source, archived_journal.ext_ref, archived_journal.note, archived_journal.at from archived_journal;

create view known_posting as select posting.operator_id, posting.journal_id, posting.account_id, posting.asset, posting.amount from posting union all select archived_journal.operator_id, archived_journal.id as journal_id, ((line.value ->> 0))::bigint as account_id, (line.value ->> 1) as asset, ((line.value ->> 2))::bigint as amount from (archived_journal cross join lateral jsonb_array_elements(archived_journal.lines) line(value));

create view payment_summary as select deposit.operator_id, deposit.id as deposit_id, max(payment.amount) filter (where (payment.origin = 'deposit')) as paid, max(payment.amount) filter (where ((payment.origin = 'deposit') and (payment.credited_at is not null))) as credited, max(payment.paid_debt) filter (where (payment.origin = 'deposit')) as paid_debt, max(payment.charged_fee) filter (where (payment.origin = 'deposit')) as charged_fee, max(payment.reason) filter (where ((payment.state = 'in_review') and (payment.review is not null))) as review, coalesce(max(payment.review), 0) as reviews, max(payment.review_since) filter (where (payment.state = 'in_review')) as review_since from (deposit left join payment on (((payment.operator_id = deposit.operator_id) and (payment.deposit_id = deposit.id)))) group by deposit.operator_id, deposit.id;

create view settlement_entry as select payment.operator_id, payment.provider, case payment.origin when 'returned' then 'return' else 'payment' end as kind, payment.id, payment.provider_ref as reference, payment.deposit_id as own_id, null::uuid as other_id, payment.currency, payment.amount, payment.created_at as at, payment.deposit_id from payment union all select refund.operator_id, payment.provider, 'refund' as kind, refund.id, payment.provider_ref as reference, refund.id as own_id, refund.refund_id as other_id, refund.currency, (- refund.amount) as amount, refund.created_at as at, refund.deposit_id from (refund join payment on (((payment.operator_id = refund.operator_id) and (payment.id = refund.payment_id)))) where (refund.state = any (array['succeeded', 'bounced'])) union all select dispute.operator_id, payment.provider, 'chargeback' as kind, dispute.id, payment.provider_ref as reference, dispute.id as own_id, null::uuid as other_id, dispute.currency, (- dispute.amount) as amount, dispute.created_at as at, dispute.deposit_id from (dispute join payment on (((payment.operator_id = dispute.operator_id) and (payment.id = dispute.payment_id)))) union all select payout.operator_id, payout.provider, 'payout' as kind, payout.id, payout.provider_ref as reference, payout.withdrawal_id as own_id, payout.id as other_id, payout.currency, (- payout.amount) as amount, payout.created_at as at, null::uuid as deposit_id from payout where (payout.state = any (array['paid', 'returned'])) union all select payout.operator_id, payout.provider, 'return' as kind, payout.id, payout.provider_ref as reference, payout.withdrawal_id as own_id, payout.id as other_id, payout.currency, payout.amount, payout.updated_at as at, null::uuid as deposit_id from payout where (payout.state = 'returned');

create view time_partition as select (parent.relname)::text as parent, (part.relname)::text as name, moment.since, moment.until from ((((((pg_partitioned_table kind join pg_class parent on (((parent.oid = kind.partrelid) and (parent.relnamespace = (("current_schema"())::regnamespace)::oid)))) join pg_attribute attribute on (((attribute.attrelid = parent.oid) and (attribute.attnum = kind.partattrs[0])))) join pg_inherits link on ((link.inhparent = parent.oid))) join pg_class part on ((part.oid = link.inhrelid))) cross join lateral regexp_match(pg_get_expr(part.relpartbound, part.oid), 'FROM \(''([^'']+)''\) TO \(''([^'']+)''\)') bound(bound)) cross join lateral ( select case attribute.atttypid when 'uuid'::regtype then time_of_id((bound.bound[1])::uuid) when 'date'::regtype then ((bound.bound[1])::timestamp without time zone at time zone 'UTC') else (bound.bound[1])::timestamptz end as since, case attribute.atttypid when 'uuid'::regtype then time_of_id((bound.bound[2])::uuid) when 'date'::regtype then ((bound.bound[2])::timestamp without time zone at time zone 'UTC') else (bound.bound[2])::timestamptz end as until) moment) where ((kind.partstrat = 'r'::"char") and (kind.partnatts = 1));

create view time_partitioned as select (parent.relname)::text as name, (attribute.attname)::text as key, ((attribute.atttypid)::regtype)::text as type, coalesce(( select min(part.until) as min from ( select time_partition.since, time_partition.until, (lead(time_partition.since) over (order by time_partition.since) is distinct from time_partition.until) as is_last from time_partition where (time_partition.parent = parent.relname)) part where ((part.until > now()) and part.is_last and (exists ( select 1 from time_partition where ((time_partition.parent = parent.relname) and (time_partition.since <= now()) and (time_partition.until > now())))))), now()) as covered_until from ((pg_partitioned_table kind join pg_class parent on (((parent.oid = kind.partrelid) and (parent.relnamespace = (("current_schema"())::regnamespace)::oid)))) join pg_attribute attribute on (((attribute.attrelid = parent.oid) and (attribute.attnum = kind.partattrs[0])))) where ((kind.partstrat = 'r'::"char") and (kind.partnatts = 1));

create or replace function add_chain_changes(of_chain text) returns void language plpgsql security definer set search_path to 'public', 'pg_temp' as $function$
begin
  with added as (delete from chain_change change using chain_sum_point point
      where change.chain = of_chain and point.chain = change.chain and point.contract = change.contract returning change.*, point.unit)
  insert into chain_sum (operator_id, chain, wallet, contract, credited, paid_out, rests, sent, cost)
    select operator_id, chain, wallet, contract, sum(credited), sum(paid_out), sum(mod(received, unit)), sum(sent), sum(cost)
      from added group by 1, 2, 3, 4
    on conflict (operator_id, chain, wallet, contract) do update set credited = chain_sum.credited + excluded.credited,
      paid_out = chain_sum.paid_out + excluded.paid_out, rests = chain_sum.rests + excluded.rests,
      sent = chain_sum.sent + excluded.sent, cost = chain_sum.cost + excluded.cost;
end $function$;

create or replace function analyze_young_tables() returns integer language plpgsql security definer set search_path to 'public', 'pg_catalog', 'pg_temp' as $function$
declare
  young regclass;
  analyzed int := 0;
begin
  -- One node does it.
  if not pg_try_advisory_xact_lock(4726004) then return 0; end if;
  -- By the rows that are alive: the rows of a queue change all the time, but do not grow in number.
  for young in select stat.relid from pg_stat_user_tables stat join pg_class on pg_class.oid = stat.relid
    where stat.schemaname = current_schema() and pg_class.relkind = 'r' and pg_class.reltuples < 10000
      and stat.n_live_tup > 50 + 2 * greatest(pg_class.reltuples, 0)
  loop
    execute format('analyze (skip_locked) %s', young);
    analyzed := analyzed + 1;
  end loop;
  return analyzed;
end $function$;

create or replace function archived_before() returns uuid language sql stable as $function$
  select coalesce((select time_id_at(max(until)) from archived_partition where parent = 'journal'), '00000000-0000-0000-0000-000000000000'::uuid)
$function$;

create or replace function book_postings() returns trigger language plpgsql security definer set enable_seqscan to 'off' set enable_hashjoin to 'off' set enable_mergejoin to 'off' set plan_cache_mode to 'force_generic_plan' set search_path to 'public', 'pg_temp' as $function$
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
end $function$;

create or replace function check_at_commit() returns trigger language plpgsql security definer set enable_seqscan to 'off' set enable_hashjoin to 'off' set enable_mergejoin to 'off' set plan_cache_mode to 'force_generic_plan' set search_path to 'public', 'pg_catalog', 'pg_temp' as $function$
declare
  broken record;
begin
  if new.journal_ids is not null then
    select id, fault into broken from (
      select (found.entry).id, case when (found.entry).at <> now()
          then coalesce(key_fault(found.entry), journal_fault(found.entry), 'journal_of_now')
        when not ((found.entry).kind = 'deposit_credit' and num_nonnulls((found.entry).withdrawal_id, (found.entry).refund_id,
            (found.entry).dispute_id, (found.entry).payout_id) = 0
          and time_of_id((found.entry).id) = date_trunc('milliseconds', (found.entry).at)
          and exists (select 1 from journal_key key where key.operator_id = written.operator_id and key.ref = (found.entry).ext_ref
            and key.source = (found.entry).ext_source and key.kind = (found.entry).kind and key.journal_id = written.id offset 0)
          and exists (select 1 from journal_key key where key.operator_id = written.operator_id
            and key.ref = (found.entry).deposit_id::text and key.source = 'deposit' and key.kind = 'one_credit'
            and key.journal_id = written.id offset 0)
          and exists (select 1 from payment join deposit
              on deposit.operator_id = payment.operator_id and deposit.id = payment.deposit_id
            where payment.operator_id = written.operator_id and payment.id = (found.entry).payment_id
              and payment.deposit_id = (found.entry).deposit_id and payment.provider = (found.entry).ext_source
              and payment.origin = 'deposit' and payment.credited_at is not null
              and payment.currency = deposit.currency and deposit.credited = payment.amount
              and (select count(*) = 2 and count(*) filter (where account.kind = 'provider_clearing') = 1
                and count(*) filter (where account.kind = 'user' and account.owner = deposit.user_id
                  and posting.asset = deposit.currency and posting.amount = payment.amount) = 1
                from posting cross join lateral (select * from account
                  where account.operator_id = written.operator_id and account.id = posting.account_id offset 0) account
                where posting.operator_id = written.operator_id and posting.journal_id = (found.entry).id)
              and exists (select 1 from deposit_event where deposit_event.deposit_id = deposit.id
                and deposit_event.reported = 'paid' and deposit_event.paid = payment.amount offset 0) offset 0))
          then coalesce(key_fault(found.entry), journal_fault(found.entry)) end as fault
      from unnest(new.operator_ids, new.journal_ids) as written(operator_id, id) cross join lateral (select journal as entry
        from journal where journal.operator_id = written.operator_id and journal.id = written.id offset 0) found offset 0
    ) judged where fault is not null limit 1;
    if found then
      raise exception 'journal % breaks a rule of the ledger: %', broken.id, broken.fault
        using errcode = 'check_violation', constraint = broken.fault;
    end if;
  end if;
  if new.payment_ids is not null then
    select id, fault into broken from (
      select (found.checked).id, case when not ((found.checked).state = 'credited' and (found.checked).origin = 'deposit'
          and (found.checked).credited_at is not null
          and num_nonnulls((found.checked).reason, (found.checked).review, (found.checked).paid_debt, (found.checked).charged_fee) = 0
          and exists (select 1 from deposit where deposit.operator_id = written.operator_id
            and deposit.id = (found.checked).deposit_id and deposit.provider = (found.checked).provider
            and deposit.provider_ref = (found.checked).provider_ref and deposit.state = 'credited'
            and deposit.paid = (found.checked).amount and deposit.credited = (found.checked).amount
            and num_nonnulls(deposit.paid_debt, deposit.fee, deposit.charged_fee) = 0
            offset 0)
          and exists (select 1 from journal_key key where key.operator_id = written.operator_id
            and key.ref = (found.checked).deposit_id::text and key.source = 'deposit' and key.kind = 'one_credit' offset 0)
          and not exists (select 1 from journal_key key where key.operator_id = written.operator_id
            and key.ref = (found.checked).id::text and key.source = 'payment'
            and key.kind in ('payment_suspended_once', 'payment_released_once') offset 0)
          and not exists (select 1 from refund
            where refund.operator_id = written.operator_id and refund.payment_id = (found.checked).id offset 0)
          and not exists (select 1 from dispute
            where dispute.operator_id = written.operator_id and dispute.payment_id = (found.checked).id offset 0))
        then payment_fault(found.checked) end as fault
      from unnest(new.operator_ids, new.payment_ids) as written(operator_id, id) cross join lateral (select payment as checked
        from payment where payment.operator_id = written.operator_id and payment.id = written.id offset 0) found offset 0
    ) judged where fault is not null limit 1;
    if found then
      raise exception 'payment % breaks a rule: %', broken.id, broken.fault
        using errcode = 'check_violation', constraint = broken.fault;
    end if;
  end if;
  if new.deposit_ids is not null then
    select id, fault into broken from (
      select written.id, case
        when found.credited is not null and not exists (select 1 from journal_key key where key.operator_id = written.operator_id
          and key.ref = written.id::text and key.source = 'deposit' and key.kind = 'one_credit' offset 0) then 'deposit_credit_agrees'
        when (found.paid, found.credited, found.paid_debt, found.charged_fee, found.review, found.reviews, found.review_since)
          is distinct from (wanted.paid, wanted.credited, wanted.paid_debt, wanted.charged_fee, wanted.review, wanted.reviews,
            wanted.review_since) then 'deposit_payments_agree' end as fault
      from unnest(new.operator_ids, new.deposit_ids) as written(operator_id, id)
        cross join lateral (select * from deposit
          where deposit.operator_id = written.operator_id and deposit.id = written.id offset 0) found
        cross join lateral (select * from payment_summary summary
          where summary.operator_id = written.operator_id and summary.deposit_id = written.id offset 0) wanted offset 0
    ) judged where fault is not null limit 1;
    if found then
      raise exception 'deposit % disagrees with its payments: %', broken.id, broken.fault
        using errcode = 'check_violation', constraint = broken.fault;
    end if;
  end if;
  delete from commit_check where id = new.id;
  return null;
end $function$;

create or replace function check_box_coins() returns trigger language plpgsql set enable_seqscan to 'off' set enable_hashjoin to 'off' set enable_mergejoin to 'off' set plan_cache_mode to 'force_generic_plan' as $function$
declare
  got record;
begin
  select coalesce(sum(posting.amount) filter (where posting.asset = 'GC'), 0) as gold,
    coalesce(sum(posting.amount) filter (where posting.asset = 'SC'), 0) as sweep
  into got
  from journal_key credit cross join lateral (select * from known_posting
      where known_posting.operator_id = credit.operator_id and known_posting.journal_id = credit.journal_id offset 0) posting
    join account on account.operator_id = posting.operator_id and account.id = posting.account_id
  where credit.operator_id = new.operator_id and credit.ref = new.id::text and credit.source = 'deposit' and credit.kind = 'one_credit'
    and account.kind = 'user'
    and account.owner = new.user_id;
  if (got.gold, got.sweep) is distinct from ((new.box ->> 'gold')::numeric, (new.box ->> 'sweep')::numeric) then
    raise exception 'deposit % was paid, but its coins are % and %', new.id, got.gold, got.sweep
      using errcode = 'check_violation', constraint = 'box_coins_agree';
  end if;
  return null;
end $function$;

create or replace function check_deposit_ref() returns trigger language plpgsql set enable_seqscan to 'off' as $function$
begin
  if exists (select 1 from deposit where provider_ref = new.provider_ref and provider = new.provider
      and operator_id <> new.operator_id and connection_id is not distinct from new.connection_id) then
    raise exception 'another operator has a deposit with reference %', new.provider_ref
      using errcode = 'unique_violation', constraint = 'deposit_provider_ref_once';
  end if;
  return null;
end $function$;

create or replace function check_dispute() returns trigger language plpgsql as $function$
begin
  if not exists (select 1 from journal_key where operator_id = new.operator_id and ref = new.id::text and source = 'dispute') then
    raise exception 'dispute % has no journal', new.id using errcode = 'check_violation', constraint = 'dispute_booked';
  end if;
  return null;
end $function$;

create or replace function check_new_deposits() returns trigger language plpgsql set enable_seqscan to 'off' as $function$
declare
  broken record;
begin
  select id, rule into broken from (
    select id, case
      when (select true from deposit_key key where key.operator_id = written.operator_id and key.user_id = written.user_id
        and key.client_key = written.client_key and key.deposit_id = written.id) is null then 'deposit_key_once'
      when (select true from deposit other where other.id = written.id and other.operator_id <> written.operator_id limit 1)
        then 'deposit_pkey'
      when provider_ref is not null and (select true from deposit other where other.provider_ref = written.provider_ref
        and other.provider = written.provider and other.operator_id <> written.operator_id
        and other.connection_id is not distinct from written.connection_id limit 1) then 'deposit_provider_ref_once'
      end as rule
    from written) judged
  where rule is not null limit 1;
  if found then
    raise exception 'deposit % has another''s key, id or reference', broken.id using errcode = 'unique_violation', constraint = broken.rule;
  end if;
  return null;
end $function$;

create or replace function check_new_payments() returns trigger language plpgsql set enable_seqscan to 'off' set enable_hashjoin to 'off' set enable_mergejoin to 'off' as $function$
declare
  taken text;
begin
  select written.provider_ref into taken from written where exists (select 1 from payment other
    where other.provider = written.provider and other.provider_ref = written.provider_ref and other.operator_id <> written.operator_id
      and (select connection_id from deposit where operator_id = other.operator_id and id = other.deposit_id) is not distinct from
        (select connection_id from deposit where operator_id = written.operator_id and id = written.deposit_id) offset 0) limit 1;
  if found then
    raise exception 'another operator has the payment %', taken
      using errcode = 'unique_violation', constraint = 'payment_reported_once';
  end if;
  return null;
end $function$;

create or replace function check_payment() returns trigger language plpgsql as $function$
declare
  fault text;
begin
  select payment_fault(payment) into fault from payment
    where operator_id = new.operator_id and id = (to_jsonb(new) ->> tg_argv[0])::uuid;
  if fault is not null then
    raise exception 'payment % breaks a rule: %', to_jsonb(new) ->> tg_argv[0], fault
      using errcode = 'check_violation', constraint = fault;
  end if;
  return null;
end $function$;

create or replace function check_payout() returns trigger language plpgsql as $function$
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
end $function$;

create or replace function check_withdrawal_hold() returns trigger language plpgsql as $function$
declare
  wanted text := (select withdrawal_state.hold from withdrawal join withdrawal_state using (state)
    where operator_id = new.operator_id and id = new.id);
  held uuid := (select journal_id from journal_key
    where operator_id = new.operator_id and ref = new.id::text and source = 'hold' and kind = 'hold');
  ended uuid := (select journal_id from journal_key
    where operator_id = new.operator_id and ref = new.id::text and source = 'hold' and kind = 'hold_end');
  stands text := (select coalesce((select note from known_journal where operator_id = new.operator_id and id = ended), 'held')
    from known_journal where operator_id = new.operator_id and id = held);
begin
  if stands is distinct from wanted then
    raise exception 'withdrawal % requires its hold to be %, but the hold is %', new.id, wanted, stands
      using errcode = 'check_violation', constraint = 'withdrawal_hold_agrees';
  end if;
  return null;
end $function$;

create or replace function check_withdrawal_names() returns trigger language plpgsql set enable_seqscan to 'off' as $function$
begin
  if tg_op = 'INSERT' and exists (select 1 from withdrawal where id = new.id and operator_id <> new.operator_id) then
    raise exception 'another operator has a withdrawal %', new.id using errcode = 'unique_violation', constraint = 'withdrawal_pkey';
  end if;
  if new.provider_ref is not null and exists (select 1 from withdrawal where provider_ref = new.provider_ref
      and provider = new.provider and operator_id <> new.operator_id and connection_id is not distinct from new.connection_id) then
    raise exception 'another operator has a withdrawal with reference %', new.provider_ref
      using errcode = 'unique_violation', constraint = 'withdrawal_provider_ref_once';
  end if;
  return null;
end $function$;

create or replace function clock_timestamp() returns timestamptz language sql parallel safe as $function$select pg_catalog.clock_timestamp()$function$;

create or replace function cost_of_payout(one coin_payout) returns numeric language sql immutable as $function$
  select case when one.reported_at is not null and one.state in ('confirmed', 'failed') then coalesce(one.fee, 0) else 0 end
$function$;

create or replace function count_chain(of_chain text, contracts text[], units numeric[]) returns void language plpgsql security definer set search_path to 'public', 'pg_temp' as $function$
begin
  -- First: a process that counts the same assets meanwhile waits here, fails to serialise, and repeats.
  insert into chain_sum_point (chain, contract, unit) select of_chain, asset.contract, asset.unit
      from unnest(contracts, units) asset(contract, unit)
    on conflict (chain, contract) do update set unit = excluded.unit, counted_at = now();
  delete from chain_change where chain = of_chain and contract = any(contracts);
  delete from chain_sum where chain = of_chain and contract = any(contracts);
  insert into chain_sum (chain, operator_id, wallet, contract, credited, paid_out, rests, sent, cost)
    select of_chain, counted.* from counted_sums(of_chain, contracts, units) counted;
end $function$;

create or replace function count_granted() returns trigger language plpgsql as $function$
begin
  insert into playthrough as known (operator_id, user_id, granted)
  select account.operator_id, account.owner, greatest(new.amount, 0) from account, journal
  where account.operator_id = new.operator_id and account.id = new.account_id and account.kind = 'user'
    and journal.operator_id = new.operator_id and journal.id = new.journal_id
    and journal.kind in ('deposit_credit', 'coin_grant', 'deposit_reversal')
  on conflict (operator_id, user_id) do update set granted = greatest(known.granted + new.amount, 0);
  return null;
end $function$;

create or replace function count_played() returns trigger language plpgsql as $function$
begin
  insert into playthrough as known (operator_id, user_id, played) values (new.operator_id, new.user_id, new.staked)
  on conflict (operator_id, user_id) do update set played = known.played + excluded.played;
  return null;
end $function$;

create or replace function counted_sums(of_chain text, contracts text[], units numeric[]) returns table(operator_id text, wallet text, contract text, credited bigint, paid_out bigint, rests numeric, sent numeric, cost numeric) language sql stable as $function$
  select moved.operator_id, moved.wallet, moved.contract, sum(moved.credited)::bigint, sum(moved.paid_out)::bigint, sum(moved.rests),
      sum(moved.sent), sum(moved.cost)
    from (select entry.operator_id, deposit_wallet(given.address, given.index) as wallet, given.contract, entry.amount as credited,
          0 as paid_out, 0::numeric as rests, 0::numeric as sent, 0::numeric as cost
        from settlement_entry entry join crypto_address given on given.chain = of_chain and given.deposit_id = entry.deposit_id
        where entry.provider = 'crypto' and entry.deposit_id is not null
      union all
      select deposit.operator_id, deposit_wallet(given.address, given.index), output.contract, 0, 0,
          case when output.told = 'paid' then mod(output.raw, asset.unit) else 0 end, 0, 0
        from crypto_output output join unnest(contracts, units) as asset(contract, unit) on asset.contract = output.contract
        join crypto_address given on given.chain = output.chain and given.address = output.address
        join deposit on deposit.id = given.deposit_id
        where output.chain = of_chain and output.height is not null
      union all
      select paid.operator_id, paid.wallet, paid.contract, 0, booked.amount, 0, paid.raw, 0 from coin_payout paid
        join payout booked on booked.operator_id = paid.operator_id and booked.withdrawal_id = paid.withdrawal_id and booked.state = 'paid'
        where paid.chain = of_chain
      union all
      select fees.operator_id, fees.wallet, '', 0, coalesce(fees.fee_minor, 0), 0, 0, cost_of_payout(fees)
        from coin_payout fees where fees.chain = of_chain and (fees.fee_minor is not null or cost_of_payout(fees) <> 0)) moved
    where moved.contract = any(contracts)
    group by 1, 2, 3
$function$;

create or replace function deposit_wallet(address text, index bigint) returns text language sql immutable as $function$
  select case when index is null or position('/' in address) > 0 then split_part(address, '/', 1) else '' end
$function$;

create or replace function extend_partitions(place text, first timestamptz, upto timestamptz, step text) returns integer language plpgsql set "TimeZone" to 'UTC' set search_path to 'public', 'pg_temp' as $function$
declare
  made int := 0;
  begins timestamptz := date_trunc(step, first);
  ends timestamptz;
  part text;
  type text := (select time_partitioned.type from time_partitioned where time_partitioned.name = place);
  rule record;
  bounds text[];
begin
  while begins < upto loop
    select until into ends from time_partition where parent = place and since <= begins and until > begins;
    if not found then
      ends := least(date_trunc(step, begins) + ('1 ' || step)::interval,
        (select min(since) from time_partition where parent = place and since > begins));
      part := place || to_char(begins, case when step = 'day' then '_YYYY_MM_DD'
        when step = 'year' and begins = date_trunc(step, begins) then '_YYYY' else '_YYYY_MM' end);
      bounds := case type when 'uuid' then array[time_id_at(begins)::text, time_id_at(ends)::text]
        when 'date' then array[begins::date::text, ends::date::text] else array[begins::text, ends::text] end;
      -- A table is attached without stopping its readers and writers. `create table … partition of` would wait for all of them. Only
      -- writers of tables that it references wait for a moment.
      execute format('create table %I (like %I including defaults including constraints including storage)', part, place);
      -- Triggers of each row come by themselves. Triggers of a statement would miss a statement that names the partition.
      for rule in select pg_get_triggerdef(oid) as text from pg_trigger
        where tgrelid = place::regclass and not tgisinternal and tgtype & 1 = 0
      loop
        execute regexp_replace(rule.text, ' ON \S+ ', format(' ON %I ', part));
      end loop;
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', place, part, bounds[1], bounds[2]);
      made := made + 1;
    end if;
    begins := ends;
  end loop;
  return made;
end $function$;

create or replace function forget_routing_decisions() returns integer language plpgsql security definer set lock_timeout to '500ms' set search_path to 'public', 'pg_catalog', 'pg_temp' as $function$
declare
  dropped int := 0;
  old record;
begin
  for old in select name from time_partition
    where parent = 'routing_decision' and until <= date_trunc('day', now(), 'UTC') - interval '13 months' order by since
  loop
    execute format('drop table %I', old.name);
    dropped := dropped + 1;
  end loop;
  return dropped;
exception when lock_not_available then
  return 0;
end $function$;

create or replace function forget_telemetry() returns integer language plpgsql security definer set lock_timeout to '500ms' set search_path to 'public', 'pg_catalog', 'pg_temp' as $function$
declare
  dropped int := 0;
  old record;
begin
  for old in select name from time_partition
    where parent = 'telemetry_event' and until <= date_trunc('day', now(), 'UTC') - interval '30 days' order by since
  loop
    execute format('drop table %I', old.name);
    dropped := dropped + 1;
  end loop;
  return dropped;
exception when lock_not_available then
  return 0;
end $function$;

create or replace function forget_uncounted_changes(of_chain text) returns void language plpgsql security definer set search_path to 'public', 'pg_temp' as $function$
begin
  begin
    lock table chain_sum_point in access exclusive mode nowait;
  exception when lock_not_available then
    return;
  end;
  delete from chain_change change where change.chain = of_chain
    and not exists (select 1 from chain_sum_point point where point.chain = change.chain and point.contract = change.contract);
end $function$;

create or replace function guard_account() returns trigger language plpgsql as $function$
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
end $function$;

create or replace function guard_approval() returns trigger language plpgsql as $function$
begin
  if new.state <> old.state and old.state in ('held', 'awaiting_approval')
    and new.state in ('submitted_unknown', 'submitted', 'paid')
    and (select count(*) from withdrawal_decision
      where operator_id = new.operator_id and withdrawal_id = new.id and decision = 'approve') < new.approvals_needed then
    raise exception 'withdrawal % lacks approvals', new.id
      using errcode = 'check_violation', constraint = 'withdrawal_approved';
  end if;
  if new.approvals_needed <> old.approvals_needed and old.state <> 'held' then
    raise exception 'the approvals that a waiting withdrawal needs never change'
      using errcode = 'restrict_violation', constraint = 'withdrawal_immutable';
  end if;
  return new;
end $function$;

create or replace function guard_bank_step_brought_back() returns trigger language plpgsql as $function$
begin
  if not exists (select 1 from bank_step_set_aside step where step.operator_id = new.operator_id and step.message_id = new.message_id
      and step.n = new.n and step.outcome = 'dismissed' and (step.ended_by, step.note, step.ended_at)
        = (new.dismissed_by, new.dismissed_note, new.dismissed_at) and step.ended_key is not distinct from new.dismissed_key) then
    raise exception 'only a dismissed step is brought back' using errcode = 'restrict_violation', constraint = 'bank_step_brought_back_guarded';
  end if;
  return new;
end $function$;

create or replace function guard_bank_step_set_aside() returns trigger language plpgsql as $function$
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
end $function$;

create or replace function guard_coin_payout() returns trigger language plpgsql as $function$
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
end $function$;

create or replace function guard_coin_transaction() returns trigger language plpgsql as $function$
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
end $function$;

create or replace function guard_coin_wallet() returns trigger language plpgsql as $function$
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
end $function$;

create or replace function guard_coin_wallet_acceptance() returns trigger language plpgsql as $function$
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
end $function$;

create or replace function guard_connection() returns trigger language plpgsql as $function$
begin
  if (new.operator_id, new.id, new.provider, new.mode, new.created_at)
    is distinct from (old.operator_id, old.id, old.provider, old.mode, old.created_at)
    or (old.first_enabled_at is not null and new.first_enabled_at is distinct from old.first_enabled_at) then
    raise exception 'a connection has immutable columns'
      using errcode = 'restrict_violation', constraint = 'provider_connection_immutable';
  end if;
  new.version := old.version + 1;
  new.updated_at := now();
  return new;
end $function$;

create or replace function guard_day_close() returns trigger language plpgsql as $function$
declare
  last record;
begin
  if tg_op = 'UPDATE' and (old.state <> 'proposed'
    or (new.operator_id, new.id, new.day, new.as_of, new.previous, new.totals, new.proposed_by, new.proposed_key, new.proposed_at)
      is distinct from (old.operator_id, old.id, old.day, old.as_of, old.previous, old.totals, old.proposed_by, old.proposed_key,
        old.proposed_at)) then
    raise exception 'the close of a day is decided once' using errcode = 'restrict_violation', constraint = 'day_close_immutable';
  end if;
  if tg_op = 'INSERT' and new.state <> 'proposed' then
    raise exception 'a close begins as a proposal' using errcode = 'restrict_violation', constraint = 'day_close_proposed_first';
  end if;
  if new.state <> 'rejected' then
    select day, hash into last from day_close where operator_id = new.operator_id and state = 'closed' order by day desc limit 1;
    if new.previous is distinct from last.hash or new.day <> coalesce(last.day + 1, new.day)
      or (new.day + 1)::timestamp at time zone 'UTC' > now() then
      raise exception 'a close follows the day before, and its day is over'
        using errcode = 'restrict_violation', constraint = 'day_close_chained';
    end if;
  end if;
  return new;
end $function$;

create or replace function guard_day_close_key() returns trigger language plpgsql as $function$
begin
  if (new.operator_id, new.id, new.public_key, new.at) is distinct from (old.operator_id, old.id, old.public_key, old.at) then
    raise exception 'only the seal of a key changes' using errcode = 'restrict_violation', constraint = 'day_close_key_immutable';
  end if;
  return new;
end $function$;

create or replace function guard_deposit() returns trigger language plpgsql as $function$
begin
  if (new.id, new.operator_id, new.user_id, new.client_key, new.fingerprint, new.payment_method, new.currency,
      new.amount, new.open_amount, new.fee, new.created_at)
    is distinct from (old.id, old.operator_id, old.user_id, old.client_key, old.fingerprint, old.payment_method,
      old.currency, old.amount, old.open_amount, old.fee, old.created_at)
    or (old.provider_ref is not null and new.provider_ref is distinct from old.provider_ref) then
    raise exception 'a deposit has immutable columns' using errcode = 'restrict_violation', constraint = 'deposit_immutable';
  end if;
  if (new.provider, new.connection_id, new.attempt_id) is distinct from (old.provider, old.connection_id, old.attempt_id)
    and not may_go_on(old, new) then
    raise exception 'a deposit keeps its connection' using errcode = 'restrict_violation', constraint = 'deposit_immutable';
  end if;
  if new.state <> old.state then
    new.rank := (select rank from deposit_transition join deposit_state on state = to_state
      where from_state = old.state and to_state = new.state);
    if new.rank is null then
      raise exception 'a deposit does not go from % to %', old.state, new.state
        using errcode = 'check_violation', constraint = 'deposit_transition_allowed';
    end if;
  end if;
  if new.rank < old.rank or (new.state = old.state and new.rank <> old.rank) then
    raise exception 'the rank of a deposit only rises' using errcode = 'check_violation', constraint = 'deposit_rank_rises';
  end if;
  new.updated_at := now();
  return new;
end $function$;

create or replace function guard_deposit_attempt() returns trigger language plpgsql as $function$
begin
  if (new.operator_id, new.deposit_id, new.n, new.id, new.provider, new.connection_id, new.began_at)
    is distinct from (old.operator_id, old.deposit_id, old.n, old.id, old.provider, old.connection_id, old.began_at)
    or (old.outcome is not null and (new.outcome, new.code, new.ended_at) is distinct from (old.outcome, old.code, old.ended_at))
    or (old.request is not null and new.request is distinct from old.request)
    or (old.money_deposit_id is not null and new.money_deposit_id is distinct from old.money_deposit_id) then
    raise exception 'an attempt has immutable columns' using errcode = 'restrict_violation', constraint = 'deposit_attempt_immutable';
  end if;
  return new;
end $function$;

create or replace function guard_dismissal() returns trigger language plpgsql as $function$
begin
  if not exists (select 1 from deposit_event where provider = new.provider and event_id = new.event_id)
    and not exists (select 1 from withdrawal_event where provider = new.provider and event_id = new.event_id) then
    raise exception 'a dismissal must name a report' using errcode = 'foreign_key_violation', constraint = 'dismissal_of_its_report';
  end if;
  return new;
end $function$;

create or replace function guard_dispute() returns trigger language plpgsql as $function$
begin
  if tg_op = 'INSERT' and not exists (select 1 from payment where operator_id = new.operator_id and id = new.payment_id
      and deposit_id = new.deposit_id and currency = new.currency) then
    raise exception 'a dispute must name a payment of its deposit' using errcode = 'check_violation', constraint = 'dispute_of_its_payment';
  end if;
  if tg_op = 'INSERT' and not exists (select 1 from deposit_event where provider = new.provider and event_id = new.event_id) then
    raise exception 'a dispute must name its report' using errcode = 'foreign_key_violation', constraint = 'dispute_of_its_report';
  end if;
  if (tg_op = 'INSERT' and new.state <> 'open') or (tg_op = 'UPDATE' and new.state <> old.state and new.state <> 'won') then
    raise exception 'a dispute does not go to %', new.state using errcode = 'check_violation', constraint = 'dispute_transition_allowed';
  end if;
  if tg_op = 'UPDATE' and (new.id, new.operator_id, new.deposit_id, new.payment_id, new.provider, new.event_id, new.part, new.currency,
      new.amount, new.created_at) is distinct from (old.id, old.operator_id, old.deposit_id, old.payment_id, old.provider, old.event_id,
      old.part, old.currency, old.amount, old.created_at) then
    raise exception 'a dispute has immutable columns' using errcode = 'restrict_violation', constraint = 'dispute_immutable';
  end if;
  new.updated_at := now();
  return new;
end $function$;

create or replace function guard_gone_lines() returns trigger language plpgsql as $function$
begin
  if exists (select 1 from (select distinct operator_id, file_id from gone) line join settlement_file file
      on file.operator_id = line.operator_id and file.id = line.file_id where file.state in ('done', 'taken-back')) then
    raise exception 'an imported file stays as it was' using errcode = 'restrict_violation', constraint = 'settlement_line_immutable';
  end if;
  return null;
end $function$;

create or replace function guard_gone_matches() returns trigger language plpgsql as $function$
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
end $function$;

create or replace function guard_new_lines() returns trigger language plpgsql as $function$
begin
  if exists (select 1 from (select distinct operator_id, file_id from written) line left join settlement_file file
      on file.operator_id = line.operator_id and file.id = line.file_id where file.state is distinct from 'reading') then
    raise exception 'lines are written while their file is read' using errcode = 'restrict_violation', constraint = 'settlement_line_immutable';
  end if;
  return null;
end $function$;

create or replace function guard_payment() returns trigger language plpgsql as $function$
begin
  if tg_op = 'UPDATE' and ((new.id, new.operator_id, new.deposit_id, new.provider, new.provider_ref, new.origin, new.part,
      new.currency, new.amount, new.reason, new.created_at) is distinct from (old.id, old.operator_id, old.deposit_id, old.provider,
      old.provider_ref, old.origin, old.part, old.currency, old.amount, old.reason, old.created_at)
    -- Fee and debt are known right after the credit, once.
    or (old.credited_at is not null and (new.credited_at, new.paid_debt, new.charged_fee)
        is distinct from (old.credited_at, old.paid_debt, old.charged_fee)
      and not (old.credited_at = new.credited_at and new.state = old.state
        and (old.paid_debt is null or old.paid_debt is not distinct from new.paid_debt)
        and (old.charged_fee is null or old.charged_fee is not distinct from new.charged_fee)))
    -- The review of the deposit's own payment interrupts another review. The other review begins again later, with a
    -- higher number.
    or (new.review is distinct from old.review and (old.state <> 'in_review' or new.review <= old.review))) then
    raise exception 'a payment has immutable columns' using errcode = 'restrict_violation', constraint = 'payment_immutable';
  end if;
  if (tg_op = 'INSERT' or new.state <> old.state) and not exists (select 1 from payment_transition
      where from_state is not distinct from case when tg_op = 'UPDATE' then old.state end and to_state = new.state) then
    raise exception 'a payment does not go to %', new.state using errcode = 'check_violation', constraint = 'payment_transition_allowed';
  end if;
  if new.state = 'credited' then new.credited_at := coalesce(new.credited_at, now()); end if;
  new.updated_at := now();
  return new;
end $function$;

create or replace function guard_payout() returns trigger language plpgsql as $function$
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
end $function$;

create or replace function guard_payout_file() returns trigger language plpgsql as $function$
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
end $function$;

create or replace function guard_payout_file_line() returns trigger language plpgsql as $function$
begin
  if (new.operator_id, new.file_id, new.n, new.withdrawal_id, new.amount)
    is distinct from (old.operator_id, old.file_id, old.n, old.withdrawal_id, old.amount) or (new.is_live and not old.is_live) then
    raise exception 'a line of a payout file never changes' using errcode = 'restrict_violation', constraint = 'payout_file_line_immutable';
  end if;
  return new;
end $function$;

create or replace function guard_payout_refund() returns trigger language plpgsql as $function$
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
end $function$;

create or replace function guard_payout_transfer() returns trigger language plpgsql as $function$
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
end $function$;

create or replace function guard_refund() returns trigger language plpgsql as $function$
begin
  if tg_op = 'UPDATE' and (new.id, new.operator_id, new.refund_id, new.deposit_id, new.payment_id, new.origin, new.amount, new.currency,
      new.created_at) is distinct from (old.id, old.operator_id, old.refund_id, old.deposit_id, old.payment_id, old.origin, old.amount,
      old.currency, old.created_at) then
    raise exception 'a refund has immutable columns' using errcode = 'restrict_violation', constraint = 'refund_immutable';
  end if;
  if tg_op = 'INSERT' and not exists (select 1 from payment where operator_id = new.operator_id and id = new.payment_id
      and deposit_id = new.deposit_id and currency = new.currency) then
    raise exception 'a refund must name a payment of its deposit' using errcode = 'check_violation', constraint = 'refund_of_its_payment';
  end if;
  if (tg_op = 'INSERT' or new.state <> old.state) and not exists (select 1 from refund_transition
      where from_state is not distinct from case when tg_op = 'UPDATE' then old.state end and to_state = new.state) then
    raise exception 'a refund does not go to %', new.state using errcode = 'check_violation', constraint = 'refund_transition_allowed';
  end if;
  new.updated_at := now();
  return new;
end $function$;

create or replace function guard_release() returns trigger language plpgsql as $function$
begin
  if new.frozen_at is not null or not exists (
    select 1 from account_release where operator_id = old.operator_id and account_id = old.id and frozen_since = old.frozen_at
  ) then
    raise exception 'account % stays frozen until a release is recorded', old.id
      using errcode = 'restrict_violation', constraint = 'account_released_by_name';
  end if;
  return new;
end $function$;

create or replace function guard_settlement_batch() returns trigger language plpgsql as $function$
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
end $function$;

create or replace function guard_settlement_booking() returns trigger language plpgsql as $function$
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
end $function$;

create or replace function guard_settlement_file() returns trigger language plpgsql as $function$
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
end $function$;

create or replace function guard_settlement_mismatch() returns trigger language plpgsql as $function$
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
end $function$;

create or replace function guard_settlement_take_back() returns trigger language plpgsql as $function$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'proposed' then
      raise exception 'a file is taken back by two people'
        using errcode = 'restrict_violation', constraint = 'settlement_take_back_proposed_first';
    end if;
  elsif old.state <> 'proposed' or (new.operator_id, new.id, new.file_id, new.reason, new.proposed_by, new.proposed_key, new.proposed_at)
      is distinct from (old.operator_id, old.id, old.file_id, old.reason, old.proposed_by, old.proposed_key, old.proposed_at) then
    raise exception 'a proposal to take a file back is decided once'
      using errcode = 'restrict_violation', constraint = 'settlement_take_back_immutable';
  end if;
  return new;
end $function$;

create or replace function guard_shared_acceptance() returns trigger language plpgsql as $function$
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
end $function$;

create or replace function guard_shared_balance() returns trigger language plpgsql as $function$
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
end $function$;

create or replace function guard_wallet_call() returns trigger language plpgsql as $function$
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
end $function$;

create or replace function guard_withdrawal() returns trigger language plpgsql as $function$
begin
  if (new.id, new.operator_id, new.user_id, new.client_key, new.fingerprint, new.payment_method, new.provider, new.connection_id, new.currency,
      new.amount, new.fee, new.account_type, new.created_at)
    is distinct from (old.id, old.operator_id, old.user_id, old.client_key, old.fingerprint, old.payment_method, old.provider,
      old.connection_id, old.currency, old.amount, old.fee, old.account_type, old.created_at)
    or (old.provider_ref is not null and new.provider_ref is distinct from old.provider_ref) then
    raise exception 'a withdrawal has immutable columns'
      using errcode = 'restrict_violation', constraint = 'withdrawal_immutable';
  end if;
  if new.state <> old.state and not exists (
    select 1 from withdrawal_transition where from_state = old.state and to_state = new.state) then
    raise exception 'a withdrawal does not go from % to %', old.state, new.state
      using errcode = 'check_violation', constraint = 'withdrawal_transition_allowed';
  end if;
  new.rank := (select rank from withdrawal_state where state = new.state);
  new.updated_at := now();
  return new;
end $function$;

create or replace function guard_withdrawal_code() returns trigger language plpgsql as $function$
begin
  if (new.operator_id, new.withdrawal_id) <> (old.operator_id, old.withdrawal_id) or new.attempts_left > old.attempts_left
    or new.sends_left > old.sends_left then
    raise exception 'attempts at a code never increase'
      using errcode = 'restrict_violation', constraint = 'withdrawal_code_attempts_fall';
  end if;
  return new;
end $function$;

create or replace function id_of(reference text) returns uuid language sql immutable as $function$
  select case when reference ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then reference::uuid end
$function$;

create or replace function journal_fault(entry journal) returns text language plpgsql stable set enable_seqscan to 'off' set enable_hashjoin to 'off' set enable_mergejoin to 'off' set plan_cache_mode to 'force_generic_plan' as $function$
declare
  paid_in deposit;
  paid_out withdrawal;
  payment_currency text;
  payment_owner text;
  rule journal_kind;
  sums record;
  paid payment;
  disputed dispute;
  held_by uuid;
begin
  if time_of_id(entry.id) <> date_trunc('milliseconds', entry.at) then return 'journal_of_now'; end if;
  if entry.payment_id is not null then
    select * into paid from payment where operator_id = entry.operator_id and id = entry.payment_id;
  end if;
  if entry.dispute_id is not null then
    select * into disputed from dispute where operator_id = entry.operator_id and id = entry.dispute_id;
  end if;
  if entry.deposit_id is not null then
    select * into paid_in from deposit where operator_id = entry.operator_id and id = entry.deposit_id;
  end if;
  if entry.withdrawal_id is not null then
    select * into paid_out from withdrawal where operator_id = entry.operator_id and id = entry.withdrawal_id;
  end if;
  payment_currency := coalesce(paid_in.currency, paid_out.currency);
  payment_owner := coalesce(paid_in.user_id, paid_out.user_id);
  select count(*) as lines,
    coalesce(sum(amount) filter (where a.kind in ('user', 'user_additional')
      and (payment_currency is null or p.asset = payment_currency)), 0) as users,
    coalesce(sum(amount) filter (where a.kind = 'user_hold'), 0) as held,
    coalesce(sum(amount) filter (where a.kind = 'reversal_debt'
      and (payment_currency is null or p.asset = payment_currency)), 0) as debts,
    coalesce(sum(amount) filter (where a.kind = 'bonus'), 0) as bonus,
    coalesce(sum(amount) filter (where a.kind = 'suspense'), 0) as suspense,
    coalesce(sum(amount) filter (where a.kind = 'provider_clearing'), 0) as clearing,
    coalesce(sum(amount) filter (where a.kind = 'coin_sales'), 0) as sales,
    coalesce(sum(amount) filter (where a.kind = 'withdrawal_fee'), 0) as fee,
    coalesce(sum(amount) filter (where a.kind = 'deposit_fee'), 0) as deposit_fees,
    coalesce(bool_or(a.kind in ('user', 'user_additional', 'bonus') and amount > 0), false) as credits,
    coalesce(bool_or(a.kind = 'user_hold'), false) as moves_hold,
    coalesce(bool_or(a.kind in ('user', 'user_additional', 'user_hold', 'wallet_transit', 'reversal_debt', 'bonus')
      and a.owner <> payment_owner), false) as touches_other_users,
    coalesce(bool_or(a.kind not in ('provider_clearing', 'suspense')), false) as touches_other_kinds,
    coalesce(bool_or(p.asset not in ('GC', 'SC')), false) as has_money
  into sums from posting p join account a on a.operator_id = p.operator_id and a.id = p.account_id
    where p.operator_id = entry.operator_id and p.journal_id = entry.id;

  if sums.lines < 2 then return 'journal_balanced'; end if;
  if entry.payment_id is not null and (paid.deposit_id is distinct from entry.deposit_id or (paid.provider <> entry.ext_source and not exists (
      select 1 from journal_kind where kind = entry.kind and holds))) then
    return 'journal_of_its_payment';
  end if;
  if entry.dispute_id is not null and disputed.payment_id is distinct from entry.payment_id then
    return 'journal_of_its_payment';
  end if;
  -- A foreign key guards this, too.
  if (entry.deposit_id is not null and paid_in.id is null) or (entry.withdrawal_id is not null and paid_out.id is null) then
    return 'journal_operator';
  end if;
  if sums.touches_other_users then return 'journal_of_its_user'; end if;
  select * into rule from journal_kind where kind = entry.kind;
  if not found then return 'journal_kind_known'; end if;
  if sums.credits and not rule.credits_user then return 'journal_kind_credits'; end if;
  if sums.moves_hold and not rule.holds then return 'hold_ends_exactly'; end if;

  case entry.kind
    when 'deposit_credit' then
      if paid.id is null or paid.origin <> 'deposit' or paid.credited_at is null or paid_in.credited is distinct from paid.amount
        or paid.currency <> payment_currency or sums.debts <> 0
        or sums.users + sums.sales <> paid.amount or (paid_in.bonus is null and sums.bonus <> 0)
        or not exists (select 1 from deposit_event where deposit_event.deposit_id = entry.deposit_id and deposit_event.reported = 'paid'
          and deposit_event.paid = paid.amount) then
        return 'deposit_credit_agrees';
      end if;
    when 'suspense_in' then
      if paid.id is null or sums.touches_other_kinds or sums.suspense <> paid.amount or not exists (select 1 from deposit_event
        where deposit_event.deposit_id = entry.deposit_id and deposit_event.reported in ('paid', 'returned')) then
        return 'suspense_agrees';
      end if;
    when 'suspense_out' then
      if paid.id is null or sums.suspense <> -paid.amount or paid.state = 'in_review'
        or not exists (select 1 from journal_key where operator_id = entry.operator_id and ref = paid.id::text
          and source = 'payment' and journal_key.kind = 'payment_suspended_once')
        -- Only a dispute or a refund takes the money out of the books; otherwise the money goes to the user.
        or (sums.clearing <> 0) <> (entry.dispute_id is not null or entry.refund_id is not null)
        or (sums.clearing <> 0 and sums.clearing <> paid.amount) then
        return 'suspense_agrees';
      end if;
    when 'deposit_reversal' then
      if paid.id is null or disputed.id is null or sums.clearing <> disputed.amount or not exists (select 1 from deposit_event
        where deposit_event.deposit_id = entry.deposit_id and deposit_event.reported = 'reversed') then
        return 'deposit_reversal_agrees';
      end if;
    when 'deposit_fee' then
      if paid.id is null or paid.origin <> 'deposit' or paid.credited_at is null or sums.lines <> 2
        or sums.deposit_fees <= 0 or sums.deposit_fees <> -sums.users or sums.deposit_fees is distinct from paid.charged_fee then
        return 'deposit_fee_agrees';
      end if;
    when 'debt_payment' then
      if sums.debts is distinct from paid_in.paid_debt or sums.users <> -sums.debts then return 'debt_payment_agrees'; end if;
    when 'hold' then
      -- Only the refund of a deposit takes a part from the fees: its whole fee.
      if sums.held <= 0 or sums.users + sums.deposit_fees <> -sums.held
        or -sums.deposit_fees <> (case when entry.deposit_id is null then 0 else coalesce(paid.charged_fee, 0) end)
        or (entry.withdrawal_id is not null
          and (sums.held <> paid_out.amount or entry.ext_ref <> entry.withdrawal_id::text))
        or (entry.deposit_id is not null and not exists (select 1 from refund
          where operator_id = entry.operator_id and id = id_of(entry.ext_ref) and id = entry.refund_id and deposit_id = entry.deposit_id and payment_id = entry.payment_id
            and amount = sums.held)) then
        return 'hold_agrees';
      end if;
    when 'hold_end' then
      select journal_id into held_by from journal_key
        where operator_id = entry.operator_id and ref = entry.ext_ref and source = entry.ext_source and journal_key.kind = 'hold';
      -- Exact on every account: the whole hold is released. A voided amount returns to its original account.
      if exists (
        select 1 from (select * from known_posting where operator_id = entry.operator_id and journal_id = held_by offset 0) p
        join account a on a.operator_id = p.operator_id and a.id = p.account_id
        left join posting e on e.operator_id = entry.operator_id and e.journal_id = entry.id and e.account_id = p.account_id
        where (a.kind = 'user_hold' or entry.note = 'void') and e.amount is distinct from -p.amount)
        or sums.held >= 0 or coalesce(entry.note, '') not in ('post', 'void')
        or (entry.note = 'post' and (sums.users <> 0 or sums.fee <> coalesce(paid_out.fee, 0)))
        or not exists (select 1 from known_journal hold_journal where hold_journal.operator_id = entry.operator_id
          and hold_journal.id = held_by and hold_journal.kind = 'hold' and hold_journal.ext_source = entry.ext_source
          and hold_journal.ext_ref = entry.ext_ref and (hold_journal.withdrawal_id, hold_journal.deposit_id)
            is not distinct from (entry.withdrawal_id, entry.deposit_id))
        or (entry.withdrawal_id is not null and entry.note is distinct from
          (select hold from withdrawal_state where state = paid_out.state))
        or (entry.deposit_id is not null and not exists (select 1 from refund where operator_id = entry.operator_id and id = id_of(entry.ext_ref)
          and (state = 'declined') = (entry.note = 'void') and state in ('succeeded', 'bounced', 'declined'))) then
        return 'hold_ends_exactly';
      end if;
    when 'withdrawal_return' then
      if paid_out.state is distinct from 'returned' or sums.users <> paid_out.amount then return 'withdrawal_return_agrees'; end if;
    when 'withdrawal_late_paid' then
      if paid_out.state not in ('late_paid', 'late_settled', 'late_returned') or paid_out.state is null or sums.users <> 0 then
        return 'withdrawal_late_agrees';
      end if;
    when 'withdrawal_late_settled' then
      if paid_out.state is distinct from 'late_settled' or sums.users > 0 then return 'withdrawal_late_agrees'; end if;
    when 'withdrawal_late_returned' then
      if paid_out.state is distinct from 'late_returned' or sums.users <> 0 then return 'withdrawal_late_agrees'; end if;
    when 'operator_transfer' then
      if not exists (select 1 from operator_transfer t where t.operator_id = entry.operator_id
        and t.transfer_id = id_of(entry.ext_ref) and entry.ext_source = 'operator:' || entry.operator_id
        and sums.lines = 2 and (select count(*) from posting p join account a on a.operator_id = p.operator_id and a.id = p.account_id
          where p.operator_id = entry.operator_id and p.journal_id = entry.id and a.asset = t.currency and (a.owner, a.kind, p.amount) in (
            (case t.from_account when 'operator' then '' else t.user_id end, case t.from_account when 'main' then 'user'
              when 'additional' then 'user_additional' when 'bonus' then 'bonus' else 'operator_clearing' end, -t.amount),
            -- Bonus money that the operator takes over is no cost of the cashier any more. No money moves.
            (case t.to_account when 'operator' then '' else t.user_id end, case t.to_account when 'main' then 'user'
              when 'additional' then 'user_additional' else case t.from_account when 'bonus' then 'bonus_expense'
                else 'operator_clearing' end end, t.amount))) = 2) then
        return 'operator_transfer_agrees';
      end if;
    when 'wallet_out', 'wallet_settled', 'wallet_in' then
      if not exists (select 1 from operator_wallet_call c where c.operator_id = entry.operator_id
        and c.id = id_of(entry.ext_ref) and entry.ext_source = 'operator-wallet' and sums.lines = 2
        and (c.type = 'debit') = (entry.kind = 'wallet_in') and (entry.kind = 'wallet_out' or c.state in ('done', 'booked'))
        and (select count(*) from posting p join account a on a.operator_id = p.operator_id and a.id = p.account_id
          where p.operator_id = entry.operator_id and p.journal_id = entry.id and a.asset = c.currency and case
            when a.owner = '' then a.kind = 'operator_clearing' and p.amount = case entry.kind when 'wallet_in' then -c.amount else c.amount end
            when a.owner <> c.user_id then false
            when a.kind = 'wallet_transit' then c.state <> 'booked' and p.amount = case entry.kind when 'wallet_settled' then -c.amount else c.amount end
            else a.kind in ('user', 'user_additional') and p.amount = case entry.kind when 'wallet_in' then c.amount else -c.amount end
          end) = 2) then
        return 'wallet_call_agrees';
      end if;
    when 'debt_settlement' then
      if not exists (select 1 from debt_settlement s
        where s.operator_id = entry.operator_id and s.decision_id = id_of(entry.ext_ref) and s.amount = sums.debts
          and sums.users = case s.paid_from when 'operator' then 0 else -s.amount end) then
        return 'debt_settlement_agrees';
      end if;
    when 'settlement_booking' then
      -- Only what a second person has approved, and exactly that.
      if not exists (select 1 from settlement_booking b where b.operator_id = entry.operator_id and b.id = id_of(entry.ext_ref)
        and entry.ext_source = 'settlement' and b.state = 'approved' and sums.lines = 2
        and (select count(*) from posting p join account a on a.operator_id = p.operator_id and a.id = p.account_id
          where p.operator_id = entry.operator_id and p.journal_id = entry.id and a.asset = b.currency
            and (a.kind, a.owner, p.amount) in (('provider_clearing', b.provider, b.amount), (b.account, '', -b.amount))) = 2) then
        return 'settlement_booking_agrees';
      end if;
    when 'network_fee' then
      -- The fee of the mined transaction, in the chain's own coin.
      if entry.ext_source <> 'coin-payout' or entry.ext_ref is distinct from entry.withdrawal_id::text
        or sums.lines <> 2 or not exists (select 1 from coin_payout c where c.operator_id = entry.operator_id
          and c.withdrawal_id = entry.withdrawal_id and c.fee_booked_at is not null
          and (select count(*) from posting p join account a on a.operator_id = p.operator_id and a.id = p.account_id
            where p.operator_id = entry.operator_id and p.journal_id = entry.id and a.asset = c.fee_coin
              and (a.kind, a.owner, p.amount) in (('provider_clearing', 'crypto', c.fee_minor), ('network_fee', '', -c.fee_minor))) = 2) then
        return 'network_fee_agrees';
      end if;
    when 'coin_grant' then
      if sums.has_money then return 'coin_grant_agrees'; end if;
    when 'coin_play' then
      if not exists (select 1 from coin_play where operator_id = entry.operator_id and won - staked = sums.users
        and play_id = substr(entry.ext_ref, length(entry.operator_id) + 2)
        and entry.ext_ref = entry.operator_id || ':' || play_id) then
        return 'coin_play_agrees';
      end if;
    else null;
  end case;
  -- Money that leaves, or comes back, by a withdrawal is a payout of that withdrawal.
  if entry.payout_id is null and entry.withdrawal_id is not null
    and (entry.kind like 'withdrawal\_%' or (entry.kind = 'hold_end' and entry.note = 'post')) then
    return 'journal_of_its_payout';
  end if;
  -- The provider's account moves by exactly what the payout paid, and back when it comes back.
  if entry.payout_id is not null and not exists (select 1 from payout
      where operator_id = entry.operator_id and id = entry.payout_id and withdrawal_id = entry.withdrawal_id
        and sums.clearing = case entry.kind when 'hold_end' then amount when 'withdrawal_late_paid' then amount
          when 'withdrawal_return' then -amount when 'withdrawal_late_returned' then -amount else 0 end) then
    return 'journal_of_its_payout';
  end if;
  return null;
end $function$;

create or replace function journal_keys(entry journal) returns table(source text, ref text, kind text) language sql immutable as $function$
  select key.* from (values (entry.ext_source, entry.ext_ref, entry.kind),
    ('deposit', case entry.kind when 'deposit_credit' then entry.deposit_id::text end, 'one_credit'),
    ('deposit', case entry.kind when 'deposit_fee' then entry.deposit_id::text end, 'one_fee'),
    ('payment', case entry.kind when 'suspense_in' then entry.payment_id::text end, 'payment_suspended_once'),
    ('payment', case entry.kind when 'suspense_out' then entry.payment_id::text end, 'payment_released_once'),
    ('dispute', entry.dispute_id::text, 'dispute_booked_once')) as key(source, ref, kind) where key.ref is not null
$function$;

create or replace function keep_bonus_change() returns trigger language plpgsql as $function$
begin
  if new.version <> 1 + coalesce((select max(version) from bonus_change where operator_id = new.operator_id), 0) then
    raise exception 'the version must increase by one' using errcode = 'check_violation', constraint = 'bonus_version_moves';
  end if;
  insert into bonus_change (operator_id, version, bonuses, staff, at)
    values (new.operator_id, new.version, new.bonuses, new.staff, new.updated_at);
  return null;
end $function$;

create or replace function keep_catalogue_change() returns trigger language plpgsql as $function$
begin
  if tg_op = 'UPDATE' and new.version <> old.version + 1 then
    raise exception 'the version must increase by one' using errcode = 'check_violation', constraint = 'catalogue_version_moves';
  end if;
  new.updated_at := now();
  insert into catalogue_change (operator_id, version, settings, staff)
    values (new.operator_id, new.version, new.settings, new.staff);
  return new;
end $function$;

create or replace function keep_event_body() returns trigger language plpgsql as $function$
begin
  if new.body is null then
    raise exception 'a report needs a body' using errcode = 'check_violation', constraint = tg_table_name || '_body_kept';
  end if;
  new.reported := new.body ->> 'outcome';
  new.paid := (new.body ->> 'paidMinor')::numeric;
  new.currency := new.body ->> 'currency';
  if tg_table_name = 'deposit_event' then new.txid := new.body #>> '{chain,txid}'; end if;
  if new.status = 'applied' then
    new.body_id := time_id();
    insert into event_body (id, body) values (new.body_id, new.body);
    new.body := null;
  end if;
  return new;
end $function$;

create or replace function keep_own_texts_change() returns trigger language plpgsql as $function$
begin
  if new.version <> 1 + coalesce((select max(version) from own_texts_change where operator_id = new.operator_id), 0) then
    raise exception 'the version must increase by one' using errcode = 'check_violation', constraint = 'own_texts_version_moves';
  end if;
  insert into own_texts_change (operator_id, version, locale, texts, staff, at)
    values (new.operator_id, new.version, new.locale, new.texts, new.staff, new.updated_at);
  return null;
end $function$;

create or replace function keep_routing_change() returns trigger language plpgsql as $function$
begin
  if tg_op = 'UPDATE' and (new.version <> old.version + 1 or new.operator_id <> old.operator_id)
    or tg_op = 'INSERT' and new.version <> 1 then
    raise exception 'the version must increase by one' using errcode = 'check_violation', constraint = 'routing_version_moves';
  end if;
  new.updated_at := now();
  insert into routing_change (operator_id, version, routes, staff) values (new.operator_id, new.version, new.routes, new.staff);
  return new;
end $function$;

create or replace function key_fault(entry journal) returns text language sql stable as $function$
  select case when key.source in ('deposit', 'payment', 'dispute') then key.kind else 'journal_fact_once' end
  from journal_keys(entry) key where not exists (select 1 from journal_key kept where kept.operator_id = entry.operator_id
    and kept.ref = key.ref and kept.source = key.source and kept.kind = key.kind and kept.journal_id = entry.id) limit 1
$function$;

create or replace function look_at_output() returns trigger language plpgsql as $function$
begin
  new.is_summed := false;
  return new;
end $function$;

create or replace function look_at_outputs_after() returns trigger language plpgsql set enable_seqscan to 'off' as $function$
declare
  known_to bigint := case when tg_op = 'DELETE' then -1 else new.height end;
begin
  update crypto_output output set is_summed = false where output.chain = old.chain and output.address = old.address
    and output.contract = old.contract and output.height > known_to and is_settled;
  -- A wallet that deposits share has one balance, and each deposit a memo.
  if not exists (select 1 from crypto_address where chain = old.chain and address = old.address and index is not null) then
    update crypto_output output set is_summed = false where output.chain = old.chain and split_part(output.address, '/', 1) = old.address
      and output.contract = old.contract and output.height > known_to and is_settled;
  end if;
  return null;
end $function$;

create or replace function make_partitions(every text) returns integer language plpgsql security definer set "TimeZone" to 'UTC' set lock_timeout to '500ms' set search_path to 'public', 'pg_catalog', 'pg_temp' as $function$
declare
  made int := 0;
  months timestamptz := date_trunc('month', now()) + interval '4 months';
  days timestamptz := date_trunc('day', now()) + interval '8 days';
  short record;
begin
  if every not in ('month', 'year') then raise exception 'a partition is a month or a year, not %', every; end if;
  if not exists (select 1 from time_partitioned where covered_until < case type when 'date' then days else months end) then
    return 0;
  end if;
  -- One node makes them. The others find them later.
  if not pg_try_advisory_xact_lock(4726002) then return 0; end if;
  for short in select name, type from time_partitioned where covered_until < case type when 'date' then days else months end
    order by name
  loop
    begin
      made := made + case short.type
        when 'date' then extend_partitions(short.name, now(), days, case every when 'month' then 'day' else 'month' end)
        else extend_partitions(short.name, now(), months, every) end;
    exception when lock_not_available then
      -- A long transaction writes to a table that this one references. Waiting longer would stop its other writers, and the next
      -- hour is early enough.
      raise notice 'the partitions of % wait for a lock', short.name;
    end;
  end loop;
  return made;
end $function$;

create or replace function may_be_taken_back(file settlement_file) returns boolean language plpgsql stable as $function$
begin
  return file.source <> 'chain'
    and exists (select 1 from settlement_take_back where operator_id = file.operator_id and file_id = file.id and state = 'confirmed')
    and not exists (select 1 from settlement_booking where operator_id = file.operator_id and file_id = file.id and state = 'approved'
      and amount <> 0)
    and not exists (select 1 from day_close where operator_id = file.operator_id and state <> 'rejected' and as_of >= file.done_at)
    and not exists (select 1 from archived_line_sum where operator_id = file.operator_id and file_id = file.id);
end $function$;

create or replace function may_go_on(was deposit, wanted deposit) returns boolean language sql stable as $function$
  select was.state = 'created' and wanted.state = 'created' and was.provider_ref is null and wanted.provider_ref is null
    and wanted.attempt_id is not null
    and exists (select 1 from deposit_attempt ended where ended.operator_id = was.operator_id and ended.deposit_id = was.id
      and ended.id = coalesce(was.attempt_id, was.id) and ended.outcome is not null)
    and exists (select 1 from deposit_attempt begun where begun.operator_id = was.operator_id and begun.deposit_id = was.id
      and begun.id = wanted.attempt_id and begun.provider = wanted.provider
      and begun.connection_id is not distinct from wanted.connection_id and begun.outcome is null);
$function$;

create or replace function note_chain_credit(of_operator text, of_deposit uuid, minor bigint) returns void language plpgsql security definer set enable_seqscan to 'off' set search_path to 'public', 'pg_temp' as $function$
begin
  insert into chain_change (operator_id, chain, wallet, contract, credited)
    select of_operator, given.chain, deposit_wallet(given.address, given.index), given.contract, minor
    from crypto_address given where given.deposit_id = of_deposit;
end $function$;

create or replace function note_chain_dispute() returns trigger language plpgsql set enable_seqscan to 'off' as $function$
begin
  if exists (select 1 from payment where operator_id = new.operator_id and id = new.payment_id and provider = 'crypto') then
    perform note_chain_credit(new.operator_id, new.deposit_id, -new.amount);
  end if;
  return null;
end $function$;

create or replace function note_chain_fee() returns trigger language plpgsql security definer set search_path to 'public', 'pg_temp' as $function$
declare
  minor bigint := coalesce(new.fee_minor, 0);
  cost numeric := cost_of_payout(new);
begin
  if tg_op = 'UPDATE' then
    minor := minor - coalesce(old.fee_minor, 0);
    cost := cost - cost_of_payout(old);
  end if;
  if minor <> 0 or cost <> 0 then
    insert into chain_change (operator_id, chain, wallet, contract, paid_out, cost)
      values (new.operator_id, new.chain, new.wallet, '', minor, cost);
  end if;
  return null;
end $function$;

create or replace function note_chain_payment() returns trigger language plpgsql as $function$
begin
  perform note_chain_credit(new.operator_id, new.deposit_id, new.amount);
  return null;
end $function$;

create or replace function note_chain_payout() returns trigger language plpgsql security definer set enable_seqscan to 'off' set search_path to 'public', 'pg_temp' as $function$
declare
  times int := (new.state = 'paid')::int - (tg_op = 'UPDATE' and old.state = 'paid')::int;
begin
  if times <> 0 then
    insert into chain_change (operator_id, chain, wallet, contract, paid_out, sent)
      select sent.operator_id, sent.chain, sent.wallet, sent.contract, times * new.amount, times * sent.raw
      from coin_payout sent where sent.operator_id = new.operator_id and sent.withdrawal_id = new.withdrawal_id;
  end if;
  return null;
end $function$;

create or replace function note_chain_refund() returns trigger language plpgsql set enable_seqscan to 'off' as $function$
declare
  has_left boolean := new.state in ('succeeded', 'bounced');
  had_left boolean := tg_op = 'UPDATE' and old.state in ('succeeded', 'bounced');
begin
  if has_left <> had_left and exists (select 1 from payment where operator_id = new.operator_id and id = new.payment_id
      and provider = 'crypto') then
    perform note_chain_credit(new.operator_id, new.deposit_id, case when has_left then -new.amount else new.amount end);
  end if;
  return null;
end $function$;

create or replace function note_crypto_output() returns trigger language plpgsql security definer set enable_seqscan to 'off' set search_path to 'public', 'pg_temp' as $function$
declare
  after numeric := case when tg_op <> 'DELETE' and new.told = 'paid' and new.height is not null then new.raw end;
  before numeric := case when tg_op <> 'INSERT' and old.told = 'paid' and old.height is not null then old.raw end;
  place crypto_output := case when tg_op = 'DELETE' then old else new end;
begin
  -- A payment that was never credited leaves a sum of nothing, so that its operator is still compared.
  if after is distinct from before or (tg_op <> 'DELETE' and new.told = 'gone') then
    insert into chain_change (operator_id, chain, wallet, contract, received)
      select deposit.operator_id, given.chain, deposit_wallet(given.address, given.index), place.contract, changed.received
      from crypto_address given join deposit on deposit.id = given.deposit_id
        cross join (values (coalesce(after, 0)), (-before)) as changed(received)
      where given.chain = place.chain and given.address = place.address and changed.received is not null;
  end if;
  return null;
end $function$;

create or replace function note_for_commit() returns trigger language plpgsql security definer set enable_nestloop to 'off' set search_path to 'public', 'pg_temp' as $function$
begin
  if tg_table_name = 'journal' then
    insert into commit_check (operator_ids, journal_ids)
      select array_agg(operator_id), array_agg(id) from written having count(*) > 0;
  elsif tg_table_name = 'payment' then
    insert into commit_check (operator_ids, payment_ids)
      select array_agg(operator_id), array_agg(id) from written having count(*) > 0;
  else
    insert into commit_check (operator_ids, deposit_ids)
      select array_agg(written.operator_id), array_agg(written.id)
      from written join was on was.operator_id = written.operator_id and was.id = written.id
      where (written.paid, written.credited, written.paid_debt, written.charged_fee, written.review, written.reviews,
          written.review_since)
        is distinct from (was.paid, was.credited, was.paid_debt, was.charged_fee, was.review, was.reviews, was.review_since)
      having count(*) > 0;
  end if;
  return null;
end $function$;

create or replace function note_later_months() returns trigger language plpgsql set enable_seqscan to 'off' set enable_hashjoin to 'off' set enable_mergejoin to 'off' set plan_cache_mode to 'force_generic_plan' as $function$
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
end $function$;

create or replace function now() returns timestamptz language sql stable parallel safe as $function$select pg_catalog.now()$function$;

create or replace function paid_out_of(operator text, payment uuid) returns bigint language sql stable as $function$
  select coalesce(sum(payout_refund.amount), 0)::bigint from payout_refund
    join withdrawal on withdrawal.operator_id = payout_refund.operator_id and withdrawal.id = payout_refund.withdrawal_id
  where payout_refund.operator_id = operator and payout_refund.payment_id = payment and payout_refund.state = 'planned'
    and withdrawal.state not in ('declined', 'cancelled', 'expired', 'refused', 'returned', 'late_returned');
$function$;

create or replace function payment_fault(checked payment) returns text language plpgsql stable set enable_seqscan to 'off' set enable_hashjoin to 'off' set enable_mergejoin to 'off' set plan_cache_mode to 'force_generic_plan' as $function$
declare
  left_payment record;
  credited boolean;
  suspended boolean;
  given_to_user boolean;
  release uuid;
  deposit_row deposit;
begin
  select coalesce(sum(amount) filter (where is_left), 0) as sent, coalesce(sum(amount), 0) as taken into left_payment from (
    select amount, state in ('succeeded', 'bounced') as is_left from refund
      where operator_id = checked.operator_id and payment_id = checked.id and state <> 'declined'
    union all select amount, true from dispute where operator_id = checked.operator_id and payment_id = checked.id) moved;
  if left_payment.taken > checked.amount or (left_payment.taken > 0
      and left_payment.taken + paid_out_of(checked.operator_id, checked.id) > checked.amount) then
    return 'payment_left_not_negative';
  end if;
  if (checked.amount = left_payment.sent) <> (checked.state in ('refunded', 'charged_back')) then
    return 'payment_state_agrees';
  end if;
  -- By their keys, so that no partition is searched. Only triggers write these keys.
  credited := checked.origin = 'deposit' and exists (select 1 from journal_key where operator_id = checked.operator_id
    and ref = checked.deposit_id::text and source = 'deposit' and kind = 'one_credit');
  suspended := exists (select 1 from journal_key where operator_id = checked.operator_id
    and ref = checked.id::text and source = 'payment' and kind = 'payment_suspended_once');
  release := (select journal_id from journal_key where operator_id = checked.operator_id
    and ref = checked.id::text and source = 'payment' and kind = 'payment_released_once');
  given_to_user := release is not null and exists (select 1 from known_journal
    where operator_id = checked.operator_id and id = release and dispute_id is null and refund_id is null);
  if (checked.credited_at is not null) <> (case checked.origin when 'deposit' then credited else given_to_user end)
    or suspended <> (checked.reason is not null)
    or (checked.state = 'in_review' and (release is not null or credited)) then
    return 'payment_booked';
  end if;
  select * into deposit_row from deposit where operator_id = checked.operator_id and id = checked.deposit_id;
  if deposit_row.provider <> checked.provider then return 'payment_of_its_deposit'; end if;
  if checked.origin = 'deposit' then
    if deposit_row.provider_ref <> checked.provider_ref or (checked.state = 'credited') <> (deposit_row.state = 'credited')
      or (checked.credited_at is null and deposit_row.state = 'reversed') then
      return 'payment_of_its_deposit';
    end if;
    -- The deposit stores the same values.
    if (deposit_row.paid, deposit_row.credited, deposit_row.paid_debt, deposit_row.charged_fee) is distinct from
        (checked.amount, case when checked.credited_at is not null then checked.amount end, checked.paid_debt,
          checked.charged_fee) then
      return 'deposit_payments_agree';
    end if;
  end if;
  -- An agreed fee was charged, and booked if it was above zero. The rule of its journal compares the amount.
  if (checked.charged_fee is not null)
      <> (checked.origin = 'deposit' and checked.credited_at is not null and deposit_row.fee is not null)
    or (checked.origin = 'deposit' and (coalesce(checked.charged_fee, 0) > 0) <> exists (select 1 from journal_key
      where operator_id = checked.operator_id and ref = checked.deposit_id::text and source = 'deposit' and kind = 'one_fee')) then
    return 'deposit_fee_agrees';
  end if;
  if checked.state = 'in_review' and checked.review is not null
    and (deposit_row.review, deposit_row.reviews, deposit_row.review_since)
      is distinct from (checked.reason, checked.review, checked.review_since) then
    return 'deposit_payments_agree';
  end if;
  return null;
end $function$;

create or replace function payout_fault(one withdrawal) returns text language plpgsql stable set enable_seqscan to 'off' set enable_hashjoin to 'off' set enable_mergejoin to 'off' set plan_cache_mode to 'force_generic_plan' as $function$
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
end $function$;

create or replace function refuse_by_hand() returns trigger language plpgsql as $function$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'only triggers may write %', tg_table_name using errcode = 'restrict_violation', constraint = 'ledger_immutable';
  end if;
  return new;
end $function$;

create or replace function refuse_change() returns trigger language plpgsql as $function$
begin
  raise exception '% is written once: add a correcting row instead', tg_table_name
    using errcode = 'restrict_violation', constraint = 'ledger_immutable';
end $function$;

create or replace function refuse_refund_of_paid_out() returns trigger language plpgsql as $function$
begin
  if new.origin = 'operator' and paid_out_of(new.operator_id, new.payment_id) > 0 then
    raise exception 'a part of the payment was paid out to its card'
      using errcode = 'check_violation', constraint = 'refund_not_paid_out';
  end if;
  return new;
end $function$;

create or replace function rest_of_payment(operator text, payment uuid) returns bigint language sql stable as $function$
  select one.amount - paid_out_of(operator, payment)
    - (select coalesce(sum(refund.amount), 0) from refund
       where refund.operator_id = operator and refund.payment_id = payment and refund.state <> 'declined')
    - (select coalesce(sum(dispute.amount), 0) from dispute
       where dispute.operator_id = operator and dispute.deposit_id = one.deposit_id and dispute.payment_id = payment)
  from payment one where one.operator_id = operator and one.id = payment;
$function$;

create or replace function settle_box_stock() returns trigger language plpgsql as $function$
declare
  change int := case
    when old.rank < 80 and new.state in ('declined', 'cancelled', 'expired') then -1
    -- A late payment that staff credit: the box must still be in stock.
    when old.rank >= 80 and new.state = 'credited' then 1
    else 0 end;
begin
  if change <> 0 and (new.box ->> 'isCounted')::boolean then
    update sweepstake_box set taken = taken + change
    where operator_id = new.operator_id and box_id = new.box ->> 'boxId';
  end if;
  return null;
end $function$;

create or replace function time_id(moment timestamptz default now()) returns uuid language sql parallel safe as $function$
  select (lpad(to_hex((extract(epoch from moment) * 1000000)::int8 / 1000), 12, '0')
    || to_hex(28672 + (extract(epoch from moment) * 1000000)::int8 % 1000 * 4096 / 1000) || right(gen_random_uuid()::text, 17))::uuid
$function$;

create or replace function time_id_at(moment timestamptz) returns uuid language sql immutable parallel safe as $function$
  select (lpad(to_hex(floor(extract(epoch from moment) * 1000)::int8), 12, '0') || repeat('0', 20))::uuid
$function$;

create or replace function time_of_id(id uuid) returns timestamptz language sql immutable parallel safe as $function$
  select to_timestamp(('x' || lpad(left(replace(id::text, '-', ''), 12), 16, '0'))::bit(64)::int8 / 1000.0)
$function$;

create or replace function wallet_mode_of(of_operator text) returns text language plpgsql as $function$
begin
  perform pg_advisory_xact_lock_shared(4726003, hashtext(of_operator));
  -- A statement of its own sees what was committed before the lock.
  return (select wallet_mode from operator where id = of_operator);
end $function$;

create or replace function write_deposit_history() returns trigger language plpgsql security definer set enable_nestloop to 'off' set search_path to 'public', 'pg_temp' as $function$
begin
  if tg_op = 'INSERT' then
    insert into deposit_history (operator_id, deposit_id, n, from_state, to_state, cause)
    select operator_id, id, 1, null, state, 'create' from written;
  else
    insert into deposit_history (operator_id, deposit_id, n, from_state, to_state, cause)
    select written.operator_id, written.id,
      (select max(n) + 1 from deposit_history kept where kept.operator_id = written.operator_id and kept.deposit_id = written.id),
      was.state, written.state, coalesce(written.cause, 'unknown')
    from written join was on was.operator_id = written.operator_id and was.id = written.id
    where written.state <> was.state;
  end if;
  return null;
end $function$;

create or replace function write_half_a_megabyte() returns void language plpgsql security definer set search_path to 'pg_temp' as $function$
begin
  create temporary table room_for_data on commit drop as select md5(random()::text) as filler from generate_series(1, 10000);
end $function$;

create or replace function write_journal_keys() returns trigger language plpgsql as $function$
begin
  insert into journal_key (operator_id, source, ref, kind, journal_id)
  select written.operator_id, key.source, key.ref, key.kind, written.id
  from written cross join lateral journal_keys(written) key order by key.ref, key.kind
  on conflict do nothing;
  return null;
end $function$;

create or replace function write_withdrawal_history() returns trigger language plpgsql security definer set search_path to 'public', 'pg_temp' as $function$
begin
  if tg_op = 'INSERT' then
    insert into withdrawal_history (operator_id, withdrawal_id, n, from_state, to_state, cause)
    values (new.operator_id, new.id, 1, null, new.state, 'create');
  elsif new.state <> old.state then
    insert into withdrawal_history (operator_id, withdrawal_id, n, from_state, to_state, cause)
    values (new.operator_id, new.id, (select max(n) + 1 from withdrawal_history
      where operator_id = new.operator_id and withdrawal_id = new.id), old.state, new.state, coalesce(new.cause, 'unknown'));
  end if;
  return null;
end $function$;
