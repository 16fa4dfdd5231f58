/** Commands that look into the books, and the one that sends a web-hook again. */
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { listOperators, type OperatorSummary } from '../operators/manage-operators.ts';
import { transactionPage } from '../operators/operator-reports.ts';
import { type TransactionPage, transactionQuerySchema } from '../operators/operator-schemas.ts';
import { deliveryPage, replayDelivery } from '../webhooks/delivery-records.ts';
import { type Delivery, deliveryQuerySchema } from '../webhooks/operator-schemas.ts';
import { type Command, CommandError, UsageError } from './command.ts';
import { operatorIdOf, print, type Row, readOptions } from './listing.ts';
import { onlyPositional } from './operator-commands.ts';

const filterOptions = {
  user: { type: 'string' },
  status: { type: 'string' },
  type: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  limit: { type: 'string' },
  cursor: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** `list operators`, `list transactions <partnerKey>`, `list deliveries <partnerKey>`. */
export const listCommand: Command = ({ args, output }) => {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: filterOptions });
  const { json = false, user: userId, ...others } = values;
  const filter = { ...others, ...(userId !== undefined && { userId }) };
  const [what = 'operators', ...rest] = positionals;
  if (what === 'operators') {
    if (rest.length > 0 || Object.keys(filter).length > 0) throw new UsageError('`list operators` takes nothing more.');
    return async (database) => {
      print(output, (await listOperators(database)).map(operatorRow), json);
      return 0;
    };
  }
  const partnerKey = (): string => onlyPositional(rest, 'the public name of the operator');
  if (what === 'transactions') {
    const name = partnerKey();
    const query = readOptions(transactionQuerySchema, filter);
    return async (database) => {
      const { transactions, nextCursor } = await transactionPage(database, await operatorIdOf(database, name), query);
      print(output, transactions.map(transactionRow), json, nextCursor);
      return 0;
    };
  }
  if (what === 'deliveries') {
    const name = partnerKey();
    const query = readOptions(deliveryQuerySchema, filter);
    return async (database) => {
      const { deliveries, nextCursor } = await deliveryPage(database, await operatorIdOf(database, name), query);
      print(output, deliveries.map(deliveryRow), json, nextCursor);
      return 0;
    };
  }
  throw new UsageError('List operators, transactions <operator> or deliveries <operator>.');
};

function operatorRow(operator: OperatorSummary): Row {
  return {
    operator: operator.partnerKey,
    name: operator.name,
    origins: operator.origins.join(','),
    // What follows the path may be a secret of the receiver.
    'web-hooks': operator.webhookUrl?.replace(/[?#].*/, ''),
    'off since': operator.switchedOffSince?.toISOString(),
    keys: operator.keys,
  };
}

function transactionRow(transaction: TransactionPage['transactions'][number]): Row {
  return {
    type: transaction.type,
    id: transaction.type === 'deposit' ? transaction.depositId : transaction.withdrawalId,
    user: transaction.userId,
    amount: transaction.amount,
    currency: transaction.currency,
    method: transaction.paymentMethod,
    status: transaction.status,
    state: transaction.state,
    created: transaction.created,
  };
}

function deliveryRow(delivery: Delivery): Row {
  return {
    id: delivery.id,
    type: delivery.type,
    status: delivery.status,
    attempts: delivery.attempts,
    last: delivery.lastAttempt?.status ?? delivery.lastAttempt?.error,
    next: delivery.nextAttempt,
    created: delivery.created,
  };
}

/** `replay <delivery>`. */
export const replayCommand: Command = ({ args, output }) => {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} });
  const id = onlyPositional(positionals, 'the id of a delivery, from `list deliveries`');
  if (!v.is(v.pipe(v.string(), v.uuid()), id)) throw new UsageError('The id of a delivery is a UUID.');
  return async (database) => {
    const [row] = await database.query<{ operator_id: string }>({
      text: 'select operator_id from webhook_delivery where id = $1',
      values: [id],
    });
    const replay = row === undefined ? 'unknown' : await replayDelivery(database, row.operator_id, id);
    if (replay === 'unknown') throw new CommandError(`There is no delivery ${id}.`);
    if (replay === 'not-kept') throw new CommandError('It carried a code, which is not kept.');
    output.out(`${replay.type} ${replay.id} will be sent again by the running cashier, under the same web-hook id.`);
    return 0;
  };
};

/** `audit`: exit code 1 where the ledger is unsound (SRV-2). */
export const auditCommand: Command = ({ args, output }) => {
  parseArgs({ args: [...args], options: {} });
  return async (database) => {
    const audit = await database.transaction(async (transaction) => {
      // One state of the books for all the sums, and the time that a big ledger takes.
      await transaction.query({ text: 'set transaction isolation level repeatable read, read only' });
      await transaction.query({ text: 'set local statement_timeout = 0' });
      return auditLedger(transaction);
    });
    for (const { operatorId, asset, sum } of audit.unbalancedAssets) {
      output.out(`The postings of ${operatorId} in ${asset} sum to ${sum}, not to zero.`);
    }
    for (const { accountId, balance, sum } of audit.wrongBalances) {
      output.out(`Account ${accountId} says ${balance}; its postings sum to ${sum}.`);
    }
    for (const id of audit.uncreditedDeposits) output.out(`Deposit ${id} is not credited by exactly one journal.`);
    for (const { rule, subject } of audit.faults) output.out(`${subject} breaks the rule ${rule}.`);
    output.out(audit.isSound ? 'The ledger is sound.' : 'The ledger is NOT sound.');
    return audit.isSound ? 0 : 1;
  };
};
