/** The routes of operators, for payments, for the list of methods and for the operator API. */
import type { ShippedCatalogue } from '../catalogue/shipped-catalogue.ts';
import { lockConnections, readConnections } from '../connections/connection-store.ts';
import type { FollowedConnections } from '../connections/followed-connections.ts';
import type { Database } from '../database/database.ts';
import { measure } from '../observability/measure.ts';
import type { OperatorConnections } from '../operator-api/connections/connection-handlers.ts';
import type { OperatorRoutes } from '../operator-api/routes/route-handlers.ts';
import type { PaymentRoutes } from '../payment-ports/payment-routes.ts';
import { shareHealths } from '../routing/account-healths.ts';
import type { RoutePorts } from '../routing/change-routes.ts';
import { followRoutes } from '../routing/followed-routes.ts';
import { createPaymentRoutes, type MethodRoutes } from '../routing/payment-routes.ts';
import { readRoutableMethods } from '../routing/routable-methods.ts';
import type { Closers } from './closers.ts';
import type { ProviderSet } from './create-providers.ts';
import type { Foundations } from './foundations.ts';

export interface RoutingParts {
  /** For create calls and the list of methods. */
  readonly routes: PaymentRoutes & MethodRoutes;
  /** For the operator API. */
  readonly operatorRoutes: OperatorRoutes;
}

interface RoutingInput extends Pick<Foundations, 'database' | 'clock' | 'logger'> {
  readonly followedConnections: FollowedConnections;
  readonly providerConnections: Pick<OperatorConnections, 'kinds' | 'mode' | 'ofSettings'>;
  readonly set: Pick<ProviderSet, 'providers' | 'openers' | 'packaged'>;
  readonly shipped: ShippedCatalogue;
}

export async function openRouting(
  { database, clock, logger, followedConnections, providerConnections, set, shipped }: RoutingInput,
  closers: Closers,
): Promise<RoutingParts> {
  const { kinds, mode, ofSettings } = providerConnections;
  const followed = await followRoutes(database, clock, (error) => {
    measure(database, 'settingsFailures', { settings: 'routes' });
    logger.warn({ err: error }, 'routes could not be read again');
  });
  closers.add(() => followed.stop());
  const healths = await shareHealths({
    database,
    clock,
    onError: (error) => logger.warn({ err: error }, 'the health of accounts could not be exchanged'),
    onChange(operator, account, { demotedUntil, demotions }) {
      if (demotedUntil === null) logger.info({ operator, account }, 'an account of a route is well again');
      else logger.warn({ operator, account, demotions }, 'an account of a route failed and was demoted');
    },
  });
  closers.add(() => healths.stop());
  const { isUpFor } = set.packaged;
  const routes = createPaymentRoutes({
    followed,
    healths,
    clock,
    mode,
    connectionsOf: followedConnections.of,
    hasInstallation: (provider, operatorId) => set.providers.has(provider) && isUpFor(provider, { operatorId }),
    opensConnection: (provider, operatorId, connectionId) =>
      set.openers.has(provider) && isUpFor(provider, { operatorId, connectionId }),
    paysOut: (provider, isOwn) =>
      isOwn ? kinds.get(provider)?.paysOut === true : set.providers.get(provider)?.withdrawals !== undefined,
  });
  const all = [...new Set([...ofSettings, ...set.providers.keys()])];
  const ports = routePorts({ database, mode, ofSettings: all, shipped });
  return { routes, operatorRoutes: { ...ports, clock, follow: followed.follow } };
}

/** What changes routes in a database. The command line uses it, too. */
export function routePorts({
  database,
  mode,
  ofSettings,
  shipped,
}: Pick<RoutePorts, 'mode' | 'ofSettings'> & {
  readonly database: Database;
  readonly shipped: ShippedCatalogue;
}): RoutePorts {
  return {
    database,
    mode,
    ofSettings,
    readConnections,
    lockConnections,
    readMethods: (queryable, operatorId) => readRoutableMethods(queryable, shipped, operatorId),
  };
}
