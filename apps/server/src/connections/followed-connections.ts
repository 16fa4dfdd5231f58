/**
 * The connections of all operators in memory, without their opened secrets. A payment is inserted only if its connection still has
 * the read version.
 */
import type { Clock } from '@opencashier/core/time/clock';
import type { Database } from '../database/database.ts';
import { followVersions } from '../database/followed-versions.ts';
import {
  type ConnectionRow,
  operatorOfConnection,
  readConnections,
  readConnectionVersions,
} from './connection-store.ts';

export interface FollowedConnections {
  /** The connections of an operator, in the order in which they were made. */
  of(operatorId: string): readonly ConnectionRow[];
  /** A connection by its id alone, as the address for callbacks names it. Looks into the database for one that this node does not know. */
  find(id: string): Promise<ConnectionRow | undefined>;
  /** Reads the connections of an operator again. */
  follow(operatorId: string): Promise<void>;
  stop(): void;
}

const refreshEveryMs = 5_000;

/** Loads all connections and refreshes them until stopped. */
export async function followConnections(
  database: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): Promise<FollowedConnections> {
  const byOperator = new Map<string, readonly ConnectionRow[]>();
  const byId = new Map<string, ConnectionRow>();

  const follow = async (operatorId: string): Promise<void> => {
    const rows = (await readConnections(database, operatorId)).map((row) => {
      const known = byId.get(row.id);
      return known !== undefined && known.version > row.version ? known : row;
    });
    byOperator.set(operatorId, rows);
    for (const row of rows) byId.set(row.id, row);
  };

  const stop = await followVersions(
    {
      stored: () => readConnectionVersions(database),
      held: ({ id }) => byId.get(id)?.version ?? 0,
      read: follow,
    },
    { clock, everyMs: refreshEveryMs, onError },
  );
  return {
    of: (operatorId) => byOperator.get(operatorId) ?? [],
    async find(id) {
      const known = byId.get(id);
      if (known !== undefined) return known;
      const operatorId = await operatorOfConnection(database, id);
      if (operatorId !== undefined) await follow(operatorId);
      return byId.get(id);
    },
    follow,
    stop,
  };
}
