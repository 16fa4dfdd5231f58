import { type ReactNode, type Ref, type RefObject, useEffect, useRef } from 'react';
import styles from './page.module.css';

/** The body of a screen: one column on a phone; on a desktop `wide` for tiles, `narrow` for forms and states. */
export function Page({
  width = 'narrow',
  children,
}: {
  readonly width?: 'narrow' | 'wide';
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.page} data-width={width}>
      {children}
    </div>
  );
}

interface PageFormProps {
  readonly onSubmit: () => void;
  readonly ref?: Ref<HTMLFormElement>;
  readonly children: ReactNode;
}

/** A page that is filled in, and its foot with the button that sends it. */
export function PageForm({ onSubmit, ref, children }: PageFormProps) {
  return (
    <form
      ref={ref}
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

/** What stays in reach at the foot of the window, such as the button that pays. */
export function PageFooter({ children }: { readonly children: ReactNode }) {
  const foot = useRef<HTMLDivElement>(null);
  useFootHeight(foot);
  return (
    <div ref={foot} className={styles.footer}>
      <div className={styles.inner}>{children}</div>
    </div>
  );
}

/** Keeps what has the focus above something that stays at the foot of the window, however high it is (WCAG 2.4.11). */
export function useFootHeight(foot: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty('--foot', `${foot.current?.offsetHeight}px`));
    if (foot.current) observer.observe(foot.current);
    return () => {
      observer.disconnect();
      style.removeProperty('--foot');
    };
  }, [foot]);
}

/** What is said under the buttons of the foot, aloud as well. */
export function PageNote({ children }: { readonly children: ReactNode }) {
  return (
    <p className={styles.note} role="status">
      {children}
    </p>
  );
}

/** What a press could not do, beside its button and at once. */
export function PageAlert({ children }: { readonly children: ReactNode }) {
  return (
    <p className={styles.alert} role="alert">
      {children}
    </p>
  );
}

/** Side by side with the middle taking what is left. */
export function Row({ children }: { readonly children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}

/** Tiles in as many columns as fit, two at the least. */
export function TileGrid({ children }: { readonly children: ReactNode }) {
  return (
    <ul className={styles.tiles} data-part="tiles">
      {children}
    </ul>
  );
}

/** Sections one under the other; on a desktop short ones stand side by side. */
export function Sections({ children }: { readonly children: ReactNode }) {
  return <div className={styles.sections}>{children}</div>;
}

/** A heading over a group of tiles. */
export function Section({
  title,
  tiles,
  children,
}: {
  readonly title?: string | undefined;
  /** How many tiles it holds: on a desktop those of one or two share a row. */
  readonly tiles?: number;
  readonly children: ReactNode;
}) {
  return (
    <section className={styles.section} aria-label={title} data-tiles={tiles}>
      {title && <h2 className={styles.heading}>{title}</h2>}
      {children}
    </section>
  );
}
