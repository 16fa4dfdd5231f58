/** Where people of an operator look for a payment, and for reports that fit none: `/operator/v1` (SRV-1, SRV-3). */
import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import { readRequest } from '../transports/invalid-request.ts';
import { unmatchedQuerySchema } from './parked-report-schemas.ts';
import { findPayments } from './payment-lookup.ts';
import { lookupQuerySchema } from './payment-lookup-schemas.ts';
import { unmatchedPage } from './unmatched-reports.ts';

/** @param scope whose requests are authenticated and carry their operator */
export function registerLookupRoutes(scope: FastifyInstance, database: Database): void {
  scope.get('/payments', async ({ operatorId = '', query }, reply) => {
    const { find } = readRequest(lookupQuerySchema, query);
    return reply.header('cache-control', 'no-store').send(await findPayments(database, operatorId, find));
  });

  scope.get('/unmatched-reports', async ({ operatorId = '', query }, reply) => {
    const page = await unmatchedPage(database, operatorId, readRequest(unmatchedQuerySchema, query));
    return reply.header('cache-control', 'no-store').send(page);
  });
}
