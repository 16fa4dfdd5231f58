/**
 * The query of chains whose balances are no longer compared with the ledger (SRV-1). Only the settings say which chains there must be: a
 * chain that left them is not missed, and a chain whose watch has ended is.
 */
import type { ExtraQuery } from './snapshot.ts';

/** @param chains as in the settings */
export function comparedChains(chains: readonly string[]): ExtraQuery {
  return {
    name: 'compared-chains',
    async read(queryable) {
      const rows = await queryable.query<{ chain: string; age: number }>({
        text: `select chain, extract(epoch from now() - coalesce(compared_at, opened_at))::float8 as age from crypto_chain
          where chain = any($1::text[])`,
        values: [chains],
      });
      return rows.map(({ chain, age }) => ({
        gauge: 'cashier_chain_uncompared_seconds',
        labels: { chain },
        value: Math.max(age, 0),
      }));
    },
  };
}
