/** Handlers of an operator's connections to providers (SRV-4). Every answer is made by `connectionView`, which has no secret. */
import type { operatorEndpoints } from '@opencashier/contract/operator';
import {
  type ConnectionPorts,
  connectionOf,
  createConnection,
  rotateSecrets,
  testConnection,
  updateConnection,
} from '../../connections/change-connections.ts';
import { readConnections } from '../../connections/connection-store.ts';
import { connectionList, connectionView } from '../../connections/connection-view.ts';
import { readQuarantines } from '../../connections/quarantine-store.ts';
import { byApi } from '../../operators/setting-history.ts';
import type { Handlers } from '../register-endpoint.ts';

export interface OperatorConnections extends ConnectionPorts {
  readonly publicUrl: string;
  /** Names of the providers whose account is in the settings of the server. */
  readonly ofSettings: readonly string[];
  /** Lets this node use a change at once. */
  follow(operatorId: string): Promise<void>;
}

/** @param limitTests throws when an operator makes too many test calls */
export function connectionHandlers(
  ports: OperatorConnections,
  limitTests: (operatorId: string) => Promise<void>,
): Handlers<typeof operatorEndpoints.connections> {
  const { database, publicUrl, follow } = ports;
  return {
    async listConnections({ operatorId }) {
      const quarantineOf = await readQuarantines(database, operatorId);
      return connectionList(await readConnections(database, operatorId), { ...ports, quarantineOf });
    },

    async readConnection({ operatorId, params }) {
      const row = await connectionOf(database, operatorId, params.connectionId);
      const quarantineOf = await readQuarantines(database, operatorId);
      return connectionView(row, publicUrl, quarantineOf(row.provider, row.id));
    },

    async createConnection({ operatorId, keyId, body: { staff: by = byApi, ...wanted } }) {
      const made = await createConnection(ports, operatorId, { by, keyId }, wanted);
      await follow(operatorId);
      return connectionView(made, publicUrl);
    },

    async updateConnection({ operatorId, keyId, params, body: { staff: by = byApi, ...change } }) {
      const changed = await updateConnection(ports, operatorId, params.connectionId, { by, keyId }, change);
      await follow(operatorId);
      return connectionView(changed, publicUrl);
    },

    async rotateConnection({ operatorId, keyId, params, body: { staff: by = byApi, ...secrets } }) {
      const changed = await rotateSecrets(ports, operatorId, params.connectionId, { by, keyId }, secrets);
      await follow(operatorId);
      return connectionView(changed, publicUrl);
    },

    async testConnection({ operatorId, params }) {
      await limitTests(operatorId);
      const { result, message } = await testConnection(ports, operatorId, params.connectionId);
      await follow(operatorId);
      return { result, message };
    },
  };
}
