/** The web-hooks' part of the API for backends of operators: what was sent, and sending it again (SRV-5). */
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import type { Database } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { readRequest } from '../requests/invalid-request.ts';
import { deliveryPage, replayDelivery } from '../webhooks/delivery-records.ts';
import { deliveryQuerySchema } from '../webhooks/delivery-schemas.ts';

const paramsSchema = v.strictObject({ deliveryId: v.pipe(v.string(), v.uuid(), v.toLowerCase()) });

/** @param scope whose requests are authenticated and carry their operator */
export function registerDeliveryRoutes(scope: FastifyInstance, database: Database): void {
  scope.get('/webhook-deliveries', async ({ operatorId = '', query }, reply) => {
    const page = await deliveryPage(database, operatorId, readRequest(deliveryQuerySchema, query));
    return reply.header('cache-control', 'no-store').send(page);
  });

  scope.post('/webhook-deliveries/:deliveryId/replay', async ({ operatorId = '', params }, reply) => {
    const { deliveryId } = readRequest(paramsSchema, params);
    const replay = await replayDelivery(database, operatorId, deliveryId);
    if (replay === 'unknown') throw new DomainError('not-found', 'No such delivery.');
    if (replay === 'not-kept') {
      throw new DomainError('state-conflict', 'It carried a code, which is not kept; another code can be asked for.');
    }
    return reply.header('cache-control', 'no-store').send(replay);
  });
}
