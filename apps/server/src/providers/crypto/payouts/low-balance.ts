/** Whether a hot wallet has less of a coin than the settings want. */
import type { WatcherLog } from '../chain-watcher.ts';
import type { PayoutRail } from './payout-rail.ts';
import type { WalletStore } from './wallet-store.ts';

interface LookedAt {
  readonly chain: string;
  readonly rails: readonly [Pick<PayoutRail, 'balance' | 'wallet'>, ...unknown[]];
  /** In the smallest unit, by contract. */
  readonly lowBalance: ReadonlyMap<string, { readonly coin: string; readonly raw: bigint }>;
}

/** @throws NodeError when the node does not answer */
export async function noteLowBalance(
  { chain, rails: [rail], lowBalance }: LookedAt,
  { wallets, log }: { readonly wallets: WalletStore; readonly log: WatcherLog },
): Promise<void> {
  if (lowBalance.size === 0) return;
  const coins: string[] = [];
  for (const [contract, { coin, raw }] of lowBalance) {
    if ((await rail.balance(contract)) < raw) coins.push(coin);
  }
  const isNew = await wallets.noteLow({ chain, wallet: rail.wallet }, coins.length > 0);
  if (isNew && coins.length > 0) log.warn({ chain, coins }, 'a hot wallet has little left');
}
