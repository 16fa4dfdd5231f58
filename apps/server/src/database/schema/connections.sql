-- Connections: an operator's own accounts at providers (SRV-4).

create table provider_connection (
  operator_id text not null references operator,
  -- Random, because it is part of the address that takes the callbacks.
  id uuid not null default gen_random_uuid(),
  -- Rises with every change, so that every node sees the change.
  version int not null default 1 check (version > 0),
  provider text not null,
  name text not null check (char_length(name) between 1 and 64),
  mode text not null check (mode in ('test', 'live')),
  -- The currencies that the account takes. Null: every currency.
  currencies text[] check (cardinality(currencies) > 0),
  enabled boolean not null default false,
  -- Since then the account of the installation takes no payment of this operator at this provider.
  first_enabled_at timestamptz,
  -- What is no secret, such as the name of the product on the provider's page.
  options jsonb not null default '{}',

  -- The secrets as JSON: AES-256-GCM (nonce, tag, text) under a data key of this row alone.
  sealed bytea not null,
  -- The data key, wrapped by the master key `key_id`.
  wrapped_key bytea not null,
  key_id text not null,
  -- What may be shown of each secret: its last characters, its fingerprint, and when it was set.
  shown jsonb not null,
  -- Until then callbacks may also be signed with the secrets before the last change. Null: they never may.
  old_secrets_until timestamptz,

  -- The last test call. Null: there was none since the last change of the secrets.
  tested_at timestamptz,
  test_result text,

  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (operator_id, id),
  constraint provider_connection_named_once unique (operator_id, name),
  constraint provider_connection_enabled_once check (not enabled or first_enabled_at is not null)
);
comment on table provider_connection is 'An operator''s own accounts at providers, with sealed secrets. Payments keep their connection, so no row is deleted.';
-- A callback names the connection, not the operator.
create index provider_connection_by_id on provider_connection (id);
create index provider_connection_by_key on provider_connection (key_id);

create function guard_connection() returns trigger language plpgsql as $$
begin
  if (new.operator_id, new.id, new.provider, new.mode, new.created_at)
    is distinct from (old.operator_id, old.id, old.provider, old.mode, old.created_at)
    or (old.first_enabled_at is not null and new.first_enabled_at is distinct from old.first_enabled_at) then
    raise exception 'a connection has immutable columns'
      using errcode = 'restrict_violation', constraint = 'provider_connection_immutable';
  end if;
  new.version := old.version + 1;
  new.updated_at := now();
  return new;
end $$;
create trigger provider_connection_guarded before update on provider_connection
  for each row execute function guard_connection();
create trigger provider_connection_kept before delete on provider_connection for each row execute function refuse_change();
create trigger provider_connection_not_truncated before truncate on provider_connection
  for each statement execute function refuse_change();

-- The quarantine itself is in the memory of each node (docs/provider-kit.md). Staff read it here.
create table provider_quarantine (
  operator_id text not null references operator,
  provider text not null,
  -- The id of a connection, or `installation`.
  account text not null,
  -- A random name of the node, which changes with each start.
  node uuid not null,
  -- In a process of its own (suspected), which crashed, too (proven), or without a process (off).
  state text not null check (state in ('suspected', 'proven', 'off')),
  -- Crashes of its own process.
  crashes int not null check (crashes >= 0),
  since timestamptz not null,
  -- A row of a node that has ended stays until then.
  until timestamptz not null,
  primary key (operator_id, provider, account, node)
);
comment on table provider_quarantine is 'Accounts whose calls run apart on a node, because the process of a package crashed with them.';
