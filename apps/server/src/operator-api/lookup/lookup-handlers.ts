/** Handlers by which staff find transactions, payments, and unmatched events that name no known payment (SRV-1, SRV-3). */
import type { operatorEndpoints } from '@opencashier/contract/operator';
import type { Database } from '../../database/database.ts';
import type { DataKeys } from '../../sealing/data-keys.ts';
import { destinationMarks } from '../../withdrawals/destination-marks.ts';
import type { Handlers } from '../register-endpoint.ts';
import { unmatchedPage } from '../reports/unmatched-reports.ts';
import { findPayments } from './payment-lookup.ts';
import { transactionDetail } from './transaction-detail.ts';
import { transactionPage } from './transaction-page.ts';

/** @param dataKeys needed to find withdrawals by their destination; absent: the search ignores destinations */
export function lookupHandlers(
  database: Database,
  dataKeys: DataKeys | undefined,
): Handlers<typeof operatorEndpoints.lookup> {
  return {
    listTransactions: ({ operatorId, query }) => transactionPage(database, operatorId, query),

    readTransaction: ({ operatorId, params: { id } }) => transactionDetail(database, operatorId, id),

    findPayments: ({ operatorId, query: { find } }) => findPayments(database, operatorId, find),

    findPaymentsByDestination({ operatorId, body: { find } }) {
      const marks = dataKeys === undefined ? [] : destinationMarks(dataKeys, find);
      return findPayments(database, operatorId, find, marks);
    },

    listUnmatchedReports: ({ operatorId, query }) => unmatchedPage(database, operatorId, query),
  };
}
