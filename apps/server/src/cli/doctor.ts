/** `doctor`: checks the installation and prints one line for each check, with advice if it fails. It changes nothing. */
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@opencashier/core/time/clock';
import { Redis } from 'ioredis';
import { type Config, readConfig } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { FolderInUseError } from '../database/embedded/folder-lock.ts';
import { hasRoom } from '../database/guarded-database.ts';
import { fewestMonths, readCoverage } from '../database/partitions.ts';
import { schemaState } from '../database/schema-state.ts';
import { withinTime } from '../jobs/within-time.ts';
import { counted } from '../languages/counted.ts';
import { countOfOtherMode, countUnmatched } from '../operator-api/reports/unmatched-reports.ts';
import { countLostAccounts } from '../payout-accounts/payout-accounts.ts';
import type { DataKeys } from '../sealing/data-keys.ts';
import type { Surroundings } from './command.ts';
import { connectionFindings } from './connection-findings.ts';
import { engineFindings } from './engine-findings.ts';
import { type Finding, isFailed, printFindings, wordsOf } from './finding.ts';
import { dataKeysOf } from './known-data-keys.ts';
import { folderFinding, maintenanceFindings, serverFindings } from './machine-findings.ts';
import { operatorFindings } from './operator-findings.ts';
import { providerFindings } from './provider-findings.ts';

const redisWithinMs = 3_000;
/** Receivers refuse callbacks and webhooks whose time is minutes off. Warn long before that. */
const mostClockDriftMs = 2_000;
/** The server keeps three. */
const LEAST_MONTHS_AHEAD = 2;

const silent = { info: () => undefined, error: () => undefined };

/** @returns the exit code: 1 if a check fails */
export async function doctor({ environment, output, clock, open, stripeApi }: Surroundings): Promise<number> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    printFindings(output, [
      { name: 'settings', found: wordsOf(error), advice: 'docs/operate.md describes all settings.' },
    ]);
    return 1;
  }
  const findings = [
    { name: 'settings', found: 'readable' },
    publicAddress(config),
    tokenSecretKept(config),
    dataKeyKept(config),
    // With PostgreSQL the folder holds a secret at most.
    ...(config.databaseUrl === undefined ? [folderFinding(config)] : []),
    ...(await databaseFindings(config, clock, open)),
    await redisFinding(config, clock),
    ...(await providerFindings(config, clock, stripeApi)),
    widgetFinding(config),
  ];
  printFindings(output, findings);
  return findings.some(isFailed) ? 1 : 0;
}

function publicAddress({ publicUrl, isSandbox, port }: Config): Finding {
  const name = 'public address';
  const found = publicUrl ?? `this machine only, port ${port}`;
  if (isSandbox || publicUrl?.startsWith('https:')) return { name, found };
  return { name, found, advice: 'Set PUBLIC_URL to the https address that browsers and providers use.' };
}

function tokenSecretKept({ tokenSecret, redisUrl, databaseUrl, dataDir }: Config): Finding {
  const name = 'token secret';
  if (tokenSecret !== undefined) return { name, found: 'from the settings' };
  const found = `created once, in ${dataDir}`;
  if (redisUrl === undefined && databaseUrl === undefined) return { name, found };
  return { name, found, advice: 'Set TOKEN_SECRET, the same on every node. Without it each node creates its own.' };
}

/**
 * Saved payout accounts are encrypted, so that a copy of the database does not reveal them. Without a key of their own they are
 * encrypted with the token secret: a new token secret makes them unreadable.
 */
function dataKeyKept({ dataKeys, databaseUrl, isSandbox }: Config): Finding {
  const name = 'data key';
  if (dataKeys.length > 0)
    return { name, found: dataKeys.length === 1 ? 'set' : `set, with ${counted(dataKeys.length - 1, 'older key')}` };
  const found = 'the token secret';
  if (databaseUrl === undefined || isSandbox) return { name, found };
  const advice =
    'Set DATA_KEY, the same on every node: a new TOKEN_SECRET would make saved payout accounts unreadable.';
  return { name, found, advice };
}

async function databaseFindings(config: Config, clock: Clock, open: Surroundings['open']): Promise<Finding[]> {
  const { databaseUrl, dataDir } = config;
  const isEmbedded = databaseUrl === undefined;
  const name = isEmbedded ? 'embedded database' : 'PostgreSQL';
  if (isEmbedded && !existsSync(join(dataDir, 'database'))) return [await syncsIn(dataDir, open)];
  let database: Database;
  try {
    database = await open({ databaseUrl, dataDir, logger: silent });
  } catch (error) {
    if (error instanceof FolderInUseError) {
      return [
        { name, found: `in use by a running cashier (${dataDir}), which tested it at its start. See its /ready` },
      ];
    }
    const advice = 'Set DATA_DIR to a folder on a local disk that this user can write.';
    return [{ name, found: wordsOf(error), advice }];
  }
  try {
    await database.ping();
    const opened = { name, found: isEmbedded ? `opens, and commits reach the disk (${dataDir})` : 'reachable' };
    return [opened, await roomFinding(database), ...(await insideFindings(database, config, clock))];
  } catch (error) {
    return [
      {
        name,
        found: wordsOf(error),
        advice: 'Check DATABASE_URL, that the database server runs, and that this user can log in.',
      },
    ];
  } finally {
    await database.close();
  }
}

/** On a full disk every payment fails, although everything that only reads still works. */
async function roomFinding(database: Database): Promise<Finding> {
  const name = 'disk space';
  if (await hasRoom(database)) return { name, found: 'data can be written' };
  const advice =
    'Free space on the disk, or enlarge the disk. Until then the cashier refuses every payment with status 503. Nothing is lost.';
  return { name, found: 'the disk of the database is full', advice };
}

/** Before the first start: creates a database on the same disk for a moment, which proves that a commit reaches the disk. */
async function syncsIn(dataDir: string, open: Surroundings['open']): Promise<Finding> {
  const name = 'embedded database';
  let folder: string | undefined;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    folder = mkdtempSync(join(dataDir, 'doctor-'));
    await (await open({ dataDir: folder, logger: silent })).close();
    return { name, found: `none yet. The first start creates it in ${dataDir}, where commits reach the disk` };
  } catch (error) {
    return {
      name,
      found: wordsOf(error),
      advice: 'Set DATA_DIR to a folder on a local disk that this user can write.',
    };
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function insideFindings(database: Database, config: Config, clock: Clock): Promise<Finding[]> {
  const before = clock.now();
  const [row] = await database.query<{ now: Date }>({ text: 'select pg_catalog.clock_timestamp() as now' });
  // The database read its clock between the request and the answer, so compare with the middle of the two.
  const drift = Math.round((row?.now.getTime() ?? 0) - (before + clock.now()) / 2);
  const clocks = { name: 'clock', found: `the database is ${Math.abs(drift)} ms ${drift < 0 ? 'behind' : 'ahead'}` };
  const tables = await schemaFinding(database);
  return [
    Math.abs(drift) <= mostClockDriftMs
      ? clocks
      : { ...clocks, advice: 'Synchronize the clocks of both machines with NTP.' },
    ...(await serverFindings(database)),
    tables,
    ...(tables.advice !== undefined
      ? []
      : [
          await partitionFinding(database),
          ...(await operatorFindings(database, config)),
          ...(await engineFindings(database, config, clock)),
          await reportFinding(database),
          await unmatchedFinding(database),
          ...(await otherModeFindings(database)),
          await savedAccountsFinding(database, dataKeysOf(config)),
          ...(await connectionFindings(database, config)),
          ...(await maintenanceFindings(database, config)),
        ]),
  ];
}

async function schemaFinding(database: Database): Promise<Finding> {
  const { applied, missing, refusal } = await schemaState(database);
  const tables = { name: 'tables', found: `${applied} schema files applied` };
  if (refusal !== undefined) return { ...tables, advice: refusal };
  if (missing.length === 0) return tables;
  return {
    ...tables,
    advice: `${missing.length} schema files are missing: ${missing.join(', ')}. Start the cashier once to apply them.`,
  };
}

/** The server makes the partitions of the next three months. When a month begins, it may be behind by an hour. */
async function partitionFinding(database: Database): Promise<Finding> {
  const name = 'partitions';
  const coverage = await readCoverage(database);
  const months = fewestMonths(coverage);
  const short = coverage.filter((one) => one.months !== null && one.months < LEAST_MONTHS_AHEAD);
  if (short.length === 0) {
    return {
      name,
      found: months === undefined ? 'no table is partitioned by month' : `made for ${counted(months, 'month')} ahead`,
    };
  }
  return {
    name,
    found: short.map(({ table, until }) => `${table} until ${until.toISOString().slice(0, 10)}`).join(', '),
    advice:
      'Run opencashier migrate, and see the log of the worker "partitions". Without a partition no row can be stored.',
  };
}

/** Reports of providers that could not be applied. A report that only came out of order is applied within the hour. */
async function reportFinding(database: Database): Promise<Finding> {
  const name = 'reports of providers';
  const [count] = await database.query<{ parked: number; aside: number }>({
    text: `select (select count(*)::int from (
          select received_at from deposit_event where status = 'parked' union all
          select received_at from withdrawal_event where status = 'parked') report
        where received_at < now() - interval '1 hour') as parked,
      (select count(*)::int from inbox_queue
        where status = 'dead' and inbox_id >= time_id_at(now() - interval '7 days')) as aside`,
  });
  if (count === undefined) throw new Error('The query of unmatched events returned no row.');
  const { parked, aside } = count;
  if (parked === 0 && aside === 0) return { name, found: 'none is waiting' };
  return {
    name,
    found: `${parked} waiting for more than an hour; ${counted(aside, 'callback')} of the last 7 days could not be read`,
    advice:
      'Run opencashier reports parked <operator> and reports unread. Let the provider send the unread callbacks again.',
  };
}

/** Money that arrived for a payment that this database lacks, for example after a restore. No review shows it. */
async function unmatchedFinding(database: Database): Promise<Finding> {
  const name = 'reports without a payment';
  const counts = await countUnmatched(database);
  if (counts.length === 0) return { name, found: 'none' };
  return {
    name,
    found: counts.map(({ provider, reports }) => `${reports} of ${provider}`).join(', '),
    advice:
      'Run opencashier reports unmatched. Money may have arrived for a payment that a restored backup does not have.',
  };
}

/** Reports of test mode beside a live key, or of live mode beside a test key: the settings or the provider's account are wrong. */
async function otherModeFindings(database: Database): Promise<Finding[]> {
  const counts = await countOfOtherMode(database);
  return counts.map(({ provider, why, reports }) => ({
    name: `mode of ${provider}`,
    found: `${counted(reports, 'report')} of ${why === 'live-mode-report' ? 'live mode, but the key is a test key' : 'test mode, but the key is a live key'}; none was credited`,
    advice:
      why === 'live-mode-report'
        ? 'Real money was paid. Refund it at the provider, then set the key and the signing secret of live mode.'
        : 'Send test events to a test cashier, and remove the signing secret of test mode from the settings.',
  }));
}

/** Saved payout accounts that no key of the settings can decrypt. */
async function savedAccountsFinding(database: Database, keys: DataKeys | undefined): Promise<Finding> {
  const name = 'saved payout accounts';
  const lost = await countLostAccounts(database, keys === undefined ? [] : [keys.newest, ...keys.older]);
  if (lost === 0) return { name, found: 'encrypted' };
  const advice =
    'Add the old key after the new one in DATA_KEY. Without the old key, users must enter their accounts again.';
  return { name, found: `${lost} encrypted with a key that is not in the settings`, advice };
}

async function redisFinding({ redisUrl }: Config, clock: Clock): Promise<Finding> {
  const name = 'Redis';
  if (redisUrl === undefined) return { name, found: 'not set: one node' };
  const redis = new Redis(redisUrl, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
  let heard: Error | undefined;
  redis.on('error', (error: Error) => {
    heard = error;
  });
  try {
    const answered = redis.connect().then(() => redis.ping());
    const answer = await withinTime(clock, redisWithinMs, answered, () => 'no answer in 3 seconds');
    if (answer === 'PONG') return { name, found: 'reachable' };
    return { name, found: answer, advice: 'Check REDIS_URL, and that Redis runs.' };
  } catch (error) {
    return { name, found: wordsOf(heard ?? error), advice: 'Check REDIS_URL, and that Redis runs.' };
  } finally {
    redis.disconnect();
  }
}

function widgetFinding({ widgetDir }: Config): Finding {
  const name = 'widget';
  const page = join(widgetDir, 'index.html');
  try {
    accessSync(page, constants.R_OK);
    return { name, found: `built, in ${widgetDir}` };
  } catch (error) {
    return { name, found: wordsOf(error), advice: 'Build the widget with npm run build, or set WIDGET_DIR.' };
  }
}
