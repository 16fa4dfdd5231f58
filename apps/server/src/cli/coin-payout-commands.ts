/** Commands for coin payouts that are being checked (WD-2). */
import { paymentIdSchema } from '@opencashier/contract/api';
import * as v from 'valibot';
import {
  type CheckedPayout,
  checkedPayouts,
  decidePayout,
  PayoutDecisionError,
} from '../providers/crypto/payouts/decide-payout.ts';
import { type AddCommands, CommandError, UsageError } from './command.ts';
import { operatorArgument, operatorIdOf, print, type Row } from './listing.ts';

const payoutArgument = ['<withdrawal>', 'id of the withdrawal, from `coin-payouts checked`'] as const;
const MOST_LISTED = 200;
const DECISIONS = {
  again: 'asks the signer for the same transaction again, or for a new one where the first can never be mined',
  release: 'lets other payouts use its nonce or coins; afterwards it can be paid again or declined',
  decline: 'ends a payout that has not begun or can never be mined; its amount returns to the balance',
} as const;

export const addCoinPayoutCommands: AddCommands = (program, { output, withDatabase }) => {
  const payouts = program.command('coin-payouts').description('payouts of coins that are being checked');
  payouts
    .command('checked')
    .description('lists payouts that the signer refused, or whose nonce or coins were spent by another transaction')
    .argument(...operatorArgument)
    .option('--json', 'as JSON')
    .action((partnerKey, { json = false }) =>
      withDatabase(async (database) => {
        const found = await checkedPayouts(database, await operatorIdOf(database, partnerKey), MOST_LISTED);
        print(output, found, rowOf, json);
        return 0;
      }),
    );
  for (const [decision, description] of Object.entries(DECISIONS) as [keyof typeof DECISIONS, string][]) {
    payouts
      .command(decision)
      .description(description)
      .argument(...operatorArgument)
      .argument(...payoutArgument)
      .requiredOption('--by <name>', 'who decides')
      .option(
        '--looked-up',
        'the transaction that spent the nonce or the coins was looked up, and does not pay this payout',
      )
      .action((partnerKey, withdrawalId, { by, lookedUp: hasLooked = false }) => {
        if (!v.is(paymentIdSchema, withdrawalId))
          throw new UsageError('Give the id of a withdrawal, from `coin-payouts checked`.');
        return withDatabase(async (database) => {
          const operatorId = await operatorIdOf(database, partnerKey);
          try {
            const state = await decidePayout(database, { operatorId, withdrawalId, decision, by, hasLooked });
            output.out(`The payout is ${state}.`);
            return 0;
          } catch (error) {
            if (error instanceof PayoutDecisionError) throw new CommandError(error.message);
            throw error;
          }
        });
      });
  }
};

function rowOf({ withdrawalId, chain, coin, state, reason, fate }: CheckedPayout): Row {
  return { withdrawal: withdrawalId, chain, coin, state, reason: reason ?? '', slot: fate };
}
