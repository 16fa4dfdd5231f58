/** `player-funds`: what is owed to users, and where the money is (SRV-2). */
import { type ChainBalanceView, playerFundsQuery } from '@opencashier/contract/operator';
import { playerFunds } from '../settlements/player-funds.ts';
import type { AddCommands } from './command.ts';
import { jsonOption, operatorArgument, operatorIdOf, print, readOptions } from './listing.ts';

const chainWords = ({
  chain,
  currency,
  notComparedSince,
  found,
  expected,
  lastBlock,
  read,
}: ChainBalanceView): string =>
  notComparedSince !== undefined
    ? `${chain} was not compared since ${notComparedSince}. It had ${found} ${currency} at block ${lastBlock} then, and the ledger expected ${expected}.`
    : `${chain} had ${found} ${currency} at block ${lastBlock} (${read}), and the ledger expected ${expected}.`;

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
          onChain = '',
          notComparedSince,
          inTransit,
          surplus,
          currency,
        }: (typeof funds.currencies)[number]) => ({
          currency,
          owed: owedToUsers,
          review: inReview,
          bank,
          chain: notComparedSince === undefined ? onChain : `${onChain} (not compared since ${notComparedSince})`,
          transit: inTransit,
          surplus,
        });
        print(output, funds.currencies, rowOf, json);
        for (const one of funds.chains) output.progress(chainWords(one));
        output.progress(`As of ${funds.at}.`);
        return funds.currencies.some(({ surplus }) => surplus.startsWith('-')) ? 1 : 0;
      });
    });
};
