/** Where people of an operator look for a payment, and for reports that fit none: `/operator/v1` (SRV-1, SRV-3). */
import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import { readRequest } from '../requests/invalid-request.ts';
import type { DataKeys } from '../sealing/data-keys.ts';
import { destinationMarks } from '../withdrawals/destination-marks.ts';
import { unmatchedQuerySchema } from './parked-report-schemas.ts';
import { findPayments } from './payment-lookup.ts';
import { lookupQuerySchema } from './payment-lookup-schemas.ts';
import { unmatchedPage } from './unmatched-reports.ts';

/** @param scope whose requests are authenticated and carry their operator */
export function registerLookupRoutes(scope: FastifyInstance, database: Database, dataKeys?: DataKeys): void {
  scope.get('/payments', async ({ operatorId = '', query }, reply) => {
    const { find } = readRequest(lookupQuerySchema, query);
    return reply.header('cache-control', 'no-store').send(await findPayments(database, operatorId, find));
  });

  // A destination is personal, and addresses of requests are logged on their way: it is asked for in a body.
  scope.post('/payments/find', async ({ operatorId = '', body }, reply) => {
    const { find } = readRequest(lookupQuerySchema, body);
    const marks = dataKeys === undefined ? [] : destinationMarks(dataKeys, find);
    return reply.header('cache-control', 'no-store').send(await findPayments(database, operatorId, find, marks));
  });

  scope.get('/unmatched-reports', async ({ operatorId = '', query }, reply) => {
    const page = await unmatchedPage(database, operatorId, readRequest(unmatchedQuerySchema, query));
    return reply.header('cache-control', 'no-store').send(page);
  });
}
