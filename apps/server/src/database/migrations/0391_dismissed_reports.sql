-- Reports that were parked and that people have set aside (SRV-1, SRV-3): by name, once, and kept beside the report itself.
create table report_dismissal (
  operator_id text not null references operator,
  provider text not null,
  event_id text not null,
  decided_by text not null,
  reason text not null,
  at timestamptz not null default now(),
  primary key (provider, event_id),
  foreign key (provider, event_id) references evidence
);
create trigger report_dismissal_immutable before update or delete on report_dismissal
  for each row execute function refuse_change();
