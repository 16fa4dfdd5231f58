/** What a captcha allows a create call (ERR-5): asked by deposits, answered by the captcha room. */
import type { CaptchaResult } from '@opencashier/contract/api';
import type { Limits } from '@opencashier/core/limits/limits';
import type { Caller } from '../operators/caller.ts';

export interface CaptchaQuestion {
  readonly caller: Caller;
  /** The key of the create call: a repeat of the same call may show the same captcha again. */
  readonly depositId: string;
  readonly captcha: CaptchaResult | undefined;
}

/** `bypassed`: nobody proved to be a person, so the amount must stay below {@link bypassMaximum}. */
export type CaptchaStanding = 'verified' | 'bypassed';

export interface CaptchaGate {
  /** @throws DomainError captcha_required, rate-limited */
  admit(question: CaptchaQuestion): Promise<CaptchaStanding>;
}

const bypassDivisor = 10n;

/** The most that may be paid without a captcha, in minor units: a tenth of the maximum, but never below the minimum. */
export function bypassMaximum({ min, max }: Limits): bigint {
  const lowest = min ?? 1n;
  const tenth = max === undefined ? lowest : max / bypassDivisor;
  return tenth > lowest ? tenth : lowest;
}
