import { useTexts } from '../../kit/session/services.tsx';
import { Card } from '../../ui/page/card.tsx';
import { Skeleton } from '../../ui/page/skeleton.tsx';
import { VisuallyHidden } from '../../ui/page/visually-hidden.tsx';
import styles from './address-screen.module.css';

/** A placeholder for the address card, in the same size. */
export function AddressSkeleton() {
  const { translate } = useTexts();
  return (
    <div role="status">
      <VisuallyHidden>{translate('crypto.getting')}</VisuallyHidden>
      <Card>
        <div className={styles.waiting}>
          <Skeleton inlineSize="176px" blockSize="176px" radius="var(--radius-m)" />
          <Skeleton inlineSize="90%" blockSize="20px" />
          <Skeleton blockSize="44px" radius="var(--radius-m)" />
        </div>
      </Card>
    </div>
  );
}
