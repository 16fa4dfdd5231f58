import { cardViewTypes, type PaymentGroup, type PaymentMethod } from '@opencashier/contract/api';
import { describe, expect, test } from 'vitest';
import { badgeOf, cardViewOfCode } from './card-view.ts';
import { lastUsedMethod, methodSections, needsMethodSearch, searchMethods, textFor } from './method-sections.ts';
import { isRussia, orderRegions } from './region.ts';

const method = (name: string, more: Partial<PaymentMethod> = {}): PaymentMethod => ({
  name,
  category: 'card',
  cardViewType: 0,
  text: { en: name },
  position: 1,
  iconIds: [name],
  amount_rules: {},
  fields: [],
  flags: {},
  ...more,
});
const group = (name: string, position: number, paymentMethods: string[]): PaymentGroup => ({
  name,
  label: { en: name },
  paymentMethods,
  position,
  display: 'list',
});
const names = (methods: readonly PaymentMethod[]) => methods.map(({ name }) => name);

describe('card view types', () => {
  test('[LIST-4] every code of the contract is known, and an unknown code means the default', () => {
    for (const [name, code] of Object.entries(cardViewTypes)) expect(cardViewOfCode(code)).toBe(name);
    expect([10, -1, 13.5, '13', null].map(cardViewOfCode)).toEqual(Array(5).fill('default'));
  });

  test('[LIST-2] badges: brand, exclusive, popular', () => {
    expect(badgeOf({ badgeType: 2, isPopular: true })).toBe('brand');
    expect(badgeOf({ badgeType: 8 })).toBe('exclusive');
    expect(badgeOf({ isPopular: true })).toBe('popular');
    expect(badgeOf({ badgeType: 5 })).toBeUndefined();
  });
});

describe('groups and methods', () => {
  test('[LIST-2] groups come by position, methods as listed, with at most three distinct icons', () => {
    const { sections } = methodSections({
      methods: [
        method('a', { iconIds: ['visa'] }),
        method('b', { iconIds: ['visa', 'mc'] }),
        method('c', { iconIds: ['mir'] }),
        method('d', { iconIds: ['amex'] }),
      ],
      groups: [group('later', 2, ['d']), group('first', 1, ['c', 'a', 'b', 'd', 'a'])],
    });
    expect(sections.map(({ group: { name } }) => name)).toEqual(['first', 'later']);
    expect(names(sections[0]?.methods ?? [])).toEqual(['c', 'a', 'b', 'd']);
    expect(sections[0]?.iconIds).toEqual(['mir', 'visa', 'mc']);
  });

  test('[LIST-2] unknown names and empty groups are left out, ungrouped methods are kept by position', () => {
    const { sections, ungrouped } = methodSections({
      methods: [method('z', { position: 9 }), method('y', { position: 3 }), method('a')],
      groups: [group('empty', 1, ['gone']), group('one', 2, ['a', 'gone'])],
    });
    expect(sections).toHaveLength(1);
    expect(names(ungrouped)).toEqual(['y', 'z']);
  });

  test('[LIST-6] the last used method is offered while it can be used', () => {
    const methods = [method('a'), method('b', { disabledReason: 'x' })];
    expect(lastUsedMethod(methods, 'a')?.name).toBe('a');
    expect([lastUsedMethod(methods, 'b'), lastUsedMethod(methods, 'gone'), lastUsedMethod(methods, null)]).toEqual(
      Array(3).fill(undefined),
    );
  });

  test('[LIST-6] a search box appears above twelve methods', () => {
    expect([0, 12, 13].map(needsMethodSearch)).toEqual([false, false, true]);
  });

  test('[LIST-6] search finds words in any order, case and accent', () => {
    const methods = [method('card_visa', { text: { en: 'Bank card', es: 'Tarjeta de crédito' } }), method('pix')];
    expect(names(searchMethods(methods, ' CARD bank', 'en'))).toEqual(['card_visa']);
    expect(names(searchMethods(methods, 'credito', 'es-MX'))).toEqual(['card_visa']);
    expect(names(searchMethods(methods, 'visa', 'es'))).toEqual(['card_visa']);
    expect(searchMethods(methods, 'card pix', 'en')).toEqual([]);
    expect(searchMethods(methods, '  ', 'en')).toHaveLength(2);
  });

  test('a text falls back to the language, to English, to any language, to the name', () => {
    expect(textFor({ 'es-MX': 'mx', es: 'es', en: 'en' }, 'es-MX', 'n')).toBe('mx');
    expect(textFor({ es: 'es', en: 'en' }, 'es-MX', 'n')).toBe('es');
    expect(textFor({ en: 'en' }, 'fr', 'n')).toBe('en');
    expect(textFor({ ru: 'ru' }, 'fr', 'n')).toBe('ru');
    expect(textFor({}, 'constructor', 'n')).toBe('n');
  });
});

describe('regions', () => {
  const countries = [{ code: 'IN' }, { code: 'RU' }, { code: 'BR' }];

  test('[LIST-3] the chosen region comes first', () => {
    expect(orderRegions(countries, 'BR').map(({ code }) => code)).toEqual(['BR', 'IN', 'RU']);
    expect(orderRegions(countries, 'XX')).toEqual(countries);
  });

  test('Russia is recognised in either letter case', () => {
    expect([isRussia('ru'), isRussia('RU'), isRussia('IN'), isRussia(undefined)]).toEqual([true, true, false, false]);
  });
});
