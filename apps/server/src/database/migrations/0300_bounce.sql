-- Forms of providers on their way to a browser (DEP-3): one row a visit, taken out by it. Rows nobody came for go after their time.
create table bounce (
  -- SHA-256 of the token in the address.
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  operator_id text not null,
  -- Address and hidden inputs, as the provider gave them.
  form jsonb not null,
  language text not null,
  expires_at timestamptz not null
);
create index bounce_age on bounce (expires_at);
