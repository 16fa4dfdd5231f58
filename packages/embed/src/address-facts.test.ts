import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CashierPayload } from './address-facts.ts';
import { cashierAddress } from './frame.ts';
import type { CashierOptions } from './options.ts';
import { cashierUrl } from './testing.ts';

type Options = Partial<CashierOptions>;

const queryOf = (options: Options) => cashierAddress({ cashierUrl, partner: 'acme', ...options }).search;
const saidOf = (payload: object, options: Options = {}) =>
  Object.fromEntries(new URLSearchParams(queryOf({ ...options, payload: payload as CashierPayload })));

const bonusIn = (currency: string) => ({ id: 'b', type: 'deposit', currency, content: { title: 'Bonus' } });

describe('[LIST-1] the address of the frame says what the first list depends on', () => {
  test('all facts of a payload, each with its parameter', () => {
    const payload = {
      paymentGeo: 'DE',
      currency: 'EUR',
      locale: 'de-AT',
      closingButton: false,
      bonusList: [bonusIn('USD'), bonusIn('EUR')],
      appearance: { theme: 'dark', variables: { accent: '#9f1239' } },
    };
    expect(saidOf(payload)).toEqual({
      partner: 'acme',
      locale: 'de-AT',
      theme: 'dark',
      country: 'DE',
      currency: 'EUR',
      closing: '0',
      bonuses: '1',
      look: '1',
    });
  });

  test.each(['sweep', 'cryptobalance'])('no country for %s, which begins with another screen', (widgetViewType) => {
    expect(saidOf({ widgetViewType, paymentGeo: 'US', currency: 'USD' })).toEqual({ partner: 'acme', currency: 'USD' });
    expect(saidOf({ widgetViewType: 'main', paymentGeo: 'US' })).toEqual({ partner: 'acme', country: 'US' });
  });

  test('nothing of an empty payload', () => {
    expect(queryOf({})).toBe('?partner=acme');
    expect(queryOf({ payload: {} })).toBe('?partner=acme');
  });

  test('the options count before the payload', () => {
    const payload = { locale: 'de', appearance: { theme: 'dark' } };
    expect(saidOf(payload, { locale: 'ar', theme: 'light' })).toEqual({
      partner: 'acme',
      locale: 'ar',
      theme: 'light',
    });
  });

  test.each<[string, object]>([
    ['a country in small letters', { paymentGeo: 'de' }],
    ['a country by its name', { paymentGeo: 'Germany' }],
    ['a currency in small letters', { currency: 'eur' }],
    ['a currency that is too long', { currency: 'EURO-STABLE' }],
    ['a currency in a list', { currency: ['EUR'] }],
    ['a currency before a line break', { currency: 'EUR\n' }],
    ['a language that is a sentence', { locale: 'German please' }],
    ['a theme that is none', { appearance: { theme: 'sepia' } }],
    ['a close button', { closingButton: true }],
    ['a close button that is no boolean', { closingButton: 0 }],
    ['a bonus of another currency', { currency: 'EUR', bonusList: [bonusIn('USD')], paymentGeo: '' }],
    ['bonuses that are no list', { bonusList: 'EUR' }],
    ['bonuses that are nothing', { bonusList: [null] }],
    ['a look that is nothing', { appearance: null }],
    ['a look that changes nothing', { appearance: { variables: {}, rules: {}, fonts: [], preset: undefined } }],
  ])('%s is left out', (_what, payload) => {
    const { currency: _, ...said } = saidOf(payload);
    expect(said).toEqual({ partner: 'acme' });
    if (!('bonusList' in payload)) expect(saidOf(payload)).not.toHaveProperty('currency');
  });

  test.each([
    [{ preset: 'clean' }],
    [{ list: 'rows' }],
    [{ theme: 'light', darkVariables: { accent: '#d68cf0' } }],
    [{ logo: { src: 'https://www.example.com/logo.svg', name: 'Acme' } }],
  ])('a look that changes %j is said by one number', (appearance) => {
    expect(saidOf({ appearance })).toMatchObject({ look: '1' });
  });
});

/** Any payload at all, as a page without types may pass it. Every text has the mark of a secret in it. */
const secret = fc.string({ maxLength: 40 }).map((text) => `${text}~secret~`);
const value = fc.oneof(secret, fc.array(secret), fc.dictionary(fc.string(), secret), fc.constant(null), fc.boolean());
const names = [
  ...['bonusId', 'host', 'token', 'xOrigin', 'userId', 'partnerKey', 'platform', 'nativeActions', 'start', 'schema'],
  ...['experiments', 'transport', 'widgetViewType', 'email', 'paymentGeo', 'currency', 'locale', 'closingButton'],
  ...['bonusList', 'appearance'],
];
const strange = fc.dictionary(fc.constantFrom(...names), value);

/** A payload as it should be, with secrets wherever a text is free. */
const usual = fc.record(
  {
    token: secret,
    userId: secret,
    partnerKey: secret,
    host: secret,
    currency: fc.constantFrom('EUR', 'USD', 'USDT'),
    paymentGeo: fc.constantFrom('DE', 'IN'),
    locale: fc.constantFrom('de', 'hi-Latn-IN', 'es_MX'),
    closingButton: fc.boolean(),
    bonusList: fc.array(
      fc.record({
        id: secret,
        currency: fc.constantFrom('EUR', 'USD'),
        content: fc.record({ title: secret, subtitle: secret }),
      }),
    ),
    appearance: fc.record(
      {
        theme: fc.constantFrom('light', 'dark', 'auto'),
        variables: fc.dictionary(secret, secret),
        logo: fc.record({ src: secret, name: secret }),
      },
      { requiredKeys: [] },
    ),
    start: fc.record({
      method: secret,
      amount: fc.constantFrom('1357.91', '0.00246810'),
      currency: fc.constant('GBP'),
    }),
  },
  { requiredKeys: [] },
);

test('[HOST-7] nothing else of a payload reaches the address: no token, user, amount or name', () => {
  const shapes: Record<string, RegExp> = {
    partner: /^acme$/,
    locale: /^(?:de|hi-Latn-IN|es_MX)$/,
    theme: /^(?:light|dark|auto)$/,
    country: /^(?:DE|IN)$/,
    currency: /^(?:EUR|USDT?)$/,
    closing: /^0$/,
    bonuses: /^1$/,
    look: /^1$/,
  };
  fc.assert(
    fc.property(fc.oneof(usual, strange), (payload) => {
      const query = queryOf({ payload: payload as CashierPayload });
      for (const [name, said] of new URLSearchParams(query)) expect(said, name).toMatch(shapes[name] ?? /^$/);
      expect(decodeURIComponent(query)).not.toMatch(/secret|1357|2468|GBP/);
    }),
  );
});
