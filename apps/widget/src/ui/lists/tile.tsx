import { type ReactNode, useId } from 'react';
import styles from './tile.module.css';

interface TileProps {
  readonly title: string;
  /** The line under the title. */
  readonly detail?: string | undefined;
  /** A line of its own above everything, such as a promotion. */
  readonly banner?: string | undefined;
  readonly marks: ReactNode;
  readonly badges?: ReactNode;
  /** Shown but not usable: the reason is the detail. */
  readonly isDisabled?: boolean;
  readonly onOpen: () => void;
  /** The finger or pointer is on its way: time to load what comes next. */
  readonly onNear?: () => void;
}

/** A card that opens something. Its name is the title alone; everything else describes it. */
export function Tile({ title, detail, banner, marks, badges, isDisabled = false, onOpen, onNear }: TileProps) {
  const id = useId();
  return (
    <button
      type="button"
      className={styles.tile}
      data-part="tile"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-more`}
      aria-disabled={isDisabled ? true : undefined}
      onClick={isDisabled ? undefined : onOpen}
      onPointerEnter={isDisabled ? undefined : onNear}
      onFocus={isDisabled ? undefined : onNear}
    >
      <span className={styles.top}>
        {marks}
        {badges && <span className={styles.badges}>{badges}</span>}
      </span>
      <span className={styles.text}>
        <span id={`${id}-title`} className={styles.title}>
          {title}
        </span>
        <span id={`${id}-more`} className={styles.more}>
          {detail && <span className={styles.detail}>{detail}</span>}
          {banner && <span className={styles.banner}>{banner}</span>}
        </span>
      </span>
    </button>
  );
}

/** The same as a whole row, for the one offer that stands first. */
export function RowTile({ title, detail, marks, onOpen, onNear, end }: TileProps & { readonly end: ReactNode }) {
  const id = useId();
  return (
    <button
      type="button"
      className={styles.row}
      data-part="row"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-more`}
      onClick={onOpen}
      onPointerEnter={onNear}
      onFocus={onNear}
    >
      {marks}
      <span className={styles.text}>
        <span id={`${id}-title`} className={styles.title}>
          {title}
        </span>
        <span id={`${id}-more`} className={styles.detail}>
          {detail}
        </span>
      </span>
      <span className={styles.end}>{end}</span>
    </button>
  );
}
