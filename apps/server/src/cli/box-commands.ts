/** `boxes …`: the coin boxes of an operator, through the same functions as the operator API (SWP-1). */
import { boxIdSchema } from '@opencashier/contract/api';
import * as v from 'valibot';
import { issueWords } from '../requests/issue-words.ts';
import { type BoxTerms, boxTermsSchema } from '../sweepstake/box-schemas.ts';
import { BoxTakenError, boxesOf, changeBox, operatorView } from '../sweepstake/box-store.ts';
import { type AddCommands, CommandError, UsageError } from './command.ts';
import { actorOf, byOption, jsonOption, operatorArgument, operatorIdOf, print, type Row } from './listing.ts';
import { readJson } from './settings-files.ts';

export const addBoxCommands: AddCommands = (program, { output, withDatabase }) => {
  const boxes = program.command('boxes').description('the coin boxes that an operator sells');
  boxes
    .command('list', { isDefault: true })
    .description('lists the boxes, also those that are not on sale now')
    .argument(...operatorArgument)
    .option(...jsonOption)
    .action((partnerKey, { json = false }) =>
      withDatabase(async (database) => {
        const rows = await boxesOf(database, await operatorIdOf(database, partnerKey));
        print(output, rows.map(operatorView), boxRow, json);
        return 0;
      }),
    );
  boxes
    .command('put')
    .description('puts a box on sale, or changes it; bought boxes do not change')
    .argument(...operatorArgument)
    .argument('<box>', 'id of the box')
    .argument('<file>', 'JSON such as {"price":"10","currency":"USD","gold":"1000","sweep":"10"}')
    .option(...byOption)
    .action((partnerKey, boxId, file, { by }) => {
      const actor = actorOf(by);
      if (!v.is(boxIdSchema, boxId)) throw new UsageError('The id of a box has 1 to 64 letters, digits, - and _.');
      const terms = termsOf(file);
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const made = await changeBox(database, operatorId, boxId, actor, terms).catch((error: unknown) => {
          throw error instanceof BoxTakenError ? new CommandError(error.message, { cause: error }) : error;
        });
        print(output, [operatorView(made)], boxRow, false);
        return 0;
      });
    });
};

const boxRow = (box: ReturnType<typeof operatorView>): Row => ({ ...box });

/** @throws UsageError for a file that holds no terms of a box */
function termsOf(file: string): BoxTerms {
  const read = v.safeParse(boxTermsSchema, readJson(file));
  if (read.success) return read.output;
  const faults = read.issues.map((issue) => `${v.getDotPath(issue) ?? file}: ${issueWords(issue, boxTermsSchema)}`);
  throw new UsageError([`${file} is no box:`, ...faults].join('\n'));
}
