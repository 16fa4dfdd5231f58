import { expect, test } from 'vitest';
import { listText } from './list-text.ts';

test.each([
  ['en', 'ERC-20, TRC-20, BEP-20'],
  ['de', 'ERC-20, TRC-20 und BEP-20'],
  ['ja', 'ERC-20、TRC-20、BEP-20'],
  ['ur', 'ERC-20، TRC-20، BEP-20'],
])('[UI-1] in %s a list of names is “%s”', (formatLocale, text) => {
  expect(listText(['ERC-20', 'TRC-20', 'BEP-20'], formatLocale)).toBe(text);
  expect(listText(['ERC-20'], formatLocale)).toBe('ERC-20');
  expect(listText([], formatLocale)).toBe('');
});
