/** The SQL files of the database: the baseline, one file per subject, and the migrations after it. */
import server from '../../package.json' with { type: 'json' };
import { headerProblem } from './migration-header.ts';

/** The database stores the name and the checksum of each file, so a released file never changes. */
export interface SchemaFile {
  /** Such as `baseline/ledger`, or `0001_payment_notes` for a migration. The four digits give the order. */
  readonly name: string;
  readonly sql: string;
}

export interface Schema {
  /** The version of the build, such as `0.1.0`. */
  readonly version: string;
  /** These files create an empty database, in this order. */
  readonly baseline: readonly SchemaFile[];
  /** These files change an existing database, in this order. Each begins with its header (`migration-header.ts`). */
  readonly migrations: readonly SchemaFile[];
}

/** A table must come after the tables of its foreign keys. */
const SUBJECTS = [
  'clock',
  'append-only',
  'partitions',
  'statistics',
  'operators',
  'catalogue',
  'connections',
  'routing',
  'own-texts',
  'bonuses',
  'provider-events',
  'deposits',
  'payments',
  'withdrawals',
  'payouts',
  'payout-files',
  'coin-payouts',
  'payout-refunds',
  'operator-wallet',
  'ledger',
  'archived-ledger',
  'ledger-rules',
  'ledger-checks',
  'audit',
  'staff-decisions',
  'settlements',
  'settlement-take-backs',
  'archived-settlements',
  'shared-balances',
  'chain-sums',
  'day-closes',
  'webhooks',
  'widget',
  'sweepstake',
  'telemetry',
  'monitoring',
] as const;

/** The name prefix of every baseline file, and of no other file. */
const BASELINE = 'baseline/';

const subjects = import.meta.glob<string>('./schema/*.sql', { query: '?raw', import: 'default', eager: true });
const providers = import.meta.glob<string>('../providers/*/schema.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const migrations = import.meta.glob<string>('./migrations/*.sql', { query: '?raw', import: 'default', eager: true });

/** A file missing from `SUBJECTS` would silently be missing from the baseline. */
const forgotten = Object.keys(subjects).filter((path) => !SUBJECTS.some((subject) => path === fileOf(subject)));
if (forgotten.length > 0) throw new Error(`Name ${forgotten.join(', ')} in SUBJECTS of schema-files.ts`);

/** The schema of this build. */
export const schema: Schema = {
  version: server.version,
  baseline: [
    ...SUBJECTS.map((subject) => ({ name: `${BASELINE}${subject}`, sql: sqlOf(subjects, fileOf(subject)) })),
    ...inOrder(providers).map(([path, sql]) => ({
      name: `${BASELINE}${path.replace('../', '').replace('/schema.sql', '')}`,
      sql,
    })),
  ],
  migrations: inOrder(migrations).map(([path, sql]) => ({ name: path.replace(/^.*\/(.+)\.sql$/, '$1'), sql })),
};

const wrong = schema.migrations.flatMap((migration) => headerProblem(migration, schema.version) ?? []);
if (wrong.length > 0) throw new Error(wrong.join('\n'));

/** True for the name of a baseline file. */
export function isBaseline(name: string): boolean {
  return name.startsWith(BASELINE);
}

function fileOf(subject: string): string {
  return `./schema/${subject}.sql`;
}

function sqlOf(files: Readonly<Record<string, string>>, path: string): string {
  const sql = files[path];
  if (sql === undefined) throw new Error(`There is no ${path}`);
  return sql;
}

function inOrder(files: Readonly<Record<string, string>>): readonly (readonly [path: string, sql: string])[] {
  return Object.entries(files).sort(([left], [right]) => (left < right ? -1 : 1));
}
