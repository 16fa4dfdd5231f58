/** The command that counts all payments of chains again (SRV-1, docs/reconciliation.md#balances-of-chains). */
import { recountSums } from '../settlements/recount-sums.ts';
import type { AddCommands } from './command.ts';

const PARTS = {
  credited: 'credited, in minor units',
  paidOut: 'paid out, in minor units',
  rests: 'parts of minor units, in units of the chain',
  sent: 'sent, in units of the chain',
  cost: 'network fees, in units of the chain',
} as const;

export const addChainSumCommands: AddCommands = (program, { output, withDatabase }) => {
  program
    .command('recount-chains')
    .description('counts all payments of chains again; exit code 1 if a sum that is kept differs')
    .option('--correct', 'keeps what was counted instead')
    .action(({ correct = false }) =>
      withDatabase(async (database) => {
        const wrong = await recountSums(database, correct);
        for (const { chain, operatorId, wallet, contract, part, kept, counted } of wrong) {
          const place = [chain, operatorId, wallet, contract].filter((name) => name !== '').join(' ');
          output.out(`${place}: ${PARTS[part]}: ${kept} is kept, and ${counted} was counted.`);
        }
        if (wrong.length === 0) output.out('The kept sums are right.');
        else output.out(correct ? 'The sums are corrected.' : 'The sums are NOT right. --correct corrects them.');
        return wrong.length === 0 ? 0 : 1;
      }),
    );
};
