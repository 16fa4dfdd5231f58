import { writesAlike } from '@opencashier/core/locale/writes-alike';
import { remainingParts } from '@opencashier/core/time/countdown';
import { useState } from 'react';
import { VisuallyHidden } from '../../ui/page/visually-hidden.tsx';
import { type Texts, useTexts } from '../session/services.tsx';
import styles from './payment-timer.module.css';
import type { PaymentTimerState } from './use-payment-timer.ts';

/**
 * The time left. It is drawn each second. A screen reader announces it at the start, when it becomes short, and at the end
 * (UI-3).
 */
export function PaymentTimer({
  timer,
  words = 'timer',
}: {
  readonly timer: PaymentTimerState;
  /** The prefix of the keys of its announcements; those of a payment when absent. */
  readonly words?: string;
}) {
  const { translate } = useTexts();
  const written = timerText(timer.remainingMs);
  return (
    <div className={styles.place}>
      <div
        className={styles.timer}
        role="timer"
        aria-live="off"
        aria-label={translate('timer.name')}
        data-urgent={timer.remainingMs <= 60_000 ? '' : undefined}
      >
        <bdi dir="ltr">{written}</bdi>
      </div>
      <Announcement timer={timer} words={words} />
    </div>
  );
}

/**
 * The text changes only at a moment, because a screen reader would read a text that changed each second. The region itself stays.
 * Some screen readers do not read a region that appears together with its text.
 */
function Announcement({ timer, words }: { readonly timer: PaymentTimerState; readonly words: string }) {
  const texts = useTexts();
  const { moment, remainingMs } = timer;
  const [said, say] = useState({ moment, remainingMs });
  if (said.moment !== moment) say({ moment, remainingMs });
  const time = spokenTime(said.remainingMs, texts);
  return (
    <VisuallyHidden>
      <span role="status">
        {said.moment === 0 ? texts.translate(`${words}.expired`) : texts.translate(`${words}.left`, { time })}
      </span>
    </VisuallyHidden>
  );
}

/** `14 minutes, 32 seconds` in the user's language. A screen reader would read `14:32` as a time of day. */
export function spokenTime(
  remainingMs: number,
  { locale, formatLocale }: Pick<Texts, 'locale' | 'formatLocale'>,
): string {
  // Browsers have no names of minutes and seconds in such a language.
  if (writesAlike(locale) !== undefined) return timerText(remainingMs);
  const { days, hours, minutes, seconds } = remainingParts(remainingMs);
  const parts = Object.entries({ hour: days * 24 + hours, minute: minutes, second: seconds });
  const written = parts
    .filter(([, value]) => value > 0)
    .map(([unit, value]) =>
      new Intl.NumberFormat(formatLocale, { style: 'unit', unit, unitDisplay: 'long' }).format(value),
    );
  // As `Intl.DurationFormat` writes it, which Node 20 and older phones lack.
  return new Intl.ListFormat(formatLocale, { type: 'unit' }).format(written);
}

/** `14:32`; with hours `23:59:59`; more than a day counts as more hours. */
export function timerText(remainingMs: number): string {
  const { days, hours, minutes, seconds } = remainingParts(remainingMs);
  const allHours = days * 24 + hours;
  const two = (part: number) => String(part).padStart(2, '0');
  return allHours > 0 ? `${allHours}:${two(minutes)}:${two(seconds)}` : `${two(minutes)}:${two(seconds)}`;
}
