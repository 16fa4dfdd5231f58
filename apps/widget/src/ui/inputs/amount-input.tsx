import type { InputHTMLAttributes, Ref } from 'react';
import styles from './amount-input.module.css';

interface AmountInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'type' | 'value'> {
  readonly value: string;
  /** Stands after the number, such as `₹ INR`. */
  readonly unit: string;
  readonly ref?: Ref<HTMLInputElement>;
}

/**
 * A large number over a line. The field grows with what is typed, so that the unit stands right behind it; a tap anywhere on
 * the line means the field, which may be as narrow as one digit.
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
          // A separator that was just typed stays behind its digits, also where words run from the right.
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
