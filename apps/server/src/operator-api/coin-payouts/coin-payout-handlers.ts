/** Handlers of payouts of coins that people sign as files (WD-2). */
import type { operatorEndpoints } from '@opencashier/contract/operator';
import type { Database } from '../../database/database.ts';
import type { CoinSignatures } from '../../providers/coin-signatures.ts';
import { readApprovalSettings } from '../../withdrawals/approval-settings.ts';
import type { Handlers } from '../register-endpoint.ts';

export function coinPayoutHandlers(
  database: Database,
  signatures: CoinSignatures,
): Handlers<typeof operatorEndpoints.coinPayouts> {
  return {
    async takeUnsignedPayouts({ operatorId, keyId, body: { chain, staff: by } }) {
      return { payouts: [...(await signatures.take({ operatorId, keyId, by }, chain))] };
    },
    async giveSignedPayouts({ operatorId, keyId, body: { transactions, staff: by } }) {
      const { differentKeys } = await readApprovalSettings(database, operatorId);
      return { payouts: [...(await signatures.give({ operatorId, keyId, by }, transactions, differentKeys))] };
    },
  };
}
