/** The amount that arrives from a withdrawal in another currency, and the rate with its time (WD-2, SWP-2, SWP-3). */
import { type PaymentMethod, paymentConvertV2, type ResponseOf } from '@opencashier/contract/api';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ClientError } from '../../api/client.ts';
import { useServices, useSession } from '../session/services.tsx';

/** The widget asks once the user has not typed for this long (§9). */
export const PAYOUT_DEBOUNCE_MS = 500;
/** A quote is renewed this long before its end, so that it does not end just before the press. */
const RENEW_BEFORE_MS = 5000;
/** After this time the widget asks again for an old or missing rate. */
export const ASK_AGAIN_MS = 15_000;
/** After this time the widget tries a lost connection again. It tries at once when the browser is online again. */
export const OFFLINE_AGAIN_MS = 5000;

/** One unit of the balance's currency, in the payout's currency. */
export interface Rate {
  readonly value: string;
  /** ISO 8601, the time of the rate; undefined where the server names none. */
  readonly asOf: string | undefined;
}

export type Payout =
  /** There is no amount that could be paid out. */
  | { readonly at: 'none' }
  | { readonly at: 'asking' }
  /** The create call needs `quote`. Until the quote ends, exactly this amount arrives. */
  | { readonly at: 'ready'; readonly amount: string; readonly rate: Rate | undefined; readonly quote: string }
  /** The rate is old: it may be shown, but no withdrawal may use it. */
  | { readonly at: 'stale'; readonly amount: string; readonly rate: Rate | undefined }
  | { readonly at: 'offline' }
  /** There is no rate (SWP-3). */
  | { readonly at: 'unknown' };

type Answer = ResponseOf<typeof paymentConvertV2>;

export interface PayoutField {
  readonly payout: Payout;
  /** The currency of the payout. */
  readonly currency: string;
  /** The server answered the create that the rate has changed. The user must see first what arrives now. */
  readonly hasChanged: boolean;
  /** The server refused the quote. If `params` has a fresh one, the widget does not ask again. */
  refuse(params: Readonly<Record<string, string>>): void;
}

/**
 * Asks what arrives from an amount, once the user pauses typing. The answer for another amount is dropped.
 * @param amount canonical decimal string of the session's currency; undefined while it cannot be withdrawn
 * @returns undefined for a method that pays out in the balance's own currency
 */
export function usePayout(
  { name, payoutCurrency }: Pick<PaymentMethod, 'name' | 'payoutCurrency'>,
  amount: string | undefined,
): PayoutField | undefined {
  const { api, clock, metric } = useServices();
  const { currency } = useSession();
  const [payout, setPayout] = useState<Payout>({ at: 'none' });
  const [hasChanged, setHasChanged] = useState(false);
  const askNow = useRef(() => {});
  const isConverted = payoutCurrency !== undefined && payoutCurrency !== currency;
  useEffect(() => {
    setHasChanged(false);
    if (amount === undefined || payoutCurrency === undefined || !isConverted) {
      setPayout({ at: 'none' });
      return;
    }
    setPayout({ at: 'asking' });
    const aborter = new AbortController();
    const { signal } = aborter;
    let stopTimer = () => {};
    const later = (ms: number) => {
      stopTimer();
      stopTimer = clock.setTimer(() => void ask(), ms);
    };
    const take = (next: Payout, again: number) => {
      setPayout(next);
      later(again);
    };
    const ask = async (): Promise<void> => {
      if (globalThis.navigator?.onLine === false) return take({ at: 'offline' }, OFFLINE_AGAIN_MS);
      try {
        const request = { amount, from: currency, to: payoutCurrency, paymentMethod: name };
        const answer = await api.call(paymentConvertV2, request, { signal });
        if (!signal.aborted) take(payoutOf(answer), againAfter(answer, clock.now() + api.serverOffsetMs()));
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof ClientError)) throw error;
        if (error.kind === 'network') return take({ at: 'offline' }, OFFLINE_AGAIN_MS);
        metric('payout.rate-failed', error.code);
        take({ at: 'unknown' }, ASK_AGAIN_MS);
      }
    };
    askNow.current = () => later(0);
    const isBack = () => later(0);
    window.addEventListener('online', isBack);
    later(PAYOUT_DEBOUNCE_MS);
    return () => {
      stopTimer();
      aborter.abort();
      askNow.current = () => {};
      window.removeEventListener('online', isBack);
    };
  }, [api, clock, metric, name, currency, payoutCurrency, isConverted, amount]);
  const refuse = useCallback(({ quote, amount: arrives, rate, asOf }: Readonly<Record<string, string>>) => {
    setHasChanged(true);
    if (quote !== undefined && arrives !== undefined) {
      setPayout({ at: 'ready', amount: arrives, rate: rateOf(rate, asOf), quote });
    } else askNow.current();
  }, []);
  return payoutCurrency === undefined || !isConverted
    ? undefined
    : { payout, currency: payoutCurrency, hasChanged, refuse };
}

const rateOf = (value: string | undefined, asOf: string | undefined): Rate | undefined =>
  value === undefined ? undefined : { value, asOf };

function payoutOf({ amount, rate: value, asOf, quote, isStale }: Answer): Payout {
  const rate = rateOf(value, asOf);
  return quote === undefined || isStale === true ? { at: 'stale', amount, rate } : { at: 'ready', amount, rate, quote };
}

function againAfter({ quote, expires }: Answer, now: number): number {
  const end = Date.parse(expires ?? '');
  if (quote === undefined || Number.isNaN(end)) return ASK_AGAIN_MS;
  return Math.max(1000, end - now - RENEW_BEFORE_MS);
}
