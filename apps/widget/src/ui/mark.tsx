import { Icon, type IconName } from './icon.tsx';
import styles from './mark.module.css';

/** Drawings for ids that name a kind of payment; every other id is shown as a few letters. */
const drawings: Readonly<Record<string, IconName>> = {
  atm: 'cash',
  bank: 'bank',
  bank_transfer: 'bank',
  card: 'card',
  cash: 'cash',
  coin: 'coin',
  crypto: 'coin',
  ewallet: 'wallet',
  phone: 'phone',
  qr: 'qr',
  transfer: 'bank',
  wallet: 'wallet',
};

/** Names whose first letters would not be recognised. */
const shortNames: Readonly<Record<string, string>> = { mastercard: 'MC', bitcoin: 'BTC', tether: 'USDT' };

const LONGEST = 4;

/** The letters of an icon id: `visa` is VISA, `phone_pe` is PP, `paytm` is PAYT. */
export function lettersOf(iconId: string): string {
  const id = iconId.toLowerCase();
  const known = shortNames[id];
  if (known) return known;
  const words = id.split(/[^a-z0-9]+/).filter(Boolean);
  const letters = words.length > 1 ? words.map((word) => word.charAt(0)).join('') : (words[0] ?? '');
  return letters.slice(0, LONGEST).toUpperCase();
}

/** A neutral mark of a payment brand or kind by its icon id; the name stands beside it in words. */
export function Mark({ iconId, size = 'm' }: { readonly iconId: string; readonly size?: 'm' | 'l' }) {
  const drawing = drawings[iconId.toLowerCase()];
  return (
    <span className={styles.mark} data-size={size} aria-hidden="true">
      {drawing ? <Icon name={drawing} size={size === 'l' ? 22 : 18} /> : lettersOf(iconId)}
    </span>
  );
}

/** The first marks of several, side by side. */
export function Marks({ iconIds, most }: { readonly iconIds: readonly string[]; readonly most: number }) {
  return (
    <span className={styles.marks}>
      {iconIds.slice(0, most).map((iconId) => (
        <Mark key={iconId} iconId={iconId} />
      ))}
    </span>
  );
}
