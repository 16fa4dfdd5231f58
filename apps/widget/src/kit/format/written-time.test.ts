import { expect, test } from 'vitest';
import { directionOf, formatLocaleOf } from '../../app/locale/locale-name.ts';
import { writtenTime } from './written-time.ts';

const at = Date.UTC(2026, 0, 1, 1, 1);
const written = (locale: string, now = at) =>
  writtenTime(at, now, { locale, formatLocale: formatLocaleOf(locale, locale), direction: directionOf(locale) });

test('[UI-2] a time with Latin letters keeps its order in a right-to-left sentence', () => {
  const urdu = written('ur');
  expect(urdu).toMatch(/^\u2066\d{1,2}:01\s[AP]M\u2069$/u);
  expect(written('ur', at + 5 * 86_400_000)).toMatch(/\p{Script=Arabic}.*\u2066\d{1,2}:01\s[AP]M\u2069$/u);
  expect(written('ar')).not.toMatch(/[\u2066\u2069]/);
  expect(written('en')).not.toMatch(/[\u2066\u2069]/);
});

test.each(['az', 'kk', 'ky', 'tg', 'uz'])('[UI-1] %s, which browsers cannot write, has dates in digits', (locale) => {
  expect(written(locale, at + 5 * 86_400_000)).toMatch(/^01\.01\.?, 0?1:01$/);
});

test.each(['bn', 'mr', 'ar-EG', 'hi', 'ne', 'fa'])(
  '[UI-1] %s has the digits of its sentences in times, too',
  (locale) => {
    for (const now of [at, at + 5 * 86_400_000]) {
      expect(written(locale, now)).toMatch(/[0-9]/);
      expect(written(locale, now)).not.toMatch(/[^\P{Nd}0-9]/u);
    }
  },
);
