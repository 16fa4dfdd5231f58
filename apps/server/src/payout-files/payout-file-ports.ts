/** What the files of payouts need of the server (WD-2). */
import type { Clock } from '@opencashier/core/time/clock';
import type { Database } from '../database/database.ts';
import type { Failpoint } from '../payment-ports/failpoints.ts';
import type { TransferAccount } from '../providers/filed-transfer.ts';
import type { DataKeys } from '../sealing/data-keys.ts';

export interface PayoutFilePorts {
  readonly database: Database;
  /** Encrypt payees and the contents of files. */
  readonly dataKeys: DataKeys;
  /** Steps of a bank's message in one transaction. Default 200, on the embedded database 50. */
  readonly stepsAtOnce?: number | undefined;
  /** Hears of parts of messages that failed. Absent: the commands, whose user reads the result. */
  readonly logger?: { warn(fields: object, message: string): void } | undefined;
  /** For tests of crashes. */
  readonly failpoint?: ((name: Failpoint) => void) | undefined;
}

export interface BuildPorts extends PayoutFilePorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Record<'warn' | 'error', (fields: object, message: string) => void>;
  /** The account of a connection; undefined when it cannot be opened now, or is incomplete. */
  accountOf(connectionId: string): Promise<TransferAccount | undefined>;
}

/** The encryption context of a file: its content opens in no other row. */
export const contextOfFile = (operatorId: string, fileId: string): string =>
  JSON.stringify(['payout_file', operatorId, fileId]);
