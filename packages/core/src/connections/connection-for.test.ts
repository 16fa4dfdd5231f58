import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ConnectionFacts, connectionFor, overlapping } from './connection-for.ts';

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
