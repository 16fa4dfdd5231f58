-- What the practice source of rates does, the same at every node. One row: whoever asks two nodes gets one answer.
create table sandbox_rates (
  is_the_one boolean primary key default true check (is_the_one),
  mood text not null check (mood in ('fresh', 'stopped', 'down')),
  -- The instant of which the rates of a source that stopped are.
  stopped_at timestamptz not null,
  -- Another site can post a form, but cannot read this.
  form_token text not null
);
insert into sandbox_rates (mood, stopped_at, form_token) values ('fresh', now(), replace(gen_random_uuid()::text, '-', ''));
