import type { ButtonHTMLAttributes } from 'react';
import { Icon, type IconName } from '../marks/icon.tsx';
import styles from './icon-button.module.css';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children' | 'type'> {
  readonly icon: IconName;
  readonly label: string;
}

/** A round button of 44 px with a drawing and a name for screen readers. */
export function IconButton({ icon, label, ...rest }: IconButtonProps) {
  return (
    <button {...rest} type="button" className={styles.button} aria-label={label} title={label}>
      <Icon name={icon} size={22} />
    </button>
  );
}
