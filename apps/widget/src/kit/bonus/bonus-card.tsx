import { Switch } from '../../ui/inputs/switch.tsx';
import { Card, Notice } from '../../ui/page/card.tsx';
import { usePlace } from '../session/product-context.tsx';
import { type Texts, useServices, useTexts } from '../session/services.tsx';
import styles from './bonus-card.module.css';
import { bonusSummary, moneyText, percentText, timesText } from './bonus-text.ts';
import type { BonusOffer, BonusView } from './use-bonus-offer.ts';

/** The switch of the bonus, and what the bonus gives for this amount, before anything is paid (BON-1 to BON-3). */
export function BonusCard({ offer, isDisabled }: { readonly offer: BonusOffer; readonly isDisabled: boolean }) {
  const texts = useTexts();
  const { navigation } = useServices();
  const { tree } = usePlace();
  const { view, hasEnded } = offer;
  const ended = hasEnded && <Notice tone="warn">{texts.translate('bonus.ended')}</Notice>;
  if (!view) {
    return (
      <div role="status" className={styles.ended}>
        {ended}
      </div>
    );
  }
  const { bonus, isEnabled, isRestricted } = view;
  const toDetails = () => navigation.go(`${tree}/bonus-details?${new URLSearchParams({ bonus: bonus.id })}`);
  return (
    <Card>
      <div role="status" className={styles.ended}>
        {ended}
      </div>
      <div className={styles.row}>
        <div className={styles.text}>
          <p className={styles.title}>{titleOf(view, texts)}</p>
          <p className={styles.detail}>
            <span>{detailOf(view, texts)}</span>
            {' · '}
            <button type="button" className={styles.link} onClick={toDetails} disabled={isDisabled}>
              {texts.translate('bonus.details')}
            </button>
          </p>
        </div>
        {!isRestricted && (
          <Switch
            label={texts.translate('bonus.choice', { title: bonus.content.title })}
            isOn={isEnabled}
            onChange={(isOn) => {
              if (!isDisabled) offer.setEnabled(isOn);
            }}
          />
        )}
      </div>
    </Card>
  );
}

function titleOf({ bonus, gain, standing }: BonusView, texts: Texts): string {
  return gain !== undefined && standing.isActivated
    ? texts.translate('bonus.gain', { amount: moneyText(gain, texts) })
    : bonus.content.title;
}

function detailOf(view: BonusView, texts: Texts): string {
  const { bonus, isEnabled, isRestricted, standing } = view;
  const { translate } = texts;
  if (isRestricted) return translate('bonus.restricted');
  if (!isEnabled) return translate('bonus.without');
  if (standing.missing !== undefined) {
    return translate('bonus.missing', {
      amount: moneyText({ currency: bonus.currency, minor: standing.missing }, texts),
    });
  }
  const { depositBonusData: data } = bonus;
  if (!standing.isActivated || data === undefined) return bonusSummary(bonus, texts);
  return translate('bonus.terms', {
    percent: percentText(data.percent, texts),
    wager: timesText(data.wagerMultiplier, texts),
  });
}
