/** Writes which accounts this node has in quarantine, so that staff see it in the list of connections (SRV-9). */
import { randomUUID } from 'node:crypto';
import { INSTALLATION_ACCOUNT, type QuarantineRow, saveQuarantines } from '../connections/quarantine-store.ts';
import type { Database } from '../database/database.ts';
import type { Logger } from '../observability/logger.ts';
import type { QuarantinedCaller } from '../provider-processes/provider-pool.ts';

interface QuarantinesOf {
  readonly provider: string;
  readonly quarantined: readonly QuarantinedCaller[];
}

/**
 * One write at a time, with the newest state. After a failure the next change writes everything: the quarantine itself needs no database.
 * @param read what every provider has in quarantine now
 */
export function keepQuarantines(
  { database, logger }: { readonly database: Database; readonly logger: Pick<Logger, 'warn'> },
  read: () => readonly QuarantinesOf[],
): { readonly keep: () => void; readonly stop: () => Promise<void> } {
  const node = randomUUID();
  let writing: Promise<void> | undefined;
  let isChanged = false;

  const writeAll = async (): Promise<void> => {
    while (isChanged) {
      isChanged = false;
      for (const { provider, quarantined } of read()) {
        await saveQuarantines(database, { node, provider, rows: quarantined.flatMap(rowOf) });
      }
    }
  };
  const keep = (): void => {
    isChanged = true;
    writing ??= writeAll()
      .catch((error: unknown) => logger.warn({ err: error }, 'accounts in quarantine could not be written for staff'))
      .finally(() => {
        writing = undefined;
        if (isChanged) keep();
      });
  };
  return {
    /** Never throws. */
    keep,
    /** Waits for the last write. */
    async stop(): Promise<void> {
      await writing;
    },
  };
}

/** Callbacks of the installation belong to no operator, so only the log and the metric show them. */
function rowOf({ caller, state, crashes, since, until }: QuarantinedCaller): QuarantineRow[] {
  const { operatorId, connectionId: account = INSTALLATION_ACCOUNT } = caller;
  return operatorId === '' ? [] : [{ operatorId, account, state, crashes, since, until }];
}
