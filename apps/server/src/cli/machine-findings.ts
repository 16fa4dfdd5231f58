/** The checks of `doctor` about the disk, the database's server and the work that staff do regularly. */
import { existsSync, statfsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { counted } from '../languages/counted.ts';
import { lastRuns } from '../monitoring/maintenance-runs.ts';
import { type Finding, wordsOf } from './finding.ts';

/** The first version that the schema is tested with. */
const OLDEST_POSTGRES = 15;
/** The embedded database and its log need room to grow. */
const LEAST_FREE_BYTES = 1024 ** 3;
const GIB = 1024 ** 3;
/** A nightly run may be late by two hours. */
const MOST_HOURS = 26;
const HOUR_S = 3600;

/** Free space where the embedded database lies. */
export function folderFinding({ dataDir }: Pick<Config, 'dataDir'>): Finding {
  const name = 'free space of the data folder';
  if (!existsSync(dataDir)) return { name, found: `${dataDir} does not exist yet` };
  try {
    const { bavail, bsize } = statfsSync(dataDir);
    const free = bavail * bsize;
    const found = `${(free / GIB).toFixed(1)} GiB (${dataDir})`;
    if (free >= LEAST_FREE_BYTES) return { name, found };
    return {
      name,
      found,
      advice: 'Free space on this disk, or set DATA_DIR to a larger one, before the disk is full.',
    };
  } catch (error) {
    return { name, found: wordsOf(error), advice: 'Check that DATA_DIR is a folder on a local disk.', isUnknown: true };
  }
}

/** The version of PostgreSQL, and whether the nodes' role has more rights than they need. */
export async function serverFindings(database: Database): Promise<Finding[]> {
  if (database.kind === 'embedded') return [];
  const [row] = await database.query<{ version: string; isSuperuser: boolean; isOwner: boolean }>({
    text: `select current_setting('server_version_num') as version, rolsuper as "isSuperuser",
        coalesce(pg_has_role(current_user, (select tableowner from pg_tables
          where schemaname = current_schema() and tablename = 'journal'), 'member'), false) as "isOwner"
      from pg_roles where rolname = current_user`,
  });
  if (row === undefined) throw new Error('PostgreSQL does not know the role of this connection.');
  const major = Math.floor(Number(row.version) / 10_000);
  const version = { name: 'version of PostgreSQL', found: `${major}` };
  const role = { name: 'role of DATABASE_URL', found: 'reads and writes rows only' };
  return [
    major >= OLDEST_POSTGRES ? version : { ...version, advice: `Use PostgreSQL ${OLDEST_POSTGRES} or later.` },
    row.isOwner || row.isSuperuser
      ? {
          ...role,
          found: row.isSuperuser ? 'is a superuser' : 'owns the tables',
          advice: 'A second role for the nodes keeps the rules of the ledger safe. See “Two roles” in docs/operate.md.',
          isNote: true,
        }
      : role,
  ];
}

const WORK = {
  audit: { name: 'audit of the ledger', what: 'opencashier audit', isNightly: true },
  'full-audit': { name: 'full audit of the ledger', what: 'opencashier audit --full', isNightly: false },
  backup: {
    name: 'backup',
    what: 'opencashier backup, or another tool and opencashier backup-done after it',
    isNightly: true,
  },
} as const;

/** When the ledger was last audited and the database last backed up, as far as the database was told. */
export async function maintenanceFindings(
  database: Database,
  { isSandbox }: Pick<Config, 'isSandbox'>,
): Promise<Finding[]> {
  const runs = new Map((await lastRuns(database)).map((run) => [run.kind, run]));
  return Object.entries(WORK).map(([kind, { name, what, isNightly }]): Finding => {
    const run = runs.get(kind as keyof typeof WORK);
    const often = isNightly ? 'each night' : 'each week';
    if (run === undefined) {
      return { name, found: 'none is known', advice: `Run ${what}, ${often}.`, isNote: true };
    }
    const hours = run.ageS / HOUR_S;
    const found = `${hours < 48 ? `${counted(Math.round(hours), 'hour')}` : `${counted(Math.round(hours / 24), 'day')}`} ago`;
    if (run.faults > 0) {
      return {
        name,
        found: `${found}, with ${counted(run.faults, 'fault')}`,
        advice: 'See docs/runbooks/LedgerUnsound.md at once.',
      };
    }
    if (hours <= (isNightly ? MOST_HOURS : 7 * 24 + MOST_HOURS) || isSandbox) return { name, found };
    return { name, found, advice: `Run ${what}, ${often}. See why the last one did not run.` };
  });
}
