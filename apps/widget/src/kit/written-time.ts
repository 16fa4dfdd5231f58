import type { Texts } from './services.tsx';

const DAY_MS = 86_400_000;

/** The hour of an instant, with the day where that is not today. */
export function writtenTime(instant: number, now: number, { formatLocale }: Pick<Texts, 'formatLocale'>): string {
  const isFar = Math.abs(instant - now) > DAY_MS / 2;
  return new Intl.DateTimeFormat(formatLocale, {
    hour: 'numeric',
    minute: '2-digit',
    ...(isFar ? { day: 'numeric', month: 'long' } : {}),
  }).format(instant);
}
