/** `backup`, `restore` and `verify`: one file with everything that a database of the cashier holds (SRV-2, SRV-7). */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { LedgerTotal, Manifest } from '../backup/backup-format.ts';
import { partsOf } from '../backup/backup-source.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { writeBackup, writeBackupFile } from '../backup/write-backup.ts';
import { ensureApplicationRole, grantToApplication } from '../database/application-role.ts';
import type { Database } from '../database/database.ts';
import type { MigrateOptions } from '../database/migrate.ts';
import { counted } from '../languages/counted.ts';
import { recordRun } from '../monitoring/maintenance-runs.ts';
import { type AddCommands, CommandError, type Session, UsageError } from './command.ts';
import { roleOf } from './migrate-command.ts';
import { openingLogger, ownerUrlOf } from './opening.ts';

/** A name that sorts by time. Only files with such names are deleted by `--keep`. */
const BACKUP_NAME = /^cashier-\d{8}T\d{6}Z\.backup$/;
/** Stands for the standard input or output. */
const STREAM = '-';

export const addBackupCommands: AddCommands = (program, session) => {
  program
    .command('backup')
    .description('writes all tables of one moment to a file, while the cashier runs')
    .requiredOption('--to <place>', 'a new file, a folder, or - for the standard output')
    .option('--keep <count>', 'with a folder: deletes older backups there and keeps so many')
    .option('--without-audit', 'does not audit the ledger in the same snapshot')
    .action(async ({ to, keep, withoutAudit = false }) => {
      if (keep !== undefined && !/^[1-9]\d{0,3}$/.test(keep)) throw new UsageError('--keep is a number from 1.');
      if (keep !== undefined && !isFolder(to)) throw new UsageError('--keep needs a folder: --to /backups');
      const options = { to, keep: keep === undefined ? undefined : Number(keep), hasAudit: !withoutAudit };
      await session.withDatabase((database) => backup(database, options, session), { asOwner: true });
    });
  program
    .command('restore')
    .description('restores a backup into an empty database and audits it; the cashier must be stopped')
    .requiredOption('--from <file>', 'the file of a backup, or - for the standard input')
    .action(async ({ from }) => session.exitWith(await restore(from, session)));
  program
    .command('verify')
    .description('proves that a backup can be restored, and prints what it holds')
    .argument('<file>', 'the file of a backup, or - for the standard input')
    .option('--sums-only', 'checks the sums of the file, without a restore')
    .action(async (file, { sumsOnly = false }) => session.exitWith(await verify(file, sumsOnly, session)));
};

interface Options {
  readonly to: string;
  readonly keep: number | undefined;
  readonly hasAudit: boolean;
}

async function backup(database: Database, { to, keep, hasAudit }: Options, session: Session): Promise<number> {
  const { output, clock } = session;
  if (to === STREAM) {
    const manifest = await writeBackup(database, process.stdout, { hasAudit });
    // The standard output is the backup itself.
    for (const line of linesOf(manifest)) output.error(line);
    return soundness(manifest);
  }
  const name = `cashier-${new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '')}.backup`;
  const path = isFolder(to) ? join(to, name) : resolve(to);
  const manifest = await writeBackupFile(database, path, {
    hasAudit,
    onTable: (table, rows) => output.progress(`${table}: ${counted(rows, 'row')}`),
  });
  await recordRun(database, { kind: 'backup', faults: manifest.audit?.faults ?? 0 });
  output.out(`Wrote ${path}, ${statSync(path).size} bytes.`);
  for (const line of linesOf(manifest)) output.out(line);
  output.out(
    'Keep TOKEN_SECRET, DATA_KEY and MASTER_KEY elsewhere. They are not in the backup, and saved payout accounts and connections need them.',
  );
  if (keep !== undefined) for (const old of deleteOld(to, keep)) output.out(`Deleted ${old}.`);
  return soundness(manifest);
}

/** A backup of a faulty ledger is complete, but nobody should find it out after a restore. */
function soundness({ audit }: Manifest): number {
  return audit?.isSound === false ? 1 : 0;
}

function deleteOld(folder: string, keep: number): string[] {
  const backups = readdirSync(folder)
    .filter((name) => BACKUP_NAME.test(name))
    .toSorted();
  const old = backups.slice(0, Math.max(0, backups.length - keep)).map((name) => join(folder, name));
  for (const path of old) unlinkSync(path);
  return old;
}

async function restore(from: string, session: Session): Promise<number> {
  const { output } = session;
  const { databaseUrl, dataDir } = session.config();
  const ownerUrl = databaseUrl && ownerUrlOf(session);
  if (databaseUrl === undefined && existsSync(join(dataDir, 'database')))
    throw new CommandError(
      `There is a database in ${dataDir}. A restore needs an empty one: move the folder away, or set another DATA_DIR.`,
    );
  const source = sourceOf(from);
  const grants = databaseUrl !== undefined && ownerUrl !== undefined ? grantsTo(roleOf(databaseUrl)) : undefined;
  const database = await session.open({
    databaseUrl: ownerUrl ?? databaseUrl,
    dataDir,
    logger: openingLogger(session),
  });
  const restored = await restoreBackup(database, partsOf(source), {
    ...(grants && { finish: grants }),
    onTable: (table, rows) => output.progress(`${table}: ${counted(rows, 'row')}`),
  })
    .finally(() => database.close())
    .catch((error: unknown) => {
      // This command made the folder. Left behind, it would refuse the next try.
      if (databaseUrl === undefined) rmSync(join(dataDir, 'database'), { recursive: true, force: true });
      throw error;
    });
  output.out(`Restored ${from === STREAM ? 'the backup' : from}. Every row was read back and compared.`);
  for (const line of linesOf(restored.manifest)) output.out(line);
  if (restored.migrations.length > 0) output.out(`Applied ${restored.migrations.join(', ')} after it.`);
  output.out('Follow "After a restore" in docs/operate.md before you start the cashier.');
  return soundness(restored.manifest);
}

function grantsTo(application: ReturnType<typeof roleOf>): NonNullable<MigrateOptions['finish']> {
  return async (transaction) => {
    await ensureApplicationRole(transaction, application);
    await grantToApplication(transaction, application.role);
  };
}

async function verify(file: string, isSumsOnly: boolean, session: Session): Promise<number> {
  const { output } = session;
  const source = sourceOf(file);
  if (isSumsOnly) {
    for await (const part of partsOf(source)) {
      if (part.kind !== 'manifest') continue;
      for (const line of linesOf(part.manifest)) output.out(line);
      output.out('The sums of the file are right. Run verify without --sums-only to prove that it can be restored.');
      return soundness(part.manifest);
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'cashier-verify-'));
  try {
    const database = await session.open({ dataDir: folder, logger: openingLogger(session) });
    const { manifest } = await restoreBackup(database, partsOf(source)).finally(() => database.close());
    for (const line of linesOf(manifest)) output.out(line);
    output.out('The backup can be restored: it was, into a database that is deleted again. Every row agrees.');
    return soundness(manifest);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isFolder(place: string): boolean {
  return place !== STREAM && statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}

function sourceOf(place: string): string | typeof process.stdin {
  if (place === STREAM) return process.stdin;
  if (!existsSync(place)) throw new CommandError(`There is no file ${place}.`);
  return place;
}

/** What a backup holds, a line each. */
function linesOf({ at, version, tables, totals, audit }: Manifest): string[] {
  const counts = Object.values(tables).map(({ rows }) => rows);
  const sum = counts.reduce((left, right) => left + right, 0);
  return [
    `Backup of ${at}, by version ${version}: ${counted(counts.length, 'table')}, ${counted(sum, 'row')}, of them ${counted(tables['deposit']?.rows ?? 0, 'deposit')}, ${counted(tables['withdrawal']?.rows ?? 0, 'withdrawal')} and ${counted(tables['journal']?.rows ?? 0, 'journal')}.`,
    ...balancesOf(totals),
    audit === undefined
      ? 'The ledger was not audited.'
      : audit.isSound
        ? 'The audit found the ledger sound.'
        : `The audit found ${counted(audit.faults, 'fault')} in the ledger. Run opencashier audit --full.`,
  ];
}

/** In minor units, because a backup does not say how many of them make a major one. */
function balancesOf(totals: readonly LedgerTotal[]): string[] {
  const assets = [...new Set(totals.map(({ asset }) => asset))];
  return assets.map((asset) => {
    const owed = totals.filter((total) => total.asset === asset && total.balance !== null);
    const sum = owed.reduce((left, { balance }) => left + BigInt(balance ?? 0), 0n);
    return `Balances of users in ${asset}: ${sum} minor units in ${owed.reduce((left, { accounts }) => left + accounts, 0)} accounts.`;
  });
}
