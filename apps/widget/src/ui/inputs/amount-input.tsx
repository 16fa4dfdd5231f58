import type { InputHTMLAttributes, Ref } from 'react';
import styles from './amount-input.module.css';

interface AmountInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'type' | 'value'> {
  readonly value: string;
  /** The text after the number, such as `₹ INR`. */
  readonly unit: string;
  readonly ref?: Ref<HTMLInputElement>;
}

/**
 * A large number over a line. The field grows with its text, so that the unit is right after the number. It may be as narrow
 * as one digit, so a tap anywhere on the line focuses it.
 */
export function AmountInput({ unit, value, placeholder = '0', ...rest }: AmountInputProps) {
  return (
    <div
      className={styles.line}
      data-invalid={rest['aria-invalid'] ? '' : undefined}
      onPointerUp={(event) => event.currentTarget.querySelector('input')?.focus()}
    >
      <span className={styles.grow} data-value={value === '' ? placeholder : value}>
        <input
          {...rest}
          type="text"
          // In a language from right to left, a separator at the end would else move before the digits.
          dir="ltr"
          inputMode="decimal"
          autoComplete="off"
          size={1}
          value={value}
          placeholder={placeholder}
          className={styles.input}
        />
      </span>
      <span className={styles.unit} aria-hidden="true">
        {unit}
      </span>
    </div>
  );
}
