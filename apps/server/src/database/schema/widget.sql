-- Short-lived rows of visits to the widget.

create table payment_session (
  operator_id text not null,
  id uuid not null,
  user_id text not null,
  -- Null when the typed text is not an amount that a method accepts.
  amount numeric check (amount > 0),
  currency text not null,
  pending_group text,
  created_at timestamptz not null default now(),
  -- The key of the create call that named this session.
  client_key uuid,
  primary key (operator_id, id)
);
comment on table payment_session is 'A user is about to pay: the amount in the form (AMT-7). Nothing is credited from it; deleted after 30 days.';
create index payment_session_age on payment_session (created_at);

create table captcha_use (
  -- SHA-256 of the vendor's lot number.
  lot_hash bytea primary key check (octet_length(lot_hash) = 32),
  operator_id text not null,
  user_id text not null,
  -- The create call with this captcha. A repeat of that call may use it again.
  client_key uuid not null,
  used_at timestamptz not null default now()
);
comment on table captcha_use is 'Solved captchas that a create call has used, each once (ERR-5); deleted after 30 days.';
create index captcha_use_age on captcha_use (used_at);

create table bounce (
  -- SHA-256 of the token in the address.
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  operator_id text not null,
  -- The address and the hidden inputs from the provider.
  form jsonb not null,
  language text not null,
  expires_at timestamptz not null
);
comment on table bounce is 'Forms of providers on their way to a browser (DEP-3), one row per visit; the visit deletes it.';
create index bounce_age on bounce (expires_at);
