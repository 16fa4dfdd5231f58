/** The transfers of one connection, in SQL. Files are built of them elsewhere (`payout-files`). */
import type { Database } from '../../database/database.ts';
import type { DataKeys } from '../../sealing/data-keys.ts';
import { type FiledTransfer, type Payee, sealPayee } from '../filed-transfer.ts';

export interface NewTransfer extends Pick<FiledTransfer, 'withdrawalId' | 'currency' | 'amount'> {
  readonly payee: Payee;
  /** A file is built at the next multiple of these minutes. */
  readonly batchMinutes: number;
}

interface Place {
  readonly operatorId: string;
  readonly connectionId: string;
}

export function createTransferStore(database: Database, keys: DataKeys, { operatorId, connectionId }: Place) {
  const find = async (withdrawalId: string): Promise<FiledTransfer | undefined> => {
    const [row] = await database.query<FiledTransfer>({
      name: 'payout-transfer',
      text: `select withdrawal_id as "withdrawalId", currency, amount, state, reason, returned, changed_at as "changedAt"
        from payout_transfer where operator_id = $1 and withdrawal_id = $2 and connection_id = $3`,
      values: [operatorId, withdrawalId, connectionId],
    });
    return row;
  };
  return {
    find,
    /** Stores a transfer, or returns the one that the withdrawal has already. */
    async queue({ withdrawalId, currency, amount, payee, batchMinutes }: NewTransfer): Promise<FiledTransfer> {
      const { sealed, keyId } = sealPayee(keys, operatorId, withdrawalId, payee);
      await database.query({
        name: 'payout-transfer-queue',
        text: `insert into payout_transfer (operator_id, withdrawal_id, connection_id, currency, amount, payee, payee_key, due_at)
          values ($1, $2, $3, $4, $5, $6, $7, to_timestamp((floor(extract(epoch from now()) / ($8::int * 60)) + 1) * $8::int * 60))
          on conflict (operator_id, withdrawal_id) do nothing`,
        values: [operatorId, withdrawalId, connectionId, currency, amount, sealed, keyId, batchMinutes],
      });
      const stored = await find(withdrawalId);
      if (stored === undefined)
        throw new Error(`The transfer of withdrawal ${withdrawalId} belongs to another account`);
      return stored;
    },
  };
}
