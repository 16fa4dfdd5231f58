/** Handlers of webhook deliveries: their list, and the replay of one (SRV-5). */
import type { operatorEndpoints } from '@opencashier/contract/operator';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { deliveryPage, replayDelivery } from '../../webhooks/delivery-records.ts';
import type { Handlers } from '../register-endpoint.ts';

export function deliveryHandlers(database: Database): Handlers<typeof operatorEndpoints.deliveries> {
  return {
    listDeliveries: ({ operatorId, query }) => deliveryPage(database, operatorId, query),

    async replayDelivery({ operatorId, params: { deliveryId } }) {
      const replay = await replayDelivery(database, operatorId, deliveryId);
      if (replay === 'unknown') throw new DomainError('not-found', 'Delivery not found.');
      if (replay === 'not-kept') {
        throw new DomainError(
          'state-conflict',
          'The webhook contained a confirmation code, which is not stored. The user can request a new code.',
        );
      }
      return replay;
    },
  };
}
