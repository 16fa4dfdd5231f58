import { useState } from 'react';
import styles from './mark.module.css';

/** Abbreviations of names whose first letters nobody would recognise. */
const shortNames: Readonly<Record<string, string>> = { mastercard: 'MC' };

const LONGEST = 4;

/** Drawings that could not be loaded. They are not requested again during this visit. */
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
  /** Shown when there is no drawing; letters of the id by default. */
  readonly letters?: string;
}

/**
 * The mark of a payment brand by its icon id (NET-7): its drawing, or a few letters in a tile of the same size. The name is
 * always beside it as text.
 */
export function Mark({ iconId, size = 'm', letters }: MarkProps) {
  const id = iconId.toLowerCase();
  const [failed, setFailed] = useState('');
  const fail = () => setFailed(missing.add(id) && id);
  return (
    <span className={styles.mark} data-part="mark" data-size={size} aria-hidden="true">
      {missing.has(id) || failed === id ? (
        (letters ?? lettersOf(id))
      ) : (
        <img
          src={`${import.meta.env.BASE_URL}static/icons/${encodeURIComponent(id)}.svg`}
          alt=""
          loading="lazy"
          fetchPriority="low"
          onError={fail}
          ref={(image) => {
            // It failed before React was there; the script of index.html has noted it.
            if (image?.dataset['failed'] !== undefined) fail();
          }}
        />
      )}
    </span>
  );
}

/** The flag of a country beside its name (LIST-3), or its code when there is no drawing. */
export function Flag({ country }: { readonly country: string }) {
  return <Mark iconId={`flag-${country}`} size="s" letters={country} />;
}

/** The first marks of several, side by side. */
export function Marks({ iconIds, most }: { readonly iconIds: readonly string[]; readonly most: number }) {
  const shown = iconIds.slice(0, most);
  return (
    <span className={styles.marks} data-count={shown.length}>
      {shown.map((iconId) => (
        <Mark key={iconId} iconId={iconId} />
      ))}
    </span>
  );
}
