import { type ReactNode, useId } from 'react';
import styles from './tile.module.css';

interface TileProps {
  readonly title: string;
  /** The line under the title. */
  readonly detail?: string | undefined;
  /** A line across the tile, such as a promotion. */
  readonly banner?: string | undefined;
  readonly marks: ReactNode;
  /** Tells the tile among those of its list, also in another drawing of the same list. Two words of letters, digits, `_` and `-`. */
  readonly opens?: string;
  readonly badges?: ReactNode;
  /** The tile is shown but cannot be opened. `detail` says why. */
  readonly isDisabled?: boolean;
  readonly onOpen: () => void;
  /** Runs when the pointer or the focus reaches the tile, so that the next page can be loaded early. */
  readonly onNear?: () => void;
  /** Runs when they leave the tile. */
  readonly onAway?: () => void;
}

/** A card that opens a page. The title is its accessible name; the other texts are its description. */
export function Tile({
  title,
  detail,
  banner,
  marks,
  opens,
  badges,
  isDisabled = false,
  onOpen,
  onNear,
  onAway,
}: TileProps) {
  const ownId = useId();
  // The script of index.html takes tiles out of the server's drawing. `useId` would count the tiles that are left.
  const id = opens?.replace(' ', '-') ?? ownId;
  return (
    <button
      type="button"
      className={styles.tile}
      data-part="tile"
      data-opens={opens}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-more`}
      aria-disabled={isDisabled ? true : undefined}
      onClick={isDisabled ? undefined : onOpen}
      onPointerEnter={isDisabled ? undefined : onNear}
      onFocus={isDisabled ? undefined : onNear}
      onPointerLeave={onAway}
      onBlur={onAway}
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
          {/* The server may write an amount in another way than the browser. Its text then stays. */}
          {detail && (
            <span className={styles.detail} suppressHydrationWarning>
              {detail}
            </span>
          )}
          {banner && <span className={styles.banner}>{banner}</span>}
        </span>
      </span>
    </button>
  );
}

/** A tile as a whole row, for the first offer. */
export function RowTile({
  title,
  detail,
  marks,
  onOpen,
  onNear,
  onAway,
  end,
}: TileProps & { readonly end: ReactNode }) {
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
      onPointerLeave={onAway}
      onBlur={onAway}
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
