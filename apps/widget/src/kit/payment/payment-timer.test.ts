import { describe, expect, test } from 'vitest';
import { spokenTime } from './payment-timer.tsx';
import { timerMoment } from './use-payment-timer.ts';

describe('[UI-3] [DEP-5] announcements of the timer', () => {
  test.each([
    [86_400_000, 'start'],
    [300_001, 'start'],
    [300_000, 300],
    [60_001, 300],
    [60_000, 60],
    [30_000, 30],
    [10_000, 10],
    [1, 10],
    [0, 0],
  ])('with %i ms left it is at the moment %s', (remainingMs, moment) => {
    expect(timerMoment(remainingMs)).toBe(moment);
  });

  test.each([
    ['en', 872_000, '14 minutes, 32 seconds'],
    ['en', 60_000, '1 minute'],
    ['en', 90_061_000, '25 hours, 1 minute, 1 second'],
    ['de', 300_000, '5 Minuten'],
    ['hi', 30_000, '30 सेकंड'],
    ['fr', 872_000, '14 minutes et 32\u00a0secondes'],
    ['ar-u-nu-latn', 872_000, '14 دقيقة و32 ثانية'],
    ['zh', 872_000, '14分钟32秒钟'],
    // Browsers have no names of units in it.
    ['kk', 872_000, '14:32'],
  ])('in %s it says %i ms as “%s”', (formatLocale, remainingMs, text) => {
    expect(spokenTime(remainingMs, { locale: formatLocale, formatLocale })).toBe(text);
  });
});
