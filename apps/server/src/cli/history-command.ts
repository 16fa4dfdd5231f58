/** `history`: every change of an operator's settings (SRV-1). */
import { settingChangeQuerySchema } from '@opencashier/contract/operator';
import { settingChangePage } from '../operator-api/settings/settings-handlers.ts';
import type { AddCommands } from './command.ts';
import { operatorArgument, operatorIdOf, print, readOptions, withPages } from './listing.ts';

export const addHistoryCommand: AddCommands = (program, { output, withDatabase }) => {
  withPages(program.command('history').argument(...operatorArgument))
    .description('lists every change of a setting, the newest first: who, when, before and after')
    .option('--setting <name>', 'only changes of this setting, such as approvals or "user 42"')
    .action((partnerKey, { json = false, ...filter }) => {
      const query = readOptions(settingChangeQuerySchema, filter);
      return withDatabase(async (database) => {
        const page = await settingChangePage(database, await operatorIdOf(database, partnerKey), query);
        const rows = page.changes.map(({ at, setting, by, keyId, before, after }) => ({
          at,
          setting,
          by,
          key: keyId,
          before: JSON.stringify(before),
          after: JSON.stringify(after),
        }));
        if (json) for (const change of page.changes) output.out(JSON.stringify(change));
        print(output, json ? [] : rows, json, page.nextCursor);
        return 0;
      });
    });
};
