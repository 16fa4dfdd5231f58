-- Captchas that a create call was admitted with (ERR-5): each once. The vendor forgets them after minutes; rows go after 30 days.
create table captcha_use (
  -- SHA-256 of the vendor's lot number.
  lot_hash bytea primary key check (octet_length(lot_hash) = 32),
  operator_id text not null,
  user_id text not null,
  -- The create call that it was shown with: a repeat of that call may show it again.
  client_key uuid not null,
  used_at timestamptz not null default now()
);
create index captcha_use_age on captcha_use (used_at);
