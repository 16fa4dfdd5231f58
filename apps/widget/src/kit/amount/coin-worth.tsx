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
 * The value of coins in the balance's currency, and the time of the rate (CRY-1): `0.0002 BTC: about €12.40 · Rate as of 14:32`. It
 * is only an estimate, because coins are credited by the rate of their arrival. Without a rate it shows nothing.
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
  // An empty line keeps the place, so that nothing below moves when the rate comes (UI-5).
  if (isPending) return <p className={styles.worth} aria-hidden="true" />;
  const worth =
    data && /[1-9]/.test(data.amount)
      ? formatWireAmount({ amount: data.amount, currency }, texts.formatLocale, { isolate: true })
      : undefined;
  if (worth === undefined) return null;
  const asOf = Date.parse(data?.asOf ?? '');
  const coins = `${formatDecimal(amount, texts.formatLocale, 0, MOST_DECIMALS)} ${coin}`;
  return (
    <p className={styles.worth}>
      {texts.translate('payout.worth', { coins: `\u2068${coins}\u2069`, amount: worth })}
      {!Number.isNaN(asOf) && ` · ${texts.translate('payout.rateAt', { time: writtenTime(asOf, clock.now(), texts) })}`}
    </p>
  );
}
