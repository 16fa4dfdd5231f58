-- Timings and noted things of widgets (NET-8, ERR-3). Keys and codes are from the fixed vocabulary of telemetry/vocabulary.ts:
-- nothing here names a user, a payment or what anybody typed. Deleted after 30 days, a day at a time.
create table telemetry_event (
  day date not null default current_date,
  operator_id text,
  source text not null check (source in ('events', 'rum')),
  key text not null,
  number_value double precision,
  code_value text,
  at timestamptz not null default now()
);
create index telemetry_event_day on telemetry_event (day, key);
