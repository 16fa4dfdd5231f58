/** Handlers of the calls to an operator's own wallet (SRV-1). */
import type { operatorEndpoints } from '@opencashier/contract/operator';
import type { Database } from '../../database/database.ts';
import { walletCallPage } from '../../operator-wallet/wallet-records.ts';
import type { Handlers } from '../register-endpoint.ts';

export function walletHandlers(database: Database): Handlers<typeof operatorEndpoints.wallet> {
  return {
    listWalletCalls: ({ operatorId, query }) => walletCallPage(database, operatorId, query),
  };
}
