import { expect, test } from 'vitest';
import { pseudo } from './pseudo.mjs';

test('[UI-1] the pseudo-language is English with accents, in brackets, and 40 % longer', () => {
  expect(pseudo('Deposit')).toBe('[Ðéþöšîţ ñéŵ]');
  const long = 'We do not know yet whether the payment went through. This page updates automatically.';
  expect(pseudo(long).length).toBeGreaterThanOrEqual(Math.floor(long.length * 1.4));
});

test('placeholders stay what the screen fills in', () => {
  expect(pseudo('From {from} to {to}')).toContain('{from} ţö {to}');
});
