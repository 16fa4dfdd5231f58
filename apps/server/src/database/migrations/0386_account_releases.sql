-- How people end the freeze of an account that a debt had caused (SRV-1, SRV-2).
create table account_release (
  operator_id text not null references operator,
  -- The operator's own key: a repeat of it decides nothing more.
  decision_id uuid not null,
  account_id bigint not null references account,
  frozen_since timestamptz not null,
  -- What the user still owed then, in minor units; the release leaves it as it is.
  debt bigint not null check (debt >= 0),
  decided_by text not null,
  reason text not null,
  at timestamptz not null default now(),
  primary key (operator_id, decision_id)
);
-- A freeze ends once.
create unique index account_release_once on account_release (account_id, frozen_since);
create trigger account_release_immutable before update or delete on account_release
  for each row execute function refuse_change();

create index account_frozen_listed on account (operator_id, frozen_at, id) where frozen_at is not null;

-- Whatever the program says: no freeze ends without somebody's name.
create function guard_release() returns trigger language plpgsql as $$
begin
  if new.frozen_at is not null or not exists (
    select 1 from account_release where account_id = old.id and frozen_since = old.frozen_at
  ) then
    raise exception 'account % is frozen until somebody releases it', old.id
      using errcode = 'restrict_violation', constraint = 'account_released_by_name';
  end if;
  return new;
end $$;
create trigger account_release_guarded before update of frozen_at on account
  for each row when (old.frozen_at is not null and new.frozen_at is distinct from old.frozen_at)
  execute function guard_release();
