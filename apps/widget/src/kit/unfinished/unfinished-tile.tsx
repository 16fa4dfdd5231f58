import { useRef } from 'react';
import { RowTile } from '../../ui/lists/tile.tsx';
import { Icon } from '../../ui/marks/icon.tsx';
import { useFootHeight } from '../../ui/page/page.tsx';
import styles from './unfinished-tile.module.css';

interface UnfinishedTileProps {
  readonly title: string;
  readonly detail: string;
  readonly onOpen: () => void;
}

/** A tile at the foot of a list, above its content, for a deposit or withdrawal that the user has not finished. */
export function UnfinishedTile({ title, detail, onOpen }: UnfinishedTileProps) {
  const place = useRef<HTMLDivElement>(null);
  useFootHeight(place);
  return (
    <div ref={place} className={styles.place}>
      <div className={styles.card}>
        <RowTile
          title={title}
          detail={detail}
          marks={
            <span className={styles.mark}>
              <Icon name="clock" size={20} />
            </span>
          }
          end={<Icon name="chevron" size={18} />}
          onOpen={onOpen}
        />
      </div>
    </div>
  );
}
