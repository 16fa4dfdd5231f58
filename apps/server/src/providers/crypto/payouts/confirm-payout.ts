/**
 * A payout that was paid by a transaction which the cashier does not know, such as a second signature of the same payment. Staff name the
 * transaction, and the chain proves it (docs/payouts.md).
 */
import type { Database } from '../../../database/database.ts';
import { PayoutDecisionError } from './decide-payout.ts';
import type { PayingWallet } from './payout-round.ts';
import type { CoinPayout } from './payout-rows.ts';
import { PayoutStore } from './payout-store.ts';

interface NamedTransaction {
  readonly operatorId: string;
  readonly withdrawalId: string;
  /** As the chain writes it. */
  readonly hash: string;
  readonly by: string;
}

/**
 * Ends a displaced payout as paid. All nodes must show that the transaction spends its slot, pays all of it, and is deep enough.
 * @throws PayoutDecisionError when nothing was changed
 * @throws NodeError when a node does not answer
 */
export async function confirmPayout(
  database: Database,
  wallet: Pick<PayingWallet, 'chain' | 'rails' | 'required'>,
  { operatorId, withdrawalId, hash, by }: NamedTransaction,
): Promise<void> {
  const store = new PayoutStore(database);
  const payout = await store.find(withdrawalId);
  if (payout?.operatorId !== operatorId) throw new PayoutDecisionError('This operator has no such coin payout.');
  if (payout.state !== 'displaced') throw new PayoutDecisionError(`The payout is ${payout.state}, not displaced.`);
  if (payout.chain !== wallet.chain || payout.wallet !== wallet.rails[0].wallet)
    throw new PayoutDecisionError('CRYPTO_FILE has another wallet than the one of this payout.');
  const fee = await provenFee(wallet, payout, await store.slotsOf(payout), hash);
  if (!(await store.confirmDisplaced(payout, { hash, fee, by })))
    throw new PayoutDecisionError('The payout has changed, or the transaction belongs to another payout.');
}

/** @returns what the network took, where nodes say it and agree */
async function provenFee(
  { rails, required }: Pick<PayingWallet, 'rails' | 'required'>,
  payout: CoinPayout,
  slots: readonly string[],
  hash: string,
): Promise<bigint | undefined> {
  const fees = new Set<bigint>();
  for (const rail of rails) {
    if (!(await rail.pays(payout, slots, hash)))
      throw new PayoutDecisionError('The transaction does not pay this payout, or a node does not have it.');
    const seen = await rail.look(payout, slots, [{ unsigned: '', hash }], required);
    if (seen.sighting.kind !== 'mined' || seen.sighting.depth < required)
      throw new PayoutDecisionError('The transaction does not have all its confirmations yet.');
    if (!seen.sighting.hasPaid) throw new PayoutDecisionError('The chain refused the payment of this transaction.');
    if (seen.fee !== undefined) fees.add(seen.fee);
  }
  return fees.size === 1 ? [...fees][0] : undefined;
}
