/** The captcha check of a create call (ERR-5). Deposits ask, and the captcha folder answers. */
import type { CaptchaResult } from '@opencashier/contract/api';
import type { Limits } from '@opencashier/core/limits/limits';
import type { Caller } from '../operators/caller.ts';

/** A create call that needs a captcha. */
export interface CaptchaQuestion {
  readonly caller: Caller;
  /** The key of the create call. A retry of the same call may get the same captcha again. */
  readonly depositId: string;
  readonly captcha: CaptchaResult | undefined;
}

/** `bypassed`: the user solved no captcha, so the amount must be at most {@link bypassMaximum}. */
export type CaptchaStanding = 'verified' | 'bypassed';

/** Checks captchas. */
export interface CaptchaGate {
  /** @throws DomainError captcha_required, rate-limited */
  admit(question: CaptchaQuestion): Promise<CaptchaStanding>;
}

const bypassDivisor = 10n;

/** The highest amount without a captcha, in minor units: a tenth of the maximum, but at least the minimum. */
export function bypassMaximum({ min, max }: Limits): bigint {
  const lowest = min ?? 1n;
  const tenth = max === undefined ? lowest : max / bypassDivisor;
  return tenth > lowest ? tenth : lowest;
}
