import type { SweepstakeBox } from '@opencashier/contract/api';
import { describeBox } from '@opencashier/core/sweepstake/coin-box';
import { Suspense, useEffect, useId } from 'react';
import { useEmptyNotice } from '../../kit/method/use-list-ends.ts';
import { timerText } from '../../kit/payment/payment-timer.tsx';
import { lazyPart } from '../../kit/session/lazily.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { type Texts, useServices, useTexts } from '../../kit/session/services.tsx';
import { isSoldOut, useBoxes } from '../../kit/sweepstake/boxes.ts';
import { chooseBox } from '../../kit/sweepstake/chosen-box.ts';
import { CoinMark } from '../../kit/sweepstake/coin-mark.tsx';
import { coinText, hasCoins, sweepCode } from '../../kit/sweepstake/coin-text.ts';
import { Badge } from '../../ui/marks/badge.tsx';
import { Page, Section } from '../../ui/page/page.tsx';
import { Skeleton } from '../../ui/page/skeleton.tsx';
import { VisuallyHidden } from '../../ui/page/visually-hidden.tsx';
import { Balances } from './balances.tsx';
import styles from './coin-boxes.module.css';
import { useBoxEnd } from './use-box-end.ts';

// Lazy, because the user can buy boxes without it.
const UnfinishedPurchase = lazyPart(
  async () => (await import('../../kit/sweepstake/unfinished-purchase.tsx')).UnfinishedPurchase,
);

/** The first screen of the sweepstake: which coin package to buy (SWP-1, LIST-1). */
export function Screen() {
  const { navigation } = useServices();
  const texts = useTexts();
  const { translate } = texts;
  const { tree } = usePlace();
  const { isLoading, shelves } = useBoxes();
  const shown = shelves.filter(({ boxes }) => boxes.length > 0);
  const isEmpty = !isLoading && shown.length === 0;
  useEmptyNotice(isEmpty, 'Empty sweepstakes');
  useEffect(() => {
    if (isEmpty) navigation.go('/empty', { replace: true });
  }, [isEmpty, navigation]);
  const choose = (boxId: string) => {
    chooseBox(boxId);
    navigation.go(`${tree}/select-method`);
  };
  return (
    <>
      <Page width="wide">
        <Balances />
        {shown.length === 0 && <Loading />}
        {shown.map(({ name, boxes }) => (
          <Section key={boxes[0]?.boxId} title={groupText(name, texts)}>
            <ul className={styles.boxes}>
              {boxes.map((box) => (
                <li key={box.boxId}>
                  <BoxTile box={box} onChoose={() => choose(box.boxId)} />
                </li>
              ))}
            </ul>
          </Section>
        ))}
        {shown.length > 0 && <p className={styles.disclaimer}>{translate('order.disclaimer')}</p>}
      </Page>
      {shown.length > 0 && (
        <Suspense fallback={null}>
          <UnfinishedPurchase />
        </Suspense>
      )}
    </>
  );
}

/** A box as a button. Its accessible name is its gold coins; sweep coins, price, badge and end are its description. */
function BoxTile({ box, onChoose }: { readonly box: SweepstakeBox; readonly onChoose: () => void }) {
  const texts = useTexts();
  const { translate, formatLocale } = texts;
  const id = useId();
  const { gcAmount, scAmount, formattedPrice } = describeBox(box, formatLocale);
  const isGone = isSoldOut(box);
  const badge = badgeText(box, texts);
  const endsInMs = useBoxEnd(box);
  return (
    <button
      type="button"
      className={styles.box}
      aria-labelledby={`${id}-gold`}
      aria-describedby={`${id}-free ${id}-price ${id}-badge ${id}-end`}
      aria-disabled={isGone ? true : undefined}
      onClick={isGone ? undefined : onChoose}
    >
      <CoinMark isDim={isGone} />
      <span className={styles.text}>
        <span className={styles.head}>
          <span id={`${id}-gold`} className={styles.gold}>
            {coinText('GC', gcAmount, texts)}
          </span>
          {badge && (
            <span id={`${id}-badge`}>
              <Badge tone={badge.tone}>{badge.text}</Badge>
            </span>
          )}
        </span>
        {hasCoins(scAmount) && (
          <span id={`${id}-free`} className={styles.free}>
            {translate('boxes.free', { amount: coinText(sweepCode(box), scAmount, texts) })}
          </span>
        )}
        {endsInMs !== undefined && !isGone && (
          <span id={`${id}-end`} className={styles.end}>
            {translate('boxes.ends', { time: timerText(endsInMs) })}
          </span>
        )}
      </span>
      <span id={`${id}-price`} className={styles.price}>
        {isGone ? translate('boxes.soldOut') : formattedPrice}
      </span>
    </button>
  );
}

/** The name of a group in the user's language, if there is one, else the operator's own text. */
function groupText(name: string | undefined, { has, translate }: Texts): string | undefined {
  const key = `boxes.group.${name?.toLowerCase()}`;
  return has(key) ? translate(key) : name;
}

/** With at most this many boxes left, the tile says how many. */
const FEW = 10;

function badgeText({ badge, remaining }: SweepstakeBox, texts: Texts) {
  if (remaining === 0) return undefined;
  if (remaining !== undefined && remaining <= FEW) {
    return { tone: 'warn', text: texts.translate('boxes.left', { count: remaining }) } as const;
  }
  const key = `boxes.badge.${badge}`;
  return badge !== undefined && texts.has(key) ? ({ tone: 'accent', text: texts.translate(key) } as const) : undefined;
}

/** A placeholder with the height of the boxes, so that nothing moves when they load (UI-5). */
function Loading() {
  const { translate } = useTexts();
  return (
    <div role="status">
      <VisuallyHidden>{translate('boxes.loading')}</VisuallyHidden>
      <div className={styles.boxes}>
        {['a', 'b', 'c', 'd'].map((key) => (
          <Skeleton key={key} blockSize="92px" radius="var(--radius-l)" />
        ))}
      </div>
    </div>
  );
}
