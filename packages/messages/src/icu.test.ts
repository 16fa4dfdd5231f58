import { describe, expect, test } from 'vitest';
import { compileMessage, compileTexts, longestPattern, variantsOf } from './icu.mjs';

describe('[UI-1] an ICU message is compiled to what the widget interprets', () => {
  test.each([
    ['a plain text and its values', 'From {from} to {0}', 'From {from} to {0}'],
    [
      'a plural, whose # is its number',
      '{count, plural, =0 {none} one {# coin} other {# coins}}',
      ['count', { '=0': 'none', one: '{count} coin', other: '{count} coins' }],
    ],
    [
      'the text around a choice, in every case',
      'You get {kind, select, coins {coins} other {money}} from {from}.',
      ['kind', { coins: 'You get coins from {from}.', other: 'You get money from {from}.' }],
    ],
    [
      'a choice inside a choice',
      '{kind, select, coins {{count, plural, one {# coin} other {# coins}}} other {money}}',
      ['kind', { coins: ['count', { one: '{count} coin', other: '{count} coins' }], other: 'money' }],
    ],
    ['a plural with one form', '{count, plural, other {# 回}}', '{count} 回'],
    ['a case that reads as the case other', '{count, plural, one {# left} other {# left}}', '{count} left'],
    [
      'a number that reads as the case other, but not as its plural form',
      '{count, plural, =1 {# attempts left} one {One attempt left} other {# attempts left}}',
      ['count', { '=1': '{count} attempts left', one: 'One attempt left', other: '{count} attempts left' }],
    ],
    ['a number that reads as every case', '{count, plural, =1 {# left} one {# left} other {# left}}', '{count} left'],
    [
      'a # of a plural inside a select inside a plural',
      '{all, plural, other {{kind, select, a {{count, plural, one {# coin} other {# coins}}} other {none}}}}',
      ['kind', { a: ['count', { one: '{count} coin', other: '{count} coins' }], other: 'none' }],
    ],
    ['apostrophes', "Don''t press '{' or it's over", "Don't press { or it's over"],
    ['markup', 'Read the <b>terms</b>', 'Read the <b>terms</b>'],
  ])('%s', (_what, source, compiled) => {
    expect(compileMessage(source)).toEqual(compiled);
  });

  test.each([
    ['a brace without its partner', 'Pay {amount', 'is no ICU message'],
    ['a plural without the case other', '{count, plural, one {# coin}}', 'is no ICU message'],
    ['a case that stands twice', '{count, plural, one {a} one {b} other {c}}', 'is no ICU message'],
    ['an offset', '{count, plural, offset:1 one {a} other {b}}', 'offset'],
    ['an ordinal', '{count, selectordinal, one {#st} other {#th}}', 'ordinal'],
    [
      'a # in a select inside a plural',
      '{count, plural, one {a coin} other {{kind, select, coins {{sort, select, gold {# coins} other {}}} other {}}}}',
      'has # in a select inside the plural of {count}: write {count} there',
    ],
    ['a format', 'At {time, time, short}', 'formats {time}'],
    ['a name in braces that is to be read', "Write '{name}'", 'name in braces'],
  ])('%s is refused', (_what, source, why) => {
    expect(() => compileMessage(source)).toThrow(why);
  });

  test('the error names the file and the key, so the build fails with the place', () => {
    expect(() => compileTexts('de', { pay: '{amount zahlen' })).toThrow(/locales\/de\.json: "pay" is no ICU message/);
  });
});

test('a message tells its sentences and its longest form', () => {
  const source = '{kind, select, coins {{count, plural, one {a coin} other {# coins}}} other {money of {owner}}}';
  expect(variantsOf(source)).toEqual([
    {
      cases: [
        { kind: 'select', name: 'kind', chosen: 'coins' },
        { kind: 'plural', name: 'count', chosen: 'one' },
      ],
      text: 'a coin',
    },
    {
      cases: [
        { kind: 'select', name: 'kind', chosen: 'coins' },
        { kind: 'plural', name: 'count', chosen: 'other' },
      ],
      text: '{count} coins',
    },
    { cases: [{ kind: 'select', name: 'kind', chosen: 'other' }], text: 'money of {owner}' },
  ]);
  expect(longestPattern(compileMessage(source))).toBe('money of {owner}');
});
