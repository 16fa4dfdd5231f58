/** Handlers of routes: which accounts take the deposits of a method, their health, and stored decisions (SRV-4). */
import type { operatorEndpoints, RoutesResponse } from '@opencashier/contract/operator';
import type { Clock } from '@opencashier/core/time/clock';
import { DomainError } from '../../errors/domain-error.ts';
import { pagedList, versionAlone } from '../../requests/page-cursor.ts';
import {
  changeRoutes,
  previewRoutes,
  type RoutePorts,
  type RoutesOverview,
  routesOverview,
} from '../../routing/change-routes.ts';
import { readDecision } from '../../routing/decision-store.ts';
import { readHealthsOf } from '../../routing/health-store.ts';
import { readRoutes, readRoutesChanges } from '../../routing/policy-store.ts';
import { shownRoutes } from '../../routing/resolve-routes.ts';
import { decisionView, healthViews } from '../../routing/routing-views.ts';
import type { Handlers } from '../register-endpoint.ts';

export interface OperatorRoutes extends RoutePorts {
  readonly clock: Pick<Clock, 'now'>;
  /** Lets this node use a change at once. Other nodes notice it by themselves. */
  follow(operatorId: string): Promise<void>;
}

const changeList = pagedList('route changes', versionAlone);

export function routeHandlers(ports: OperatorRoutes): Handlers<typeof operatorEndpoints.routes> {
  const { database, clock, follow } = ports;
  return {
    listRoutes: async ({ operatorId }) => routesResponse(await routesOverview(ports, operatorId)),

    async putRoutes({ operatorId, keyId, body }) {
      const changed = await changeRoutes(ports, operatorId, { ...body, keyId });
      await follow(operatorId);
      return routesResponse(changed);
    },

    async previewRoutes({ operatorId, body: { routes } }) {
      const { version, differences, warnings } = await previewRoutes(ports, operatorId, routes);
      return { version, differences: [...differences], warnings: [...warnings] };
    },

    async listRouteChanges({ operatorId, query: { cursor, limit } }) {
      const before = changeList.placeOf(cursor)?.version;
      const found = await readRoutesChanges(database, operatorId, { before, limit: limit + 1 });
      const connections = await ports.readConnections(database, operatorId);
      const { page, next } = changeList.pageOf(found, limit, ({ version }) => ({ version }));
      return {
        changes: page.map(({ version, staff, at, routes }) => ({
          version,
          staff,
          at: at.toISOString(),
          routes: shownRoutes(routes, connections),
        })),
        ...next,
      };
    },

    async readRouteHealth({ operatorId }) {
      const { routes } = await readRoutes(database, operatorId);
      const healths = await readHealthsOf(database, operatorId);
      const connections = await ports.readConnections(database, operatorId);
      return { accounts: healthViews(routes, healths, connections, clock.now()) };
    },

    async readRoutingDecision({ operatorId, params: { depositId } }) {
      const kept = await readDecision(database, operatorId, depositId);
      if (kept === undefined) throw new DomainError('not-found', 'There is no decision about this deposit.');
      return decisionView(depositId, kept, await ports.readConnections(database, operatorId));
    },
  };
}

function routesResponse({ version, changed, routes, warnings }: RoutesOverview): RoutesResponse {
  return {
    version,
    ...(changed !== undefined && { changed: { staff: changed.staff, at: changed.at.toISOString() } }),
    warnings: [...warnings],
    routes,
  };
}
