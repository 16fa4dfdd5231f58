import type { ConnectionFacts } from '@opencashier/core/connections/connection-for';
import { type AccountHealth, UNTRIED } from '@opencashier/core/routing/account-health';
import { installationKey, type Route } from '@opencashier/core/routing/route';
import { expect, test } from 'vitest';
import { createPaymentRoutes } from './payment-routes.ts';

const connection = (id: string, change: Partial<ConnectionFacts> = {}) => ({
  id,
  version: 4,
  provider: 'stripe',
  mode: 'live' as const,
  currencies: null,
  isEnabled: true,
  wasEnabled: true,
  ...change,
});
const payment = { operatorId: 'acme', method: 'card', currency: 'EUR', amount: '25.00', country: 'DE', seed: 'one' };
const ownKey = installationKey('stripe');

function routesWith(
  connections: readonly ReturnType<typeof connection>[],
  change: Partial<Route> & { health?: AccountHealth; keys?: readonly string[]; refused?: string } = {},
) {
  const { health = UNTRIED, keys = connections.map(({ id }) => id), refused, ...more } = change;
  const candidates = keys.map((key, at) => ({ key, provider: 'stripe', priority: at + 1, share: 1 }));
  const route: Route = {
    method: 'card',
    strategy: 'priority',
    exploration: 0,
    isShadow: false,
    mostTries: 3,
    afterDecline: 'stop',
    candidates,
    ...more,
  };
  return createPaymentRoutes({
    followed: {
      of: () => ({ version: 7, byMethod: new Map([['card', route]]) }),
      follow: async () => undefined,
      stop: () => undefined,
    },
    healths: { of: () => health, begin: () => () => undefined, stop: async () => undefined },
    clock: { now: () => 1_000 },
    mode: 'live',
    connectionsOf: () => connections,
    hasInstallation: (provider, operatorId) => provider === 'stripe' && refused !== operatorId,
    opensConnection: (provider, operatorId, id) => provider === 'stripe' && refused !== `${operatorId} ${id}`,
    paysOut: () => false,
  });
}

test.each([
  ['disabled', { isEnabled: false }],
  ['other-mode', { mode: 'test' as const }],
  ['currency', { currencies: ['USD'] }],
])('[SRV-4] a connection is rejected as %s', (because, change) => {
  const decision = routesWith([connection('one', change), connection('two')]).decide(payment);
  expect(decision).toMatchObject({ order: ['two'], rejected: [{ key: 'one', because }], policyVersion: 7 });
});

test('[SRV-4] a connection that is gone is rejected', () => {
  const decision = routesWith([connection('two')], { keys: ['one', 'two'] }).decide(payment);
  expect(decision).toMatchObject({ order: ['two'], rejected: [{ key: 'one', because: 'no-connection' }] });
});

test('[SRV-4] no money goes to the installation after the operator enabled an account of its own there', () => {
  const fresh = connection('one', { isEnabled: false, wasEnabled: false });
  expect(routesWith([fresh], { keys: [ownKey] }).decide(payment)?.order).toEqual([ownKey]);
  const decision = routesWith([connection('one', { isEnabled: false })], { keys: [ownKey] }).decide(payment);
  expect(decision).toMatchObject({ order: [], rejected: [{ key: ownKey, because: 'own-account' }] });
});

test('[SRV-4] [SRV-9] an account whose calls its process refuses is rejected, and no other account of the provider', () => {
  const two = [connection('one'), connection('two')];
  expect(routesWith(two, { refused: 'acme one' }).decide(payment)).toMatchObject({
    order: ['two'],
    rejected: [{ key: 'one', because: 'not-set-up' }],
  });
  // It may begin to refuse after the decision.
  expect(routesWith(two, { refused: 'acme one' }).accountOf('acme', 'one')).toBeUndefined();
  const installation = routesWith([], { keys: [ownKey], refused: 'acme' });
  expect(installation.decide(payment)?.order).toEqual([]);
  expect(installation.decide({ ...payment, operatorId: 'other' })?.order).toEqual([ownKey]);
});

test('[SRV-4] shadow mode judges disabled connections, and takes part in no list', () => {
  const routes = routesWith([connection('one', { isEnabled: false })], { isShadow: true });
  expect(routes.decide(payment)).toMatchObject({ order: ['one'], isShadow: true });
  expect(routes.takes('acme', 'EUR').size).toBe(0);
  // A shadow never gives an account away that takes no payment.
  expect(routes.accountOf('acme', 'one')).toBeUndefined();
});

test('[SRV-4] a method without a route is not decided', () => {
  expect(routesWith([connection('one')]).decide({ ...payment, method: 'cash' })).toBeUndefined();
});

test('[SRV-4] an account has the version of its connection, which the insert compares', () => {
  const routes = routesWith([connection('one')]);
  expect(routes.accountOf('acme', 'one')).toEqual({
    provider: 'stripe',
    connection: { id: 'one', version: 4 },
    paysOut: false,
  });
  expect(routes.accountOf('acme', ownKey)).toEqual({ provider: 'stripe', connection: null, paysOut: false });
  expect(routes.accountOf('acme', installationKey('other'))).toBeUndefined();
});

test('[SRV-4] a method is offered in the currencies that an account of its route takes', () => {
  const routes = routesWith([connection('one', { currencies: ['EUR'] }), connection('two', { isEnabled: false })]);
  expect(routes.takes('acme', 'EUR').get('card')).toBe(true);
  expect(routes.takes('acme', 'USD').get('card')).toBe(false);
});

test('[SRV-4] a demoted account is placed after the others at the time of the clock', () => {
  const health = { ...UNTRIED, demotedUntil: 1_001 };
  const decision = routesWith([connection('one')], { health }).decide(payment);
  expect(decision?.reasons[0]?.because).toBe('demoted');
});
