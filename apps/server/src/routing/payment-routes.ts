/** The routes of operators, for the create call of a deposit: decisions, accounts and their health, all from memory (SRV-4). */
import type { ConnectionFacts, ConnectionMode } from '@opencashier/core/connections/connection-for';
import { healthFacts } from '@opencashier/core/routing/account-health';
import { decide } from '@opencashier/core/routing/decide';
import { type Availability, installationKey, type Route, type RouteCandidate } from '@opencashier/core/routing/route';
import type { Clock } from '@opencashier/core/time/clock';
import type { ChosenAccount } from '../payment-ports/connected-providers.ts';
import type { PaymentRoutes } from '../payment-ports/payment-routes.ts';
import type { AccountHealths } from './account-healths.ts';
import type { FollowedRoutes } from './followed-routes.ts';

type Connection = ConnectionFacts & { readonly version: number };

export interface RoutingParts {
  readonly followed: FollowedRoutes;
  readonly healths: AccountHealths;
  readonly clock: Pick<Clock, 'now'>;
  readonly mode: ConnectionMode;
  /** The connections of an operator, as this node knows them. */
  connectionsOf(operatorId: string): readonly Connection[];
  /** Whether this server has an account of its own at a provider, which takes calls for the operator now. */
  hasInstallation(provider: string, operatorId: string): boolean;
  /** Whether this server can use a connection of the operator to a provider now. */
  opensConnection(provider: string, operatorId: string, connectionId: string): boolean;
  /** Whether a provider pays out. @param isOwn false: the account of the installation */
  paysOut(provider: string, isOwn: boolean): boolean;
}

/**
 * For create calls and for the list of methods. An account that is not `available` is never in `order`. It may be disabled before the
 * deposit is inserted, so the insert compares the version of its connection.
 */
export function createPaymentRoutes(parts: RoutingParts): PaymentRoutes & MethodRoutes {
  const { followed, healths, clock } = parts;
  return {
    decide(payment) {
      const { version, byMethod } = followed.of(payment.operatorId);
      const route = byMethod.get(payment.method);
      if (route === undefined) return undefined;
      const now = clock.now();
      const facts = route.candidates.map((candidate) => ({
        key: candidate.key,
        availability: availabilityOf(parts, payment.operatorId, route, candidate, payment.currency),
        health: healthFacts(healths.of(payment.operatorId, candidate.key), now),
      }));
      return decide({ route, policyVersion: version, payment, facts });
    },
    accountOf: (operatorId, key) => accountOf(parts, operatorId, key),
    begin: healths.begin,
    follow: followed.follow,
    takes(operatorId, currency) {
      const routes = [...followed.of(operatorId).byMethod.values()].filter(({ isShadow }) => !isShadow);
      const takes = (route: Route): boolean =>
        route.candidates.some(
          (candidate) =>
            candidate.currencies?.includes(currency) !== false &&
            availabilityOf(parts, operatorId, route, candidate, currency) === 'available',
        );
      return new Map(routes.map((route) => [route.method, takes(route)]));
    },
  };
}

/** For the list of methods. */
export interface MethodRoutes {
  /** For each method with a route in force: whether an account of the route takes deposits in the currency. */
  takes(operatorId: string, currency: string): ReadonlyMap<string, boolean>;
}

function availabilityOf(
  { connectionsOf, mode, hasInstallation, opensConnection }: RoutingParts,
  operatorId: string,
  { isShadow }: Route,
  { key, provider }: RouteCandidate,
  currency: string,
): Availability {
  const own = connectionsOf(operatorId);
  if (key === installationKey(provider)) {
    // Once an operator has an account of its own, its money never goes to the one of the installation.
    if (own.some((connection) => connection.provider === provider && connection.wasEnabled)) return 'own-account';
    return hasInstallation(provider, operatorId) ? 'available' : 'not-set-up';
  }
  const connection = own.find(({ id }) => id === key);
  if (connection === undefined) return 'no-connection';
  // A route in shadow mode moves no money, so it may think of accounts that are still disabled.
  if (!connection.isEnabled && !isShadow) return 'disabled';
  if (connection.mode !== mode) return 'other-mode';
  if (connection.currencies?.includes(currency) === false) return 'currency';
  return opensConnection(provider, operatorId, key) ? 'available' : 'not-set-up';
}

function accountOf(
  { connectionsOf, hasInstallation, opensConnection, paysOut }: RoutingParts,
  operatorId: string,
  key: string,
): ChosenAccount | undefined {
  const connection = connectionsOf(operatorId).find(({ id }) => id === key);
  if (connection !== undefined) {
    const { id, version, provider, isEnabled } = connection;
    if (!isEnabled || !opensConnection(provider, operatorId, id)) return undefined;
    return { provider, connection: { id, version }, paysOut: paysOut(provider, true) };
  }
  const provider = providerOfInstallation(key);
  if (provider === undefined || !hasInstallation(provider, operatorId)) return undefined;
  return { provider, connection: null, paysOut: paysOut(provider, false) };
}

function providerOfInstallation(key: string): string | undefined {
  const prefix = installationKey('');
  return key.startsWith(prefix) ? key.slice(prefix.length) : undefined;
}
