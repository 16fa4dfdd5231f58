/** Routes and facts for the tests of routing, as examples and as arbitrary ones. */
import { routeStrategies } from '@opencashier/contract/operator';
import fc from 'fast-check';
import type { HealthFacts, Route, RouteCandidate, RoutingInputs } from './route.ts';

export const well: HealthFacts = { phase: 'well', tries: 0, accepted: 0, isSilent: false };

export function candidate(key: string, change: Partial<RouteCandidate> = {}): RouteCandidate {
  return { key, provider: 'stripe', priority: 1, share: 1, ...change };
}

export function route(change: Partial<Route> = {}): Route {
  return {
    method: 'card',
    strategy: 'priority',
    exploration: 0,
    isShadow: false,
    mostTries: 3,
    afterDecline: 'stop',
    candidates: [
      candidate('one', { priority: 1 }),
      candidate('two', { priority: 2 }),
      candidate('three', { priority: 3 }),
    ],
    ...change,
  };
}

/** @param health by the key of a candidate; absent: well */
export function inputs(
  change: Partial<Route> = {},
  payment: Partial<RoutingInputs['payment']> = {},
  health: Readonly<Record<string, Partial<HealthFacts>>> = {},
): RoutingInputs {
  const chosen = route(change);
  return {
    route: chosen,
    policyVersion: 1,
    payment: {
      operatorId: 'acme',
      method: chosen.method,
      currency: 'EUR',
      amount: '25.00',
      country: 'DE',
      seed: '01900000-0000-7000-8000-000000000001',
      ...payment,
    },
    facts: chosen.candidates.map(({ key }) => ({
      key,
      availability: 'available',
      health: { ...well, ...health[key] },
    })),
  };
}

const KEYS = ['one', 'two', 'three', 'four', 'five', 'installation/stripe'];
const currency = fc.constantFrom('EUR', 'USD', 'JPY');
const amount = fc.integer({ min: 1, max: 100_000 }).map(String);

const arbitraryCandidate = fc.record(
  {
    provider: fc.constantFrom('stripe', 'sandbox'),
    priority: fc.integer({ min: 1, max: 4 }),
    share: fc.integer({ min: 0, max: 100 }),
    costs: fc.dictionary(currency, fc.record({ percent: fc.constantFrom('0', '1.4', '2.9') })),
    currencies: fc.uniqueArray(currency, { minLength: 1 }),
    settles: fc.uniqueArray(currency, { minLength: 1 }),
    countries: fc.uniqueArray(fc.constantFrom('DE', 'US', 'IN'), { minLength: 1 }),
    limits: fc.dictionary(currency, fc.record({ min: amount, max: amount }, { requiredKeys: [] })),
  },
  { requiredKeys: ['provider', 'priority', 'share'] },
);

const arbitraryHealth: fc.Arbitrary<HealthFacts> = fc
  .record({
    phase: fc.constantFrom('well' as const, 'demoted' as const, 'probing' as const),
    tries: fc.integer({ min: 0, max: 50 }),
    part: fc.integer({ min: 0, max: 100 }),
    isSilent: fc.boolean(),
  })
  .map(({ part, ...health }) => ({ ...health, accepted: Math.floor((health.tries * part) / 100) }));

/** Inputs of every strategy, with candidates that can and cannot take the payment. */
export const arbitraryInputs: fc.Arbitrary<RoutingInputs> = fc
  .record({
    strategy: fc.constantFrom(...routeStrategies),
    exploration: fc.integer({ min: 0, max: 20 }),
    isShadow: fc.boolean(),
    mostTries: fc.integer({ min: 1, max: 5 }),
    afterDecline: fc.constantFrom('stop', 'next'),
    candidates: fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS), arbitraryCandidate, arbitraryHealth), {
      selector: ([key]) => key,
    }),
    availability: fc.array(fc.constantFrom('available' as const, 'available' as const, 'disabled' as const), {
      minLength: KEYS.length,
      maxLength: KEYS.length,
    }),
    payment: fc.record({ currency, amount, country: fc.constantFrom('DE', 'US', 'IN', 'FR'), seed: fc.uuid() }),
  })
  .map(({ candidates, availability, payment, ...rest }) => ({
    route: { method: 'card', ...rest, candidates: candidates.map(([key, made]) => ({ key, ...made })) } as Route,
    policyVersion: 3,
    payment: { operatorId: 'acme', method: 'card', ...payment },
    facts: candidates.map(([key, , health], at) => ({ key, availability: availability[at] ?? 'disabled', health })),
  }));
