import type { Bonus } from '@opencashier/contract/api';
import { bonusColour } from '@opencashier/core/bonus/bonus';
import { useId } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { useTexts } from '../session/services.tsx';
import styles from './bonus-banner.module.css';
import { bonusSummary, bonusTimeText } from './bonus-text.ts';
import { useBonusRemaining } from './use-bonus-shelf.ts';

/**
 * One bonus as a coloured banner, with the time left (BON-1). Screen readers read its title as the name, and the rest as the
 * description.
 */
export function BonusBanner({ bonus, onOpen }: { readonly bonus: Bonus; readonly onOpen: () => void }) {
  const texts = useTexts();
  const id = useId();
  return (
    <button
      type="button"
      className={styles.banner}
      data-colour={bonusColour(bonus)}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-summary`}
      onClick={onOpen}
    >
      <span className={styles.text}>
        <span id={`${id}-title`} className={styles.title}>
          {bonus.content.title}
        </span>
        <span id={`${id}-summary`} className={styles.summary}>
          {bonusSummary(bonus, texts)}
        </span>
      </span>
      <BonusTime bonus={bonus} />
    </button>
  );
}

/** The banner at the head of the bonus's own page, where no text is cut. */
export function BonusHead({ bonus }: { readonly bonus: Bonus }) {
  const texts = useTexts();
  return (
    <div className={classNames(styles.banner, styles.head)} data-colour={bonusColour(bonus)}>
      <div className={styles.text}>
        <h2 className={styles.title}>{bonus.content.title}</h2>
        <p className={styles.summary}>{bonusSummary(bonus, texts)}</p>
      </div>
      <BonusTime bonus={bonus} />
    </div>
  );
}

/** The time left. It is drawn each second; a screen reader reads it only when the user asks. */
export function BonusTime({ bonus }: { readonly bonus: Bonus }) {
  const { translate } = useTexts();
  const remaining = useBonusRemaining(bonus);
  if (remaining === undefined) return null;
  const time = bonusTimeText(remaining);
  return (
    <span className={styles.time} role="timer" aria-live="off" aria-label={translate('bonus.ends', { time })}>
      <bdi dir="ltr">{time}</bdi>
    </span>
  );
}
