/** Commands that list operators, transactions and deliveries of webhooks (SRV-1, SRV-5). */

import {
  type Delivery,
  deliveryQuerySchema,
  type KnownWalletCall,
  type TransactionPage,
  transactionQuerySchema,
  walletCallQuerySchema,
} from '@opencashier/contract/operator';
import { transactionPage } from '../operator-api/lookup/transaction-page.ts';
import { walletCallPage } from '../operator-wallet/wallet-records.ts';
import { listOperators, type OperatorSummary, shownAddress } from '../operators/manage-operators.ts';
import { deliveryPage } from '../webhooks/delivery-records.ts';
import type { AddCommands } from './command.ts';
import { jsonOption, operatorArgument, operatorIdOf, print, type Row, readOptions, withPages } from './listing.ts';

export const addListCommands: AddCommands = (program, { output, withDatabase }) => {
  const list = program
    .command('list')
    .description('operators, transactions, deliveries of webhooks and calls to wallets');
  list
    .command('operators', { isDefault: true })
    .description('lists the operators')
    .option(...jsonOption)
    .action(({ json = false }) =>
      withDatabase(async (database) => {
        print(output, (await listOperators(database)).map(operatorItem), operatorRow, json);
        return 0;
      }),
    );
  withPages(list.command('transactions').argument(...operatorArgument))
    .description('lists deposits and withdrawals, the newest first')
    .option('--user <id>')
    .option('--status <status>')
    .option('--type <type>', 'deposit or withdrawal')
    .option('--from <date>')
    .option('--to <date>')
    .action((partnerKey, { json = false, user, ...filter }) => {
      const query = readOptions(transactionQuerySchema, { ...filter, ...(user !== undefined && { userId: user }) });
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const { transactions, nextCursor } = await transactionPage(database, operatorId, query);
        print(output, transactions, transactionRow, json, nextCursor);
        return 0;
      });
    });
  withPages(list.command('deliveries').argument(...operatorArgument))
    .description('lists deliveries of webhooks, the newest first')
    .option('--status <status>')
    .option('--type <type>', 'type of the event, such as deposit.processed')
    .option('--from <date>')
    .option('--to <date>')
    .action((partnerKey, { json = false, ...filter }) => {
      const query = readOptions(deliveryQuerySchema, filter);
      return withDatabase(async (database) => {
        const { deliveries, nextCursor } = await deliveryPage(
          database,
          await operatorIdOf(database, partnerKey),
          query,
        );
        print(output, deliveries, deliveryRow, json, nextCursor);
        return 0;
      });
    });
  withPages(list.command('wallet-calls').argument(...operatorArgument))
    .description(
      'lists calls to the operator’s wallet whose outcome is unknown, or all of one payment; the oldest first',
    )
    .option('--deposit <id>')
    .option('--withdrawal <id>')
    .action((partnerKey, { json = false, deposit, withdrawal, ...paging }) => {
      const payment = { ...(deposit && { depositId: deposit }), ...(withdrawal && { withdrawalId: withdrawal }) };
      const filter = Object.keys(payment).length === 0 ? { state: 'waiting' } : payment;
      const query = readOptions(walletCallQuerySchema, { ...paging, ...filter });
      return withDatabase(async (database) => {
        const { calls, nextCursor } = await walletCallPage(database, await operatorIdOf(database, partnerKey), query);
        print(output, calls, callRow, json, nextCursor);
        return 0;
      });
    });
};

function operatorItem({ partnerKey, name, origins, webhookUrl, switchedOffSince, keys, ...own }: OperatorSummary) {
  return {
    operator: partnerKey,
    name,
    origins,
    ...(webhookUrl !== null && { webhookUrl: shownAddress(webhookUrl) }),
    ...(switchedOffSince !== null && { switchedOffSince: switchedOffSince.toISOString() }),
    wallet: own.walletMode,
    ...(own.walletUrl !== null && { walletUrl: shownAddress(own.walletUrl) }),
    keys,
  };
}

function operatorRow({
  operator,
  name,
  origins,
  webhookUrl,
  switchedOffSince,
  wallet,
  walletUrl,
  keys,
}: ReturnType<typeof operatorItem>): Row {
  return {
    operator,
    name,
    origins: origins.join(','),
    webhooks: webhookUrl,
    wallet,
    'wallet address': walletUrl,
    'off since': switchedOffSince,
    keys,
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

function callRow(call: KnownWalletCall): Row {
  return {
    id: call.callId,
    type: call.type,
    reason: call.reason,
    user: call.userId,
    amount: call.amount,
    currency: call.currency,
    payment: call.depositId ?? call.withdrawalId,
    state: call.state,
    tries: call.tries,
    why: call.why ?? call.code,
    next: call.next,
    created: call.created,
  };
}
