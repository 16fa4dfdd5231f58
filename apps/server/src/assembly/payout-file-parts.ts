/** The files of payouts, with the accounts of the providers that pay out by files. */
import type { Failpoint } from '../payment-ports/failpoints.ts';
import { buildPayoutFiles } from '../payout-files/build-files.ts';
import { continueBankMessages } from '../payout-files/message-steps.ts';
import { sepaAccountOf } from '../providers/sepa/sepa-account.ts';
import type { CatalogueParts } from './catalogue-parts.ts';
import type { Foundations } from './foundations.ts';
import type { OperatorParts } from './operator-parts.ts';

type Parts = Pick<Foundations, 'database' | 'clock' | 'logger'> &
  Pick<OperatorParts, 'dataKeys'> &
  Pick<CatalogueParts, 'connections'>;

/** The workers that build files and continue messages of banks. */
export function payoutFileWork(
  { database, clock, logger, dataKeys, connections }: Parts,
  failpoint: ((name: Failpoint) => void) | undefined,
) {
  const files = buildPayoutFiles({
    database,
    clock,
    logger,
    dataKeys,
    failpoint,
    async accountOf(connectionId) {
      const account = await connections.accountOf(connectionId);
      return account && sepaAccountOf(account);
    },
  });
  return { files, messages: continueBankMessages({ database, dataKeys, logger, failpoint }) };
}
