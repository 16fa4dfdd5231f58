import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serverTexts, wantedWords } from './server-texts.mjs';

const texts = [
  { english: 'Bank card', own: ['ar'] },
  { english: 'Humo card', own: [] },
  { english: 'UPI, any wallet', own: [] },
  { english: 'Korti Milli', own: [] },
];

test('[UI-1] a text is wanted of every language that it does not bring along, as itself or by the pattern that makes it', () => {
  const files = [{ '{0} card': 'Karte {0}' }, { 'Bank card': 'Tarjeta' }];
  expect(wantedWords(texts, files, 'de')).toEqual(['Bank card', '{0} card', 'UPI, any wallet']);
  expect(wantedWords(texts, files, 'ar')).toEqual(['{0} card', 'UPI, any wallet']);
});

test('the texts are those of the shipped catalogue and of the pages between, without the names of banks', () => {
  const all = serverTexts(join(import.meta.dirname, '../../apps/server/src')).map(({ english }) => english);
  for (const text of [
    'Cards',
    'Direct debit',
    'Within one working day',
    'Random key',
    'Welcome bonus',
    'This link has been used',
  ])
    expect(all).toContain(text);
  expect(all).not.toContain('Access Bank');
});
