import type { ReactNode } from 'react';
import { Icon, type IconName } from '../marks/icon.tsx';
import styles from './state-view.module.css';

interface StateViewProps {
  readonly icon: IconName;
  readonly tone: 'good' | 'warn' | 'bad' | 'calm';
  /** The page's own words, in large letters. Not a heading: the header has the page's title. */
  readonly title: string;
  readonly text?: string | undefined;
  /** Something is still under way: the mark breathes. */
  readonly isActive?: boolean;
  /** What is told about it, below the words. */
  readonly details?: ReactNode;
  readonly children?: ReactNode;
}

/** A finished page that says one thing: what happened and what can be done now. */
export function StateView({ icon, tone, title, text, isActive = false, details, children }: StateViewProps) {
  return (
    <div className={styles.view}>
      <span className={styles.mark} data-tone={tone} data-icon={icon} data-active={isActive ? '' : undefined}>
        <Icon name={icon} size={34} />
      </span>
      <h2 className={styles.title}>{title}</h2>
      {text && <p className={styles.text}>{text}</p>}
      {details && <div className={styles.details}>{details}</div>}
      {children}
    </div>
  );
}
