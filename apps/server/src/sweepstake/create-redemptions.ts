/**
 * Quotes for payouts in another currency (SWP-2, WD-2): for a minute, the rate on the screen applies.
 * A quote is signed and not stored. A quote request therefore writes nothing, and any node can honour the quote.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { SWEEP_COIN, SWEEP_COIN_VALUE } from '@opencashier/core/sweepstake/coins';
import type { Clock } from '@opencashier/core/time/clock';
import { splitPayout } from '@opencashier/core/withdrawal/withdrawal-fee';
import * as v from 'valibot';
import { DomainError } from '../errors/domain-error.ts';
import type { Caller } from '../operators/caller.ts';
import type { RateSource } from '../rates/rate-source.ts';
import type { AgreedPayout, PayoutRequest, RedemptionRate, Redemptions } from './redemptions.ts';

/** How long a shown rate is honoured, in seconds, unless it becomes stale earlier. */
export const QUOTE_LIFETIME_S = 60;

export interface RedemptionParts {
  readonly rates: RateSource;
  readonly clock: Clock;
  /** Must be the same on every node. */
  readonly secret: string;
}

/** From, to, rate, end of the quote, time of the rate. */
const contentSchema = v.strictTuple([v.string(), v.string(), v.string(), v.number(), v.number()]);

interface Pair {
  readonly from: string;
  readonly to: string;
}

type KnownRate = Pick<AgreedPayout, 'rate' | 'at'>;

/** Creates the quotes for payouts in another currency. `secret` signs the quotes. */
export function createRedemptions({ rates, clock, secret }: RedemptionParts): Redemptions {
  // A derived key, so that no other signature of the same secret can pass as a quote.
  const key = createHmac('sha256', secret).update('redemption-quote').digest();
  const macOf = (caller: Caller, content: string): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([caller.operatorId, caller.userId, content]))
      .digest();

  const write = (caller: Caller, { from, to }: Pair, { rate, at }: KnownRate, expiresAt: number): string => {
    const content = Buffer.from(JSON.stringify([from, to, rate, expiresAt, at])).toString('base64url');
    return `${content}.${macOf(caller, content).toString('base64url')}`;
  };

  /** The agreed rate. Undefined for an expired or invalid quote, and for another user or other currencies. */
  const read = (caller: Caller, pair: Pair, quote: string): KnownRate | undefined => {
    const [content = '', mac = ''] = quote.split('.');
    const givenMac = Buffer.from(mac, 'base64url');
    const expectedMac = macOf(caller, content);
    if (givenMac.length !== expectedMac.length || !timingSafeEqual(givenMac, expectedMac)) return undefined;
    const parsed = v.safeParse(contentSchema, JSON.parse(Buffer.from(content, 'base64url').toString()));
    // An earlier version wrote quotes in another format. They expire within a minute.
    if (!parsed.success) return undefined;
    const [from, to, rate, expiresAt, at] = parsed.output;
    // A sweep coin is worth about a dollar, so its quote must never pay out another currency.
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
    async agree(quote, request) {
      const { caller, from, amountMinor, fee, currency } = request;
      const known = quote === undefined ? undefined : read(caller, { from, to: currency }, quote);
      if (known === undefined) throw await staleRate(() => rateNow(caller, from, currency), request);
      const { payout } = splitPayout({ currency: from, minor: amountMinor }, fee, currency, known.rate);
      if (payout <= 0n)
        throw new DomainError('limit-min', 'The fee is as high as the amount, so nothing would be paid out');
      return { currency, amount: payout, ...known };
    },
  };
}

async function staleRate(
  rateNow: () => Promise<RedemptionRate | undefined>,
  { from, amountMinor, fee, currency }: Omit<PayoutRequest, 'caller'>,
): Promise<DomainError> {
  const now = await rateNow();
  if (now?.agreed === undefined)
    return new DomainError('rate-stale', 'No exchange rate is known right now. Try again later');
  const { payout } = splitPayout({ currency: from, minor: amountMinor }, fee, currency, now.rate);
  const params = {
    quote: now.agreed.quote,
    expires: new Date(now.agreed.expiresAt).toISOString(),
    rate: now.rate,
    asOf: new Date(now.at).toISOString(),
    amount: toDecimalString(payout, decimalsOf(currency)),
    currency,
  };
  return new DomainError('rate-stale', 'The rate has expired. Accept the new rate in `params`', { params });
}
