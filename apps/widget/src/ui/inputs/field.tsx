import { type ReactNode, useId } from 'react';
import styles from './field.module.css';

/** Attributes that connect a control to its label, hint and error. */
export interface FieldControl {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  /** The error replaces the hint, so that nothing below moves when the error appears. */
  readonly sharesLine?: boolean;
  readonly children: (control: FieldControl) => ReactNode;
}

/** A control with its label above, and its hint and error below. */
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
          // A server may write numbers differently than this browser.
          <p id={hintId} className={styles.hint} suppressHydrationWarning>
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
