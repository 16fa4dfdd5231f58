/** `player-funds`: what is owed to users, and where the money is (SRV-2). */
import { playerFundsQuery } from '@opencashier/contract/operator';
import { playerFunds } from '../settlements/player-funds.ts';
import type { AddCommands } from './command.ts';
import { jsonOption, operatorArgument, operatorIdOf, print, readOptions } from './listing.ts';

export const addFundsCommand: AddCommands = (program, { output, withDatabase }) => {
  program
    .command('player-funds')
    .description('what is owed to users and where the money is, by currency; exit code 1 if money is missing')
    .argument(...operatorArgument)
    .option('--at <time>', 'as of this time, such as 2026-01-31T23:59:59Z; default: now')
    .option(...jsonOption)
    .action((partnerKey, { json = false, ...options }) => {
      const { at } = readOptions(playerFundsQuery, options);
      return withDatabase(async (database) => {
        const funds = await playerFunds(database, await operatorIdOf(database, partnerKey), at);
        const rowOf = ({
          owedToUsers,
          inReview,
          bank,
          inTransit,
          surplus,
          currency,
        }: (typeof funds.currencies)[number]) => ({
          currency,
          owed: owedToUsers,
          review: inReview,
          bank,
          transit: inTransit,
          surplus,
        });
        print(output, funds.currencies, rowOf, json);
        output.progress(`As of ${funds.at}.`);
        return funds.currencies.some(({ surplus }) => surplus.startsWith('-')) ? 1 : 0;
      });
    });
};
