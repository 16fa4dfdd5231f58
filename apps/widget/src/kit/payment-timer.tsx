import { remainingParts } from '@opencashier/core/time/countdown';
import { useState } from 'react';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import styles from './payment-timer.module.css';
import { useTexts } from './services.tsx';
import type { PaymentTimerState } from './use-payment-timer.ts';

/** The time left, each second for the eye; for the ear at the start, in the last minute and at the end (UI-3). */
export function PaymentTimer({
  timer,
  words = 'timer',
}: {
  readonly timer: PaymentTimerState;
  /** Under which keys its announcements are; those of a payment when absent. */
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
        data-state={timer.announcement}
      >
        <bdi dir="ltr">{written}</bdi>
      </div>
      <Announcement key={timer.announcement} timer={timer} words={words} />
    </div>
  );
}

/** Its words are those of the moment when it appeared: a text that changed each second would be read each second. */
function Announcement({ timer, words }: { readonly timer: PaymentTimerState; readonly words: string }) {
  const { translate } = useTexts();
  const [time] = useState(() => timerText(timer.remainingMs));
  return (
    <VisuallyHidden>
      <span role="status">
        {timer.announcement === 'expired' ? translate(`${words}.expired`) : translate(`${words}.left`, { time })}
      </span>
    </VisuallyHidden>
  );
}

/** `14:32`; with hours `23:59:59`; beyond a day the hours go on counting. */
export function timerText(remainingMs: number): string {
  const { days, hours, minutes, seconds } = remainingParts(remainingMs);
  const allHours = days * 24 + hours;
  const two = (part: number) => String(part).padStart(2, '0');
  return allHours > 0 ? `${allHours}:${two(minutes)}:${two(seconds)}` : `${two(minutes)}:${two(seconds)}`;
}
