/** The query of hot wallets whose nodes do not fit their payouts. Every reason has a number, so that an alert ends when its reason does. */
import type { SnapshotQuery } from './snapshot-queries.ts';

export const DOUBTED_WALLETS: SnapshotQuery = {
  name: 'doubted-wallets',
  text: `select chain || ' ' || why as label, 1 as count,
      coalesce(max(extract(epoch from now() - doubted_since)) filter (where doubt = why), 0)::float8 as age
    from coin_wallet cross join unnest(array['node-behind', 'nodes-disagree', 'used-elsewhere']) why group by chain, why`,
  samplesOf: (rows) =>
    rows.map(({ label, age }) => {
      const [chain = '', why = ''] = label.split(' ');
      return { gauge: 'cashier_hot_wallet_doubted_seconds', labels: { chain, why }, value: age ?? 0 };
    }),
};
