/**
 * Quotes of redemptions (SWP-2): the rate that was on screen is the one that counts, for a minute. A quote is signed instead of
 * stored, so that asking for one writes nothing and any node can honour it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { SWEEP_COIN_VALUE, splitRedemption } from '@opencashier/core/sweepstake/redemption';
import type { Clock } from '@opencashier/core/time/clock';
import * as v from 'valibot';
import { CallFailure } from '../calls/call.ts';
import type { Caller } from '../calls/caller.ts';
import type { RateSource } from '../rates/rate-source.ts';
import type { RedemptionRate, Redemptions, Wanted } from './redemptions.ts';

/** How long a rate that was shown is honoured, unless it becomes stale before. */
export const QUOTE_LIFETIME_S = 60;

export interface RedemptionParts {
  readonly rates: RateSource;
  readonly clock: Clock;
  /** The same on every node. */
  readonly secret: string;
}

const contentSchema = v.strictTuple([v.string(), v.string(), v.number()]);

export function createRedemptions({ rates, clock, secret }: RedemptionParts): Redemptions {
  // A key of its own, so that nothing that is signed elsewhere can pass for a quote.
  const key = createHmac('sha256', secret).update('redemption-quote').digest();
  const macOf = (caller: Caller, content: string): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([caller.operatorId, caller.userId, content]))
      .digest();

  const write = (caller: Caller, currency: string, rate: string, expiresAt: number): string => {
    const content = Buffer.from(JSON.stringify([currency, rate, expiresAt])).toString('base64url');
    return `${content}.${macOf(caller, content).toString('base64url')}`;
  };

  /** The agreed rate; undefined for a quote that is over, of another user or currency, or none of ours. */
  const read = (caller: Caller, currency: string, quote: string): string | undefined => {
    const [content = '', mac = ''] = quote.split('.');
    const given = Buffer.from(mac, 'base64url');
    const own = macOf(caller, content);
    if (given.length !== own.length || !timingSafeEqual(given, own)) return undefined;
    const [to, rate, expiresAt] = v.parse(contentSchema, JSON.parse(Buffer.from(content, 'base64url').toString()));
    return to === currency && clock.now() < expiresAt ? rate : undefined;
  };

  const rateNow = async (caller: Caller, currency: string): Promise<RedemptionRate | undefined> => {
    const found = await rates.quote(SWEEP_COIN_VALUE, currency);
    if (found === 'none') return undefined;
    const { rate, at, staleAt, isStale } = found;
    if (isStale) return { rate, at, isStale };
    const expiresAt = Math.min(clock.now() + QUOTE_LIFETIME_S * 1_000, staleAt);
    return { rate, at, isStale, agreed: { quote: write(caller, currency, rate, expiresAt), expiresAt } };
  };

  return {
    rate: rateNow,
    async agree(quote, { caller, amountMinor, fee, currency }) {
      const rate = quote === undefined ? undefined : read(caller, currency, quote);
      if (rate === undefined) throw await staleRate(() => rateNow(caller, currency), { amountMinor, fee, currency });
      const { payout } = splitRedemption(amountMinor, fee, currency, rate);
      if (payout <= 0n) throw new CallFailure('limit-min', 'Of so few coins nothing would arrive');
      return { currency, amount: payout, rate };
    },
  };
}

async function staleRate(
  rateNow: () => Promise<RedemptionRate | undefined>,
  { amountMinor, fee, currency }: Omit<Wanted, 'caller'>,
): Promise<CallFailure> {
  const now = await rateNow();
  if (now?.agreed === undefined) return new CallFailure('rate-stale', 'There is no rate to redeem by just now');
  const { payout } = splitRedemption(amountMinor, fee, currency, now.rate);
  const params = {
    quote: now.agreed.quote,
    expires: new Date(now.agreed.expiresAt).toISOString(),
    rate: now.rate,
    amount: toDecimalString(payout, decimalsOf(currency)),
    currency,
  };
  return new CallFailure('rate-stale', 'The rate on screen is over; look at the new one', { params });
}
