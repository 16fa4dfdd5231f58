-- Checked points of the ledger (SRV-2, docs/adr/0011-rules-in-the-database.md). A sound audit stores a point for each operator,
-- usually the last midnight (UTC). The next audit judges only what came after that point. A full audit compares all points.

create table audit_point (
  operator_id text not null references operator,
  -- Every journal before this time was checked.
  until timestamptz not null,
  -- Of the journals since the previous point.
  journals bigint not null,
  postings bigint not null,
  -- SHA-256 of the previous point's digest and of these journals with their postings. So a later change of any of them shows.
  digest bytea not null check (octet_length(digest) = 32),
  at timestamptz not null default now(),
  primary key (operator_id, until)
);
comment on table audit_point is 'A time up to which the ledger of an operator was found sound, with a digest of its journals.';
create trigger audit_point_immutable before update or delete on audit_point for each row execute function refuse_change();
create trigger audit_point_not_truncated before truncate on audit_point for each statement execute function refuse_change();

create table audit_sum (
  operator_id text not null,
  account_id bigint not null,
  -- The point. Only accounts with postings since the previous point have a row for it.
  until timestamptz not null,
  -- Of all postings before the point. Not a bigint, because the accounts of operators and providers have no limit.
  sum numeric not null,
  primary key (operator_id, account_id, until),
  foreign key (operator_id, account_id) references account
);
comment on table audit_sum is 'The sum of an account''s postings at a checked point.';
create trigger audit_sum_immutable before update or delete on audit_sum for each row execute function refuse_change();
create trigger audit_sum_not_truncated before truncate on audit_sum for each statement execute function refuse_change();
