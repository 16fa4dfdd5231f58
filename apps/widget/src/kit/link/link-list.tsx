import { useId } from 'react';
import { Icon } from '../../ui/marks/icon.tsx';
import { Card } from '../../ui/page/card.tsx';
import styles from './link-list.module.css';
import { linkOut } from './way-out.ts';

export interface ListedLink {
  readonly name: string;
  /** A checked link (FORM-9). */
  readonly href: string;
}

/** Links out of the widget, one per row: payment apps, or chats with agents. */
export function LinkList({ title, links }: { readonly title: string; readonly links: readonly ListedLink[] }) {
  const titleId = useId();
  if (links.length === 0) return null;
  return (
    <Card>
      <p id={titleId} className={styles.title}>
        {title}
      </p>
      <ul className={styles.list} aria-labelledby={titleId}>
        {links.map(({ name, href }) => (
          <li key={`${name} ${href}`}>
            <a className={styles.link} href={href} {...linkOut(href)}>
              <bdi>{name}</bdi>
              <Icon name="external" size={18} />
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
