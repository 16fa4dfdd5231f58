/** A route over several scripted providers of the installation. */
import { type AccountHealth, endTry, healthFacts, UNTRIED } from '@opencashier/core/routing/account-health';
import { decide } from '@opencashier/core/routing/decide';
import { installationKey, type Route, type RoutingDecision } from '@opencashier/core/routing/route';
import type { PaymentRoutes } from '../../payment-ports/payment-routes.ts';
import type { PaymentsOptions } from '../../payment-ports/payments-core.ts';
import { createFakeProvider, type FakeProvider } from './payments.fixture.ts';

export interface Routed {
  readonly providers: readonly FakeProvider[];
  /** Further options of payments. */
  readonly options: Pick<PaymentsOptions, 'providers' | 'routes'>;
  readonly decisions: RoutingDecision[];
  readonly health: Map<string, AccountHealth>;
  /** Accounts that take no payment now. */
  readonly closed: Set<string>;
}

/** @param names of the providers, in the order of their priority */
export function routedPayments(names: readonly string[], change: Partial<Route> = {}): Routed {
  const providers = names.map((name) => createFakeProvider(name));
  const candidates = names.map((provider, index) => ({
    key: installationKey(provider),
    provider,
    priority: index + 1,
    share: 1,
  }));
  const route: Route = {
    method: 'card',
    strategy: 'priority',
    exploration: 0,
    isShadow: false,
    mostTries: 3,
    afterDecline: 'stop',
    candidates,
    ...change,
  };
  const decisions: RoutingDecision[] = [];
  const health = new Map<string, AccountHealth>();
  const closed = new Set<string>();
  const healthOf = (key: string): AccountHealth => health.get(key) ?? UNTRIED;
  const routes: PaymentRoutes = {
    decide(payment) {
      if (payment.method !== route.method) return undefined;
      const facts = candidates.map(({ key }) => ({
        key,
        availability: 'available' as const,
        health: healthFacts(healthOf(key), 0),
      }));
      const decision = decide({ route, policyVersion: 1, payment, facts });
      decisions.push(decision);
      return decision;
    },
    accountOf(_operatorId, key) {
      const found = candidates.find((candidate) => candidate.key === key);
      if (found === undefined || closed.has(key)) return undefined;
      return { provider: found.provider, connection: null, paysOut: false };
    },
    begin: (_operatorId, key) => (outcome) => health.set(key, endTry(healthOf(key), outcome, 0)),
    follow: async () => undefined,
  };
  const options = { providers: new Map(providers.map((provider) => [provider.name, provider])), routes };
  return { providers, options, decisions, health, closed };
}
