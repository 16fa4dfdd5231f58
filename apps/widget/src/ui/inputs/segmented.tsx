import { useId } from 'react';
import styles from './segmented.module.css';

interface SegmentedProps {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly chosen: string;
  readonly onChoose: (value: string) => void;
}

/** A few values side by side, one of them chosen. They are radio buttons, so arrow keys move between them. */
export function Segmented({ label, options, chosen, onChoose }: SegmentedProps) {
  const name = useId();
  return (
    <fieldset className={styles.segmented}>
      <legend className={styles.legend}>{label}</legend>
      {options.map(({ value, text }) => (
        <label key={value} className={styles.option}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === chosen}
            className={styles.input}
            onChange={() => onChoose(value)}
          />
          <span className={styles.text}>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
