import { baseOf, textsOf } from '@opencashier/messages/variants';
import { expect, test } from 'vitest';

test.each([
  ['es', undefined],
  ['es-MX', 'es'],
  ['es-ES', 'es'],
  ['hi-IN', 'hi'],
  ['hi-Latn-IN', undefined],
  ['zh', undefined],
])('[HOST-8] the file of %s starts from %s', (locale, base) => {
  expect(baseOf(locale)).toBe(base);
});

const dictionaries = new Map([
  ['es', { deposit: 'Depósito', card: 'Tarjeta' }],
  ['es-MX', { card: 'Plástico' }],
  ['hi-Latn-IN', { card: 'Card' }],
]);

test('[UI-1] a variant is its language with what differs, whole in one file', () => {
  expect(textsOf('es-MX', dictionaries)).toEqual({ deposit: 'Depósito', card: 'Plástico' });
  expect(textsOf('hi-Latn-IN', dictionaries)).toEqual({ card: 'Card' });
  expect(textsOf('es', dictionaries)).toEqual({ deposit: 'Depósito', card: 'Tarjeta' });
});

test('a variant without its language is refused: half a language would be shipped', () => {
  expect(() => textsOf('hi-IN', new Map([['hi-IN', {}]]))).toThrow('locales/hi.json');
});
