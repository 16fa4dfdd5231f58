import { Icon } from '../../ui/icon.tsx';
import styles from './coin-mark.module.css';

/** A gold coin. */
export function CoinMark({ isDim = false }: { readonly isDim?: boolean }) {
  return (
    <span className={styles.mark} data-dim={isDim ? '' : undefined} aria-hidden="true">
      <Icon name="coin" size={24} />
    </span>
  );
}
