/** Compares what the nodes say of a hot wallet with what the cashier knows of its own payouts, before a payout gets its slot (WD-2). */
import { doubtOf, type SlotClaim, smallestNext, type WalletDoubt } from '@opencashier/core/chain-payout/wallet-doubt';
import type { WatcherLog } from '../chain-watcher.ts';
import type { PayoutRail, PreparedTransaction } from './payout-rail.ts';
import type { Place, WalletStore } from './wallet-store.ts';

interface Judged {
  readonly rails: readonly Pick<PayoutRail, 'claim'>[];
  readonly place: Place;
}

/**
 * Why the prepared transaction must not be used. It is forgotten then, and the next round asks the nodes again. Nothing that has begun is
 * touched: its transactions are looked for and sent as before.
 * @returns undefined when nothing speaks against it
 * @throws NodeError when one of the nodes does not answer
 */
export async function walletDoubt(
  { rails, place }: Judged,
  prepared: PreparedTransaction,
  { wallets, log }: { readonly wallets: WalletStore; readonly log: WatcherLog },
): Promise<WalletDoubt | undefined> {
  const claims: SlotClaim[] = [];
  for (const rail of rails) claims.push(await rail.claim(prepared));
  const hasCounter = claims.some(({ kind }) => kind === 'counter');
  // After the claims: what another process begins meanwhile must not look like a transaction of a stranger.
  const own = await wallets.ownSlots(place, prepared.slots, hasCounter);
  const doubt = doubtOf(prepared.slots, own, claims);
  if (await wallets.noteDoubt(place, doubt, smallestNext(claims))) tell(place, doubt, { claims, own }, log);
  return doubt;
}

function tell(
  { chain }: Place,
  doubt: WalletDoubt | undefined,
  { claims, own }: { readonly claims: readonly SlotClaim[]; readonly own: { reserved: bigint | undefined } },
  log: WatcherLog,
): void {
  if (doubt === undefined) {
    log.warn({ chain }, 'the nodes of a hot wallet are believed again');
    return;
  }
  const said = claims.flatMap((claim) => (claim.kind === 'counter' ? [String(claim.next)] : []));
  const next = smallestNext(claims)?.toString();
  const fields = { chain, why: doubt, ...(said.length > 0 && { said, known: own.reserved?.toString(), next }) };
  if (doubt === 'used-elsewhere') log.error(fields, 'a hot wallet was used without the cashier, so no payout begins');
  else log.warn(fields, 'the nodes of a hot wallet do not fit its payouts, so no payout begins');
}
