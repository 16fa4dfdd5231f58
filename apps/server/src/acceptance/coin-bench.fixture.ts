import type { CatalogueMethod } from '../catalogue/catalogue.ts';
import type { Database } from '../database/database.ts';
import { createBench, createFakeCatalogue } from '../payments/testing/payments.fixture.ts';
import type { Provider } from '../providers/provider.ts';

/** Payments whose only method is paid in coins to this provider. */
export function createCoinBench(
  database: Database,
  provider: Provider,
  options: Pick<CatalogueMethod, 'providerOptions' | 'amount_rules'>,
): ReturnType<typeof createBench> {
  const fakes = createFakeCatalogue();
  const method = fakes.method({ operatorId: 'op', name: 'coin' });
  if (method === undefined) throw new Error('The fixture has no method of coins');
  const catalogue = { ...fakes, method: (): CatalogueMethod => ({ ...method, provider: provider.name, ...options }) };
  return createBench(database, { catalogue, providers: new Map([[provider.name, provider]]) });
}

/** Forgets the chains, their addresses and what they have paid, so that the next test begins without them. */
export async function forgetChains(database: Database): Promise<void> {
  for (const table of ['crypto_balance', 'crypto_output', 'crypto_address', 'crypto_series', 'crypto_chain']) {
    await database.query({ text: `delete from ${table}` });
  }
}
