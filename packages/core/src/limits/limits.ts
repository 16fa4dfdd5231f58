import type { AmountRule } from '@opencashier/contract/api';
import { isRussia } from '../methods/region.ts';
import { decimalsOf, paidStep } from '../money/currencies.ts';
import { type Rounding, roundDecimal, toDecimalString } from '../money/money.ts';

/** The limits of a method, in minor units of `currency`. Undefined means no limit. */
export interface Limits {
  readonly currency: string;
  readonly min: bigint | undefined;
  readonly max: bigint | undefined;
  /** Amounts must be multiples of this many minor units. Absent: the currency's smallest payable unit. */
  readonly step?: bigint;
}

/** The step of amounts, in minor units. */
export function stepOf({ currency, step }: Limits): bigint {
  return step ?? paidStep(currency);
}

/** Limits from the server's `deposit-limits` call: decimal strings, and zero for no limit. */
export interface ServerLimits {
  readonly min: string;
  readonly max: string;
}

/**
 * The limits of a method (AMT-3), from its amount rule; outside Russia the minimum is `minNonRus`.
 * Limits are rounded to the provider's step so that they never widen: the minimum up, the maximum down.
 * The step comes from the decimals of the rule, or else from the payable unit of the currency.
 * The server's limits replace both when its minimum or maximum is not zero.
 * A limit that is zero or cannot be read is no limit.
 */
export function methodLimits(input: {
  readonly currency: string;
  readonly rule: AmountRule | undefined;
  readonly country?: string | undefined;
  readonly server?: ServerLimits | undefined;
}): Limits {
  const { currency, rule, country, server } = input;
  const step = paidStep(currency, rule?.decimals);
  const fromServer = server === undefined ? undefined : readLimits(currency, step, server.min, server.max);
  if (fromServer !== undefined && (fromServer.min !== undefined || fromServer.max !== undefined)) return fromServer;
  const min = country !== undefined && !isRussia(country) ? (rule?.minNonRus ?? rule?.min) : rule?.min;
  return readLimits(currency, step, min, rule?.max);
}

function readLimits(currency: string, step: bigint, min: string | undefined, max: string | undefined): Limits {
  const [least, most] = [readBound(min, currency, 'up'), readBound(max, currency, 'down')];
  const whole = most === undefined ? undefined : most - (most % step);
  return {
    currency,
    min: least === undefined ? undefined : ((least + step - 1n) / step) * step,
    // A maximum below one step stays as it is, because a maximum rounded to zero would mean no limit.
    max: whole === 0n ? most : whole,
    ...(step === paidStep(currency) ? {} : { step }),
  };
}

function readBound(text: string | undefined, currency: string, rounding: Rounding): bigint | undefined {
  const result = roundDecimal(text ?? '', decimalsOf(currency), rounding);
  return result.ok && result.minor > 0n ? result.minor : undefined;
}

/**
 * The limits of an on-ramp's crypto amount (AMT-8): the server's limits, or else at least 1 and no maximum.
 * @returns undefined while the server has sent no limits; the inputs stay disabled with {@link ONRAMP_LIMITS_MISSING_KEY}
 */
export function onrampCryptoLimits(currency: string, server: ServerLimits | null | undefined): Limits | undefined {
  if (server === null || server === undefined) return undefined;
  const limits = readLimits(currency, paidStep(currency), server.min, server.max);
  const one = 10n ** BigInt(decimalsOf(currency));
  return limits.min === undefined && limits.max === undefined ? { ...limits, min: one } : limits;
}

/** The locale key shown when an on-ramp has no limits for the currency (AMT-8). */
export const ONRAMP_LIMITS_MISSING_KEY = 'deposit.onramp.error.currency';
/** The hint under the amount: minimum and maximum as canonical decimal strings (AMT-4). */
export interface LimitsHint {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly currency: string;
}

/** The hint under the amount (AMT-4). Undefined when there are no limits to show. */
export function limitsHint({ currency, min, max }: Limits): LimitsHint | undefined {
  if (min === undefined && max === undefined) return undefined;
  const decimals = decimalsOf(currency);
  const write = (minor: bigint | undefined): string | undefined =>
    minor === undefined ? undefined : toDecimalString(minor, decimals);
  return { from: write(min), to: write(max), currency };
}
