/** Every message of every language, with values as screens give them. */
import { join } from 'node:path';
import { variantsOf } from '@opencashier/messages/icu';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compiledTextsOf, readDictionaries } from '../../../../../scripts/locales/dictionaries.mjs';
import { madeUpTexts } from '../../../../../scripts/locales/made-up.mjs';
import { formatMessage, type Message } from '../../kit/format/message.ts';
import { formatLocaleOf } from './locale-name.ts';

const dictionaries = readDictionaries(join(import.meta.dirname, '../../../../../locales'));
const english = dictionaries.get('en') ?? {};
const { pseudo, longest } = madeUpTexts(dictionaries);
const languages = [
  ...[...dictionaries.keys()].map((locale) => [locale, compiledTextsOf(locale, dictionaries)] as const),
  ['qps', pseudo] as const,
  ['qlo', longest] as const,
];

/** What a message can be given: the names of its values, and for each choice its cases. */
const inputs = Object.entries(english).map(([key, source]) => {
  const variants = variantsOf(source);
  const cases = variants.flatMap((variant) => variant.cases);
  return {
    key,
    names: [...new Set(variants.flatMap(({ text }) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)))],
    numbers: new Set(cases.filter(({ kind }) => kind === 'plural').map(({ name }) => name)),
    selects: cases.filter(({ kind }) => kind === 'select'),
  };
});

const isolated = (text: string): string => `\u2068${text}\u2069`;
const values: Record<string, string> = {
  short: 'x',
  long: 'Donaudampfschiffahrtsgesellschaft '.repeat(8),
  'right-to-left': 'ليلى',
  'with an isolate': isolated('١٢٣ ₹'),
  'like a pattern': '$& $1 [count] #',
};
const counts = [0, 1, 2, 3, 5, 11, 21, 100, 1.5, 12_345, 1_000_000];

function say(message: Message, locale: string, input: (typeof inputs)[number], value: string, count: number): string {
  const params: Record<string, string | number> = {};
  for (const name of input.names) params[name] = value;
  for (const name of input.numbers) params[name] = count;
  return formatMessage(message, params, locale, formatLocaleOf(locale, locale));
}

describe.each(languages)('[UI-1] %s', (locale, texts) => {
  test.each(Object.entries(values))('each message takes a value that is %s', (_what, value) => {
    // One comparison for all messages: an assertion for each takes most of the time of the tests.
    const wrong: string[] = [];
    for (const input of inputs) {
      const message = texts[input.key] ?? '';
      const isShown = input.names.some(
        (name) => !input.numbers.has(name) && !input.selects.some((one) => one.name === name),
      );
      for (const count of input.numbers.size > 0 ? counts : [1]) {
        const text = say(message, locale, input, value, count);
        if (!/^[^{}]+$/.test(text) || (isShown && !text.includes(value))) wrong.push(`${input.key}: ${text}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('each select has a sentence for each of its cases, and `other` for an unknown one', () => {
    const wrong: string[] = [];
    for (const { key, selects, names } of inputs) {
      const params = Object.fromEntries(names.map((name) => [name, 'x']));
      for (const { name, chosen } of selects) {
        const say = (value: string) => formatMessage(texts[key] ?? '', { ...params, [name]: value }, locale, 'en');
        if (say(chosen) === '' || say('no such case') !== say('other')) wrong.push(`${key} ${name} ${chosen}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('any number finds a form, and is written with the digits 0 to 9', () => {
    const plurals = inputs.filter(({ numbers }) => numbers.size > 0);
    expect(plurals).not.toEqual([]);
    fc.assert(
      fc.property(fc.constantFrom(...plurals), fc.nat(), (input, count) => {
        const text = say(texts[input.key] ?? '', locale, input, isolated('a'), count);
        expect(text).toMatch(/\S/);
        expect(text).not.toMatch(/[{}]|(?![0-9])\p{Nd}/u);
      }),
      { numRuns: 60 },
    );
  });
});
