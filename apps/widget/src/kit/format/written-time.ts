import { writesAlike } from '@opencashier/core/locale/writes-alike';
import type { Texts } from '../session/services.tsx';

const DAY_MS = 86_400_000;

const LEFT_TO_RIGHT_ISOLATE = '\u2066';
const POP_ISOLATE = '\u2069';

/** A language that browsers cannot write has no names of months in them. */
const dateOf = (locale: string): Intl.DateTimeFormatOptions =>
  writesAlike(locale) === undefined ? { day: 'numeric', month: 'long' } : { day: '2-digit', month: '2-digit' };

/** The time of day of an instant, with the date if it is more than half a day away. */
export function writtenTime(
  instant: number,
  now: number,
  { locale, formatLocale, direction }: Pick<Texts, 'locale' | 'formatLocale' | 'direction'>,
): string {
  const isFar = Math.abs(instant - now) > DAY_MS / 2;
  const format = new Intl.DateTimeFormat(formatLocale, {
    hour: 'numeric',
    minute: '2-digit',
    ...(isFar ? dateOf(locale) : {}),
  });
  const parts = format.formatToParts(instant);
  const start = parts.findIndex(({ type }) => type === 'hour');
  const end = parts.findLastIndex(({ type }) => type === 'minute' || type === 'dayPeriod') + 1;
  const text = (from: number, to: number) =>
    parts
      .slice(from, to)
      .map(({ value }) => value)
      .join('');
  const clock = text(start, end);
  // Urdu writes AM and PM in Latin letters. In a right-to-left sentence they would be drawn before the hour.
  const isTurned = direction === 'rtl' && /\p{Script=Latin}/u.test(clock);
  return text(0, start) + (isTurned ? LEFT_TO_RIGHT_ISOLATE + clock + POP_ISOLATE : clock) + text(end, parts.length);
}
