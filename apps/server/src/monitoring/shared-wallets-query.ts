/**
 * The query of wallets that all operators share: what their last reading left unexplained. A coin that agrees has a 0, so that an alert
 * ends. A coin that left the settings has none: nobody can compare it, and the commands still list it.
 */
import { isUnwatched } from '@opencashier/core/reconciliation/shared-balance';
import { forDisplay } from '../payment-ports/measure-move.ts';

/** A row of the query: the chain and the currency, seconds since a server watched the coin, and the difference in minor units. */
interface DifferenceRow {
  readonly label: string;
  readonly age: number | null;
  readonly sum?: string;
}

export const SHARED_WALLETS = {
  name: 'shared-wallets',
  text: `select label, 1 as count, extract(epoch from now() - coalesce(watched_at, at))::float8 as age, sum from (
    select distinct on (chain, currency) chain || ' ' || currency as label, chain, currency, at, difference::text as sum
      from shared_balance order by chain, currency, id desc) last
    left join crypto_coin on crypto_coin.chain = last.chain and crypto_coin.coin = last.currency`,
  samplesOf: (rows: readonly DifferenceRow[]) =>
    rows.flatMap(({ label, age, sum = '0' }) => {
      // A server that names the coin has just noted it. If its rounds stand still, the alert about the chain fires.
      if (isUnwatched({ unwatchedForMs: (age ?? 0) * 1000, isInSettings: false })) return [];
      const [chain = '', currency = ''] = label.split(' ');
      const value = forDisplay(BigInt(sum), currency);
      return [{ gauge: 'cashier_shared_wallet_difference' as const, labels: { chain, currency }, value }];
    }),
};
