import type { Bonus } from '@opencashier/contract/api';
import { BonusBanner, BonusHead } from '../../kit/bonus/bonus-banner.tsx';
import { bonusShelfOf } from '../../kit/bonus/bonus-shelf.ts';
import { bonusTerms } from '../../kit/bonus/bonus-text.ts';
import { useBonusShelf } from '../../kit/bonus/use-bonus-shelf.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Switch } from '../../ui/inputs/switch.tsx';
import { Card, DetailList } from '../../ui/page/card.tsx';
import { Page, PageFooter, Section } from '../../ui/page/page.tsx';
import { StateView } from '../../ui/page/state-view.tsx';
import styles from './bonus-details.module.css';

/** One bonus in full with its switch, and the other bonuses (BON-1). The page's URL names it; else it is the chosen one. */
export function Screen({ query }: ScreenProps) {
  const services = useServices();
  const { translate } = useTexts();
  const { tree } = usePlace();
  const { navigation } = services;
  const shelf = useBonusShelf();
  const store = bonusShelfOf(services);
  const asked = query.get('bonus') ?? shelf.activeId;
  const bonus = shelf.bonuses.find(({ id }) => id === asked);
  const others = shelf.bonuses.filter(({ id }) => id !== asked);
  const open = (id: string) =>
    navigation.go(`${tree}/bonus-details?${new URLSearchParams({ bonus: id })}`, { replace: true });
  const isChosen = bonus !== undefined && bonus.id === shelf.activeId;
  return (
    <>
      <Page>
        {bonus ? (
          <Details bonus={bonus} />
        ) : (
          <StateView
            icon="clock"
            tone="calm"
            title={translate('bonusDetails.gone.title')}
            text={translate('bonusDetails.gone.text')}
          />
        )}
        {isChosen && (
          <Card>
            <div className={styles.choice}>
              {translate('bonusDetails.use')}
              <Switch label={translate('bonusDetails.use')} isOn={shelf.isEnabled} onChange={store.setEnabled} />
            </div>
          </Card>
        )}
        {others.length > 0 && (
          <Section title={translate('bonusDetails.others')}>
            <ul className={styles.others}>
              {others.map((other) => (
                <li key={other.id}>
                  <BonusBanner bonus={other} onOpen={() => open(other.id)} />
                </li>
              ))}
            </ul>
          </Section>
        )}
      </Page>
      <PageFooter>
        {bonus && !isChosen ? (
          <Button onClick={() => store.choose(bonus.id)}>{translate('bonusDetails.choose')}</Button>
        ) : (
          <Button onClick={() => navigation.go(tree)}>
            {translate(bonus ? 'bonusDetails.chosen' : 'bonusDetails.back')}
          </Button>
        )}
      </PageFooter>
    </>
  );
}

function Details({ bonus }: { readonly bonus: Bonus }) {
  const texts = useTexts();
  const { subtitle } = bonus.content;
  return (
    <>
      <BonusHead bonus={bonus} />
      {subtitle && <p className={styles.subtitle}>{subtitle}</p>}
      <DetailList>
        {bonusTerms(bonus, texts).map(({ id, name, value }) => (
          <div key={id}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </DetailList>
    </>
  );
}
