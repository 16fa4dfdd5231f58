import { paymentConvertV2 } from '@opencashier/contract/api';
import { formatDecimal, formatWireAmount } from '@opencashier/core/money/format';
import { useQuery } from '@tanstack/react-query';
import { writtenTime } from '../format/written-time.ts';
import { useServices, useSession, useTexts } from '../session/services.tsx';
import styles from './coin-worth.module.css';

interface CoinWorthProps {
  /** Decimal string. */
  readonly amount: string;
  readonly coin: string;
}

const FRESH_MS = 60_000;
const MOST_DECIMALS = 18;

/**
 * What coins are worth in the balance's currency, and when the rate was true (CRY-1): `0.0002 BTC: about €12.40 · Rate at 14:32`.
 * A help to the eye: coins are credited by the rate of their arrival. Nothing stands there where no rate is known.
 */
export function CoinWorth({ amount, coin }: CoinWorthProps) {
  const { api, clock } = useServices();
  const { currency } = useSession();
  const texts = useTexts();
  const { data, isPending } = useQuery({
    queryKey: ['coin-worth', amount, coin, currency],
    staleTime: FRESH_MS,
    enabled: coin !== currency,
    queryFn: ({ signal }) => api.call(paymentConvertV2, { amount, from: coin, to: currency }, { signal }),
  });
  if (coin === currency) return null;
  // Holds the line while the rate is asked for, so that nothing below moves when it comes (UI-5).
  if (isPending) return <p className={styles.worth} aria-hidden="true" />;
  const worth =
    data && /[1-9]/.test(data.amount)
      ? formatWireAmount({ amount: data.amount, currency }, texts.formatLocale, { isolate: true })
      : undefined;
  if (worth === undefined) return null;
  const asOf = Date.parse(data?.asOf ?? '');
  return (
    <p className={styles.worth}>
      <bdi>{`${formatDecimal(amount, texts.formatLocale, 0, MOST_DECIMALS)} ${coin}`}</bdi>
      {': '}
      {texts.translate('payout.about', { amount: worth })}
      {!Number.isNaN(asOf) && ` · ${texts.translate('payout.rateAt', { time: writtenTime(asOf, clock.now(), texts) })}`}
    </p>
  );
}
