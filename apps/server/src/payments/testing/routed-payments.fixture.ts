/** A route over several scripted providers of the installation. */
import { type AccountHealth, endTry, healthFacts, UNTRIED } from '@opencashier/core/routing/account-health';
import { decide } from '@opencashier/core/routing/decide';
import { installationKey, type Route, type RoutingDecision } from '@opencashier/core/routing/route';
import type { Database } from '../../database/database.ts';
import type { PaymentRoutes } from '../../payment-ports/payment-routes.ts';
import type { PaymentsOptions } from '../../payment-ports/payments-core.ts';
import { createFakeProvider, type FakeProvider } from './payments.fixture.ts';
import { type MadePayments, withPayments } from './with-payments.fixture.ts';

export interface Routed {
  readonly providers: readonly FakeProvider[];
  /** A provider by its name. */
  named(name: string): FakeProvider;
  /** A name for each payment that a provider was asked for, provider by provider. */
  asked(): string[];
  /** The id by which a provider knows the last payment that it was asked for. */
  lastIdAt(name: string): string;
  /** Further options of payments. */
  readonly options: Pick<PaymentsOptions, 'providers' | 'routes'>;
  readonly decisions: RoutingDecision[];
  readonly health: Map<string, AccountHealth>;
  /** Accounts that take no payment now. */
  readonly closed: Set<string>;
}

/** The answer of a provider that certainly took nothing. */
export const failed = async () => ({ kind: 'failed', code: 'unavailable' }) as const;

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
  const named = (name: string): FakeProvider => {
    const found = providers.find((provider) => provider.name === name);
    if (found === undefined) throw new Error(`There is no provider ${name}`);
    return found;
  };
  const lastIdAt = (name: string): string => named(name).creates.at(-1)?.depositId ?? '';
  const asked = (): string[] => providers.flatMap(({ name, creates }) => creates.map(() => name));
  return { providers, named, asked, lastIdAt, options, decisions, health, closed };
}

/** As {@link withPayments}, with a new route before each test: over the providers `first`, `second` and `third`, in this order. */
export function withRoutedPayments(take: (made: MadePayments & { readonly routed: Routed }) => void): void {
  let routed: Routed;
  const options = (): Routed['options'] => {
    routed = routedPayments(['first', 'second', 'third']);
    return routed.options;
  };
  withPayments((made) => take({ ...made, routed }), { hasWebhook: true, options });
}

interface StoredAttempt {
  readonly n: number;
  readonly id: string;
  readonly provider: string;
  readonly outcome: string | null;
  readonly code: string | null;
  /** The deposit that holds money which came although the attempt had failed. */
  readonly money: string | null;
}

/** The attempts of a deposit, in order. None: the deposit is its only attempt. */
export function attemptsOf(database: Database, depositId: string): Promise<StoredAttempt[]> {
  return database.query({
    text: `select n, id, provider, outcome, code, money_deposit_id as money from deposit_attempt where deposit_id = $1 order by n`,
    values: [depositId],
  });
}

interface AttemptedDeposit {
  readonly provider: string;
  readonly attemptId: string | null;
  readonly state: string;
  readonly review: string | null;
}

/** The account that a deposit has now, and its state. */
export async function attemptedDeposit(database: Database, depositId: string): Promise<AttemptedDeposit | undefined> {
  const [row] = await database.query<AttemptedDeposit>({
    text: `select provider, attempt_id as "attemptId", state, review from deposit where id = $1`,
    values: [depositId],
  });
  return row;
}
