/** The query of hot wallets whose nodes do not fit their payouts. Every reason has a number, so that an alert ends when its reason does. */
import { WALLET_DOUBTS } from '@opencashier/core/chain-payout/wallet-doubt';

/** The reasons, as a list of SQL. */
export const QUOTED_DOUBTS = WALLET_DOUBTS.map((doubt) => `'${doubt}'`).join(', ');

/** A row of the query: the chain and the reason, and the seconds of the doubt. */
interface DoubtRow {
  readonly label: string;
  readonly age: number | null;
}

export const DOUBTED_WALLETS = {
  name: 'doubted-wallets',
  text: `select chain || ' ' || why as label, 1 as count,
      coalesce(max(extract(epoch from now() - doubted_since)) filter (where doubt = why), 0)::float8 as age
    from coin_wallet cross join unnest(array[${QUOTED_DOUBTS}]) why group by chain, why`,
  samplesOf: (rows: readonly DoubtRow[]) =>
    rows.map(({ label, age }) => {
      const [chain = '', why = ''] = label.split(' ');
      return { gauge: 'cashier_hot_wallet_doubted_seconds' as const, labels: { chain, why }, value: age ?? 0 };
    }),
};
