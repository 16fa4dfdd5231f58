/** Commands by which staff approve or decline withdrawals (SRV-1). */

import { randomUUID } from 'node:crypto';
import { paymentIdSchema } from '@opencashier/contract/api';
import {
  type AwaitingPage,
  approveRequestSchema,
  awaitingQuerySchema,
  declineRequestSchema,
} from '@opencashier/contract/operator';
import * as v from 'valibot';
import { awaitingPage } from '../operator-api/money/approvals.ts';
import { recordWithdrawalDecision } from '../withdrawals/withdrawal-decision.ts';
import { type AddCommands, type Session, UsageError } from './command.ts';
import { operatorArgument, operatorIdOf, print, type Row, readOptions, withPages } from './listing.ts';

const withdrawalArgument = ['<withdrawal>', 'id of the withdrawal, from `withdrawals awaiting`'] as const;

export const addWithdrawalCommands: AddCommands = (program, session) => {
  const { output, withDatabase } = session;
  const withdrawals = program.command('withdrawals').description('withdrawals that wait for approval');
  withPages(withdrawals.command('awaiting').argument(...operatorArgument))
    .description('lists withdrawals that wait for approval, the oldest first')
    .option('--user <id>')
    .option('--currency <code>')
    .option('--method <name>')
    .option('--from <date>')
    .option('--to <date>')
    .action((partnerKey, { json = false, user, method, ...filter }) => {
      const query = readOptions(awaitingQuerySchema, {
        awaiting: 'approval',
        ...filter,
        ...(user !== undefined && { userId: user }),
        ...(method !== undefined && { paymentMethod: method }),
      });
      return withDatabase(async (database) => {
        const page = await awaitingPage(database, await operatorIdOf(database, partnerKey), query);
        print(output, page.withdrawals, awaitingRow, json, page.nextCursor);
        return 0;
      });
    });
  withdrawals
    .command('approve')
    .description('approves a withdrawal; the running cashier then pays it out')
    .argument(...operatorArgument)
    .argument(...withdrawalArgument)
    .requiredOption('--by <name>', 'who decides')
    .option('--reason <text>', 'why')
    .action((partnerKey, id, options) => decide(session, partnerKey, id, 'approve', options));
  withdrawals
    .command('decline')
    .description('declines a withdrawal; its amount returns to the balance')
    .argument(...operatorArgument)
    .argument(...withdrawalArgument)
    .requiredOption('--by <name>', 'who decides')
    .requiredOption('--reason <text>', 'why')
    .action((partnerKey, id, options) => decide(session, partnerKey, id, 'decline', options));
};

/** @throws UsageError if an option or the id is not valid */
function decide(
  { output, withDatabase }: Session,
  partnerKey: string,
  withdrawalId: string,
  decision: 'approve' | 'decline',
  { by: decidedBy, reason }: { readonly by: string; readonly reason?: string },
): Promise<void> {
  if (!v.is(paymentIdSchema, withdrawalId)) {
    throw new UsageError('Give the id of a withdrawal, from `withdrawals awaiting`.');
  }
  const schema = decision === 'approve' ? approveRequestSchema : declineRequestSchema;
  const request = readOptions(schema, {
    decisionId: randomUUID(),
    decidedBy,
    ...(reason !== undefined && { reason }),
  });
  return withDatabase(async (database) => {
    const operatorId = await operatorIdOf(database, partnerKey);
    const { row, isLast } = await recordWithdrawalDecision(
      { database },
      { operatorId, withdrawalId, decision, ...request },
    );
    if (decision === 'decline') output.out('Declined. The amount is back on the user’s balance.');
    else if (isLast) output.out('Approved. The running cashier sends it to the provider within seconds.');
    else output.out(`Approved, 1 of ${row.approvalsNeeded}: a second person must approve it too.`);
    return 0;
  });
}

function awaitingRow(one: AwaitingPage['withdrawals'][number]): Row {
  return {
    withdrawal: one.withdrawalId,
    user: one.userId,
    amount: one.amount,
    currency: one.currency,
    method: one.paymentMethod,
    to: one.destination.map(({ value }) => value).join(', '),
    approved: `${one.approvals.length} of ${one.approvalsNeeded}`,
    because: one.because,
    by: one.approvals.map(({ decidedBy }) => decidedBy).join(', ') || undefined,
    since: one.since,
    expires: one.expires,
  };
}
