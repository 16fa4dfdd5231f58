/** The only function that changes operators' routes, for the operator API and the command line (SRV-1, SRV-4). */
import type { RoutesByMethod } from '@opencashier/contract/operator';
import { type ConnectionMode, overlappingPair } from '@opencashier/core/connections/connection-for';
import type { Route } from '@opencashier/core/routing/route';
import { catalogueDifferences, type Difference } from '../catalogue/own/catalogue-differences.ts';
import type { Database, Queryable, Transaction } from '../database/database.ts';
import { DomainError, invalidFields } from '../errors/domain-error.ts';
import { readRoutes, type StoredRoutes, saveRoutes } from './policy-store.ts';
import {
  type NamedConnection,
  type RoutableMethod,
  type RouteNames,
  resolveRoutes,
  shownRoutes,
  warningsOf,
} from './resolve-routes.ts';
import { routedTogether } from './routed-together.ts';

export interface RoutePorts {
  readonly database: Database;
  readonly mode: ConnectionMode;
  /** The providers whose account is in the settings of the server. */
  readonly ofSettings: readonly string[];
  /** The connections of an operator, the oldest first. */
  readConnections(queryable: Queryable, operatorId: string): Promise<readonly NamedConnection[]>;
  /** The same, and no other change of them or of routes gets in until the end of the transaction. */
  lockConnections(transaction: Transaction, operatorId: string): Promise<readonly NamedConnection[]>;
  /** The methods of an operator, as its catalogue has them. */
  readMethods(queryable: Queryable, operatorId: string): Promise<ReadonlyMap<string, RoutableMethod>>;
}

export interface RoutesRequest {
  /** The version that the caller has read. */
  readonly version: number;
  readonly staff: string;
  /** The API key that sent the change. Absent: the command line. */
  readonly keyId?: string | undefined;
  readonly routes: RoutesByMethod;
}

/** An operator's routes with the names of its connections, and warnings. */
export interface RoutesOverview extends Pick<StoredRoutes, 'version' | 'changed'> {
  readonly routes: RoutesByMethod;
  readonly warnings: readonly string[];
}

export async function routesOverview(ports: RoutePorts, operatorId: string): Promise<RoutesOverview> {
  const names = await namesOf(ports, ports.database, operatorId);
  return overviewOf(await readRoutes(ports.database, operatorId), names);
}

/**
 * Replaces all routes.
 * @throws DomainError invalid-request naming each fault; state-conflict after another change in the meantime, and for two enabled
 * connections that would cover one currency without a route
 */
export async function changeRoutes(
  ports: RoutePorts,
  operatorId: string,
  { version, staff, keyId, routes: wanted }: RoutesRequest,
): Promise<RoutesOverview> {
  return ports.database.transaction(async (transaction) => {
    const connections = await ports.lockConnections(transaction, operatorId);
    const names = { ...(await namesOf(ports, transaction, operatorId)), connections };
    const before = await readRoutes(transaction, operatorId);
    const routes = checkedRoutes(wanted, names);
    if (before.version !== version) throw changedMeanwhile(version, before);
    if (!(await saveRoutes(transaction, operatorId, { version, routes, staff, keyId, before: before.routes }))) {
      throw new Error(`Version ${version} of the routes was locked and is not there`);
    }
    return overviewOf(await readRoutes(transaction, operatorId), names);
  });
}

/** What a file or a request would change. Nothing is stored. */
export interface RoutesPreview {
  readonly version: number;
  readonly differences: readonly Difference[];
  readonly warnings: readonly string[];
}

/** @throws DomainError as {@link changeRoutes}, but not for another version */
export async function previewRoutes(
  ports: RoutePorts,
  operatorId: string,
  wanted: RoutesByMethod,
): Promise<RoutesPreview> {
  const names = await namesOf(ports, ports.database, operatorId);
  const routes = checkedRoutes(wanted, names);
  const before = await readRoutes(ports.database, operatorId);
  const [shownBefore, shownAfter] = [before.routes, routes].map((some) => shownRoutes(some, names.connections));
  return {
    version: before.version,
    differences: catalogueDifferences(shownBefore ?? {}, shownAfter ?? {}),
    warnings: warningsOf(routes, names),
  };
}

async function namesOf(ports: RoutePorts, queryable: Queryable, operatorId: string): Promise<RouteNames> {
  const { mode, ofSettings } = ports;
  const connections = await ports.readConnections(queryable, operatorId);
  return { mode, ofSettings, connections, methods: await ports.readMethods(queryable, operatorId) };
}

/** @throws DomainError */
function checkedRoutes(wanted: RoutesByMethod, names: RouteNames): readonly Route[] {
  const { routes, faults } = resolveRoutes(wanted, names);
  if (faults.length > 0) throw invalidFields('These routes are invalid.', faults);
  const pair = overlappingPair(names.connections, routedTogether(routes));
  if (pair === undefined) return routes;
  const [one, other] = pair.map(({ name }) => name);
  throw new DomainError(
    'state-conflict',
    `The connections ${one} and ${other} are enabled and cover the same currency, and no route in force would name both. Disable one of them first.`,
    { params: { connection: other ?? '' } },
  );
}

function changedMeanwhile(read: number, { version, changed }: StoredRoutes): DomainError {
  const by = changed === undefined ? '' : `, by ${changed.staff}`;
  return new DomainError(
    'state-conflict',
    `The routes have changed since version ${read}. They now have version ${version}${by}. Read them again, then repeat the change.`,
    { params: { version: String(version) } },
  );
}

function overviewOf({ version, changed, routes }: StoredRoutes, names: RouteNames): RoutesOverview {
  return {
    version,
    ...(changed !== undefined && { changed }),
    routes: shownRoutes(routes, names.connections),
    warnings: warningsOf(routes, names),
  };
}
