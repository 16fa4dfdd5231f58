import { expect, test, vi } from 'vitest';
import { formatMessage, type Message } from './message.ts';

const spins: Message = [
  'count',
  {
    '=0': 'нет вращений',
    one: '{count} вращение, от {from}',
    many: '{count} вращений, от {from}',
    other: '{count} вращения, от {from}',
  },
];
const said = (message: Message, params?: Record<string, string | number>): string =>
  formatMessage(message, params, 'ru', 'ru');

test.each([
  [0, 'нет вращений'],
  [21, '21 вращение, от 5 €'],
  [5, '5 вращений, от 5 €'],
  // The file has no form for a few: `other` stands in for it.
  [2, '2 вращения, от 5 €'],
])('[UI-1] %d is said in the form of its number, with what else the text names', (count, text) => {
  expect(said(spins, { count, from: '5 €' })).toBe(text);
});

test('[UI-1] a number is written by the locale, with the digits that the locale names', () => {
  expect(formatMessage('{count} of {required}', { count: 1_234.5, required: 2 }, 'de', 'de-AT')).toBe(
    '1\u00a0234,5 of 2',
  );
  expect(formatMessage('{count}', { count: 12_000 }, 'bn', 'bn-u-nu-latn')).toBe('12,000');
  expect(formatMessage('{count}', { count: 12 }, 'bn', 'bn-u-nu-beng')).toBe('১২');
});

test('[UI-1] an unknown or missing value takes the case `other`, whatever it is called', () => {
  const kind: Message = ['kind', { coins: ['count', { one: 'a coin', other: 'coins' }], other: 'money {kind}' }];
  expect(said(kind, { kind: 'coins', count: 1 })).toBe('a coin');
  expect(said(kind, { kind: 'coins' })).toBe('coins');
  expect(said(kind, { kind: 'constructor' })).toBe('money constructor');
  expect(said(kind, { kind: '__proto__' })).toBe('money __proto__');
  expect(said(kind)).toBe('money {kind}');
  expect(said(['kind', { coins: 'coins' }])).toBe('');
});

test('a value is never read as a pattern', () => {
  expect(said('Hello {name}', { name: '$& {name}' })).toBe('Hello $& {name}');
});

test.each(['az', 'kk', 'ky', 'tg', 'uz'])('[UI-1] a Russian browser without %s has its two forms', async (locale) => {
  const Real = Intl.PluralRules;
  class RussianRules extends Real {
    constructor(asked: string | readonly string[] = [], options?: Intl.PluralRulesOptions) {
      const known = Real.supportedLocalesOf(asked).filter((one) => one !== locale);
      super(known[0] ?? 'ru', options);
    }
  }
  vi.stubGlobal('Intl', Object.create(Intl, { PluralRules: { value: RussianRules } }));
  // Rules are kept for each language, and another test may have asked for these.
  vi.resetModules();
  const { formatMessage: fresh } = await import('./message.ts');
  const message: Message = ['count', { one: 'one', few: 'few', many: 'many', other: 'other' }];
  const forms = [0, 1, 1.5, 2, 5, 21].map((count) => fresh(message, { count }, locale, 'ru'));
  expect(forms).toEqual(['other', 'one', 'other', 'other', 'other', 'other']);
});
