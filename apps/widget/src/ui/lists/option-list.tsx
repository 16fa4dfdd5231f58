import type { ReactNode } from 'react';
import { Icon } from '../marks/icon.tsx';
import styles from './option-list.module.css';

export interface Option {
  readonly value: string;
  readonly text: string;
  readonly detail?: string | undefined;
  /** A drawing before the text, hidden from screen readers. */
  readonly mark?: ReactNode;
}

/** A list of options, one of them chosen, inside a sheet. */
export function OptionList({
  label,
  options,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly options: readonly Option[];
  readonly chosen: string;
  readonly onChoose: (value: string) => void;
}) {
  return (
    <ul className={styles.list} aria-label={label}>
      {options.map(({ value, text, detail, mark }) => (
        <li key={value}>
          <button
            type="button"
            className={styles.option}
            aria-current={value === chosen ? 'true' : undefined}
            onClick={() => onChoose(value)}
          >
            {mark}
            <span className={styles.text}>
              {text}
              {detail && <span className={styles.detail}>{detail}</span>}
            </span>
            {value === chosen && <Icon name="check" />}
          </button>
        </li>
      ))}
    </ul>
  );
}
