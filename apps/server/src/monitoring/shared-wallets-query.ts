/**
 * The query of wallets that all operators share: what their last reading left unexplained. A coin that agrees has a 0, so that an alert
 * ends.
 */
import { forDisplay } from '../payment-ports/measure-move.ts';

/** A row of the query: the chain and the currency, and the difference in minor units. */
interface DifferenceRow {
  readonly label: string;
  readonly sum?: string;
}

export const SHARED_WALLETS = {
  name: 'shared-wallets',
  text: `select distinct on (chain, currency) chain || ' ' || currency as label, 1 as count, null as age, difference::text as sum
    from shared_balance order by chain, currency, place desc`,
  samplesOf: (rows: readonly DifferenceRow[]) =>
    rows.map(({ label, sum = '0' }) => {
      const [chain = '', currency = ''] = label.split(' ');
      const value = forDisplay(BigInt(sum), currency);
      return { gauge: 'cashier_shared_wallet_difference' as const, labels: { chain, currency }, value };
    }),
};
