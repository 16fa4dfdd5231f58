/** Connections of operators to their bank for SEPA transfers: each names the account that is debited. */
import type { ConnectionKind } from '../connection-kind.ts';
import { faultOf, sepaOptions, sepaSecrets } from './sepa-account.ts';

export const sepaConnections: ConnectionKind = {
  secrets: sepaSecrets,
  options: sepaOptions,
  paysOut: true,
  refunds: false,
  hasOwnTime: false,
  modeOf: () => undefined,
  async test(account) {
    const fault = faultOf(account);
    if (fault !== undefined) return { result: 'refused', message: fault };
    return { result: 'accepted', message: 'Files can be built. No bank was asked: files go to the bank by people.' };
  },
};
