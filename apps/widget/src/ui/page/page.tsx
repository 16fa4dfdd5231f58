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

/** A page with a form, whose footer has the button that sends it. */
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

/** The footer of a page, which stays at the foot of the window, such as with the button that pays. */
export function PageFooter({ children }: { readonly children: ReactNode }) {
  const foot = useRef<HTMLDivElement>(null);
  useFootHeight(foot);
  return (
    <div ref={foot} className={styles.footer}>
      <div className={styles.inner}>{children}</div>
    </div>
  );
}

/** Keeps focused controls above a footer of any height, which would else cover them (WCAG 2.4.11). */
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

/** A note under the buttons of the footer, which screen readers read out. */
export function PageNote({ children }: { readonly children: ReactNode }) {
  return (
    <p className={styles.note} role="status">
      {children}
    </p>
  );
}

/** An error after a press, shown beside the button and read out at once. */
export function PageAlert({ children }: { readonly children: ReactNode }) {
  return (
    <p className={styles.alert} role="alert">
      {children}
    </p>
  );
}

/** Elements side by side. The middle one takes the space that is left. */
export function Row({ children }: { readonly children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}

/** Tiles in as many columns as fit, at least two. */
export function TileGrid({
  isSingle = false,
  children,
}: {
  /**
   * It has one tile, which takes a whole row on a phone. A page that is still being read says it so: the browser matches `:only-child`
   * only after the whole list, and the tile would move. A wallet that the device lacks leaves a drawn list, so the drawing may differ.
   */
  readonly isSingle?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <ul className={styles.tiles} data-part="tiles" data-single={isSingle || undefined} suppressHydrationWarning>
      {children}
    </ul>
  );
}

/** Sections below each other. On a desktop, short ones are side by side. */
export function Sections({ children }: { readonly children: ReactNode }) {
  return <div className={styles.sections}>{children}</div>;
}

/** A group of tiles under a heading. */
export function Section({
  title,
  tiles,
  wallets,
  children,
}: {
  readonly title?: string | undefined;
  /** The number of its tiles. On a desktop, sections with one or two tiles share a row. */
  readonly tiles?: number;
  /** The wallet of each tile that needs one. The script of a drawn page takes out those that the device lacks, and this attribute. */
  readonly wallets?: readonly string[] | undefined;
  readonly children: ReactNode;
}) {
  return (
    <section
      className={styles.section}
      aria-label={title}
      data-tiles={tiles}
      data-tile-wallets={wallets?.join(' ') || undefined}
      suppressHydrationWarning
    >
      {title && <h2 className={styles.heading}>{title}</h2>}
      {children}
    </section>
  );
}
