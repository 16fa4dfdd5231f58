import { formatDecimal, formatWireAmount } from '@opencashier/core/money/format';
import { useId } from 'react';
import type { Texts } from '../../kit/session/services.tsx';
import { useTexts } from '../../kit/session/services.tsx';
import { Badge } from '../../ui/marks/badge.tsx';
import { Marks } from '../../ui/marks/mark.tsx';
import type { ComparedOffer, OfferTerms } from './model.ts';
import styles from './offer-choice.module.css';

interface OfferChoiceProps {
  readonly offers: readonly ComparedOffer[];
  readonly terms: OfferTerms;
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** What each seller pays out, and its fee. The offers are real radio buttons, so arrow keys move between them. */
export function OfferChoice({ offers, terms, chosen, onChoose }: OfferChoiceProps) {
  const texts = useTexts();
  const { translate } = texts;
  const name = useId();
  const paid = terms.paid === undefined ? undefined : money(terms.paid, terms.currency, texts);
  return (
    <fieldset className={styles.offers}>
      <legend className={styles.legend}>{translate('onramp.offers')}</legend>
      {paid !== undefined && (
        <>
          <p className={styles.paid}>{translate('onramp.pay', { amount: paid })}</p>
          <p className={styles.paid}>{translate('onramp.credited', { amount: paid })}</p>
        </>
      )}
      {offers.map(({ offer, id, isBest, less }) => (
        <label key={id} className={styles.offer}>
          <input
            type="radio"
            name={name}
            value={id}
            checked={id === chosen}
            className={styles.input}
            onChange={() => onChoose(id)}
          />
          <span className={styles.head}>
            <Marks iconIds={offer.iconIds.length > 0 ? offer.iconIds : ['coin']} most={3} />
            <span className={styles.name}>
              <bdi>{sellerName(offer.method, texts)}</bdi>
            </span>
            {isBest && offers.length > 1 && <Badge tone="accent">{translate('onramp.best')}</Badge>}
          </span>
          <span className={styles.receive}>
            {translate('onramp.receive', { amount: coins(offer.amount, terms.coin, texts) })}
          </span>
          <span className={styles.terms}>
            <span>
              {/^0(?:\.0*)?$/.test(offer.fee)
                ? translate('onramp.noFee')
                : translate('onramp.fee', { amount: money(offer.fee, terms.currency, texts) })}
            </span>
            {less !== undefined && (
              <span className={styles.less}>
                {translate('onramp.less', { amount: coins(less, terms.coin, texts) })}
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** The name of a seller: a translated kind of payment, else its own name. */
export function sellerName(method: string, texts: Texts): string {
  const key = `onramp.method.${method}`;
  return texts.has(key) ? texts.translate(key) : method;
}

const MOST_DECIMALS = 8;
const isolated = (text: string) => `\u2068${text}\u2069`;

function coins(amount: string, coin: string | undefined, { formatLocale }: Texts): string {
  const number = formatDecimal(amount, formatLocale, 0, MOST_DECIMALS);
  return isolated(coin === undefined ? number : `${number} ${coin}`);
}

function money(amount: string, currency: string, { formatLocale }: Texts): string {
  return formatWireAmount({ amount, currency }, formatLocale, { isolate: true }) ?? isolated(`${amount} ${currency}`);
}
