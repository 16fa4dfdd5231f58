import { usePlace } from '../session/product-context.tsx';
import { useServices, useTexts } from '../session/services.tsx';
import styles from './bonus-banner.module.css';
import { BonusBanner } from './bonus-banner.tsx';
import { useBonusShelf } from './use-bonus-shelf.ts';

/** The banners on the list, the chosen one first (BON-1). Nothing when every bonus has ended. */
export function BonusSection() {
  const { translate } = useTexts();
  const { navigation } = useServices();
  const { tree } = usePlace();
  const { bonuses, activeId } = useBonusShelf();
  if (bonuses.length === 0) return null;
  const inOrder = [...bonuses].sort((left, right) => Number(right.id === activeId) - Number(left.id === activeId));
  return (
    <section aria-label={translate('bonus.section')}>
      <ul className={styles.row}>
        {inOrder.map((bonus) => (
          <li key={bonus.id}>
            <BonusBanner
              bonus={bonus}
              onOpen={() => navigation.go(`${tree}/bonus-details?${new URLSearchParams({ bonus: bonus.id })}`)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
