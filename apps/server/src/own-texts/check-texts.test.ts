import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkTexts, problemOf } from './check-texts.ts';

const english = {
  hint: 'Try again later',
  pay: 'Pay {amount}',
  spins: '{count, plural, one {# free spin of {game}} other {# free spins of {game}}}',
  back: '{kind, select, coins {Your coins came back.} other {Your {amount} came back.}}',
  long: 'x'.repeat(200),
};
const problem = (key: string, text: string, locale = 'en') => problemOf(locale, key, text, english);

test.each([
  ['hint', 'Turn on a VPN, then choose another country'],
  ['hint', 'شغّل VPN ثم اختر بلدًا آخر'],
  ['hint', 'र्\u200dयाच्या क\u094d\u200dष, می\u200cخواهم'],
  ['hint', '\u26a0\ufe0f Stop \u{1f469}\u200d\u{1f4bb}'],
  ['hint', '→'],
  ['pay', '{amount}'],
  ['hint', "It''s '{'open now'}'"],
  ['pay', 'Send {amount} now, {amount}!'],
  ['spins', '{count} × {game}'],
  ['spins', '{count, plural, =1 {A free spin of {game}} other {# spins of {game}}}'],
  ['back', 'Your {amount} came back.'],
  ['long', 'y'.repeat(800)],
])('[UI-1] an own text may say: %s, %s', (key, text) => {
  expect(problem(key, text)).toBeUndefined();
});

test('[UI-1] an Arabic text may leave out the number where its form says it', () => {
  expect(problem('spins', '{count, plural, two {دورتان من {game}} other {# دورة من {game}}}', 'ar')).toBeUndefined();
  expect(problem('spins', '{count, plural, few {دورات من {game}} other {# دورة من {game}}}', 'ar')).toBe(
    'The text lost {count}.',
  );
});

test.each([
  ['nothing', 'x', 'The widget has no text with this key.'],
  ['constructor', 'x', 'The widget has no text with this key.'],
  ['hint', '', 'The text is empty.'],
  ['hint', ' \u00a0 ', 'The text is empty.'],
  ['hint', 'x'.repeat(301), 'The text must have at most 300 characters.'],
  ['long', 'x'.repeat(801), 'The text must have at most 800 characters.'],
  ['hint', '<b>Try</b>', 'The text must not contain < or >. Markup is not interpreted.'],
  ['pay', 'Pay', 'The text lost {amount}.'],
  ['pay', 'Pay {amount} to {name}', 'The text has {name}, which nothing fills in.'],
  ['pay', '{amount, number}', /^The text formats \{amount\}/],
  ['hint', 'Try {again', /^The text is no ICU message: /],
  ['spins', '{count, plural, one {one of {game}} few {some of {game}} other {# of {game}}}', 'The text lost {count}.'],
  ['back', '{kind, select, coins {Coins.} other {Money.}}', 'The text lost {amount}.'],
  ['hint', '… !', /must show/],
  ['hint', '\u0301', /must show/],
  ['spins', '{count, plural, =1 {} other {# spins of {game}}}', /^Each case of the text must show/],
  ['back', '{kind, select, coins {—} other {Your {amount} came back.}}', /must show/],
  ['pay', '{mood, select, good {Pay {amount}} other {Pay {amount}!}}', /chooses by \{mood\}/],
])('[UI-1] a text is refused: %s, %j', (key, text, expected) => {
  expect(problem(key, text)).toMatch(expected);
});

const hidden = [
  ...['\n', '\t', '\u0000', '\u0085', '\u2028', '\u202e', '\u2066', '\u200b', '\ufeff', '\ud800', '\u{e0041}'],
  ...['\u3164', '\u115f', '\u2800', '\u061c', '\u200e', '\u200f', '\u00ad', '\ufe0f', '\ufff9', '\u{1d159}'],
];
test.each(hidden)('[UI-1] a text with the hidden character %j is refused', (character) => {
  for (const text of [`Pay${character}here`, character]) {
    expect(problem('hint', text)).toMatch(/invisible characters|is empty/);
  }
});

test.each(['\u200d', 'Pay \u200d', '\u200cPay', 'a\u200d\u200db', '1\u200d2', 'a\u{1f44d}\u200db'])(
  '[UI-1] a joiner that joins no letters is refused: %j',
  (text) => {
    expect(problem('hint', text)).toMatch(/invisible characters/);
  },
);

test('[SRV-9] a small text that would become a large one is refused at once', () => {
  const cases = (name: string, count: number) =>
    `{${name}, plural, ${Array.from({ length: count }, (_, at) => `=${at}{a}`).join('')}other{b}}`;
  expect(problem('spins', cases('count', 3).repeat(5))).toMatch(/at most 2 choices/);
  expect(problem('spins', cases('count', 20).repeat(2))).toMatch(/too many cases/);
});

test('[UI-1] every wrong text is named with its key, and a language has bounds', () => {
  expect(checkTexts('en', { hint: '<', pay: 'Pay', long: 'fine' }, english).map(({ path }) => path)).toEqual([
    'texts.hint',
    'texts.pay',
  ]);
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`k${at}`, 'x']));
  expect(checkTexts('en', many, english)).toEqual([
    { path: 'texts', message: 'A language can have at most 200 own texts.' },
  ]);
  expect(checkTexts('en', { hint: 'x'.repeat(66_000) }, english)).toMatchObject([{ path: 'texts' }]);
});

const locales = readdirSync(new URL('../../../../locales', import.meta.url))
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));

/** What an operator copies from `locales/` must be accepted. */
test.each(locales)('[UI-1] every shipped text of %s would be accepted', (locale) => {
  const read = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../../../locales/${name}.json`, import.meta.url), 'utf8')) as Record<
      string,
      string
    >;
  const shipped = read('en');
  const refused = Object.entries(read(locale)).flatMap(([key, text]) => problemOf(locale, key, text, shipped) ?? []);
  expect(refused).toEqual([]);
});
