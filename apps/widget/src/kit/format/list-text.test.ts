import { expect, test } from 'vitest';
import { listText } from './list-text.ts';

test.each([
  ['en', 'ERC-20, TRC-20, BEP-20'],
  ['de', 'ERC-20, TRC-20 und BEP-20'],
  ['ja', 'ERC-20、TRC-20、BEP-20'],
  ['ur', 'ERC-20، TRC-20، BEP-20'],
  // Browsers would write "and".
  ['uz', 'ERC-20, TRC-20, BEP-20'],
])('[UI-1] in %s a list of names is “%s”', (locale, text) => {
  const texts = { locale, formatLocale: locale };
  expect(listText(['ERC-20', 'TRC-20', 'BEP-20'], texts)).toBe(text);
  expect(listText(['ERC-20'], texts)).toBe('ERC-20');
  expect(listText([], texts)).toBe('');
});
