/** Operators' routes in the database. Every change must name the version it replaces, and every version is kept. */
import type { Route } from '@opencashier/core/routing/route';
import type { Queryable, Transaction } from '../database/database.ts';
import type { StoredVersion } from '../database/followed-versions.ts';
import { recordSettingChange } from '../operators/setting-history.ts';

/** An operator's current routes and their version. */
export interface StoredRoutes {
  /** 0: no routes were ever saved. */
  readonly version: number;
  /** At most one for each method. */
  readonly routes: readonly Route[];
  /** Who saved this version, and when. */
  readonly changed?: { readonly staff: string; readonly at: Date };
}

interface RoutesRow {
  readonly version: number;
  readonly routes: readonly Route[];
  readonly staff: string;
  readonly at: Date;
}

/** The current routes of an operator; version 0 when nothing was ever saved. */
export async function readRoutes(queryable: Queryable, operatorId: string): Promise<StoredRoutes> {
  const [row] = await queryable.query<RoutesRow>({
    name: 'routing-policy',
    text: 'select version, routes, staff, updated_at as at from routing_policy where operator_id = $1',
    values: [operatorId],
  });
  if (row === undefined) return { version: 0, routes: [] };
  const { version, routes, staff, at } = row;
  return { version, routes, changed: { staff, at } };
}

/** The operators with routes, and their versions. */
export function readRoutesVersions(queryable: Queryable): Promise<StoredVersion[]> {
  return queryable.query({
    name: 'routing-versions',
    text: 'select operator_id as "operatorId", version from routing_policy',
  });
}

/** The routes of one version. Undefined when there is no such version. */
export async function readRoutesOf(
  queryable: Queryable,
  operatorId: string,
  version: number,
): Promise<readonly Route[] | undefined> {
  const [row] = await queryable.query<{ routes: readonly Route[] }>({
    text: 'select routes from routing_change where operator_id = $1 and version = $2',
    values: [operatorId, version],
  });
  return row?.routes;
}

interface NewRoutes {
  /** The version that is replaced. */
  readonly version: number;
  readonly routes: readonly Route[];
  readonly staff: string;
  /** The API key that sent the change. Absent: the command line. */
  readonly keyId?: string | undefined;
  /** The routes of `version`, for the history. */
  readonly before: readonly Route[];
}

/**
 * Replaces the given version. The caller holds the lock of the operator's connections, so no two changes meet.
 * @returns false when the stored version is another one
 */
export async function saveRoutes(
  transaction: Transaction,
  operatorId: string,
  { version, routes, staff, keyId, before }: NewRoutes,
): Promise<boolean> {
  const saved = await transaction.query({
    text:
      version === 0
        ? `insert into routing_policy (operator_id, version, routes, staff) values ($1, $2 + 1, $3, $4)
          on conflict do nothing returning version`
        : `update routing_policy set version = $2::int + 1, routes = $3, staff = $4
          where operator_id = $1 and version = $2 returning version`,
    values: [operatorId, version, JSON.stringify(routes), staff],
  });
  if (saved.length === 0) return false;
  const named = (some: readonly Route[]) => Object.fromEntries(some.map((route) => [route.method, route]));
  await recordSettingChange(transaction, {
    operatorId,
    setting: 'routes',
    by: staff,
    keyId,
    before: named(before),
    after: named(routes),
  });
  return true;
}

/** One saved version, as the history shows it. */
export type RoutesChange = RoutesRow;

/**
 * The newest changes first.
 * @param before the last version of the previous page
 */
export function readRoutesChanges(
  queryable: Queryable,
  operatorId: string,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<RoutesChange[]> {
  return queryable.query<RoutesRow>({
    text: `select version, routes, staff, at from routing_change
      where operator_id = $1 and ($2::int is null or version < $2) order by version desc limit $3`,
    values: [operatorId, before ?? null, limit],
  });
}
