import styles from './chips.module.css';

export interface Chip {
  readonly value: string;
  readonly text: string;
  /** For screen readers; the text when absent. */
  readonly name?: string;
  readonly isDisabled?: boolean;
}

interface ChipsProps {
  /** The name of the group for screen readers. */
  readonly label: string;
  readonly chips: readonly Chip[];
  readonly chosen: string | undefined;
  readonly isDisabled?: boolean;
  readonly onChoose: (value: string) => void;
}

/** Suggested values in a row. The value of the field is marked. */
export function Chips({ label, chips, chosen, isDisabled = false, onChoose }: ChipsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a wrapping row in every engine
    <div className={styles.chips} role="group" aria-label={label}>
      {chips.map(({ value, text, name, isDisabled: isClosed = false }) => (
        <button
          key={text}
          type="button"
          className={styles.chip}
          data-part="chip"
          aria-pressed={value === chosen}
          aria-label={name}
          disabled={isDisabled || isClosed}
          onClick={() => onChoose(value)}
          // A server may write numbers differently than this browser.
          suppressHydrationWarning
        >
          {text}
        </button>
      ))}
    </div>
  );
}
