import type { AmountRule } from '@opencashier/contract/api';
import { isRussia } from '../methods/region.ts';
import { decimalsOf, paidStep } from '../money/currencies.ts';
import { type Rounding, roundDecimal, toDecimalString } from '../money/money.ts';

/** The amounts that a method takes, in minor units of `currency`; undefined means that there is no such bound. */
export interface Limits {
  readonly currency: string;
  readonly min: bigint | undefined;
  readonly max: bigint | undefined;
  /** Amounts are multiples of this many minor units, as the provider takes no finer ones; absent: what the currency has. */
  readonly step?: bigint;
}

/** The step of limits, in minor units. */
export function stepOf({ currency, step }: Limits): bigint {
  return step ?? paidStep(currency);
}

/** Limits as the server's `deposit-limits` answers them: decimal strings, zero for "none". */
export interface ServerLimits {
  readonly min: string;
  readonly max: string;
}

/**
 * Limits of a method (AMT-3). From its amount rule (outside Russia with `minNonRus`), rounded to the currency's decimals so
 * that they never widen: a minimum up, a maximum down, and to what the provider can take: its rule's decimals, else those of the
 * currency where it is paid. The server's limits replace both when its min or max is not zero.
 * A bound that is zero or cannot be read is no bound.
 */
export function methodLimits(question: {
  readonly currency: string;
  readonly rule: AmountRule | undefined;
  readonly country?: string | undefined;
  readonly server?: ServerLimits | undefined;
}): Limits {
  const { currency, rule, country, server } = question;
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
    // A maximum below one step stays: rounded to nothing it would bound nothing.
    max: whole === 0n ? most : whole,
    ...(step === paidStep(currency) ? {} : { step }),
  };
}

function readBound(text: string | undefined, currency: string, rounding: Rounding): bigint | undefined {
  const result = roundDecimal(text ?? '', decimalsOf(currency), rounding);
  return result.ok && result.minor > 0n ? result.minor : undefined;
}

/**
 * Limits of an on-ramp's crypto amount (AMT-8): the server's limits, else at least 1 and no maximum.
 * While the server has not answered, or answered without limits, `undefined` says so: inputs stay disabled, and the error
 * key is {@link ONRAMP_LIMITS_MISSING_KEY}.
 */
export function onrampCryptoLimits(currency: string, server: ServerLimits | null | undefined): Limits | undefined {
  if (server === null || server === undefined) return undefined;
  const limits = readLimits(currency, paidStep(currency), server.min, server.max);
  const one = 10n ** BigInt(decimalsOf(currency));
  return limits.min === undefined && limits.max === undefined ? { ...limits, min: one } : limits;
}

/** Shown when an on-ramp has no limits for the currency (AMT-8). */
export const ONRAMP_LIMITS_MISSING_KEY = 'deposit.onramp.error.currency';
/** The hint under the amount: from and to as canonical decimal strings (AMT-4). */
export interface LimitsHint {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly currency: string;
}

/** What the hint under the amount shows (AMT-4); undefined when there are no bounds to show. */
export function limitsHint({ currency, min, max }: Limits): LimitsHint | undefined {
  if (min === undefined && max === undefined) return undefined;
  const decimals = decimalsOf(currency);
  const write = (minor: bigint | undefined): string | undefined =>
    minor === undefined ? undefined : toDecimalString(minor, decimals);
  return { from: write(min), to: write(max), currency };
}
