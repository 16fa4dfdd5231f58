import type { CatalogueSettings, OwnLimits } from '@opencashier/contract/operator';
import { checkAmount } from '@opencashier/core/limits/check-amount';
import { methodLimits } from '@opencashier/core/limits/limits';
import { toDecimalString } from '@opencashier/core/money/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bundledFiles } from './bundled-files.ts';
import type { MethodEntry } from './catalogue-file.ts';
import { checkSettings, warningsOf } from './check-settings.ts';
import { effectiveCatalogue, minorOf } from './effective-catalogue.ts';
import { definedCatalogue } from './own/defined-catalogue.ts';
import { noSettings } from './own-settings.ts';
import { readShippedCatalogue } from './shipped-catalogue.ts';

const shipped = readShippedCatalogue(bundledFiles, (provider) => provider === 'sandbox');
const offer = { groups: shipped.groups, methods: shipped.methods.flatMap(({ offered }) => offered ?? []) };
const entryOf = (name: string, methods: readonly MethodEntry[] = offer.methods) =>
  methods.find((entry) => entry.name === name);

const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 200_000_000n }), fc.integer({ min: 0, max: 4 }))
  .map(([minor, decimals]) => toDecimalString(minor, decimals));
const anyLimits: fc.Arbitrary<OwnLimits> = fc.record({ min: amount, max: amount }, { requiredKeys: [] });
/** Amounts of which about half are within the limits of the card. */
const cents = fc.bigInt({ min: 500n, max: 600_000n }).map((minor) => toDecimalString(minor, 2));
const likelyLimits: fc.Arbitrary<OwnLimits> = fc.record({ min: cents, max: cents }, { requiredKeys: [] });
/** Settings that may be in the database after a change of the shipped catalogue, including removed names and currencies. */
const anySettings: fc.Arbitrary<CatalogueSettings> = fc.record({
  methods: fc.dictionary(
    fc.constantFrom(...offer.methods.map(({ name }) => name), 'gone', 'constructor'),
    fc.record(
      {
        enabled: fc.boolean(),
        position: fc.integer({ min: -5, max: 200 }),
        limits: fc.dictionary(fc.constantFrom('USD', 'INR', 'RUB', 'BTC', 'USDT', 'SC', 'GONE'), anyLimits),
      },
      { requiredKeys: [] },
    ),
    { maxKeys: 20 },
  ),
  groups: fc.dictionary(
    fc.constantFrom(...offer.groups.map(({ name }) => name), 'gone'),
    fc.record({ enabled: fc.boolean(), position: fc.integer({ min: -5, max: 20 }) }, { requiredKeys: [] }),
    { maxKeys: 5 },
  ),
});

describe('the effective catalogue', () => {
  test('[LIST-7] equals the shipped catalogue while there are no settings', () => {
    expect(effectiveCatalogue(offer, noSettings)).toEqual(offer);
  });

  test('[LIST-7] [SRV-8] never adds or widens anything, and obeys all settings', () => {
    fc.assert(
      fc.property(anySettings, (settings) => {
        const { methods, groups } = effectiveCatalogue(offer, settings);
        const groupNames = new Set(groups.map(({ name }) => name));
        for (const { name } of groups) expect(settings.groups[name]?.enabled).not.toBe(false);
        for (const items of [methods, groups]) {
          const positions = items.map(({ position }) => position);
          expect(positions).toEqual([...positions].sort((a, b) => a - b));
        }
        for (const entry of methods) {
          const before = entryOf(entry.name);
          const own = Object.hasOwn(settings.methods, entry.name) ? settings.methods[entry.name] : undefined;
          expect(own?.enabled).not.toBe(false);
          expect(groupNames.has(entry.group)).toBe(true);
          expect(entry.position).toBe(own?.position ?? before?.position);
          for (const [currency, rule] of Object.entries(entry.amount_rules)) {
            for (const country of ['RU', 'IN']) {
              const now = methodLimits({ currency, rule, country });
              const was = methodLimits({ currency, rule: before?.amount_rules[currency], country });
              const { min = '0', max = '0' } = own?.limits?.[currency] ?? {};
              const [least, most] = [minorOf(min, currency, 'up'), minorOf(max, currency, 'down')];
              const isNarrower =
                (now.min ?? 0n) >= (was.min ?? 0n) &&
                (now.min ?? 0n) >= least &&
                [was.max ?? 0n, most].every((bound) => bound === 0n || (now.max !== undefined && now.max <= bound));
              if (!isNarrower) throw new Error(`${entry.name} is wider in ${currency}`);
            }
          }
        }
        // Only disabled methods, and methods without amounts, are missing.
        const names = new Set(methods.map(({ name }) => name));
        for (const { name, group } of offer.methods) {
          const own = Object.hasOwn(settings.methods, name) ? settings.methods[name] : undefined;
          const isOff = own?.enabled === false || !groupNames.has(group);
          if (!isOff && own?.limits === undefined) expect(names.has(name), name).toBe(true);
        }
      }),
      { numRuns: 25 },
    );
  });

  test('[AMT-5] suggests only payable amounts', () => {
    const [entry] = offer.methods.filter(({ suggested }) =>
      Object.values(suggested).some(({ recommended, fixed }) => (recommended ?? fixed ?? []).length > 1),
    );
    const [currency = '', amounts] =
      Object.entries(entry?.suggested ?? {}).find(
        ([, { recommended, fixed }]) => (recommended ?? fixed ?? []).length > 1,
      ) ?? [];
    const all = amounts?.recommended ?? amounts?.fixed ?? [];
    const max = all[0] ?? '';
    const limits = { [currency]: { max } };
    const name = entry?.name ?? '';
    const found = entryOf(name, effectiveCatalogue(offer, { methods: { [name]: { limits } }, groups: {} }).methods);
    const left = found?.suggested[currency];
    const rule = found?.amount_rules[currency];
    expect(all.length).toBeGreaterThan(1);
    expect([...(left?.recommended ?? []), ...(left?.fixed ?? [])].length).toBeLessThan(all.length);
    for (const chip of [...(left?.recommended ?? []), ...(left?.fixed ?? []), left?.prefilled ?? max]) {
      expect(checkAmount(chip, methodLimits({ currency, rule }))).toBeUndefined();
    }
  });
});

describe('invalid settings', () => {
  const issues = (methods: CatalogueSettings['methods'], groups: CatalogueSettings['groups'] = {}) =>
    checkSettings(shipped, { methods, groups });

  test.each([
    ['an unknown method', { no_such: { enabled: false } }, 'methods.no_such'],
    [
      'a currency that the method does not take',
      { card: { limits: { BTC: { min: '1' } } } },
      'methods.card.limits.BTC',
    ],
    ['no bound', { card: { limits: { USD: {} } } }, 'methods.card.limits.USD'],
    ['too many decimals', { card: { limits: { USD: { min: '10.005' } } } }, 'methods.card.limits.USD.min'],
    ['a zero', { card: { limits: { USD: { max: '0' } } } }, 'methods.card.limits.USD.max'],
    [
      'a minimum above the maximum',
      { card: { limits: { USD: { min: '20', max: '10' } } } },
      'methods.card.limits.USD.min',
    ],
    ['a minimum that nothing reaches', { card: { limits: { USD: { min: '5001' } } } }, 'methods.card.limits.USD.min'],
    [
      'a maximum below what is least outside Russia',
      { card: { limits: { RUB: { max: '700' } } } },
      'methods.card.limits.RUB.max',
    ],
  ])('are reported with their field: %s', (_title, methods, path) => {
    expect(issues(methods).map((issue) => issue.path)).toEqual([path]);
  });

  test('are reported all at once, without the valid settings', () => {
    const good = { limits: { USD: { min: '5', max: '5000' }, RUB: { min: '500', max: '1000' } }, position: -3 };
    expect(issues({ card: good, upi: { enabled: false } }, { crypto: { enabled: false } })).toEqual([]);
    const found = issues({ card: { limits: { USD: { min: '1.001', max: '0' } } } }, { nothing: {} });
    expect(found.map(({ path }) => path)).toEqual([
      'groups.nothing',
      'methods.card.limits.USD.min',
      'methods.card.limits.USD.max',
    ]);
  });

  test('settings that pass the check are effective: each limit is the effective limit', () => {
    const entry = entryOf('card');
    fc.assert(
      fc.property(fc.constantFrom('USD', 'RUB', 'INR'), likelyLimits, (currency, limits) => {
        const settings = { methods: { card: { limits: { [currency]: limits } } }, groups: {} };
        fc.pre(checkSettings(shipped, settings).length === 0);
        const { groups, methods } = definedCatalogue(shipped, settings);
        const found = entryOf('card', effectiveCatalogue({ groups, methods }, settings).methods);
        const now = methodLimits({ currency, rule: found?.amount_rules[currency], country: 'RU' });
        const was = methodLimits({ currency, rule: entry?.amount_rules[currency], country: 'RU' });
        const minor = (text: string | undefined) => text && minorOf(text, currency, 'up');
        expect([now.min, now.max]).toEqual([minor(limits.min) ?? was.min, minor(limits.max) ?? was.max]);
      }),
      { numRuns: 200 },
    );
  });

  test('all methods may be disabled, with a warning', () => {
    const groups = Object.fromEntries(shipped.groups.map(({ name }) => [name, { enabled: false }]));
    expect(warningsOf(shipped, { methods: {}, groups })).toEqual([
      'No deposit method is left. Users see an empty list.',
      'No withdrawal method is left. Users see an empty list.',
    ]);
    expect(warningsOf(shipped, noSettings)).toEqual([]);
  });
});
