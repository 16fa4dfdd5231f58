import type { InputHTMLAttributes, Ref, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { Icon } from '../marks/icon.tsx';
import styles from './text-input.module.css';

interface TextInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className'> {
  readonly ref?: Ref<HTMLInputElement>;
}

/** One line of text, 52 px high. */
export function TextInput(props: TextInputProps) {
  return <input type="text" {...props} className={styles.input} data-part="input" />;
}

/** A text input that grows with its text, at least 52 px high. Enter submits the form, as in one line. */
export function WrappingInput(props: Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className'>) {
  return <textarea rows={1} {...props} className={styles.input} data-wraps="" />;
}

interface SelectInputProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className' | 'children'> {
  readonly items: readonly { readonly value: string; readonly text: string }[];
  /** The first entry, shown until something is chosen. */
  readonly placeholder?: string | undefined;
}

/** The platform's own select, which works with every keyboard, phone and screen reader. */
export function SelectInput({ items, placeholder, ...rest }: SelectInputProps) {
  return (
    <span className={styles.select}>
      <select {...rest} className={styles.input} data-part="input">
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {items.map((item) => (
          <option key={item.value} value={item.value}>
            {item.text}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size={18} />
    </span>
  );
}
