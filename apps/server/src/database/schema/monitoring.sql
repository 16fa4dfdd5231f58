-- What the metrics show of the database (SRV-9), and when the last checks and backups ran. Tables of the whole service, with few rows.

create table metric_snapshot (
  is_the_one boolean primary key default true check (is_the_one),
  -- The node that took the lease takes the next numbers. All other nodes only read them.
  leased_until timestamptz not null default '-infinity',
  taken_at timestamptz,
  -- Names, labels and numbers of gauges. Never an id of an operator, a user or a payment.
  samples jsonb not null default '[]'
)
-- One row, which is written every half minute.
with (fillfactor = 20, autovacuum_vacuum_threshold = 20, autovacuum_vacuum_scale_factor = 0);
comment on table metric_snapshot is 'The numbers of the gauges that need the database, which one node takes for all.';
insert into metric_snapshot default values;

create table maintenance_run (
  kind text primary key check (kind in ('audit', 'full-audit', 'backup')),
  at timestamptz not null default now(),
  -- Faults that were found; of a backup, those of the audit in its snapshot.
  faults int not null check (faults >= 0)
);
comment on table maintenance_run is 'The last run of each check of the ledger, and of the backup.';
