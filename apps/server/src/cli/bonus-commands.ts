/** `bonuses …`: the bonuses that an operator offers, through the same functions as the operator API (BON-1, SRV-1). */
import type { Command } from '@commander-js/extra-typings';
import type { OwnBonus } from '@opencashier/contract/operator';
import { bonusBounds } from '@opencashier/core/bonus/bonus';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { type BonusFile, readBonusFile, writeBonusFile } from '../bonuses/bonus-file.ts';
import { type BonusChange, readBonusChanges, readBonuses } from '../bonuses/bonus-store.ts';
import { bonusDifferences, changeBonuses } from '../bonuses/change-bonuses.ts';
import { differenceLine } from '../catalogue/own/catalogue-differences.ts';
import { counted } from '../languages/counted.ts';
import { type AddCommands, CommandError, type Session } from './command.ts';
import { actorOf, byOption, jsonOption, operatorArgument, operatorIdOf, print, type Row } from './listing.ts';
import { exportComment, faultsError, historyLength, readText } from './settings-files.ts';

export const addBonusCommands: AddCommands = (program, session) => {
  const bonuses = program
    .command('bonuses')
    .description('the bonuses that an operator offers with deposits; the cashier applies changes at once');
  addList(bonuses, session);
  addApply(bonuses, session);
  addExport(bonuses, session);
  addHistory(bonuses, session);
};

function addList(bonuses: Command, { output, withDatabase }: Session): void {
  bonuses
    .command('list', { isDefault: true })
    .description('lists the bonuses, also those that have not begun or have ended')
    .argument(...operatorArgument)
    .option(...jsonOption)
    .action((partnerKey, { json = false }) =>
      withDatabase(async (database) => {
        const stored = await readBonuses(database, await operatorIdOf(database, partnerKey));
        print(output, stored.bonuses, bonusRow, json);
        return 0;
      }),
    );
}

function addApply(bonuses: Command, { output, withDatabase }: Session): void {
  bonuses
    .command('apply')
    .description('replaces all bonuses with those of a YAML or JSON file, all or nothing')
    .argument(...operatorArgument)
    .argument('<file>', 'as in docs/bonuses.md')
    .option('--dry-run', 'prints what would change, and changes nothing')
    .option(...byOption)
    .action((partnerKey, file, { dryRun = false, by }) => {
      const actor = actorOf(by);
      const read = readFile(file);
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const before = await readBonuses(database, operatorId);
        const version = read.baseVersion ?? before.version;
        const differences = bonusDifferences(before.bonuses, read.bonuses);
        for (const difference of differences) output.out(differenceLine(difference));
        if (dryRun && version !== before.version) throw new CommandError(staleWords(version, before.version));
        if (differences.length === 0) output.out('Nothing changes.');
        else if (dryRun) output.out(`${counted(differences.length, 'difference')}. Nothing was changed.`);
        else {
          const change = { version, bonuses: read.bonuses, staff: actor.by };
          const after = await changeBonuses(database, operatorId, change);
          output.out(
            `The bonuses of ${partnerKey} now have version ${after.version}. The cashier applies them at once.`,
          );
        }
        return 0;
      });
    });
}

function addExport(bonuses: Command, { output, withDatabase }: Session): void {
  bonuses
    .command('export')
    .description('prints the bonuses as a file for `bonuses apply`')
    .argument(...operatorArgument)
    .action((partnerKey) =>
      withDatabase(async (database) => {
        const stored = await readBonuses(database, await operatorIdOf(database, partnerKey));
        const comment = exportComment('Bonuses', partnerKey, stored);
        output.out(writeBonusFile(stored.bonuses, stored.version, comment).trimEnd());
        return 0;
      }),
    );
}

function addHistory(bonuses: Command, { output, withDatabase }: Session): void {
  bonuses
    .command('history')
    .description(`lists the last ${historyLength} versions: who made them, and when`)
    .argument(...operatorArgument)
    .option(...jsonOption)
    .action((partnerKey, { json = false }) =>
      withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const changes = await readBonusChanges(database, operatorId, { before: undefined, limit: historyLength });
        print(output, changes, changeRow, json);
        return 0;
      }),
    );
}

/** @throws UsageError for an unreadable file; CommandError that lists every fault with its place */
function readFile(file: string): Extract<BonusFile, { kind: 'read' }> {
  const read = readBonusFile(readText(file));
  if (read.kind === 'faults') throw faultsError(file, read.faults);
  return read;
}

function staleWords(base: number, now: number): string {
  return `The file is based on version ${base}, but the bonuses have version ${now}. Export them again, then repeat the change.`;
}

function bonusRow(bonus: OwnBonus): Row {
  const { id, type, currency, title, startsAt, endsAt, roundMinutes } = bonus;
  const { depositBonusData: money, freespinBonusData: spins } = bonus;
  // A percentage above 100 gives more than `maxBonusAmount`, which caps the deposit.
  const most = bonusBounds(bonus)?.maxBonus.minor;
  const gives =
    money === undefined || most === undefined
      ? `${spins?.count} spins`
      : `${money.percent} %, at most ${toDecimalString(most, decimalsOf(currency))}`;
  const from = money?.minDeposit ?? spins?.minDeposit;
  return { id, type, currency, title: title['en'], gives, from, startsAt, endsAt, roundMinutes };
}

function changeRow({ version, staff, at, bonuses }: BonusChange): Row {
  return { version, by: staff, at: at.toISOString(), bonuses: bonuses.map(({ id }) => id).join(', ') };
}
