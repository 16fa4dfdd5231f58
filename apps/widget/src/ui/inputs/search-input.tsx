import type { InputHTMLAttributes, Ref } from 'react';
import { Icon } from '../marks/icon.tsx';
import styles from './search-input.module.css';

interface SearchInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'type'> {
  /** Shown inside the empty box, and its name for screen readers. */
  readonly label: string;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A search box with round ends. Its label is inside until something is typed. */
export function SearchInput({ label, ...rest }: SearchInputProps) {
  return (
    <label className={styles.box}>
      <Icon name="search" size={18} />
      <span className={styles.label}>{label}</span>
      <input
        {...rest}
        type="search"
        placeholder=" "
        autoComplete="off"
        enterKeyHint="search"
        className={styles.input}
      />
    </label>
  );
}
