-- What stays of a month of settlement lines and their matches that has left the database (docs/adr/0025). `opencashier archive` alone writes
-- these rows, in the transaction that detaches the month. Files, sums, mismatches and bookings stay themselves.

create table archived_settlement (
  operator_id text not null references operator,
  -- The month, or in the embedded database the year, from `since` to just before `until`.
  until timestamptz not null,
  since timestamptz not null,
  lines bigint not null,
  matches bigint not null,
  -- Months do not always leave in their order. The places of an operator's months are the order in which they left.
  place bigint generated always as identity,
  -- SHA-256 of the digest of the month that left before, and of the sums and what was settled in this month.
  digest bytea not null check (octet_length(digest) = 32),
  at timestamptz not null default now(),
  primary key (operator_id, until)
);
comment on table archived_settlement is 'A month of an operator''s settlement lines that has left the database, with a digest of what stays of it.';
create trigger archived_settlement_immutable before update or delete on archived_settlement for each row execute function refuse_change();
create trigger archived_settlement_not_truncated before truncate on archived_settlement for each statement execute function refuse_change();

create table archived_line_sum (
  operator_id text not null,
  file_id uuid not null,
  until timestamptz not null,
  currency text not null,
  -- Of the lines of this file that left with this month. With those that are here they are the number and the sums of the file.
  lines bigint not null,
  amount numeric not null,
  fee numeric not null,
  primary key (operator_id, file_id, until, currency),
  foreign key (operator_id, file_id) references settlement_file
);
comment on table archived_line_sum is 'The number and the sums of a settlement file''s lines that have left the database.';
create trigger archived_line_sum_immutable before update or delete on archived_line_sum for each row execute function refuse_change();
create trigger archived_line_sum_not_truncated before truncate on archived_line_sum for each statement execute function refuse_change();

-- Without a reference to `operator`: it would be checked for each payment, and keep the row of the operator locked until the month has left.
create table archived_match (
  operator_id text not null,
  -- The payment, refund, dispute, payout or batch.
  entry_id uuid not null,
  entry_kind text not null,
  until timestamptz not null,
  lines bigint not null,
  -- What the lines settled of the entry, in signed minor units. A later line of it is then a duplicate.
  amount numeric not null,
  primary key (operator_id, entry_id, entry_kind, until)
);
create index archived_match_of_month on archived_match (operator_id, until);
comment on table archived_match is 'What settlement lines that have left the database settled of an entry of the ledger.';
create trigger archived_match_immutable before update or delete on archived_match for each row execute function refuse_change();
create trigger archived_match_not_truncated before truncate on archived_match for each statement execute function refuse_change();
