import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ConnectionFacts, connectionFor, overlapping, overlappingPair } from './connection-for.ts';

const connection = (change: Partial<ConnectionFacts> = {}): ConnectionFacts => ({
  id: 'one',
  provider: 'stripe',
  mode: 'live',
  currencies: null,
  isEnabled: true,
  wasEnabled: true,
  ...change,
});
const wanted = { provider: 'stripe', currency: 'EUR', mode: 'live' } as const;

test('[SRV-4] an operator without connections, or with none that was ever enabled, uses the account of the installation', () => {
  expect(connectionFor([], wanted)).toEqual({ kind: 'installation' });
  const fresh = connection({ isEnabled: false, wasEnabled: false });
  expect(connectionFor([fresh], wanted)).toEqual({ kind: 'installation' });
  expect(connectionFor([connection({ provider: 'other' })], wanted)).toEqual({ kind: 'installation' });
});

test('[SRV-4] the enabled connection of the mode and the currency takes the payment', () => {
  const euro = connection({ id: 'euro', currencies: ['EUR'] });
  const dollar = connection({ id: 'dollar', currencies: ['USD', 'CAD'] });
  expect(connectionFor([dollar, euro], wanted)).toEqual({ kind: 'own', connection: euro });
  expect(connectionFor([dollar, euro], { ...wanted, currency: 'CAD' })).toEqual({ kind: 'own', connection: dollar });
});

test.each([
  ['is disabled', { isEnabled: false }],
  ['is of the other mode', { mode: 'test' as const }],
  ['does not take the currency', { currencies: ['USD'] }],
])('[SRV-4] no money goes to the installation when the own connection %s', (_why, change) => {
  expect(connectionFor([connection(change)], wanted)).toEqual({ kind: 'none' });
});

test('[SRV-4] two enabled connections never cover one currency, so the order of the connections does not matter', () => {
  const facts = fc.record({
    id: fc.uuid(),
    provider: fc.constantFrom('stripe', 'sandbox'),
    mode: fc.constantFrom('test' as const, 'live' as const),
    currencies: fc.option(fc.uniqueArray(fc.constantFrom('EUR', 'USD', 'INR'), { minLength: 1 })),
    isEnabled: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.uniqueArray(facts, { selector: ({ id }) => id }), (made) => {
      const kept: ConnectionFacts[] = [];
      for (const each of made) {
        const isEnabled = each.isEnabled && overlapping(kept, each) === undefined;
        kept.push({ ...each, isEnabled, wasEnabled: isEnabled });
      }
      expect(connectionFor([...kept].reverse(), wanted)).toEqual(connectionFor(kept, wanted));
    }),
  );
});

test('[SRV-4] connections that one route names may cover the same currency, and no others', () => {
  const [one, two, three] = ['one', 'two', 'three'].map((id) => connection({ id }));
  const all = [one, two, three].flatMap((each) => each ?? []);
  const routed = [new Set(['one', 'two'])];
  expect(overlapping(all.slice(0, 1), connection({ id: 'two' }), routed)).toBeUndefined();
  expect(overlapping(all.slice(0, 1), connection({ id: 'three' }), routed)?.id).toBe('one');
  expect(overlappingPair(all.slice(0, 2), routed)).toBeUndefined();
  expect(overlappingPair(all, routed)?.map(({ id }) => id)).toEqual(['one', 'three']);
  // Two routes of one connection each allow nothing.
  expect(overlappingPair(all.slice(0, 2), [new Set(['one']), new Set(['two'])])).toBeDefined();
});

test('[SRV-4] of several that a route names, the first takes the payments of methods without a route', () => {
  const made = [connection({ id: 'one' }), connection({ id: 'two' })];
  expect(connectionFor(made, wanted)).toMatchObject({ kind: 'own', connection: { id: 'one' } });
});
