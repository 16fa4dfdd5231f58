import type { FeeRule } from '@opencashier/contract/api';
import { formatDecimal } from '@opencashier/core/money/format';
import { Suspense } from 'react';
import { writtenTime } from '../../kit/format/written-time.ts';
import { lazyPart } from '../../kit/session/lazily.ts';
import { type Texts, useServices, useTexts } from '../../kit/session/services.tsx';
import { Notice } from '../../ui/page/card.tsx';
import { Skeleton } from '../../ui/page/skeleton.tsx';
import styles from './address-screen.module.css';
import type { AddressView, Minimum, Network } from './model.ts';

const DepositFee = lazyPart(async () => (await import('../../kit/deposit/deposit-fee.tsx')).DepositFee);
const CoinWorth = lazyPart(async () => (await import('../../kit/amount/coin-worth.tsx')).CoinWorth);

interface AddressNotesProps {
  readonly view: Extract<AddressView, { kind: 'address' }>;
  readonly network: Network | undefined;
  /** The fee of the method; undefined: none. */
  readonly fee: FeeRule | undefined;
  /** The currency that is credited. */
  readonly currency: string;
}

/** The minimum, the network, the fee and the deadline, before the user sends anything (CRY-1). */
export function AddressNotes({ view: { minimum, expiresAt }, network, fee, currency }: AddressNotesProps) {
  const texts = useTexts();
  const { translate } = texts;
  const { clock } = useServices();
  const onNetwork = { network: `\u2068${network?.title ?? ''}\u2069` };
  return (
    <>
      {minimum ? (
        <Notice tone="warn">
          <Sentence
            text={translate('crypto.minimum', { ...onNetwork, amount: place })}
            strong={writtenCoins(minimum, texts)}
          />
          <Suspense fallback={null}>
            <CoinWorth {...minimum} />
          </Suspense>
        </Notice>
      ) : (
        network && <Notice tone="warn">{translate('crypto.networkOnly', onNetwork)}</Notice>
      )}
      {fee !== undefined && (
        <Suspense fallback={<Skeleton blockSize="55px" radius="var(--radius-m)" />}>
          <DepositFee rule={fee} amount={null} currency={currency} />
        </Suspense>
      )}
      {expiresAt !== undefined && (
        <p className={styles.until}>
          {translate('crypto.until', { time: writtenTime(expiresAt, clock.now(), texts) })}
        </p>
      )}
    </>
  );
}

/** A placeholder for the amount that no text contains. */
const place = '\u0000';

function Sentence({ text, strong }: { readonly text: string; readonly strong: string }) {
  const [before = '', after = ''] = text.split(place);
  return (
    <>
      {before}
      <strong>
        <bdi>{strong}</bdi>
      </strong>
      {after}
    </>
  );
}

const MOST_DECIMALS = 18;

function writtenCoins({ amount, coin }: Minimum, { formatLocale }: Texts): string {
  return `${formatDecimal(amount, formatLocale, 0, MOST_DECIMALS)} ${coin}`;
}
