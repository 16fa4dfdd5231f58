/** The handler of lists that the cashier reads from providers (SRV-1, SRV-2). */
import type { operatorEndpoints } from '@opencashier/contract/operator';
import type { ConnectionPorts } from '../../connections/change-connections.ts';
import { byApi } from '../../operators/setting-history.ts';
import { readConnectionList } from '../../settlements/connection-list.ts';
import type { Handlers } from '../register-endpoint.ts';

/** Pages of one request. Each may take as long as the provider needs. */
const PAGES_OF_REQUEST = 5;

/** @param limit throws when an operator asks its providers too often */
export function listHandlers(
  ports: ConnectionPorts,
  limit: (operatorId: string) => Promise<void>,
): Handlers<typeof operatorEndpoints.settlementLists> {
  return {
    async readProviderList({ operatorId, keyId, body: { staff: by = byApi, ...asked } }) {
      await limit(operatorId);
      return readConnectionList(ports, { operatorId, by, keyId, ...asked, mostPages: PAGES_OF_REQUEST });
    },
  };
}
