import styles from './coin-mark.module.css';

/** The mark of a coin: a star and no currency sign, because gold coins have no cash value. */
export function CoinMark({ isDim = false }: { readonly isDim?: boolean }) {
  return (
    <span className={styles.mark} data-dim={isDim ? '' : undefined}>
      <svg width="26" height="26" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <circle cx="12" cy="12" r="9.2" fill="none" stroke="currentColor" strokeWidth="1.8" />
        <path
          d="m12 6.6 1.66 3.36 3.7.54-2.68 2.61.63 3.69L12 15.06 8.69 16.8l.63-3.69-2.68-2.61 3.7-.54z"
          fill="currentColor"
        />
      </svg>
    </span>
  );
}
