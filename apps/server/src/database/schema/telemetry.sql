-- Timings and events of widgets (NET-8, ERR-3).

create table telemetry_event (
  day date not null default current_date,
  operator_id text,
  source text not null check (source in ('events', 'rum')),
  -- Keys and codes are from the fixed vocabulary of telemetry/vocabulary.ts. No row names a user, a payment or a typed text.
  key text not null,
  number_value double precision,
  code_value text,
  at timestamptz not null default now()
);
comment on table telemetry_event is 'Anonymous timings and events of widgets; deleted after 30 days, one day at a time.';
create index telemetry_event_day on telemetry_event (day, key);
