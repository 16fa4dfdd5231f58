import { expect, test } from 'vitest';
import { counted } from './counted.ts';

test.each([
  [0, 'row', '0 rows'],
  [1, 'row', '1 row'],
  [2, 'row', '2 rows'],
  [1n, 'journal', '1 journal'],
  [21n, 'journal', '21 journals'],
  [1, 'entry', '1 entry'],
  [3, 'entry', '3 entries'],
  [2, 'day', '2 days'],
  [2, 'bonus', '2 bonuses'],
  [2, 'address', '2 addresses'],
  [2, 'settlement file', '2 settlement files'],
])('%s of the noun %s: %s', (count, noun, words) => {
  expect(counted(count, noun)).toBe(words);
});
