import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFirstListAddress } from './first-list-address.ts';

const query = { country: 'IN', currency: 'INR', locale: 'en_gb' };

test('[LIST-1] an address tells the region, the language and what the host shows around the list', () => {
  expect(readFirstListAddress('deposit', query)).toEqual({
    facts: { direction: 'deposit', country: 'IN', currency: 'INR', hasClose: true, hasBonus: false },
    locale: 'en-GB',
  });
  expect(readFirstListAddress('withdrawal', { ...query, locale: 'hi-Latn-IN', closing: '0', bonuses: '1' })).toEqual({
    facts: { direction: 'withdrawal', country: 'IN', currency: 'INR', hasClose: false, hasBonus: true },
    locale: 'hi-Latn-IN',
  });
  // A look of the host changes when the list is shown, not what is drawn.
  expect(readFirstListAddress('deposit', { ...query, look: '1' })).toEqual(readFirstListAddress('deposit', query));
});

test.each([
  ['another page', 'deposit/redirect/card', query],
  ['a name of every object', 'constructor', query],
  ['no country', 'deposit', { ...query, country: undefined }],
  ['a country in small letters', 'deposit', { ...query, country: 'in' }],
  ['two countries', 'deposit', { ...query, country: ['IN', 'BR'] }],
  ['a currency that nobody knows', 'deposit', { ...query, currency: 'ZZZ' }],
  ['no language', 'deposit', { country: 'IN', currency: 'INR' }],
  ['a language with extensions', 'deposit', { ...query, locale: 'bn-u-nu-beng' }],
  ['a script of its own', 'deposit', { ...query, locale: 'en-Latn-IN' }],
  ['a region that nobody uses here', 'deposit', { ...query, locale: 'en-QZ' }],
  ['markup', 'deposit', { ...query, locale: '"><script>' }],
])('[LIST-1] %s: the page comes without a list', (_what, path, asked) => {
  expect(readFirstListAddress(path, asked)).toBeUndefined();
});

test('[LIST-1] whatever the address holds, what is read from it has its form', () => {
  const value = fc.oneof(fc.string(), fc.constantFrom('IN', 'INR', 'en', '__proto__'), fc.array(fc.string()));
  const asked = fc.record({ country: value, currency: value, locale: value, closing: value }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.string(), asked, (path, any) => {
      const address = readFirstListAddress(path, any);
      if (address === undefined) return;
      expect(JSON.stringify(address)).toMatch(/^[\w{}":,-]+$/);
    }),
  );
});
