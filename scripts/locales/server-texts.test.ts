import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nameProblems, serverTexts, wantedWords } from './server-texts.mjs';

const texts = [
  { english: 'Bank card', own: ['ar'] },
  { english: 'Humo card', own: [] },
  { english: 'UPI, any wallet', own: [] },
  { english: 'Korti Milli', own: [] },
];

const english = { card: 'Bank card', 'pattern.card': '{0} card', upi: 'UPI, any wallet' };

test('[UI-1] a text is wanted of every language that it does not bring along, as itself or by the pattern that makes it', () => {
  expect(wantedWords(texts, english, 'de')).toEqual(english);
  expect(wantedWords(texts, english, 'ar')).toEqual({ 'pattern.card': '{0} card', upi: 'UPI, any wallet' });
});

test('[UI-1] a text without a name, a name without a use and a second name are reported', () => {
  expect(nameProblems(texts, english)).toEqual([]);
  const { upi, ...others } = english;
  expect(nameProblems(texts, { ...others, cash: 'Cash', again: 'Bank card' })).toEqual([
    `"${upi}" has no name.`,
    '"cash": no text of the server uses it.',
    '"again": no text of the server uses it.',
    '"Bank card" has two names.',
  ]);
});

test('the texts are those of the shipped catalogue and of the pages between, without the names of banks', () => {
  const all = serverTexts(join(import.meta.dirname, '../../apps/server/src')).map(({ english }) => english);
  for (const text of [
    'Cards',
    'Direct debit',
    'Within one business day',
    'Random key',
    'Welcome bonus',
    'This link no longer works',
  ])
    expect(all).toContain(text);
  expect(all).not.toContain('Access Bank');
});
