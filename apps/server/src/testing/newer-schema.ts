/** The schema of a next version, for tests of upgrades and rollbacks. */
import { type Schema, schema } from '../database/schema-files.ts';

/** As a real migration would add a feature: a column of a busy table, and a table that a trigger fills for both versions. */
const migration = {
  name: '9001_channels',
  sql: `-- class: expand
-- compatible-with: ${schema.version}
alter table deposit add column channel text not null default 'widget';
create table deposit_channel (
  operator_id text not null, deposit_id uuid not null, channel text not null,
  primary key (operator_id, deposit_id),
  foreign key (operator_id, deposit_id) references deposit (operator_id, id));
create function write_deposit_channel() returns trigger language plpgsql as $$
begin
  insert into deposit_channel (operator_id, deposit_id, channel) values (new.operator_id, new.id, new.channel);
  return null;
end $$;
create trigger deposit_channelled after insert on deposit for each row execute function write_deposit_channel()`,
};

/** One release after this build. */
export const newerSchema: Schema = {
  ...schema,
  version: '9001.0.0',
  migrations: [...schema.migrations, migration],
};
