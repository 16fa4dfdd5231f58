/** `history`: every change of an operator's settings (SRV-1). */
import { type SettingChangePage, settingChangeQuerySchema } from '@opencashier/contract/operator';
import { settingChangePage } from '../operator-api/settings/settings-handlers.ts';
import { changedSettingNames } from '../operators/setting-history.ts';
import type { AddCommands, Output } from './command.ts';
import { operatorArgument, operatorIdOf, printJson, printMore, readOptions, withPages } from './listing.ts';

export const addHistoryCommand: AddCommands = (program, { output, withDatabase }) => {
  withPages(program.command('history').argument(...operatorArgument))
    .description('lists every change of a setting, the newest first: who, when, before and after')
    .option('--setting <name>', 'only changes of this setting, such as approvals or "user 42"')
    .action((partnerKey, { json = false, ...filter }) => {
      const query = readOptions(settingChangeQuerySchema, filter);
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const page = await settingChangePage(database, operatorId, query);
        if (json) printJson(output, page.changes, page.nextCursor);
        else printChanges(output, page);
        if (page.changes.length === 0 && query.setting !== undefined) {
          const names = await changedSettingNames(database, operatorId);
          output.error(`No setting ${query.setting} was changed. These were: ${names.join(', ')}.`);
        }
        return 0;
      });
    });
};

/** A block for each change. A table would make every line as long as the longest value. */
function printChanges(output: Output, { changes, nextCursor }: SettingChangePage): void {
  if (changes.length === 0) output.out('None.');
  for (const { at, setting, by, keyId, before, after } of changes) {
    output.out(`${at}  ${setting}  by ${by}${keyId === undefined ? '' : `, key ${keyId}`}`);
    output.out(`  before  ${shown(before)}`);
    output.out(`  after   ${shown(after)}`);
  }
  if (nextCursor !== undefined) printMore(output, nextCursor);
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? '–';
}
