import { useState } from 'react';
import styles from './mark.module.css';

/** Names whose first letters would not be recognised. */
const shortNames: Readonly<Record<string, string>> = { mastercard: 'MC' };

const LONGEST = 4;

/** Drawings that could not be had, so that no screen of this visit asks for them again. */
const missing = new Set<string>();

/** The letters of an icon id: `visa` is VISA, `phone_pe` is PP, `paytm` is PAYT. */
export function lettersOf(iconId: string): string {
  const id = iconId.toLowerCase();
  const known = shortNames[id];
  if (known) return known;
  const words = id.split(/[^a-z0-9]+/).filter(Boolean);
  const letters = words.length > 1 ? words.map((word) => word.charAt(0)).join('') : (words[0] ?? '');
  return letters.slice(0, LONGEST).toUpperCase();
}

interface MarkProps {
  readonly iconId: string;
  readonly size?: 's' | 'm' | 'l';
  /** What stands where there is no drawing; left out: letters of the id. */
  readonly letters?: string;
}

/**
 * A neutral mark of a payment brand or kind by its icon id (NET-7): its drawing, or a few letters in a tile of the same size
 * where there is none. The name stands beside it in words.
 */
export function Mark({ iconId, size = 'm', letters }: MarkProps) {
  const id = iconId.toLowerCase();
  const [failed, setFailed] = useState('');
  return (
    <span className={styles.mark} data-part="mark" data-size={size} aria-hidden="true">
      {missing.has(id) || failed === id ? (
        (letters ?? lettersOf(id))
      ) : (
        <img
          src={`${import.meta.env.BASE_URL}static/icons/${encodeURIComponent(id)}.svg`}
          alt=""
          loading="lazy"
          onError={() => setFailed(missing.add(id) && id)}
        />
      )}
    </span>
  );
}

/** The flag of a country beside its name (LIST-3); its code where there is none. */
export function Flag({ country }: { readonly country: string }) {
  return <Mark iconId={`flag-${country}`} size="s" letters={country} />;
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
