/** What the crypto provider reports about its payouts. */
import type { WithdrawalReport } from '../../withdrawal-provider.ts';
import type { CoinPayout } from './payout-store.ts';

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
