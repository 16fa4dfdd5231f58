/**
 * The database role of the application (SRV-2). The role reads and writes rows. It cannot truncate, switch a trigger
 * off, change a table or change a balance. The owner of the tables runs the migrations.
 */
import pg from 'pg';
import type { Queryable } from './database.ts';
import { schema } from './schema-files.ts';
import { guardedRows, triggersOf } from './schema-triggers.ts';

/** Tables whose triggers refuse changes of rows. The missing right says the same before a trigger is asked. */
const { appendOnly, neverDeleted } = guardedRows(triggersOf(schema));
/** Written only by triggers or by migrations. */
const READ_ONLY = [
  'clock_move',
  'deposit_history',
  'withdrawal_history',
  'commit_check',
  'journal_kind',
  'deposit_state',
  'deposit_transition',
  'payment_transition',
  'refund_transition',
  'payout_transition',
  'withdrawal_state',
  'withdrawal_transition',
  'schema_migration',
  'schema_build',
  'archived_partition',
  'archived_month',
  'archived_balance',
  'archived_journal',
  'archived_settlement',
  'archived_line_sum',
  'archived_match',
  'chain_sum',
  'chain_sum_point',
  'chain_change',
];
/** Rows may change, but the application never deletes them, although no trigger refuses it. */
const NEVER_DELETED = ['operator', 'deposit_event', 'withdrawal_event', 'withdrawal_code', 'wrong_code', 'playthrough'];

/**
 * Grants the rights that the application needs, and revokes all others. Run it after each
 * migration, as the owner of the tables.
 * @throws Error when the role has more rights anyway: it owns the tables, or is a superuser
 */
export async function grantToApplication(queryable: Queryable, role: string): Promise<void> {
  await requireOther(queryable, role);
  const name = pg.escapeIdentifier(role);
  const [{ schema = 'public' } = {}] = await queryable.query<{ schema: string }>({
    text: 'select current_schema() as schema',
  });
  const place = pg.escapeIdentifier(schema);
  for (const text of [
    `revoke create on schema ${place} from public`,
    `revoke all on schema ${place} from ${name}`,
    `revoke all on all tables in schema ${place} from ${name}`,
    `grant usage on schema ${place} to ${name}`,
    `grant select, insert, update, delete on all tables in schema ${place} to ${name}`,
    `grant usage on all sequences in schema ${place} to ${name}`,
    `revoke update, delete on ${appendOnly.join(', ')} from ${name}`,
    `revoke insert, update, delete on ${READ_ONLY.join(', ')} from ${name}`,
    `revoke delete on ${[...neverDeleted, ...NEVER_DELETED].join(', ')} from ${name}`,
    // The trigger of the postings changes balances, with the owner's rights.
    `revoke update on account from ${name}`,
    `grant update (frozen_at) on account to ${name}`,
  ]) {
    await queryable.query({ text });
  }
  await revokePartitions(queryable, name);
  await revokeTemporary(queryable, role);
}

/**
 * A trigger of a temporary table of the role's own would look like one of the triggers that guard the rows. Every role has the right by
 * `public`, and only the owner of the database can revoke it.
 */
async function revokeTemporary(queryable: Queryable, role: string): Promise<void> {
  const name = pg.escapeIdentifier(role);
  const [owned] = await queryable.query<{ database: string }>({
    text: `select datname as database from pg_database
      where datname = current_database() and pg_has_role(current_user, datdba, 'usage')`,
  });
  if (owned !== undefined) {
    await queryable.query({
      text: `revoke temporary on database ${pg.escapeIdentifier(owned.database)} from public, ${name}`,
    });
  }
  const [left] = await queryable.query<{ may: boolean }>({
    text: `select has_database_privilege($1, current_database(), 'TEMPORARY') as may`,
    values: [role],
  });
  if (left?.may === true) {
    throw new Error(
      `The role ${role} may create temporary tables. Run as the owner of the database: REVOKE TEMPORARY ON DATABASE … FROM PUBLIC, ${role}.`,
    );
  }
}

/** Rights on the table are enough. Without rights on its partitions nobody can go around the triggers of the table. */
async function revokePartitions(queryable: Queryable, name: string): Promise<void> {
  const partitions = await queryable.query<{ part: string }>({ text: 'select name as part from time_partition' });
  if (partitions.length === 0) return;
  const names = partitions.map(({ part }) => pg.escapeIdentifier(part)).join(', ');
  await queryable.query({ text: `revoke all on ${names} from ${name}` });
}

async function requireOther(queryable: Queryable, role: string): Promise<void> {
  const [found] = await queryable.query<{ isSuperuser: boolean; isOwner: boolean }>({
    text: `select rolsuper as "isSuperuser", pg_has_role(rolname, (select tableowner from pg_tables
        where schemaname = current_schema() and tablename = 'journal'), 'member') as "isOwner"
      from pg_roles where rolname = $1`,
    values: [role],
  });
  if (found === undefined) throw new Error(`The database server has no role ${role}.`);
  if (found.isSuperuser || found.isOwner) {
    throw new Error(
      `The role ${role} owns the tables or is a superuser. Give the application a role without these rights.`,
    );
  }
}

/**
 * Creates the application's role if it is missing.
 * @throws a database error when this connection may not create roles
 */
export async function ensureApplicationRole(
  queryable: Queryable,
  { role, password }: { readonly role: string; readonly password: string },
): Promise<'made' | 'known'> {
  const known = await queryable.query({ text: 'select 1 from pg_roles where rolname = $1', values: [role] });
  if (known.length > 0) return 'known';
  await queryable.query({
    text: `create role ${pg.escapeIdentifier(role)} login nosuperuser nocreatedb nocreaterole noinherit
      password ${pg.escapeLiteral(password)}`,
  });
  return 'made';
}
