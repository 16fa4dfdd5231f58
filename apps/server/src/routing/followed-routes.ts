/**
 * The routes of all operators in memory. Nothing depends on one version alone: a payment is inserted only if its account is still
 * enabled.
 */
import type { Route } from '@opencashier/core/routing/route';
import type { Clock } from '@opencashier/core/time/clock';
import type { Database } from '../database/database.ts';
import { followVersions } from '../database/followed-versions.ts';
import { readRoutes, readRoutesVersions } from './policy-store.ts';

/** The routes of an operator, by their methods. */
export interface RoutesInForce {
  /** 0: no routes were ever saved. */
  readonly version: number;
  readonly byMethod: ReadonlyMap<string, Route>;
}

export interface FollowedRoutes {
  of(operatorId: string): RoutesInForce;
  /** Reads the routes of an operator again. */
  follow(operatorId: string): Promise<void>;
  stop(): void;
}

const refreshEveryMs = 5_000;
const NONE: RoutesInForce = { version: 0, byMethod: new Map() };

/** Loads all routes and refreshes them until stopped. */
export async function followRoutes(
  database: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): Promise<FollowedRoutes> {
  const known = new Map<string, RoutesInForce>();
  const of = (operatorId: string): RoutesInForce => known.get(operatorId) ?? NONE;

  const follow = async (operatorId: string): Promise<void> => {
    const { version, routes } = await readRoutes(database, operatorId);
    if (version <= of(operatorId).version) return;
    known.set(operatorId, { version, byMethod: new Map(routes.map((route) => [route.method, route])) });
  };

  const stop = await followVersions(
    {
      stored: () => readRoutesVersions(database),
      held: ({ operatorId }) => of(operatorId).version,
      read: follow,
    },
    { clock, everyMs: refreshEveryMs, onError },
  );
  return { of, follow, stop };
}
