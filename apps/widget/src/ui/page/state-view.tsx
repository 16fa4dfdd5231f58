import type { ReactNode } from 'react';
import { Icon, type IconName } from '../marks/icon.tsx';
import styles from './state-view.module.css';

interface StateViewProps {
  readonly icon: IconName;
  readonly tone: 'good' | 'warn' | 'bad' | 'calm';
  /** The message of the page in large letters. The title of the page is in the header. */
  readonly title: string;
  readonly text?: string | undefined;
  /** A second paragraph. */
  readonly more?: string | undefined;
  /** Work is still in progress: the mark pulses. */
  readonly isActive?: boolean;
  /** Details below the text. */
  readonly details?: ReactNode;
  readonly children?: ReactNode;
}

/** A page with one message: what happened, and what the person can do now. */
export function StateView({ icon, tone, title, text, more, isActive = false, details, children }: StateViewProps) {
  return (
    <div className={styles.view}>
      <span className={styles.mark} data-tone={tone} data-icon={icon} data-active={isActive ? '' : undefined}>
        <Icon name={icon} size={34} />
      </span>
      <h2 className={styles.title}>{title}</h2>
      {text && <p className={styles.text}>{text}</p>}
      {more && <p className={styles.text}>{more}</p>}
      {details && <div className={styles.details}>{details}</div>}
      {children}
    </div>
  );
}
