import { type ReactNode, useId } from 'react';
import styles from './field.module.css';

/** What the control inside a field must carry so that label, hint and error belong to it. */
export interface FieldControl {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  /** The error takes the place of the hint, so that nothing below moves when it comes and goes. */
  readonly sharesLine?: boolean;
  readonly children: (control: FieldControl) => ReactNode;
}

/** A label, a control, and under it the hint and the error in words, tied to the control. */
export function Field({ label, hint, error, sharesLine = false, children }: FieldProps) {
  const id = useId();
  const showsHint = hint !== undefined && !(sharesLine && error);
  const hintId = showsHint ? `${id}-hint` : undefined;
  const errorId = error ? `${id}-error` : undefined;
  const describedBy = [errorId, hintId].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': error ? true : undefined,
      })}
      <div data-shares-line={sharesLine ? '' : undefined}>
        {showsHint && (
          <p id={hintId} className={styles.hint}>
            {hint}
          </p>
        )}
        <p id={errorId ?? `${id}-error`} className={styles.error} aria-live="polite">
          {error}
        </p>
      </div>
    </div>
  );
}
