/** Each rule is tested with a file that breaks it and with a good file: a check that never fails proves nothing. */
import { describe, expect, test, vi } from 'vitest';
import { checkLanguage } from './check-language.mjs';
import { sharedWords } from './check-writing.mjs';
import { writingOf } from './languages.mjs';

const english = {
  choose: 'Choose a payment method to begin.',
  code: 'Nothing found for “{query}”',
  coins: '{count, plural, one {# coin} other {# coins}}',
  ended: '{kind, select, coins {The coins came back to {name}.} other {The money came back.}}',
  facts: 'Coins were made more than 2,600 years ago.',
  iban: 'IBAN',
  loading: 'Loading…',
  pay: 'Pay {amount}',
  terms: 'Read the <b>terms</b>',
};

const german = {
  choose: 'Wähle zuerst eine Zahlungsart.',
  code: 'Nichts gefunden für „{query}“',
  coins: '{count, plural, one {# Münze} other {# Münzen}}',
  ended: '{kind, select, coins {{name} hat die Münzen wieder.} other {Das Geld ist wieder da.}}',
  facts: 'Münzen gibt es seit mehr als 2.600 Jahren.',
  iban: 'IBAN',
  loading: 'Wird geladen …',
  pay: '{amount} zahlen',
  terms: 'Lies die <b>Bedingungen</b>',
};

const russian = {
  choose: 'Сначала выберите способ оплаты.',
  code: 'По запросу «{query}» ничего не найдено',
  coins: '{count, plural, one {# монета} few {# монеты} many {# монет} other {# монеты}}',
  ended: '{kind, select, coins {Монеты снова у {name}.} other {Деньги вернулись.}}',
  facts: 'Монеты появились более 2 600 лет назад.',
  iban: 'IBAN',
  loading: 'Загрузка…',
  pay: 'Оплатить {amount}',
  terms: 'Прочтите <b>условия</b>',
};

const rulesBrokenBy = (locale: string, texts: Record<string, string>, base?: Record<string, string>): string[] => [
  ...new Set(checkLanguage(locale, texts, english, { base }).map(({ rule }) => rule)),
];

const without = (texts: Record<string, string>, key: string): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([name]) => name !== key));

describe('[UI-1] what a language’s file must be', () => {
  test.each([
    ['de', german],
    ['ru', russian],
  ])('a good file of %s breaks nothing', (locale, texts) => {
    expect(checkLanguage(locale, texts, english)).toEqual([]);
  });

  test.each<readonly [rule: string, locale: string, texts: Record<string, string>]>([
    ['missing', 'de', without(german, 'pay')],
    ['plural form', 'ru', { ...russian, coins: '{count, plural, one {# монета} few {# монеты} other {# монеты}}' }],
    ['plural form', 'de', { ...german, coins: '{count} Münzen' }],
    ['extra', 'de', { ...german, gone: 'Fort' }],
    // German has no form for few.
    ['plural form', 'de', { ...german, coins: '{count, plural, one {# Münze} few {# Münzen} other {# Münzen}}' }],
    ['select', 'de', { ...german, ended: 'Das Geld ist wieder da.' }],
    ['select', 'de', { ...german, ended: '{kind, select, other {Das Geld ist wieder da.}}' }],
    [
      'select',
      'de',
      { ...german, ended: german.ended.replace('other', 'points {Punkte sind wieder da, {name}.} other') },
    ],
    ['placeholder', 'de', { ...german, ended: german.ended.replace('{name} hat', 'Sie haben') }],
    ['sentence end', 'de', { ...german, ended: german.ended.replace('da.', 'da') }],
    ['syntax', 'de', { ...german, coins: '{count, plural, one {# Münze}}' }],
    ['empty', 'de', { ...german, pay: '' }],
    ['placeholder', 'de', { ...german, pay: 'Zahlen' }],
    ['placeholder', 'de', { ...german, pay: '{betrag} {amount} zahlen' }],
    ['syntax', 'de', { ...german, pay: '{amount zahlen {amount}' }],
    // In Russian "one" is also 21.
    ['placeholder', 'ru', { ...russian, coins: russian.coins.replace('# монета', 'Одна монета') }],
    ['markup', 'de', { ...german, terms: 'Lies die Bedingungen' }],
    ['number', 'de', { ...german, facts: 'Münzen gibt es seit mehr als 2.500 Jahren.' }],
    ['untranslated', 'de', { ...german, choose: english.choose }],
    ['untranslated', 'de', { ...german, choose: 'Choose eine Zahlungsart, please.' }],
    ['untranslated', 'de', { ...german, choose: 'Zuerst payment method to begin.' }],
    ['space', 'de', { ...german, pay: '{amount} zahlen ' }],
    ['space', 'de', { ...german, pay: '{amount}  zahlen' }],
    ['space', 'fr', { ...german, loading: 'Chargement !…' }],
    ['ellipsis', 'de', { ...german, loading: 'Wird geladen...' }],
    ['ellipsis', 'de', { ...german, loading: 'Wird geladen' }],
    ['quotation', 'de', { ...german, code: 'Nichts gefunden für “{query}”' }],
    ['quotation', 'de', { ...german, code: 'Nichts gefunden für „{query}' }],
    ['quotation', 'de', { ...german, code: 'Nichts gefunden für "{query}"' }],
    ['quotation', 'de', { ...german, pay: "Wie geht's mit {amount}" }],
    ['sentence end', 'de', { ...german, choose: 'Wähle zuerst eine Zahlungsart' }],
    ['script', 'de', { ...german, pay: '{amount} zаhlen' }],
    ['script', 'ru', { ...russian, pay: 'Oплатить {amount}' }],
    ['script', 'ru', { ...russian, pay: 'Pay {amount}' }],
    ['script', 'uz', { ...german, pay: 'Тўлаш {amount}' }],
    ['script', 'ro', { ...german, pay: 'Plătiţi {amount}' }],
    ['script', 'ur', { ...german, pay: 'ادائيگی {amount}' }],
    ['script', 'zh', { ...german, pay: '支付 {amount} 銀行' }],
    ['invisible', 'ar', { ...german, pay: 'ادفع \u202b{amount}' }],
    ['invisible', 'de', { ...german, pay: '{amount}\u200b zahlen' }],
    ['normal form', 'de', { ...german, code: 'Nichts gefunden fu\u0308r „{query}“' }],
    ['digits', 'ar', { ...german, facts: 'صُنعت قبل ٢٦٠٠ عام.', pay: 'ادفع {amount} في 3' }],
  ])('%s is found in %s', (rule, locale, texts) => {
    expect(rulesBrokenBy(locale, texts)).toContain(rule);
  });

  test('a canary breaks its rule alone, so that no rule hides behind another', () => {
    expect(rulesBrokenBy('de', { ...german, pay: '{amount} zahlen ' })).toEqual(['space']);
    expect(rulesBrokenBy('de', { ...german, pay: 'Zahlen' })).toEqual(['placeholder']);
    expect(rulesBrokenBy('de', { ...german, ended: 'Das Geld ist wieder da.' })).toEqual(['select']);
    expect(rulesBrokenBy('ru', { ...russian, coins: russian.coins.replace('# монета', 'Одна монета') })).toEqual([
      'placeholder',
    ]);
  });

  test('a form that is one number alone may leave the number out', () => {
    expect(rulesBrokenBy('de', { ...german, coins: german.coins.replace('# Münze}', 'Eine Münze}') })).toEqual([]);
    expect(rulesBrokenBy('de', { ...german, coins: german.coins.replace('one', '=0 {keine Münze} one') })).toEqual([]);
  });

  test('a language with one form for every number needs no plural', () => {
    const texts = { coins: '{count} 枚のコイン' };
    expect(checkLanguage('ja', texts, { coins: english.coins })).toEqual([]);
    expect(checkLanguage('ja', { coins: '{count, plural, other {# 枚のコイン}}' }, { coins: english.coins })).toEqual(
      [],
    );
  });

  test('a word that the glossary names may be written as in English, a sentence never', () => {
    const words = sharedWords('# German\n\nSame as in English: Bank, Code.\n');
    const find = (original: string, value: string): number =>
      checkLanguage('de', { a: value }, { a: original }, { words }).length;
    expect(find('Bank', 'Bank')).toBe(0);
    expect(find('Bank {name}', 'Bank {name}')).toBe(0);
    expect(find('Wallet', 'Wallet')).toBe(1);
    expect(find('Choose the bank', 'Choose the bank')).toBe(1);
  });

  test('a label of several words that the glossary names is allowed as a whole text only', () => {
    const words = sharedWords('Same as in English: Account, Please, Date of birth.\n');
    const find = (original: string, value: string): number =>
      checkLanguage('hi-Latn-IN', { a: value }, { a: original }, { words }).length;
    expect(find('Date of birth', 'Date of birth')).toBe(0);
    expect(find('{field}: date of birth', '{field}: date of birth')).toBe(0);
    expect(find('Birth', 'Birth')).toBe(1);
    expect(find('Enter your date of birth here', 'Apna date of birth daalein')).toBe(1);
    expect(find('Please do not pay again.', 'Please dobara pay na karein.')).toBe(0);
    expect(find('Please do not pay again.', 'Please do not pay again.')).toBe(1);
  });

  test('a variant holds what differs, and nothing else', () => {
    const spanish = { pay: 'Pagar {amount}', loading: 'Cargando…' };
    expect(rulesBrokenBy('es-MX', { pay: 'Paga {amount}' }, spanish)).toEqual([]);
    expect(rulesBrokenBy('es-MX', { pay: 'Pagar {amount}' }, spanish)).toEqual(['same as the language']);
    expect(rulesBrokenBy('es-MX', { paga: 'Paga {amount}' }, spanish)).toEqual(['extra']);
    expect(rulesBrokenBy('es-MX', { pay: 'Paga' }, spanish)).toEqual(['placeholder']);
  });
});

test('[UI-1] a plural in Tajik has two forms, also on a Russian machine, which has no rules for it', () => {
  const Real = Intl.PluralRules;
  class RussianRules extends Real {
    constructor(asked: string | readonly string[] = [], options?: Intl.PluralRulesOptions) {
      super(Real.supportedLocalesOf(asked)[0] ?? 'ru', options);
    }
  }
  vi.stubGlobal('Intl', Object.create(Intl, { PluralRules: { value: RussianRules } }));
  const tajik = { coins: '{count, plural, one {Як танга} other {# танга}}' };
  expect(checkLanguage('tg', tajik, { coins: english.coins })).toEqual([]);
});

test('a language in a script that nobody described is refused rather than left unchecked', () => {
  expect(() => writingOf('am')).toThrow('am');
});
