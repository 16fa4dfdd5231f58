import { Page, Row, TileGrid } from '../../ui/page/page.tsx';
import { Skeleton } from '../../ui/page/skeleton.tsx';
import styles from './method-list.module.css';

/** A placeholder for the list with the same heights, so that nothing moves when the list loads (UI-5). */
export function ListSkeleton({ label }: { readonly label: string }) {
  return (
    <Page width="wide">
      <p className={styles.announce} role="status">
        {label}
      </p>
      <Row>
        <Skeleton inlineSize="116px" blockSize="44px" radius="22px" />
        <span className={styles.grow} />
        <Skeleton inlineSize="120px" blockSize="16px" />
      </Row>
      {['first', 'second', 'third'].map((section) => (
        <div key={section}>
          <div className={styles.headingSkeleton}>
            <Skeleton inlineSize="72px" blockSize="14px" />
          </div>
          <TileGrid>
            {['a', 'b'].map((tile) => (
              <li key={tile}>
                <Skeleton blockSize="calc(107px * var(--density))" radius="var(--radius-l)" />
              </li>
            ))}
          </TileGrid>
        </div>
      ))}
    </Page>
  );
}
