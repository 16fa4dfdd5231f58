/** Reads the list of an operator's own account at a provider. */
import { type ConnectionPorts, connectionOf } from '../connections/change-connections.ts';
import { accountOf, openSecrets } from '../connections/connection-secrets.ts';
import { DomainError } from '../errors/domain-error.ts';
import type { Actor } from '../operators/setting-history.ts';
import { importList, type ListedFile } from './import-list.ts';

export interface ConnectionListAsked extends Actor {
  readonly operatorId: string;
  readonly connectionId: string;
  /** The first and the last day in UTC, both included. */
  readonly from: string;
  readonly to: string;
  /** Pages of this call. Absent: all. */
  readonly mostPages?: number;
  readonly onProgress?: (words: string) => void;
}

/** @throws DomainError as `importList`; not-found for the connection; state-conflict when its provider has no list */
export async function readConnectionList(
  { database, kinds, masterKeys, clock }: ConnectionPorts,
  { connectionId, ...asked }: ConnectionListAsked,
): Promise<ListedFile> {
  const row = await connectionOf(database, asked.operatorId, connectionId);
  const kind = kinds.get(row.provider);
  const list = kind?.list?.bind(kind);
  if (list === undefined) {
    throw new DomainError('state-conflict', `${row.provider} has no list that the cashier can read. Import its files.`);
  }
  const account = accountOf(row, await openSecrets(masterKeys, row), clock.now());
  const { from, to } = asked;
  return importList(database, {
    ...asked,
    provider: row.provider,
    connection: { id: row.id, name: row.name },
    hasPayouts: kind?.listsPayouts === true,
    read: (cursor) => list(account, { from, to, cursor }),
  });
}
