/**
 * Quotes of payouts in another currency (SWP-2, WD-2): the rate that was on screen is the one that counts, for a minute. A quote is signed instead of
 * stored, so that asking for one writes nothing and any node can honour it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { SWEEP_COIN } from '@opencashier/core/sweepstake/coins';
import { SWEEP_COIN_VALUE } from '@opencashier/core/sweepstake/redemption';
import type { Clock } from '@opencashier/core/time/clock';
import { splitPayout } from '@opencashier/core/withdrawal/withdrawal-fee';
import * as v from 'valibot';
import { DomainError } from '../errors/domain-error.ts';
import type { Caller } from '../operators/caller.ts';
import type { RateSource } from '../rates/rate-source.ts';
import type { AgreedPayout, RedemptionRate, Redemptions, Wanted } from './redemptions.ts';

/** How long a rate that was shown is honoured, unless it becomes stale before. */
export const QUOTE_LIFETIME_S = 60;

export interface RedemptionParts {
  readonly rates: RateSource;
  readonly clock: Clock;
  /** The same on every node. */
  readonly secret: string;
}

/** From, to, rate, end of the quote, when the rate was true. */
const contentSchema = v.strictTuple([v.string(), v.string(), v.string(), v.number(), v.number()]);

interface Pair {
  readonly from: string;
  readonly to: string;
}

type KnownRate = Pick<AgreedPayout, 'rate' | 'at'>;

export function createRedemptions({ rates, clock, secret }: RedemptionParts): Redemptions {
  // A key of its own, so that nothing that is signed elsewhere can pass for a quote.
  const key = createHmac('sha256', secret).update('redemption-quote').digest();
  const macOf = (caller: Caller, content: string): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([caller.operatorId, caller.userId, content]))
      .digest();

  const write = (caller: Caller, { from, to }: Pair, { rate, at }: KnownRate, expiresAt: number): string => {
    const content = Buffer.from(JSON.stringify([from, to, rate, expiresAt, at])).toString('base64url');
    return `${content}.${macOf(caller, content).toString('base64url')}`;
  };

  /** The agreed rate; undefined for a quote that is over, of another user or other currencies, or none of ours. */
  const read = (caller: Caller, pair: Pair, quote: string): KnownRate | undefined => {
    const [content = '', mac = ''] = quote.split('.');
    const given = Buffer.from(mac, 'base64url');
    const own = macOf(caller, content);
    if (given.length !== own.length || !timingSafeEqual(given, own)) return undefined;
    const parsed = v.safeParse(contentSchema, JSON.parse(Buffer.from(content, 'base64url').toString()));
    // An earlier version wrote its quotes otherwise; they are over within a minute.
    if (!parsed.success) return undefined;
    const [from, to, rate, expiresAt, at] = parsed.output;
    // A sweep coin is about a dollar: its quote must never pay another currency out.
    return from === pair.from && to === pair.to && clock.now() < expiresAt ? { rate, at } : undefined;
  };

  const rateNow = async (caller: Caller, from: string, to: string): Promise<RedemptionRate | undefined> => {
    const found = await rates.quote(from === SWEEP_COIN ? SWEEP_COIN_VALUE : from, to);
    if (found === 'none') return undefined;
    const { rate, at, staleAt, isStale } = found;
    if (isStale) return { rate, at, isStale };
    const expiresAt = Math.min(clock.now() + QUOTE_LIFETIME_S * 1_000, staleAt);
    return { rate, at, isStale, agreed: { quote: write(caller, { from, to }, { rate, at }, expiresAt), expiresAt } };
  };

  return {
    rate: rateNow,
    async agree(quote, wanted) {
      const { caller, from, amountMinor, fee, currency } = wanted;
      const known = quote === undefined ? undefined : read(caller, { from, to: currency }, quote);
      if (known === undefined) throw await staleRate(() => rateNow(caller, from, currency), wanted);
      const { payout } = splitPayout({ currency: from, minor: amountMinor }, fee, currency, known.rate);
      if (payout <= 0n) throw new DomainError('limit-min', 'Of so little nothing would arrive');
      return { currency, amount: payout, ...known };
    },
  };
}

async function staleRate(
  rateNow: () => Promise<RedemptionRate | undefined>,
  { from, amountMinor, fee, currency }: Omit<Wanted, 'caller'>,
): Promise<DomainError> {
  const now = await rateNow();
  if (now?.agreed === undefined) return new DomainError('rate-stale', 'There is no rate to pay out by just now');
  const { payout } = splitPayout({ currency: from, minor: amountMinor }, fee, currency, now.rate);
  const params = {
    quote: now.agreed.quote,
    expires: new Date(now.agreed.expiresAt).toISOString(),
    rate: now.rate,
    asOf: new Date(now.at).toISOString(),
    amount: toDecimalString(payout, decimalsOf(currency)),
    currency,
  };
  return new DomainError('rate-stale', 'The rate on screen is over; look at the new one', { params });
}
