/** `show`: one deposit or withdrawal with everything that belongs to it, by time (SRV-1, SRV-3). */
import type { TransactionDetail } from '@opencashier/contract/operator';
import { isUuid } from '../database/uuid.ts';
import { DomainError } from '../errors/domain-error.ts';
import { transactionDetail } from '../operator-api/lookup/transaction-detail.ts';
import { listOperators } from '../operators/manage-operators.ts';
import { type AddCommands, CommandError, type Output, UsageError } from './command.ts';
import { noSuchOperator } from './listing.ts';

export const addShowCommand: AddCommands = (program, session) => {
  program
    .command('show')
    .description(
      'shows a deposit or withdrawal with its attempts, payments, refunds, disputes, journals and webhooks, by time',
    )
    .argument('<id>', 'id of a deposit or withdrawal')
    .option('--operator <operator>', 'only a payment of this operator')
    .option('--json', 'one line of JSON')
    .action(async (name, { operator, json = false }) => {
      const id = name.toLowerCase();
      if (!isUuid(id)) throw new UsageError('The id is a UUID. Run `find` to search by another name.');
      const { output } = session;
      let found = 0;
      let isKnown = operator === undefined;
      const silent = await session.withEachCell(async (database) => {
        const all = await listOperators(database);
        // Another cell may have the operator.
        const asked = operator === undefined ? all : all.filter(({ partnerKey }) => partnerKey === operator);
        isKnown ||= asked.length > 0;
        for (const { id: operatorId } of asked) {
          const detail = await transactionDetail(database, operatorId, id).catch((error: unknown) => {
            if (error instanceof DomainError && error.code === 'not-found') return undefined;
            throw error;
          });
          if (detail === undefined) continue;
          found += 1;
          if (json) output.out(JSON.stringify(detail));
          else printDetail(output, detail);
        }
      });
      if (operator !== undefined && !isKnown && silent.length === 0) throw noSuchOperator(operator);
      if (found === 0 && silent.length === 0) throw new CommandError(`There is no deposit or withdrawal ${id}.`);
      session.exitWith(found === 0 || silent.length > 0 ? 1 : 0);
    });
};

function printDetail(output: Output, detail: TransactionDetail): void {
  const { type, id, amount, currency, state, operator, userId, paymentMethod, provider, reference, review } = detail;
  output.out(`${type} ${id}: ${amount} ${currency}, ${state}`);
  output.out(`  operator ${operator}, user ${userId}, ${paymentMethod} by ${provider}`);
  if (reference !== undefined) output.out(`  reference ${reference}`);
  if (review !== undefined) output.out(`  under review: ${review}`);
  for (const { at, kind, text } of detail.timeline) output.out(`  ${at}  ${kind.padEnd(8)} ${text}`);
}
