import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldTypes, methodListSchema } from '@opencashier/contract/api';
import { parseMask } from '@opencashier/core/masks/mask';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { bundledFiles } from './bundled-files.ts';
import { methodsFileSchema } from './catalogue-file.ts';
import { createCatalogue } from './json-catalogue.ts';
import { createShippedCatalogue } from './shipped-catalogue.fixture.ts';
import { readShippedCatalogue } from './shipped-catalogue.ts';

const locales = join(import.meta.dirname, '../../../../locales');
const catalogue = createShippedCatalogue(bundledFiles, (provider) => provider === 'sandbox');
const list = (country: string, currency: string, direction: 'deposit' | 'withdrawal' = 'deposit', language = 'en') =>
  catalogue.list({ operatorId: 'demo', direction, country, currency, language });

describe('the shipped catalogue', () => {
  test('offers at least 60 deposit methods in 12 groups over 12 countries, each in English and Arabic', () => {
    const countries = catalogue.countries('demo');
    const lists = countries.flatMap(({ code, currencies }) => currencies.map((currency) => list(code, currency)));
    expect(countries.length).toBeGreaterThanOrEqual(12);
    for (const { code, currencies } of countries.slice(0, 13)) {
      expect(list(code, currencies[0] ?? '').methods.length, code).toBeGreaterThanOrEqual(5);
    }
    expect(new Set(lists.flatMap(({ methods }) => methods.map(({ name }) => name))).size).toBeGreaterThanOrEqual(60);
    expect(new Set(lists.flatMap(({ groups }) => groups.map(({ name }) => name))).size).toBeGreaterThanOrEqual(12);
    const arabic = countries.flatMap(({ code, currencies }) =>
      currencies.map((currency) => list(code, currency, 'deposit', 'ar')),
    );
    for (const { methods, groups } of arabic) {
      for (const { name, text } of methods) expect(text['ar'], name).toBeTruthy();
      for (const { name, label } of groups) expect(label['ar'], name).toBeTruthy();
    }
  });

  test('[LIST-1] offers a deposit and a withdrawal method in every currency of every country', () => {
    const countries = catalogue.countries('demo');
    const codes = countries.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['US', 'GB', 'FR', 'JP', 'CA', 'AU', 'AZ', 'KG', 'KZ', 'TJ', 'UZ']));
    for (const { code, currencies } of countries) {
      for (const currency of currencies) {
        for (const direction of ['deposit', 'withdrawal'] as const) {
          // The sandbox watches no address of this chain (docs/sandbox.md).
          if (currency === 'TON') continue;
          expect(list(code, currency, direction).methods, `${direction} in ${code}, ${currency}`).not.toEqual([]);
        }
      }
    }
  });

  test('[SRV-4] offers cards by Stripe in the countries where Stripe has merchants, in their own currency', () => {
    const live = createShippedCatalogue(bundledFiles, (provider) => provider === 'stripe');
    const names = (country: string, currency: string) =>
      live
        .list({ operatorId: 'live', direction: 'deposit', country, currency, language: 'en' })
        .methods.map(({ name }) => name);
    for (const [country, currency] of [
      ['US', 'USD'],
      ['GB', 'GBP'],
      ['FR', 'EUR'],
      ['JP', 'JPY'],
      ['CA', 'CAD'],
      ['AU', 'AUD'],
      ['PL', 'PLN'],
      ['SG', 'SGD'],
    ] as const) {
      expect(names(country, currency), country).toEqual(['card_stripe', 'applepay_stripe', 'googlepay_stripe']);
    }
    expect(names('RU', 'RUB')).toEqual([]);
  });

  test('returns lists of the contract, by position, whose groups name only methods of the list', () => {
    for (const { code, currencies } of catalogue.countries('demo')) {
      for (const currency of currencies) {
        for (const direction of ['deposit', 'withdrawal'] as const) {
          const found = list(code, currency, direction);
          expect(v.parse(methodListSchema, found)).toEqual(found);
          const positions = found.groups.map(({ position }) => position);
          expect(positions).toEqual([...positions].sort((a, b) => a - b));
          const names = found.methods.map(({ name }) => name).sort();
          expect(found.groups.flatMap(({ paymentMethods }) => paymentMethods).sort()).toEqual(names);
        }
      }
    }
  });

  test('[CRY-1] [LIST-7] offers a coin once: the user chooses its network beside the address', () => {
    for (const { code, currencies } of catalogue.countries('demo')) {
      for (const currency of currencies) {
        const coins = list(code, currency).methods.filter(
          ({ category, fields }) => category === 'crypto' && fields.every(({ type }) => type === 'networks'),
        );
        const icons = coins.map(({ iconIds }) => iconIds[0]);
        expect(icons, `${code} ${currency}`).toEqual([...new Set(icons)]);
      }
    }
    const tether = list('IN', 'USDT').methods.find(({ name }) => name === 'usdt');
    expect(tether?.fields[0]?.values?.map(({ value }) => value)).toEqual([
      'trc20',
      'erc20',
      'bep20',
      'ton',
      'base',
      'polygon',
      'solana',
    ]);
  });

  test('[LIST-2] joins the UPI methods under one tile, and leaves a single method its own tile', () => {
    const india = list('IN', 'INR');
    expect(india.tiles).toEqual([{ name: 'upi', text: { en: 'UPI' }, iconIds: ['upi'] }]);
    const ways = india.methods.flatMap(({ name, tile, way }) => (tile === 'upi' ? [[name, way]] : []));
    expect(ways).toEqual([
      ['upi', 'app'],
      ['phonepe', 'app'],
      ['paytm_upi', 'app'],
      ['eazype_upi', 'code'],
      ['upi_qr', 'code'],
    ]);
    expect(list('DE', 'EUR').tiles).toBeUndefined();
    const entry = v
      .parse(methodsFileSchema, bundledFiles.methods['methods/instant.json'])
      .find(({ name }) => name === 'upi');
    const alone = createShippedCatalogue({ ...bundledFiles, methods: { 'mine.json': [entry] } });
    const lone = alone.list({
      operatorId: 'demo',
      direction: 'deposit',
      country: 'IN',
      currency: 'INR',
      language: 'en',
    });
    expect(lone.tiles).toBeUndefined();
    expect(lone.methods).toMatchObject([{ name: 'upi' }]);
    expect(lone.methods[0]).not.toHaveProperty('tile');
    expect(lone.methods[0]).not.toHaveProperty('way');
  });

  test('[CRY-1] has a maximum for every open amount', () => {
    const names = new Set(
      catalogue
        .countries('demo')
        .flatMap(({ code, currencies }) =>
          currencies.flatMap((currency) => list(code, currency).methods.map(({ name }) => name)),
        ),
    );
    const open = [...names].flatMap((name) => {
      const method = catalogue.method({ operatorId: 'demo', name });
      return method?.isOpenAmount === true ? [method] : [];
    });
    expect(open.length).toBeGreaterThan(5);
    for (const { name, amount_rules: rules } of open) {
      for (const [currency, { max }] of Object.entries(rules))
        expect(Number(max), `${name} ${currency}`).toBeGreaterThan(0);
    }
  });

  test('[SRV-4] offers only methods of configured providers', () => {
    const both = createShippedCatalogue(bundledFiles, (provider) => provider !== 'crypto');
    const query = { operatorId: 'demo', direction: 'deposit', country: 'DE', currency: 'EUR', language: 'en' } as const;
    const names = (offered: typeof both) => offered.list(query).methods.map(({ name }) => name);
    const more = names(both).filter((name) => !names(catalogue).includes(name));
    expect(more).toContain('card_stripe');
    for (const name of more) expect(both.method({ operatorId: 'demo', name })?.provider, name).not.toBe('sandbox');
    expect(catalogue.method({ operatorId: 'demo', name: 'card_stripe' })).toBeUndefined();
    expect(both.method({ operatorId: 'demo', name: 'card_stripe' })?.provider).toBe('stripe');
  });

  test('[SRV-4] offers only configured chains, even among the networks of one coin', () => {
    const some = createShippedCatalogue(
      bundledFiles,
      (provider, network) => provider === 'crypto' && ['trc20', 'bitcoin'].includes(network ?? ''),
    );
    const names = (currency: string) =>
      some
        .list({ operatorId: 'demo', direction: 'deposit', country: 'DE', currency, language: 'en' })
        .methods.map(({ name }) => name);
    expect([names('BTC'), names('ETH'), names('USDT')]).toEqual([['chain_btc'], [], ['chain_usdt']]);
    const usdt = some.method({ operatorId: 'demo', name: 'chain_usdt' });
    expect(usdt?.fields[0]?.values?.map(({ value }) => value)).toEqual(['trc20']);
  });

  test('offers the card for 25.00 in the account currencies of the demo', () => {
    for (const currency of ['USD', 'EUR']) {
      const card = catalogue.method({ operatorId: 'demo', name: 'card', currency, country: 'IN' });
      expect(card?.text['en']).toBe('Bank card');
      expect(Number(card?.amount_rules[currency]?.min)).toBeLessThanOrEqual(25);
    }
    expect(list('IN', 'INR').methods.map(({ name }) => name)).toContain('card');
  });

  test('[LIST-7] the special features of the specification are flags of their methods', () => {
    const flags = (name: string, currency: string) => catalogue.method({ operatorId: 'demo', name, currency })?.flags;
    expect(flags('bkash_p2p', 'BDT')).toMatchObject({ p2p: true, confirmationId: true });
    expect(flags('nagad_p2p', 'BDT')).toMatchObject({ p2p: true, confirmationId: true });
    expect(flags('yamoney_h2h', 'RUB')).toMatchObject({ instructionHeader: true, bonusRestricted: true });
    expect(flags('qiwi_h2h', 'RUB')).toMatchObject({ instructionHeader: true });
    expect(flags('yamoney_rub', 'RUB')).toMatchObject({ bonusRestricted: true });
    expect(flags('webmoney_usd', 'USD')).toMatchObject({ bonusRestricted: true });
    expect(flags('card_p2p_uz_uzcard', 'UZS')).toMatchObject({ guaranteed: true });
    expect(flags('card_p2p_uz_humo', 'UZS')).toMatchObject({ guaranteed: true });
    const supported = list('KG', 'KGS').methods.filter((method) => method.flags.supportButton === true);
    expect(supported.map(({ name }) => name).filter((name) => name.startsWith('card_p2p_kg_'))).toHaveLength(11);
    expect(flags('nigerian_virtual_accounts', 'NGN')).toMatchObject({ virtualAccount: true });
    expect(flags('p2p_market', 'RUB')?.ownAmountRegex).toBeTypeOf('string');
  });

  test('has a method for every kind of field, mask and form feature, so that each can be tried', () => {
    const methods = catalogue.countries('demo').flatMap(({ code: country, currencies }) =>
      currencies.flatMap((currency) =>
        list(country, currency).methods.flatMap(({ name }) => {
          const method = catalogue.method({ operatorId: 'demo', name, currency, country });
          return method ? [method] : [];
        }),
      ),
    );
    const fields = methods.flatMap((method) => [...method.fields, ...method.preparationFields]);
    expect(new Set(fields.map(({ type }) => type))).toEqual(new Set(fieldTypes));
    const masks = fields.flatMap(({ mask }) => (mask === undefined ? [] : [parseMask(mask).kind]));
    expect(new Set(masks)).toEqual(new Set(['pattern', 'date', 'range', 'enum']));
    expect(Math.max(...fields.map(({ props, values }) => (props?.items ?? values ?? []).length))).toBeGreaterThan(5);
    expect(Math.max(...fields.map(({ countries }) => countries?.length ?? 0))).toBeGreaterThan(1);
    expect(fields.find(({ name }) => name === 'pixKeyType')?.values?.map(({ value }) => value)).toEqual([
      'cpf',
      'email',
      'phone',
      'random',
    ]);
    expect(fields.some(({ props }) => props?.isHidden === true)).toBe(true);
    expect(methods.some(({ isPreparationRequired }) => isPreparationRequired)).toBe(true);
    expect(methods.some(({ checkLuhn, flags }) => checkLuhn && flags.bankLookup)).toBe(true);
    for (const flag of ['captcha', 'bonusRestricted', 'confirmationId', 'ownAmountRegex', 'noNewWindow'] as const) {
      expect(
        methods.some(({ flags }) => flags[flag]),
        flag,
      ).toBe(true);
    }
    expect(methods.find(({ name }) => name === 'card')?.flags.captcha).toBeUndefined();
    const kzt = list('KZ', 'KZT').methods.find(({ name }) => name === 'card_kz');
    expect(kzt).toMatchObject({ prefilledAmount: '10000.00', recommendedAmounts: expect.any(Array) });
  });

  test('the fields of a preparation are not sent earlier', () => {
    const found = list('MX', 'MXN').methods.find(({ name }) => name === 'spei_prepared');
    expect(found?.isPreparationRequired).toBe(true);
    expect(JSON.stringify(found)).not.toContain('clabe');
  });

  test('[CRY-1] crypto methods have an open amount, which is never part of a list', () => {
    const coins = list('IN', 'USDT').methods.map(({ name }) => catalogue.method({ operatorId: 'demo', name }));
    for (const coin of coins) {
      expect(coin?.isOpenAmount, coin?.name).toBe(coin?.providerOptions?.['flow'] === 'crypto');
    }
    expect(coins.some((coin) => coin?.isOpenAmount)).toBe(true);
    expect(catalogue.method({ operatorId: 'demo', name: 'onramp_card' })?.isOpenAmount).toBe(false);
    expect(catalogue.method({ operatorId: 'demo', name: 'card' })?.isOpenAmount).toBe(false);
    expect(JSON.stringify(list('IN', 'USDT'))).not.toContain('isOpenAmount');
  });

  test('narrows texts to the requested language and English', () => {
    const [card] = list('IN', 'INR', 'deposit', 'ar').methods;
    expect(Object.keys(card?.text ?? {}).sort()).toEqual(['ar', 'en']);
    expect(Object.keys(list('IN', 'INR', 'deposit', 'xx').methods[0]?.text ?? {})).toEqual(['en']);
  });

  test('[UI-1] describes in every language each group, and when the money arrives', () => {
    const { words } = bundledFiles;
    const allLanguages = Object.keys(words as Record<string, unknown>).concat('es-MX', 'hi-IN');
    expect(allLanguages.length).toBeGreaterThan(30);
    for (const language of allLanguages) {
      for (const direction of ['deposit', 'withdrawal'] as const) {
        for (const { code, currencies } of catalogue.countries('demo')) {
          const { groups, methods } = list(code, currencies[0] ?? '', direction, language);
          const allTexts = groups.map(({ label }) => label);
          for (const { description } of methods) if (description) allTexts.push(description);
          for (const texts of allTexts) expect(texts[language], `${language}: ${texts['en']}`).toBeTruthy();
        }
      }
    }
    const card = list('IN', 'INR', 'deposit', 'de').methods.find(({ name }) => name === 'card');
    expect(card?.text).toEqual({ en: 'Bank card', de: 'Bankkarte' });
    const keys = list('BR', 'BRL', 'deposit', 'ru').methods.find(({ name }) => name === 'pix_key')?.fields[0]?.values;
    expect(keys?.map(({ text }) => text)).toEqual(['CPF', 'Эл. почта', 'Телефон', 'Случайный ключ']);
  });

  test('[UI-1] a label is a key of the locale files, or one of the widget’s names for the field in other languages', () => {
    const english: Record<string, string> = JSON.parse(readFileSync(join(locales, 'en.json'), 'utf8'));
    const fields = Object.values(bundledFiles.methods).flatMap((content) =>
      v.parse(methodsFileSchema, content).flatMap((method) => [...method.fields, ...method.preparationFields]),
    );
    const strange = fields.filter(({ name, props }) => {
      if (props?.isHidden === true) return false;
      const named = english[`field.name.${name}`];
      const label = props?.label ?? named ?? '';
      return !Object.hasOwn(english, label) && named !== label;
    });
    // A code whose label names its kind, because there is a word for it.
    expect([...new Set(strange.map(({ props }) => props?.label))]).toEqual(['Voucher code']);
  });

  test('offers nothing for an unknown country or currency', () => {
    expect(list('AQ', 'INR')).toEqual({ country: 'AQ', currency: 'INR', groups: [], methods: [] });
    expect(catalogue.method({ operatorId: 'demo', name: 'card', currency: 'INR', country: 'AQ' })).toBeUndefined();
    expect(catalogue.method({ operatorId: 'demo', name: 'card', currency: 'toString' })).toBeUndefined();
  });
});

describe('an invalid catalogue stops the start and names the place', () => {
  const [card] = (bundledFiles.methods['methods/card.json'] ?? []) as Record<string, unknown>[];
  const withMethods = (...entries: unknown[]) => ({ ...bundledFiles, methods: { 'mine.json': entries } });

  test.each([
    [
      'a wrong shape',
      [{ ...card, amount_rules: { INR: { min: 5, max: '10' } } }],
      /mine\.json, at 0\.amount_rules\.INR\.min/,
    ],
    ['an unknown flag', [{ ...card, flags: { captchaa: true } }], /mine\.json, at 0\.flags\.captchaa/],
    ['an unknown group', [{ ...card, group: 'nowhere' }], /mine\.json, at 0\.group: no group is called nowhere/],
    ['an unknown tile', [{ ...card, tile: 'nowhere' }], /mine\.json, at 0\.tile: no tile is called nowhere/],
    ['an unknown way', [{ ...card, tile: 'upi', way: 'smoke' }], /mine\.json, at 0\.way/],
    ['a way without a tile', [{ ...card, way: 'app' }], /0\.way: used only with a tile/],
    ['an unknown country', [{ ...card, countries: ['ZZ'] }], /mine\.json, at 0\.countries: ZZ/],
    [
      'a currency that no table knows',
      [{ ...card, amount_rules: { INR: { min: '1', max: '2' }, QQQ: { min: '1', max: '2' } }, countries: ['IN'] }],
      /amount_rules\.QQQ/,
    ],
    [
      'a minimum above the maximum',
      [{ ...card, countries: ['IN'], amount_rules: { INR: { min: '9.10', max: '9.09' } } }],
      /minimum is above/,
    ],
    ['a name used twice', [card, card], /used before/],
    [
      'preparation fields without a preparation',
      [{ ...card, preparationFields: [{ name: 'clabe', type: 'text' }] }],
      /0\.preparationFields: used only with isPreparationRequired/,
    ],
    [
      'a country without a fitting currency',
      [{ ...card, countries: ['IN'], amount_rules: { NGN: { min: '1', max: '2' } } }],
      /no rule for any currency of/,
    ],
  ])('%s', (_what, entries, message) => {
    expect(() => createShippedCatalogue(withMethods(...entries))).toThrow(message);
  });
});

describe('[SRV-4] a route decides instead of the provider of the method', () => {
  const shipped = readShippedCatalogue(bundledFiles, (provider) => provider === 'sandbox');
  const offered = (isTaken: boolean, takes: ReadonlyMap<string, boolean>, direction: 'deposit' | 'withdrawal') => {
    const routes = { takes: () => takes };
    const made = createCatalogue(shipped, undefined, () => isTaken, routes);
    return {
      names: made
        .list({ operatorId: 'demo', direction, country: 'DE', currency: 'EUR', language: 'en' })
        .methods.map(({ name }) => name),
      method: (name: string) => made.method({ operatorId: 'demo', name, currency: 'EUR', country: 'DE' }),
    };
  };

  test('offers a deposit method of which only the route has an account, and none of which only the provider has one', () => {
    const [name = '', other = ''] = offered(true, new Map(), 'deposit').names;
    expect(offered(false, new Map([[name, true]]), 'deposit').names).toEqual([name]);
    expect(offered(false, new Map([[name, true]]), 'deposit').method(name)).toBeDefined();
    expect(offered(false, new Map([[name, true]]), 'deposit').method(other)).toBeUndefined();
    const closed = offered(true, new Map([[name, false]]), 'deposit').names;
    expect(closed).not.toContain(name);
    expect(closed).toContain(other);
  });

  test('changes nothing about withdrawals', () => {
    const before = offered(true, new Map(), 'withdrawal').names;
    const [name = ''] = before;
    expect(before).not.toEqual([]);
    expect(offered(true, new Map([[name, false]]), 'withdrawal').names).toEqual(before);
    expect(offered(false, new Map([[name, true]]), 'withdrawal').names).toEqual([]);
  });
});
