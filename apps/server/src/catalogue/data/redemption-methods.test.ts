/** Sweepstake coins in the catalogue. The server refuses to start with a method that sells sweep coins or pays gold out. */
import { describe, expect, test } from 'vitest';
import { bundledFiles } from '../bundled-files.ts';
import { CatalogueError } from '../catalogue-file.ts';
import { createShippedCatalogue } from '../shipped-catalogue.fixture.ts';

const file = 'methods/withdrawals/redemption.json';
const [first, ...rest] = bundledFiles.methods[file] as readonly object[];
const start = (changed: object) =>
  createShippedCatalogue({
    ...bundledFiles,
    methods: { ...bundledFiles.methods, [file]: [{ ...first, ...changed }, ...rest] },
  });
const rule = { min: '50', max: '1000' };

describe('[SWP-2] a method of redemption', () => {
  test('is offered only for sweep coins, in every country that has the method', () => {
    const catalogue = start({});
    const listed = (currency: string, direction: 'deposit' | 'withdrawal' = 'withdrawal') =>
      catalogue.list({ operatorId: 'demo', direction, country: 'MX', currency, language: 'en' }).methods;
    expect(listed('SC').every(({ payoutCurrency }) => payoutCurrency !== undefined)).toBe(true);
    expect(listed('SC')).toHaveLength(6);
    expect(listed('GC')).toEqual([]);
    expect(listed('SC', 'deposit')).toEqual([]);
    const converted = listed('MXN').filter(({ payoutCurrency }) => payoutCurrency !== undefined);
    expect(converted.every(({ category, name }) => category === 'crypto' && !name.startsWith('redeem'))).toBe(true);
  });

  test.each([
    ['pays gold out', { amount_rules: { GC: rule }, fees: {} }],
    ['pays another naming of the coins out', { amount_rules: { QSC: rule }, fees: {} }],
    ['takes coins for money', { directions: ['deposit', 'withdrawal'] }],
    ['pays coins out as coins', { payoutCurrency: 'SC' }],
    ['pays an unknown currency', { payoutCurrency: 'XXQ' }],
    ['does not say what arrives', { payoutCurrency: undefined }],
    ['pays money out as other money', { amount_rules: { USD: rule }, fees: {}, payoutCurrency: 'EUR' }],
  ])('stops the start when the method %s', (_, changed) => {
    expect(() => start(changed)).toThrow(CatalogueError);
  });
});
