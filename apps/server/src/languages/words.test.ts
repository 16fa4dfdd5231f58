import { expect, test } from 'vitest';
import { createWords } from './words.ts';

const words = createWords({
  en: { card: 'Bank card', transfer: '{0} transfer', bankTransfer: '{0} bank transfer' },
  es: { card: 'Tarjeta bancaria', transfer: 'Transferencia {0}', bankTransfer: 'Giro {0}' },
  'es-MX': { card: 'Tarjeta' },
  hi: { card: 'बैंक कार्ड' },
});

test.each([
  ['Bank card', 'es', 'Tarjeta bancaria'],
  ['Bank card', 'es-MX', 'Tarjeta'],
  ['Bank card', 'es-ES', 'Tarjeta bancaria'],
  ['Bank card', 'hi-IN', 'बैंक कार्ड'],
  // A reader of Hindi in Latin letters could not read this.
  ['Bank card', 'hi-Latn-IN', undefined],
  ['Bank card', 'de', undefined],
  ['Bank card', 'en-GB', 'Bank card'],
  // A text, not its name, is translated.
  ['card', 'es', undefined],
  ['QIWI transfer', 'es', 'Transferencia QIWI'],
  ['SPEI bank transfer', 'es', 'Giro SPEI'],
  ['A$& transfer', 'es', 'Transferencia A$&'],
  [' transfer', 'es', undefined],
  ['constructor', 'es', undefined],
])('[UI-1] [HOST-8] %s in %s is %s', (english, language, text) => {
  expect(words(english, language)).toBe(text);
});
