import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { IconButton } from '../buttons/icon-button.tsx';
import styles from './sheet.module.css';

interface SheetProps {
  readonly title: string;
  readonly closeLabel: string;
  readonly onClose: () => void;
  /** A short question. On a wide screen it is in the middle instead of at the side. */
  readonly isQuestion?: boolean;
  readonly children: ReactNode;
}

/** The content of a sheet with a margin. A list goes without it, from edge to edge. */
export function SheetContent({ children }: { readonly children: ReactNode }) {
  return <div className={styles.content}>{children}</div>;
}

/**
 * A modal sheet: from the bottom on a phone, a panel at the side on a desktop. The platform's `<dialog>` keeps the focus
 * inside, makes the page behind inert, closes on Escape and gives the focus back.
 */
export function Sheet({ title, closeLabel, onClose, isQuestion, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // A layout effect closes the dialog while it is still in the page, so that the browser can restore the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way, and the platform's own
    <dialog
      ref={dialog}
      className={styles.sheet}
      data-question={isQuestion ? '' : undefined}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        // The content is in children, so a press on the dialog itself is on its backdrop.
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className={styles.body}>
        <div className={styles.head}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          <IconButton icon="close" label={closeLabel} onClick={onClose} />
        </div>
        {children}
      </div>
    </dialog>
  );
}
