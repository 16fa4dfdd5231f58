/** Rules that all fields of one kind share, for deposits and withdrawals. */
import type { FormField } from '@opencashier/contract/api';
import { validateField } from '@opencashier/core/fields/validate-field';
import { describe, expect, test } from 'vitest';
import { bundledFiles } from '../bundled-files.ts';
import { createShippedCatalogue } from '../shipped-catalogue.fixture.ts';

const catalogue = createShippedCatalogue(bundledFiles);

interface Asked {
  readonly method: string;
  readonly direction: 'deposit' | 'withdrawal';
  readonly field: FormField;
}

const asked: readonly Asked[] = (['deposit', 'withdrawal'] as const).flatMap((direction) => {
  const names = new Set(
    catalogue
      .countries('op')
      .flatMap(({ code: country, currencies }) =>
        currencies.flatMap((currency) =>
          catalogue
            .list({ operatorId: 'op', direction, country, currency, language: 'en' })
            .methods.map(({ name }) => name),
        ),
      ),
  );
  return [...names].flatMap((name) => {
    const method = catalogue.method({ operatorId: 'op', name });
    const fields = method === undefined ? [] : [...method.fields, ...method.preparationFields];
    return fields.map((field) => ({ method: name, direction, field }));
  });
});

const called = (name: string) => asked.filter(({ field }) => field.name === name);
const passes = ({ method, field }: Asked, value: string) => validateField({ field, value, method }).error === undefined;

describe('[FORM-2] [WD-2] names of people', () => {
  // Banks write names of SEPA transfers in Latin letters alone: `sepa-names.test.ts`.
  const names = called('fullName').filter(({ method }) => !method.startsWith('sepa_'));

  test('have the same rule in deposits and withdrawals', () => {
    expect(new Set(names.map(({ direction }) => direction))).toEqual(new Set(['deposit', 'withdrawal']));
    expect(new Set(names.map(({ field }) => field.regex)).size).toBe(1);
    expect(new Set(names.map(({ field }) => field.regex_error_key)).size).toBe(1);
  });

  test.each([
    ['Devanagari', 'नरेन्द्र मोदी'],
    ['Devanagari with a joiner', 'लक्ष्मी क्\u200dष'],
    ['Bengali', 'শেখ হাসিনা'],
    ['Thai', 'สมชาย ใจดี'],
    ['Telugu', 'శ్రీ లక్ష్మి'],
    ['Arabic with a vowel mark', 'مُحَمَّد بن سلمان'],
    ['Persian with a non-joiner', 'علی\u200cرضا'],
    ['Latin with a combining mark', 'Zoe\u0308'],
    ['Latin with a letter of its own', 'Zoë'],
    ['a typographic apostrophe', 'Sinéad O’Neil'],
    ['a plain apostrophe', "D'Arcy"],
    ['an apostrophe in front', '’t Hooft'],
    ['hyphens and dots', 'Jean-Luc St. John, Jr.'],
    ['Chinese with a dot between', '阿·王'],
    ['Cyrillic', 'Пётр Ильич'],
    ['Uzbek', 'Oʻtkir Gʻulom'],
  ])('in %s are accepted', (_script, name) => {
    for (const one of names) expect(passes(one, name), `${one.method}: ${name}`).toBe(true);
  });

  test.each(['', ' ', 'x', '1', 'R2 D2', 'a@b', '<b>Ann</b>', '😀😀', '’’', 'Ann\u202enn', `A${'n'.repeat(90)}`])(
    '%j is not a name',
    (name) => {
      for (const one of names) expect(passes(one, name), one.method).toBe(false);
    },
  );
});

describe('[FORM-4] fields with their own check', () => {
  test('every e-mail field has the same check', () => {
    const fields = called('email');
    expect(fields.length).toBeGreaterThan(4);
    for (const one of fields) {
      for (const right of ['ann@example.com', 'anna@münchen.de', 'anna@пример.рф']) {
        expect(passes(one, right), `${one.method}: ${right}`).toBe(true);
      }
      for (const wrong of ['', 'mailto:a@b.c', 'a@b', 'a@example..com']) {
        expect(passes(one, wrong), `${one.method}: ${wrong}`).toBe(false);
      }
    }
  });

  test.each([
    ['cpf', '529.982.247-25', '529.982.247-52'],
    ['iban', 'DE89 3704 0044 0532 0130 00', 'DE89 3704 0044 0532 0130 01'],
    ['clabe', '032 180 00011835971 9', '032 180 00011835971 8'],
  ])('check digits of %s are checked in deposits and withdrawals', (name, right, wrong) => {
    const fields = called(name);
    expect(new Set(fields.map(({ direction }) => direction))).toEqual(new Set(['deposit', 'withdrawal']));
    for (const one of fields) {
      expect(one.field.category?.replace('sepa_', ''), one.method).toBe(name);
      if (name === 'iban' && one.field.regex?.startsWith('^DE') !== true) continue;
      expect(passes(one, right), one.method).toBe(true);
      expect(passes(one, wrong), one.method).toBe(false);
    }
  });

  test('SEPA methods accept only SEPA accounts', () => {
    const fields = called('iban').filter(({ method }) => /sepa|bank_details_de/.test(method));
    expect(new Set(fields.map(({ direction }) => direction))).toEqual(new Set(['deposit', 'withdrawal']));
    for (const one of fields) {
      expect(one.field.category, one.method).toBe('sepa_iban');
      for (const wrong of [
        'TR33 0006 1005 1978 6457 8413 26',
        'US89 3704 0044 0532 0130 00',
        'DE89 3704 0044 0532 0130 0',
      ]) {
        expect(passes(one, wrong), `${one.method}: ${wrong}`).toBe(false);
      }
    }
    const payouts = fields.filter(({ direction }) => direction === 'withdrawal');
    for (const one of payouts) expect(passes(one, 'FR14 2004 1010 0505 0001 3M02 606'), one.method).toBe(true);
  });

  test('a German IBAN may be written with or without spaces', () => {
    const debit = called('iban').filter(({ method }) => method === 'bank_details_de');
    expect(debit).toHaveLength(1);
    for (const one of debit) {
      for (const text of ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000', 'de89 3704 0044 0532 0130 00']) {
        expect(passes(one, text), text).toBe(true);
      }
      expect(passes(one, 'FR14 2004 1010 0505 0001 3M02 606')).toBe(false);
    }
  });
});
