/** Commands about accounts that a debt has frozen (SRV-1). */

import { randomUUID } from 'node:crypto';
import { pageQuery, releaseRequestSchema } from '@opencashier/contract/operator';
import { frozenPage, releaseAccountOnce } from '../operator-api/money/frozen-accounts.ts';
import type { AddCommands } from './command.ts';
import { addOperatorList, operatorArgument, operatorIdOf, readOptions } from './listing.ts';

export const addAccountCommands: AddCommands = (program, session) => {
  const accounts = program.command('accounts').description('accounts that a debt has frozen');
  addOperatorList(accounts.command('frozen').description('lists frozen accounts, the oldest first'), session, {
    query: pageQuery,
    page: frozenPage,
    itemsOf: ({ accounts: found }) => found,
    rowOf: ({ userId: user, currency, debt, since }) => ({ user, currency, debt, since }),
  });
  accounts
    .command('release')
    .description('lets money leave a frozen account again; the debt stays')
    .argument(...operatorArgument)
    .argument('<user>', 'id of the user, from `accounts frozen`')
    .argument('<currency>')
    .requiredOption('--by <name>', 'who decides')
    .requiredOption('--reason <text>', 'why')
    .action((partnerKey, userId, currency, { by: decidedBy, reason }) => {
      const request = readOptions(releaseRequestSchema, {
        decisionId: randomUUID(),
        userId,
        currency,
        decidedBy,
        reason,
      });
      return session.withDatabase(async (database) => {
        const made = await releaseAccountOnce(database, await operatorIdOf(database, partnerKey), request);
        session.output.out(
          `Released: money may leave the account again. The user still owes ${made.debt} ${made.currency}.`,
        );
        return 0;
      });
    });
};
