/** The methods that routes can name: those of an operator's catalogue, also when it has switched them off. */
import { definedCatalogue } from '../catalogue/own/defined-catalogue.ts';
import { readSettings } from '../catalogue/settings-store.ts';
import type { ShippedCatalogue } from '../catalogue/shipped-catalogue.ts';
import type { Queryable } from '../database/database.ts';
import type { RoutableMethod } from './resolve-routes.ts';

export async function readRoutableMethods(
  queryable: Queryable,
  shipped: ShippedCatalogue,
  operatorId: string,
): Promise<ReadonlyMap<string, RoutableMethod>> {
  const { settings } = await readSettings(queryable, operatorId);
  return new Map(
    definedCatalogue(shipped, settings).methods.map(({ name, provider, directions }) => [
      name,
      { provider, takesDeposits: directions.includes('deposit') },
    ]),
  );
}
