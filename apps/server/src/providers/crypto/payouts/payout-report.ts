/** What the crypto provider reports about its payouts. */
import type { CoinFailpoint } from '../../coin-failpoints.ts';
import type { WithdrawalReport } from '../../withdrawal-provider.ts';
import type { WatcherLog } from '../chain-watcher.ts';
import type { CoinPayout } from './payout-rows.ts';
import type { PayoutStore } from './payout-store.ts';
import type { Place } from './wallet-store.ts';

export interface EndParts {
  readonly store: Pick<PayoutStore, 'unreported' | 'noteReported'>;
  readonly log: WatcherLog;
  readonly report: (one: WithdrawalReport) => Promise<unknown>;
  readonly failpoint?: ((name: CoinFailpoint) => void) | undefined;
}

/** Reports the payouts of a wallet that have ended, the oldest first. */
export async function reportEnds(
  place: Place,
  most: number,
  { store, log, report, failpoint }: EndParts,
): Promise<void> {
  for (const payout of await store.unreported(place, most)) {
    try {
      await report(reportOf(payout));
    } catch (error) {
      // It is reported again in the next round, and holds up no other payout until then.
      const ids = { withdrawalId: payout.withdrawalId, chain: payout.chain };
      log.error({ ...ids, err: error }, 'the end of a payout could not be reported');
      continue;
    }
    failpoint?.('coin-reported');
    await store.noteReported(payout);
  }
}

/** The end of a payout as a report. The same payout always gives the same report. */
export function reportOf({ withdrawalId, chain, state, minor, coin, reason }: CoinPayout): WithdrawalReport {
  const providerRef = payoutRef(chain, withdrawalId);
  const facts = { provider: 'crypto', providerRef, withdrawalId, at: new Date(0).toISOString() };
  if (state === 'confirmed') {
    return { ...facts, outcome: 'paid', paidMinor: minor, currency: coin, eventId: `${providerRef}:paid` };
  }
  if (state === 'failed' || state === 'declined') {
    return { ...facts, outcome: 'declined', reason: reason ?? state, eventId: `${providerRef}:declined` };
  }
  return { ...facts, outcome: 'pending', eventId: `${providerRef}:pending` };
}

/** Stays the same for a payout whose transaction is replaced. */
export const payoutRef = (chain: string, withdrawalId: string): string => `${chain}:payout:${withdrawalId}`;
