/** `catalogue apply|export|history|rollback`: an operator's whole catalogue as a file, and its versions. */
import type { Command } from '@commander-js/extra-typings';
import type { OwnCatalogue } from '@opencashier/contract/operator';
import { changeItem, changeSettings, ownOf, previewOf, rollbackSettings } from '../catalogue/change-settings.ts';
import { differenceLine } from '../catalogue/own/catalogue-differences.ts';
import { faultsOfFile } from '../catalogue/own/file-faults.ts';
import { type OwnFile, readOwnFile, writeOwnFile } from '../catalogue/own/own-file.ts';
import { wholeCatalogue } from '../catalogue/own/own-view.ts';
import { readChanges, readSettings } from '../catalogue/settings-store.ts';
import type { ShippedCatalogue } from '../catalogue/shipped-catalogue.ts';
import { counted } from '../languages/counted.ts';
import { CommandError, type Output, type Session } from './command.ts';
import { actorOf, byOption, jsonOption, operatorArgument, operatorIdOf, print, type Row } from './listing.ts';
import { exportComment, faultsError, historyLength, readText, versionOf } from './settings-files.ts';

type ShippedOf = () => ShippedCatalogue;

export function addCatalogueFileCommands(catalogue: Command, session: Session, shippedOf: ShippedOf): void {
  addApply(catalogue, session, shippedOf);
  addExport(catalogue, session, shippedOf);
  addVersions(catalogue, session, shippedOf);
}

function addApply(catalogue: Command, session: Session, shippedOf: ShippedOf): void {
  const { output, withDatabase } = session;
  catalogue
    .command('apply')
    .description('replaces the operator’s own catalogue with that of a YAML file, all or nothing')
    .argument(...operatorArgument)
    .argument('<file>', 'as in docs/catalogue.md')
    .option('--dry-run', 'prints what would change, and changes nothing')
    .option('--base-version <number>', 'refuses when the catalogue has another version by now')
    .option(...byOption)
    .action((partnerKey, file, { dryRun = false, baseVersion, by }) => {
      const { by: staff } = actorOf(by);
      const shipped = shippedOf();
      const read = readFile(file, shipped);
      const base = baseVersion === undefined ? read.baseVersion : versionOf('--base-version', baseVersion);
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const before = await readSettings(database, operatorId);
        const version = base ?? before.version;
        const { differences, warnings } = previewOf(shipped, before.settings, read.catalogue);
        for (const difference of differences) output.out(differenceLine(difference));
        if (dryRun && version !== before.version) throw new CommandError(staleWords(version, before.version));
        if (dryRun || differences.length === 0) {
          output.out(
            differences.length === 0
              ? 'Nothing changes.'
              : `${counted(differences.length, 'difference')}. Nothing was changed.`,
          );
        } else {
          const change = { kind: 'all', settings: read.catalogue } as const;
          const after = await changeSettings(database, shipped, operatorId, { version, staff, change });
          sayVersion(output, partnerKey, after.version);
        }
        for (const warning of warnings) output.error(`Warning: ${warning}`);
        return 0;
      });
    });
}

function addExport(catalogue: Command, { output, withDatabase }: Session, shippedOf: ShippedOf): void {
  catalogue
    .command('export')
    .description('prints the operator’s own catalogue as a file for `catalogue apply`')
    .argument(...operatorArgument)
    .option('--full', 'prints every country, group and method, also as shipped')
    .action((partnerKey, { full = false }) =>
      withDatabase(async (database) => {
        const stored = await readSettings(database, await operatorIdOf(database, partnerKey));
        const { version, settings } = stored;
        const own: OwnCatalogue = full ? wholeCatalogue(shippedOf(), settings) : ownOf(settings);
        const comment = exportComment('Catalogue', partnerKey, stored);
        output.out(writeOwnFile(own, version, comment).trimEnd());
        return 0;
      }),
    );
}

function addVersions(catalogue: Command, { output, withDatabase }: Session, shippedOf: ShippedOf): void {
  catalogue
    .command('history')
    .description(`lists the last ${historyLength} versions: who made them, and when`)
    .argument(...operatorArgument)
    .option(...jsonOption)
    .action((partnerKey, { json = false }) =>
      withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const changes = await readChanges(database, operatorId, { before: undefined, limit: historyLength });
        print(output, changes.map(changeItem), changeRow, json);
        return 0;
      }),
    );
  catalogue
    .command('rollback')
    .description('makes a new version with the settings of an earlier one; version 0 is the shipped catalogue')
    .argument(...operatorArgument)
    .argument('<version>', 'a version of `catalogue history`')
    .option(...byOption)
    .action((partnerKey, wanted, { by }) => {
      const { by: staff } = actorOf(by);
      const to = versionOf('<version>', wanted);
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const { version } = await readSettings(database, operatorId);
        const after = await rollbackSettings(database, shippedOf(), operatorId, { version, staff, to });
        sayVersion(output, partnerKey, after.version);
        return 0;
      });
    });
}

function sayVersion(output: Output, partnerKey: string, version: number): void {
  output.out(`The catalogue of ${partnerKey} now has version ${version}. The cashier applies it at once.`);
}

/** @throws UsageError for an unreadable file; CommandError that lists every fault with its place */
function readFile(file: string, shipped: ShippedCatalogue): Extract<OwnFile, { kind: 'read' }> {
  const read = readOwnFile(readText(file));
  const faults = faultsOfFile(shipped, read);
  if (read.kind === 'read' && faults.length === 0) return read;
  throw faultsError(file, faults);
}

function staleWords(base: number, now: number): string {
  return `The file is based on version ${base}, but the catalogue has version ${now}. Export it again, then repeat the change.`;
}

function changeRow({ version, staff, at, methods, groups, countries }: ReturnType<typeof changeItem>): Row {
  return {
    version,
    by: staff,
    at,
    methods: Object.keys(methods).length,
    groups: Object.keys(groups).length,
    countries: Object.keys(countries ?? {}).length,
  };
}
