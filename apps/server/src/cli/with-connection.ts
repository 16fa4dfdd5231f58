/** Commands about one connection of an operator. */
import { connectionPorts } from '../assembly/connection-kinds.ts';
import type { ConnectionPorts } from '../connections/change-connections.ts';
import { type ConnectionRow, readConnections } from '../connections/connection-store.ts';
import type { Database } from '../database/database.ts';
import { CommandError, type Session } from './command.ts';
import { operatorIdOf } from './listing.ts';

/** Finds the connection by its name or its id. */
export function withConnection(
  session: Session,
  partnerKey: string,
  named: string,
  work: (ports: ConnectionPorts, row: ConnectionRow) => Promise<number>,
): Promise<void> {
  return session.withDatabase(async (database) => {
    const row = await connectionNamed(database, partnerKey, named);
    return work(await portsOf(session, database), row);
  });
}

/** The connection by its name or its id. @throws CommandError */
export async function connectionNamed(database: Database, partnerKey: string, named: string): Promise<ConnectionRow> {
  const rows = await readConnections(database, await operatorIdOf(database, partnerKey));
  const row = rows.find(({ id, name }) => name === named || id === named.toLowerCase());
  if (row === undefined) {
    throw new CommandError(`${partnerKey} has no connection ${named}. Run \`connections list ${partnerKey}\`.`);
  }
  return row;
}

/** What changes connections. */
export function portsOf({ config, clock, stripeApi }: Session, database: ConnectionPorts['database']) {
  return connectionPorts(config(), database, { clock, ...(stripeApi && { stripeApi }) });
}
