import { expect, test } from 'vitest';
import { guardedRows, triggersOf } from './schema-triggers.ts';

const file = (sql: string) => ({ name: 'file', sql });

const sql = `create table deposit (id uuid);
-- create trigger commented before update on deposit for each row execute function refuse_change();
create trigger deposit_kept before delete on deposit
  for each row execute function refuse_change();
create trigger deposit_credit_kept before update of credited, paid on deposit for each row
  when (old.credited is not null) execute function refuse_change();
create constraint trigger deposit_agrees after insert or update of state on deposit
  deferrable initially deferred for each row execute function check_deposit();
create table note (id uuid);
create trigger note_kept before update or delete on note for each row execute function refuse_change();
create table report (id uuid);
create trigger report_kept before delete on report for each row when (old.status = 'applied') execute function refuse_change();
create function f() returns trigger language plpgsql as $$
begin
  execute 'create trigger inside before update on note for each row execute function refuse_change()';
end $$;`;

test('[SRV-2] the triggers of a schema are those of its files, as the migrations leave them', () => {
  const baseline = [file(sql)];
  const named = (migration: string) =>
    triggersOf({ baseline, migrations: [file(migration)] }).map(({ table, name }) => `${table}.${name}`);
  expect(named('')).toEqual([
    'deposit.deposit_kept',
    'deposit.deposit_credit_kept',
    'deposit.deposit_agrees',
    'note.note_kept',
    'report.report_kept',
  ]);
  expect(named('drop trigger if exists deposit_agrees on deposit;\ndrop table note;')).toEqual([
    'deposit.deposit_kept',
    'deposit.deposit_credit_kept',
    'report.report_kept',
  ]);
  expect(named('create trigger note_new after insert on note for each row execute function f();')).toContain(
    'note.note_new',
  );
});

test('[SRV-2] a table is append-only, or never loses a row, if its triggers refuse that without a condition', () => {
  expect(guardedRows(triggersOf({ baseline: [file(sql)], migrations: [] }))).toEqual({
    appendOnly: ['note'],
    neverDeleted: ['deposit'],
  });
});
