/**
 * The query of chains whose balances are no longer compared with the ledger (SRV-1). Only the settings say which chains there must be: a
 * chain that left them is not missed, and a chain whose watch has ended is.
 */
import type { ExtraQuery } from './snapshot.ts';

/** @param chains as in the settings. A chain that no server has watched yet counts from the first query of this process */
export function comparedChains(chains: readonly string[]): ExtraQuery {
  let startedAt: Date | undefined;
  return {
    name: 'compared-chains',
    async read(queryable) {
      const rows = await queryable.query<{ chain: string; at: Date | null; now: Date }>({
        text: `select chain, coalesce(compared_at, opened_at) as at, now() as now
          from unnest($1::text[]) wanted(chain) left join crypto_chain using (chain)`,
        values: [chains],
      });
      return rows.map(({ chain, at, now }) => {
        // By the database's clock, as the other times.
        startedAt ??= now;
        const age = (now.getTime() - (at ?? startedAt).getTime()) / 1000;
        return { gauge: 'cashier_chain_uncompared_seconds', labels: { chain }, value: Math.max(age, 0) };
      });
    },
  };
}
