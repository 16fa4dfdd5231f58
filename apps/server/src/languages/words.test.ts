import { expect, test } from 'vitest';
import { createWords } from './words.ts';

const words = createWords({
  es: { 'Bank card': 'Tarjeta bancaria', '{0} transfer': 'Transferencia {0}', '{0} bank transfer': 'Giro {0}' },
  'es-MX': { 'Bank card': 'Tarjeta' },
  hi: { 'Bank card': 'बैंक कार्ड' },
});

test.each([
  ['Bank card', 'es', 'Tarjeta bancaria'],
  ['Bank card', 'es-MX', 'Tarjeta'],
  ['Bank card', 'es-ES', 'Tarjeta bancaria'],
  ['Bank card', 'hi-IN', 'बैंक कार्ड'],
  // A reader of Hindi in Latin letters could not read this text.
  ['Bank card', 'hi-Latn-IN', undefined],
  ['Bank card', 'de', undefined],
  ['QIWI transfer', 'es', 'Transferencia QIWI'],
  ['SPEI bank transfer', 'es', 'Giro SPEI'],
  ['A$& transfer', 'es', 'Transferencia A$&'],
  [' transfer', 'es', undefined],
  ['constructor', 'es', undefined],
])('[UI-1] [HOST-8] %s in %s is %s', (english, language, text) => {
  expect(words(english, language)).toBe(text);
});
