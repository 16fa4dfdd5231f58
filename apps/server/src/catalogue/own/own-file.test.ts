/** Files of operators' catalogues: what they can say, and how their faults are named. */
import type { OwnCatalogue } from '@opencashier/contract/operator';
import { describe, expect, test } from 'vitest';
import { flowLifetimes } from '../../providers/sandbox/payments/flow-names.ts';
import { bundledFiles } from '../bundled-files.ts';
import { ownOf, settingsAfter } from '../change-settings.ts';
import { checkSettings, warningsOf } from '../check-settings.ts';
import { createCatalogue } from '../json-catalogue.ts';
import { noSettings } from '../own-settings.ts';
import type { ProviderFacts } from '../provider-facts.ts';
import { readShippedCatalogue } from '../shipped-catalogue.ts';
import { catalogueDifferences, differenceLine } from './catalogue-differences.ts';
import { ownIconId } from './defined-catalogue.ts';
import { faultsOfFile } from './file-faults.ts';
import { readOwnFile, writeOwnFile } from './own-file.ts';
import { wholeCatalogue } from './own-view.ts';

const files = Object.values(bundledFiles.methods);
const shipped = readShippedCatalogue(bundledFiles, (provider) => provider === 'sandbox', {
  providers: new Map<string, ProviderFacts>([
    ['crypto', { isSetUp: false, paysOut: false }],
    ['lightning', { isSetUp: false, paysOut: false }],
    ['sandbox', { isSetUp: true, paysOut: true, options: { flow: Object.keys(flowLifetimes) } }],
    [
      'stripe',
      {
        isSetUp: false,
        paysOut: true,
        paysToPaidCardsOnly: true,
        limitsOf: (currency) => (currency === 'USD' ? { min: '0.50', max: '999999.99' } : undefined),
      },
    ],
  ]),
  icons: new Set(files.flatMap((file) => (file as { iconIds: string[] }[]).flatMap(({ iconIds }) => iconIds))),
});

const acme = `
countries:
  NZ: { enabled: false }
  IS: { name: Iceland, currencies: [ISK, EUR] }
groups:
  acme_group:
    title: { en: Acme, de: Acme }
    position: 2
methods:
  card:
    limits:
      USD: { min: 2, max: 8000.50 }
      ISK: { min: 500, max: 900000 }
    title: { de: Karte }
  upi: { enabled: false }
  acme_card:
    basedOn: card
    group: acme_group
    countries: [US, IS]
    title: { en: Acme card }
    icons: [acme, card]
    instruction: { en: [Open your app., Scan the code.] }
  acme_bank:
    provider: sandbox
    options: { flow: redirect }
    view: bankTransfer
    group: bank_transfer
    directions: [deposit]
    countries: all
    limits: { EUR: { min: 10, max: 900 } }
    fees: { EUR: { percent: 1.5, min: 0.20, max: 5 } }
    title: { en: Bank }
    icons: [bank]
icons:
  acme: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3" fill="#123"/></svg>'
`;

function read(text: string): OwnCatalogue {
  const file = readOwnFile(text);
  if (file.kind === 'faults') throw new Error(JSON.stringify(file.faults));
  return file.catalogue;
}

/** Every fault of a file as a line: place, path and words. */
function faultsOf(text: string): string[] {
  return faultsOfFile(shipped, readOwnFile(text)).map(
    ({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`,
  );
}

function catalogueWith(settings: OwnCatalogue) {
  return createCatalogue(shipped, {
    of: () => settings,
    version: () => 1,
    all: () => [settings],
    follow: async () => undefined,
    stop: () => undefined,
  });
}

describe('[LIST-7] an operator’s own file', () => {
  test('adds countries, groups and methods, and widens limits', () => {
    expect(faultsOf(acme)).toEqual([]);
    const catalogue = catalogueWith(read(acme));
    const list = (country: string, currency: string) =>
      catalogue.list({ operatorId: 'acme', direction: 'deposit', country, currency, language: 'de' });
    const countries = catalogue.countries('acme').map(({ code }) => code);
    expect(countries).toContain('IS');
    expect(countries).not.toContain('NZ');
    expect(list('IN', 'INR').methods.map(({ name }) => name)).not.toContain('upi');
    const america = list('US', 'USD');
    expect(america.groups.find(({ name }) => name === 'acme_group')?.paymentMethods).toEqual(['acme_card']);
    const own = america.methods.find(({ name }) => name === 'acme_card');
    expect(own?.text).toMatchObject({ en: 'Acme card' });
    const drawing = read(acme).icons?.['acme'] ?? '';
    expect(own?.iconIds).toEqual([ownIconId(drawing), 'card']);
    expect(catalogue.ownIcon(ownIconId(drawing))).toBe(drawing);
    expect(catalogue.ownIcon(ownIconId('<svg/>'))).toBeUndefined();
    const card = america.methods.find(({ name }) => name === 'card');
    expect(card?.amount_rules).toEqual({ USD: { min: '2', max: '8000.50' } });
    expect(card?.text).toEqual({ en: 'Bank card', de: 'Karte' });
    expect(list('IS', 'ISK').methods.map(({ name }) => name)).toEqual(['card']);
    expect(catalogue.method({ operatorId: 'acme', name: 'acme_bank', country: 'DE', currency: 'EUR' })).toMatchObject({
      provider: 'sandbox',
      cardViewType: 9,
      providerOptions: { flow: 'redirect' },
      fees: { EUR: { percent: '1.5', min: '0.20', max: '5' } },
    });
  });

  test('[SRV-3] a removed method stays known to payments that have started', () => {
    const before = read(acme);
    const after = settingsAfter(shipped, before, { kind: 'all', settings: noSettings });
    expect(ownOf(after)).toEqual(noSettings);
    const catalogue = catalogueWith(after);
    expect(catalogue.method({ operatorId: 'acme', name: 'acme_bank' })).toBeUndefined();
    expect(catalogue.started('acme', 'acme_bank')?.provider).toBe('sandbox');
  });

  test('comes back the same from an export, and the full export changes nothing', () => {
    const own = read(acme);
    const written = readOwnFile(writeOwnFile(own, 7, 'Catalogue of acme, version 7.'));
    expect(written).toMatchObject({ kind: 'read', catalogue: own, baseVersion: 7 });
    for (const settings of [noSettings, own]) {
      const whole = wholeCatalogue(shipped, settings);
      const again = read(writeOwnFile(whole, 0, 'Full'));
      expect(checkSettings(shipped, again)).toEqual([]);
      expect(catalogueDifferences(whole, wholeCatalogue(shipped, again))).toEqual([]);
    }
  });

  test('shows what a change would do, from the value before to the value after', () => {
    const [before, after] = [noSettings, read(acme)].map((settings) => wholeCatalogue(shipped, settings));
    const lines = catalogueDifferences(before ?? {}, after ?? {}).map(differenceLine);
    expect(lines).toContain('~ methods.card.limits.USD.max: 5000 -> 8000.50');
    expect(lines).toContain('~ methods.upi.enabled: true -> false');
    expect(lines.find((line) => line.startsWith('+ methods.acme_card: '))).toBeTruthy();
    expect(lines.find((line) => line.startsWith('- countries.NZ'))).toBeTruthy();
  });
});

describe('[SRV-1] a fault of a file is named with its place and in plain words', () => {
  test.each([
    [
      'methods:\n  card:\n    enabeld: false',
      /^3:5 methods\.card\.enabeld: This field is unknown\. Did you mean enabled\?/,
    ],
    [
      'methods:\n  crad: { enabled: false }',
      /^2:3 methods\.crad: No shipped method is called crad\. Did you mean card\?/,
    ],
    [
      'methods:\n  card:\n    provider: strip',
      /^3:5 methods\.card\.provider: No provider is called strip\. Did you mean stripe\?/,
    ],
    ['methods:\n  card:\n    view: bank', /^3:5 methods\.card\.view: Give one of: default, card, .*cash/],
    [
      'methods:\n  card:\n    countries: [IN, XX]',
      /^3:21 methods\.card\.countries\.1: The catalogue has no country XX\./,
    ],
    [
      'methods:\n  card:\n    limits: { EURO: { min: 1 } }',
      /^3:15 methods\.card\.limits\.EURO: The cashier knows no currency EURO\. Did you mean EUR\?/,
    ],
    [
      'methods:\n  card:\n    limits: { USD: { min: 9, max: 8 } }',
      /^3:22 methods\.card\.limits\.USD\.min: Must not be above max: 9 is above 8\./,
    ],
    [
      'methods:\n  card:\n    limits: { GBP: { min: 1.005 } }',
      /^3:22 .*Expected an amount of GBP with at most 2 decimals\./,
    ],
    [
      'methods:\n  card:\n    limits: { JPY: { min: 1.5, max: 99999 } }',
      /^3:22 methods\.card\.limits\.JPY\.min: Payments in JPY are multiples of 1\.00\./,
    ],
    [
      'methods:\n  card:\n    fees: { USD: { fixed: 5 } }',
      /^3:13 methods\.card\.fees\.USD: The fee leaves nothing of the minimum amount 5\./,
    ],
    [
      'methods:\n  card:\n    fees: { USD: { percent: 100 } }',
      /^3:20 methods\.card\.fees\.USD\.percent: Give a percentage below 100/,
    ],
    [
      'methods:\n  card_stripe:\n    limits: { USD: { min: 0.20 } }',
      /^3:22 .*stripe accepts nothing below 0\.50 USD\./,
    ],
    ['methods:\n  card_stripe:\n    directions: [withdrawal]', /stripe pays out only to cards that paid/],
    [
      'methods:\n  card: { options: { flow: redirct } }',
      /^2:22 methods\.card\.options\.flow: redirct is not known\. Did you mean redirect\?/,
    ],
    [
      'methods:\n  card: { icons: [crad] }',
      /^2:19 methods\.card\.icons\.0: No icon is called crad\. Did you mean card\?/,
    ],
    ['methods:\n  card: { group: crypo }', /No group is called crypo\. Did you mean crypto\?/],
    ['methods:\n  acme: { title: { de: Karte } }', /The English text \(en\) is missing/],
    ['methods:\n  card:\n    enabled: yes please', /^3:5 methods\.card\.enabled: Give true or false\./],
    [
      'groups:\n  acme: { position: 1 }',
      /^2:3 groups\.acme: No shipped group is called acme\. A new group needs a title in English/,
    ],
    [
      'countries:\n  ZZ: { name: Nowhere }',
      /^2:3 countries\.ZZ: The cashier ships no country ZZ\. A new country needs name and currencies\./,
    ],
    [
      'icons:\n  acme: <svg onload="alert(1)"></svg>',
      /^2:3 icons\.acme: The attribute onload is not allowed in an icon\./,
    ],
    ['methods: [', /^1:\d+ /],
  ])('%s', (text, words) => {
    expect(faultsOf(text).join('\n')).toMatch(words);
  });

  test('no shipped method promises that it is free, because an operator may charge a fee for it', () => {
    const promises = shipped.methods
      .map(({ entry }) => entry.description?.['en'] ?? '')
      .filter((text) => /fee/i.test(text));
    expect(promises).toEqual([]);
    expect(warningsOf(shipped, read('methods:\n  card: { fees: { USD: { percent: 1 } } }'))).toEqual([]);
  });

  test('all faults of a file are named at once', () => {
    const lines = faultsOf('methods:\n  card: { group: a }\n  upi: { group: b }');
    expect(lines.map((line) => line.split(' ')[1])).toEqual(['methods.card.group:', 'methods.upi.group:']);
  });

  test('faults of shape and of meaning are named in one run', () => {
    const unknownField = 'methods:\n  card: { limits: { USD: { min: 9, max: 8 } }, grup: a }\n';
    expect(faultsOf(`${unknownField}  upi: { enabled: 1 }\n  pix: { group: b }`)).toEqual([
      '2:28 methods.card.limits.USD.min: Must not be above max: 9 is above 8.',
      expect.stringMatching(/^2:48 methods\.card\.grup: This field is unknown\./),
      '3:10 methods.upi.enabled: Give true or false.',
      '4:10 methods.pix.group: No group is called b.',
    ]);
    const noVersion = faultsOf('baseVersion: x\nmethods:\n  pix: { group: b }');
    expect(noVersion.map((line) => line.split(' ')[1])).toEqual(['baseVersion:', 'methods.pix.group:']);
  });

  const placesOf = (text: string) => faultsOf(text).map((line) => line.split(' ')[1]);

  test('an unknown field inside of a list hides no fault of another entry', () => {
    const bank = '{ text: A, value: a, valeu: b }';
    expect(placesOf(`methods:\n  card: { banks: [${bank}] }\n  pix: { group: b }`)).toEqual([
      'methods.card.banks.0.valeu:',
      'methods.pix.group:',
    ]);
  });

  test('a misspelt name of a needed field is one fault', () => {
    expect(placesOf('groups:\n  own: { titel: { en: Own } }\n  new: {}')).toEqual(['groups.own.titel:', 'groups.new:']);
    const acme = 'acme: { provder: sandbox, group: b }';
    expect(placesOf(`methods:\n  ${acme}\n  card: { limits: { USD: { mn: 5 }, EUR: {} } }`)).toEqual([
      'methods.acme.provder:',
      'methods.acme.group:',
      'methods.card.limits.USD.mn:',
      'methods.card.limits.EUR:',
    ]);
  });

  test('a part of a wrong shape makes nothing wrong that names it', () => {
    const lines = faultsOf('groups:\n  own: { title: { en: 5 } }\n  new: {}\nmethods:\n  card: { group: own }');
    expect(lines.map((line) => line.split(' ')[1])).toEqual(['groups.own.title.en:', 'groups.new:']);
  });

  test.each([
    [
      'methods:\n  card:\n\tlimits: {}',
      /^3:1 .*Line 3 \(`limits: \{\}`\) is no valid YAML: .* Replace the tab by spaces\.$/m,
    ],
    ['methods:\n  card: { enabled: true', /Line 2 .* Close each bracket/],
    ['methods:\n  card: {}\n  card: {}', /^3:3 .* Keep one of the two keys\.$/m],
    ['methods:\n  card: { title: { en: a: b } }', /Line 2 .* into quotes/],
    ['methods: @card', /into quotes/],
  ])('an error of the parser names the line and what to do: %j', (text, words) => {
    expect(faultsOf(text).join('\n')).toMatch(words);
  });
});
