/** `find`: finds a payment by any of its names and prints everything that happened to it (SRV-1, SRV-3). */
import { type FoundPayment, lookupQuerySchema } from '@opencashier/contract/operator';
import { counted } from '../languages/counted.ts';
import { findPayments } from '../operator-api/lookup/payment-lookup.ts';
import { destinationMarks } from '../withdrawals/destination-marks.ts';
import type { AddCommands, Output } from './command.ts';
import { dataKeysOf } from './known-data-keys.ts';
import { knownOperatorId, noSuchOperator, readOptions } from './listing.ts';

/** Ends with exit code 1 if no payment has this name. */
export const addFindCommand: AddCommands = (program, session) => {
  program
    .command('find')
    .description('finds payments, and prints everything that happened to them; exit code 1 if there is none')
    .argument('<name>', 'id, reference, transaction hash, address, destination of a withdrawal, or user')
    .option('--operator <operator>', 'only payments of this operator')
    .option('--json', 'a line of JSON for each payment')
    .action(async (name, { operator, json = false }) => {
      const { config, output } = session;
      const { find } = readOptions(lookupQuerySchema, { find: name });
      const keys = dataKeysOf(config());
      const marks = keys === undefined ? [] : destinationMarks(keys, find);
      let found = 0;
      let isKnown = operator === undefined;
      const silent = await session.withEachCell(async (database, cell) => {
        const operatorId = operator === undefined ? undefined : await knownOperatorId(database, operator);
        // Another cell may have the operator.
        if (operator !== undefined && operatorId === undefined) return;
        isKnown = true;
        const { payments, hasMore } = await findPayments(database, operatorId, find, marks);
        found += payments.length;
        if (cell !== undefined && payments.length > 0 && !json) output.out(`cell ${cell}`);
        for (const payment of payments) {
          if (json) output.out(JSON.stringify(cell === undefined ? payment : { cell, ...payment }));
          else printPayment(output, payment);
        }
        if (hasMore) output.error('More payments match. These are the newest.');
      });
      if (operator !== undefined && !isKnown && silent.length === 0) throw noSuchOperator(operator);
      if (found === 0) {
        output.error('No payment was found. Run `reports unmatched` to list events that match no payment.');
      }
      session.exitWith(found === 0 || silent.length > 0 ? 1 : 0);
    });
};

function printPayment(output: Output, payment: FoundPayment): void {
  const { type, id, amount, currency, state, operator, userId, paymentMethod, provider, matchedBy } = payment;
  output.out(`${type} ${id}: ${amount} ${currency}, ${state}`);
  output.out(
    `  found by ${matchedBy.join(', ')}; operator ${operator}, user ${userId}, ${paymentMethod} by ${provider}`,
  );
  const { reference, transaction, addresses, review } = payment;
  if (reference !== undefined) output.out(`  reference ${reference}`);
  if (transaction !== undefined) output.out(`  transaction ${transaction}`);
  for (const address of addresses) output.out(`  address ${address}`);
  if (review !== undefined) output.out(`  under review: ${review}`);
  for (const { at, from, to, cause } of payment.history) {
    output.out(`  ${at}  move     ${from === undefined ? '' : `${from} → `}${to} (${cause})`);
  }
  for (const { received, outcome, amount: told, currency: of, status, result, eventId } of payment.reports) {
    const money = told === undefined ? '' : ` ${told} ${of}`;
    output.out(`  ${received}  report   ${outcome}${money}: ${status}, ${result} (${eventId})`);
  }
  for (const { at, kind, postings } of payment.journals) {
    const lines = postings.map((one) => `${one.account} ${one.amount} ${one.currency}`).join(', ');
    output.out(`  ${at}  journal  ${kind}: ${lines}`);
  }
  for (const { created, state: refundState, amount: sent, currency: of, refundId } of payment.refunds) {
    output.out(`  ${created}  refund   ${sent} ${of}: ${refundState} (${refundId})`);
  }
  for (const call of payment.walletCalls ?? []) {
    const { created, type: asked, reason, amount: moved, currency: of, state: known, callId } = call;
    const why = call.why ?? call.code;
    output.out(
      `  ${created}  wallet  ${asked} (${reason}) ${moved} ${of}: ${known}${why ? `, ${why}` : ''} (${callId})`,
    );
  }
  for (const { created, type: hook, status, attempts, id: delivery } of payment.webhooks) {
    output.out(`  ${created}  webhook ${hook}: ${status} after ${counted(attempts, 'attempt')} (${delivery})`);
  }
}
