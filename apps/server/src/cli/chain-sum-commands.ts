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
        let chains = 0;
        let faults = 0;
        // A chain that was ended is said at once, also when a later one fails.
        for await (const { chain, wrong, leftWrongly } of recountSums(database, correct)) {
          chains += 1;
          faults += wrong.length + leftWrongly;
          for (const { operatorId, wallet, contract, part, kept, counted } of wrong) {
            const place = [chain, operatorId, wallet, contract].filter((name) => name !== '').join(' ');
            output.out(`${place}: ${PARTS[part]}: ${kept} is kept, and ${counted} was counted.`);
          }
          if (leftWrongly > 0) output.out(`${chain}: ${leftWrongly} payments are compared no more, and should be.`);
          const isRight = wrong.length === 0 && leftWrongly === 0;
          output.out(`${chain}: ${isRight ? 'right' : correct ? 'corrected' : 'NOT right. --correct corrects it'}.`);
        }
        if (chains === 0) output.out('No chain was counted yet. The first comparison of a chain counts it.');
        return faults === 0 ? 0 : 1;
      }),
    );
};
