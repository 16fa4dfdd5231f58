/** Commands about unmatched events and chargebacks of providers (SRV-1, SRV-3). */

import type { Command } from '@commander-js/extra-typings';
import {
  dismissRequestSchema,
  type ParkedReport,
  pageQuery,
  type ReversalPage,
  type UnmatchedReport,
} from '@opencashier/contract/operator';
import { dismissReportOnce, parkedPage } from '../operator-api/reports/parked-reports.ts';
import { reversalPage } from '../operator-api/reports/reversals.ts';
import { unmatchedPage } from '../operator-api/reports/unmatched-reports.ts';
import { unreadCallbacks } from '../operator-api/reports/unread-callbacks.ts';
import type { AddCommands, Session } from './command.ts';
import {
  addOperatorList,
  jsonOption,
  operatorArgument,
  operatorIdOf,
  print,
  type Row,
  readOptions,
  withPages,
} from './listing.ts';

export const addReportCommands: AddCommands = (program, session) => {
  const reports = program.command('reports').description('unmatched events of providers, and chargebacks');
  addOperatorList(
    reports.command('parked').description('lists unmatched events of this operator’s payments, the oldest first'),
    session,
    { query: pageQuery, page: parkedPage, itemsOf: (page) => page.reports, rowOf },
  );
  addOperatorList(
    reports.command('reversals').description('lists chargebacks and refunds by the provider, the newest first'),
    session,
    { query: pageQuery, page: reversalPage, itemsOf: (page) => page.reversals, rowOf: reversalRow },
  );
  addUnmatched(reports, session);
  addUnread(reports, session);
  addDismiss(reports, session);
};

/** Without an operator it lists the events of all operators, and those that belong to none. */
function addUnmatched(reports: Command, { output, withDatabase }: Session): void {
  withPages(reports.command('unmatched').argument('[operator]', 'public name of the operator; absent: all events'))
    .description('lists events that name no payment of this database')
    .action((partnerKey, { json = false, ...filter }) => {
      const query = readOptions(pageQuery, filter);
      return withDatabase(async (database) => {
        const operatorId = partnerKey === undefined ? undefined : await operatorIdOf(database, partnerKey);
        const page = await unmatchedPage(database, operatorId, query);
        print(output, page.reports, unmatchedRow, json, page.nextCursor);
        return 0;
      });
    });
}

/** The most rows of each kind. More of them have one cause. */
const MOST_UNREAD = 200;

function addUnread(reports: Command, { output, withDatabase }: Session): void {
  reports
    .command('unread')
    .description('lists callbacks that could not be read, the oldest first, with the name of the last error')
    .option(...jsonOption)
    .action(({ json = false }) =>
      withDatabase(async (database) => {
        const callbacks = await unreadCallbacks(database, MOST_UNREAD);
        // The operator API has no such list, so the table's names serve programs, too.
        print(output, callbacks.map(unreadRow), (row) => row, json);
        return 0;
      }),
    );
}

function unreadRow(callback: Awaited<ReturnType<typeof unreadCallbacks>>[number]): Row {
  const { provider, messageId, status, tries, lastError, since } = callback;
  return {
    provider,
    callback: messageId,
    state: status === 'dead' ? 'set aside' : 'tried again',
    tries,
    error: lastError ?? undefined,
    since: since.toISOString(),
  };
}

function addDismiss(reports: Command, { output, withDatabase }: Session): void {
  reports
    .command('dismiss')
    .description('dismisses a duplicate event, such as a duplicate chargeback, or a returned part of a payout')
    .argument(...operatorArgument)
    .argument('<report>', 'id of the report, from `reports parked`')
    .requiredOption('--by <name>', 'who decides')
    .requiredOption('--reason <text>', 'why')
    .option('--transfer <id>', 'the transfer that gave the user the returned part of a payout')
    .action((partnerKey, reportId, { by: decidedBy, reason, transfer: transferId }) => {
      const request = readOptions(dismissRequestSchema, { decidedBy, reason, transferId });
      return withDatabase(async (database) => {
        const operatorId = await operatorIdOf(database, partnerKey);
        const made = await dismissReportOnce(database, operatorId, reportId, request);
        output.out(`Dismissed by ${made.decidedBy} at ${made.dismissed}. Nothing was booked.`);
        return 0;
      });
    });
}

function reversalRow(reversal: ReversalPage['reversals'][number]): Row {
  const { depositId, userId, isPartial, amount, owed, currency, reference, at } = reversal;
  return {
    deposit: depositId,
    user: userId,
    taken: isPartial ? 'part' : 'whole',
    amount: `${amount} ${currency}`,
    owed: `${owed} ${currency}`,
    reference,
    at,
  };
}

function unmatchedRow(report: UnmatchedReport): Row {
  const { type, operator, id, provider, reference, outcome, reason, amount, currency, since } = report;
  return {
    type,
    id,
    provider,
    reference,
    outcome,
    reason,
    amount: amount === undefined ? currency : `${amount} ${currency}`,
    operator,
    since,
  };
}

function rowOf({ reportId, type, id, userId, outcome, reason, amount, currency, since, decisions }: ParkedReport): Row {
  return {
    report: reportId,
    type,
    id,
    user: userId,
    outcome,
    reason,
    amount: amount === undefined ? currency : `${amount} ${currency}`,
    since,
    decisions: decisions.join(' ') || undefined,
  };
}
