import { expect, test } from 'vitest';
import { writesAlike } from './writes-alike.ts';

test.each([
  ['kk', '1 234 567,5'],
  ['ky', '1 234 567,5'],
  ['tg', '1 234 567,5'],
  ['uz', '1 234 567,5'],
  ['az', '1.234.567,5'],
])('[AMT-9] a browser without %s writes its numbers as the language does', (locale, written) => {
  const other = writesAlike(locale) ?? '';
  const write = (one: string) => new Intl.NumberFormat(one).format(1_234_567.5).replaceAll(/\s/gu, ' ');
  expect(write(other)).toBe(written);
  expect(write(locale)).toBe(written);
});

test('every other language is written by the browser', () => {
  expect(['en', 'ar-EG', 'ru', 'zh-Hant', 'kkj'].map(writesAlike)).toEqual(Array(5).fill(undefined));
});
