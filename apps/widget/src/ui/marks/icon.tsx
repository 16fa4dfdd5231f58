import { classNames } from '../class-names.ts';
import styles from './icon.module.css';

/** Strokes on a 24 px grid. */
const paths = {
  alert: 'M12 4 2.8 20h18.4zM12 10v4.5m0 2.6v.2',
  card: 'M5 5.5h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2zM3 10h18M6.5 15h4',
  check: 'm5 12.8 4.6 4.7L19.2 7',
  chevron: 'm9 5.5 6.5 6.5L9 18.5',
  'chevron-back': 'M15 5.5 8.5 12l6.5 6.5',
  'chevron-down': 'm6 9.5 6 6 6-6',
  clock: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 7.5V12l3 2',
  close: 'm6 6 12 12M18 6 6 18',
  coin: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 7v10m2.8-7.3C14.4 8.6 13.3 8 12 8c-1.6 0-2.9.8-2.9 2s1.1 1.7 2.9 2 2.9.8 2.9 2-1.3 2-2.9 2c-1.4 0-2.5-.6-2.9-1.7',
  external: 'M13.5 4.5h6v6M19.5 4.5 11 13m-2.5-7h-3a1 1 0 0 0-1 1v11.5a1 1 0 0 0 1 1H17a1 1 0 0 0 1-1v-3',
  globe:
    'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM3.5 12h17M12 3.5c2.3 2.2 3.5 5 3.5 8.5s-1.2 6.3-3.5 8.5c-2.3-2.2-3.5-5-3.5-8.5s1.2-6.3 3.5-8.5z',
  play: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM10.2 8.8v6.4l5-3.2z',
  search: 'M10.8 4a6.8 6.8 0 1 1 0 13.6 6.8 6.8 0 0 1 0-13.6zM16 16l4.5 4.5',
} as const;

export type IconName = keyof typeof paths;

/** A drawing beside a text with the same meaning, so hidden from screen readers. Arrows follow the text direction. */
export function Icon({ name, size = 20 }: { readonly name: IconName; readonly size?: number }) {
  const turns = name === 'chevron' || name === 'chevron-back' || name === 'external';
  return (
    <svg
      className={classNames(styles.icon, turns && styles.turns)}
      viewBox="0 0 24 24"
      width={size}
      height={size}
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}
