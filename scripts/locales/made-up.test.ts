import { expect, test } from 'vitest';
import { madeUpTexts } from './made-up.mjs';

test('[UI-1] the longest language has of every English text the longest translation, variants of a language included', () => {
  const dictionaries = new Map([
    ['de', { pay: 'Jetzt bezahlen', back: 'Zurück' }],
    ['en', { pay: 'Pay', back: 'Back', only: 'Only here' }],
    ['es', { pay: 'Pagar', back: 'Volver' }],
    ['es-MX', { back: 'Regresar' }],
  ]);
  const { pseudo, longest } = madeUpTexts(dictionaries);
  expect(longest).toEqual({ pay: 'Jetzt bezahlen', back: 'Regresar', only: 'Only here' });
  expect(pseudo['pay']).toMatch(/^\[Þ/);
});

test('[UI-1] the pseudo-language keeps the plural forms of a message', () => {
  const dictionaries = new Map([['en', { coins: '{count, plural, one {# coin} other {# coins}}' }]]);
  expect(madeUpTexts(dictionaries).pseudo).toEqual({
    coins: ['count', { one: '[{count} çöîñ ñé]', other: '[{count} çöîñš ñéŵ]' }],
  });
});
