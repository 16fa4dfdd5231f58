-- The texts of the widget that an operator has replaced, by language (UI-1, SRV-1).

create table own_texts (
  operator_id text not null references operator,
  -- As the file of the language is named: hi-Latn-IN.
  locale text not null,
  -- Counts the changes of all languages of the operator, because a variant such as es-MX also shows the texts of es.
  version int not null check (version > 0),
  -- ICU messages by key. Empty: the operator has removed them.
  texts jsonb not null,
  -- Who of the operator's staff made the change.
  staff text not null,
  updated_at timestamptz not null default now(),
  primary key (operator_id, locale)
);
comment on table own_texts is 'Current own texts of an operator in one language, in place of shipped texts of the widget.';

create table own_texts_change (
  operator_id text not null references operator,
  version int not null,
  locale text not null,
  texts jsonb not null,
  staff text not null,
  at timestamptz not null default now(),
  primary key (operator_id, version)
);
comment on table own_texts_change is 'Every version of an operator''s own texts, kept for ever.';
create trigger own_texts_change_immutable before update or delete on own_texts_change
  for each row execute function refuse_change();
create trigger own_texts_change_not_truncated before truncate on own_texts_change
  for each statement execute function refuse_change();

-- A trigger writes the history, so that no program can change a text without a record. It runs after the change: an insert that
-- becomes an update would otherwise be recorded twice.
create function keep_own_texts_change() returns trigger language plpgsql as $$
begin
  if new.version <> 1 + coalesce((select max(version) from own_texts_change where operator_id = new.operator_id), 0) then
    raise exception 'the version must increase by one' using errcode = 'check_violation', constraint = 'own_texts_version_moves';
  end if;
  insert into own_texts_change (operator_id, version, locale, texts, staff, at)
    values (new.operator_id, new.version, new.locale, new.texts, new.staff, new.updated_at);
  return null;
end $$;
create trigger own_texts_kept after insert or update on own_texts
  for each row execute function keep_own_texts_change();
create trigger own_texts_not_deleted before delete on own_texts
  for each row execute function refuse_change();
