-- What stays of a month of journals and postings that has left the database (docs/adr/0025). `opencashier archive` alone writes these
-- rows, in the transaction that detaches the month. A month leaves only after all earlier months.

create table archived_month (
  operator_id text not null references operator,
  -- The month, or in the embedded database the year, from `since` to just before `until`.
  until timestamptz not null,
  since timestamptz not null,
  journals bigint not null,
  postings bigint not null,
  -- SHA-256 of the digest of the month before, and of the sums, the keys and the kept journals of this month.
  digest bytea not null check (octet_length(digest) = 32),
  at timestamptz not null default now(),
  primary key (operator_id, until)
);
comment on table archived_month is 'A month of an operator''s journals that has left the database, with a digest of what stays of it.';
create trigger archived_month_immutable before update or delete on archived_month for each row execute function refuse_change();
create trigger archived_month_not_truncated before truncate on archived_month for each statement execute function refuse_change();

create table archived_balance (
  operator_id text not null,
  account_id bigint not null,
  -- The end of the month. Only accounts with postings in the month have a row.
  until timestamptz not null,
  -- Of the postings of this month alone. Not a bigint, because the accounts of operators and providers have no limit.
  sum numeric not null,
  -- When a posting of this month last lowered the account.
  lowered_at timestamptz,
  primary key (operator_id, account_id, until),
  foreign key (operator_id, account_id) references account
);
comment on table archived_balance is 'The sum of an account''s postings in a month that has left the database.';
create trigger archived_balance_immutable before update or delete on archived_balance for each row execute function refuse_change();
create trigger archived_balance_not_truncated before truncate on archived_balance for each statement execute function refuse_change();

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
  -- An array for each posting: account, asset, amount in minor units.
  lines jsonb not null,
  primary key (operator_id, id)
);
comment on table archived_journal is 'The journals of archived months that a later rule, chargeback or refund asks for: all but plain credits, transfers and coins.';
create index archived_journal_of_deposit on archived_journal (operator_id, deposit_id) where deposit_id is not null;
create index archived_journal_of_withdrawal on archived_journal (operator_id, withdrawal_id) where withdrawal_id is not null;
create index archived_journal_reversals on archived_journal (operator_id, at desc, id desc) where kind = 'deposit_reversal';
create trigger archived_journal_immutable before update or delete on archived_journal for each row execute function refuse_change();
create trigger archived_journal_not_truncated before truncate on archived_journal for each statement execute function refuse_change();

-- Journals and postings that are still here, and those that stayed of archived months.
create view known_journal as
  select operator_id, id, kind, deposit_id, withdrawal_id, payment_id, refund_id, dispute_id, payout_id, ext_source, ext_ref, note, at from journal
  union all
  select operator_id, id, kind, deposit_id, withdrawal_id, payment_id, refund_id, dispute_id, payout_id, ext_source, ext_ref, note, at
  from archived_journal;
create view known_posting as
  select operator_id, journal_id, account_id, asset, amount from posting
  union all
  select operator_id, id, (line ->> 0)::bigint, line ->> 1, (line ->> 2)::bigint
  from archived_journal cross join lateral jsonb_array_elements(lines) line;

-- The first id of a journal that has not left: all keys before it name archived journals.
create function archived_before() returns uuid language sql stable as $$
  select coalesce((select time_id_at(max(until)) from archived_partition where parent = 'journal'), '00000000-0000-0000-0000-000000000000'::uuid)
$$;
