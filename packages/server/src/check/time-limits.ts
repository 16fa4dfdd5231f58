/** How long the answers took, beside the time limits of the cashier. */
import { walletTimeLimitsS } from '../generated/wallet.ts';
import type { Timing } from './ask-wallet.ts';
import { RuleBroken } from './rules.ts';

export interface TypeTiming {
  readonly type: string;
  readonly calls: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly slowestMs: number;
  readonly limitMs: number;
}

/** Half of the calls of a type took at most `p50Ms`, and 19 of 20 at most `p95Ms`. */
export function timingsByType(timings: readonly Timing[]): TypeTiming[] {
  return Object.entries(walletTimeLimitsS).flatMap(([type, limitS]) => {
    const sorted = timings
      .filter((timing) => timing.type === type)
      .map(({ ms }) => Math.round(ms))
      .sort((one, other) => one - other);
    const at = (share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
    if (sorted.length === 0) return [];
    return [{ type, calls: sorted.length, p50Ms: at(0.5), p95Ms: at(0.95), slowestMs: at(1), limitMs: limitS * 1000 }];
  });
}

/** Such as `balance 1 s, debit 5 s`. */
export function timeLimitsInWords(): string {
  return Object.entries(walletTimeLimitsS)
    .map(([type, limitS]) => `${type} ${limitS} s`)
    .join(', ');
}

/** @throws RuleBroken */
export function proveInTime(timings: readonly Timing[]): void {
  const slow = timingsByType(timings).filter(({ slowestMs, limitMs }) => slowestMs > limitMs);
  if (slow.length === 0) return;
  const words = slow.map(
    ({ type, p50Ms, p95Ms, slowestMs, limitMs }) =>
      `${type}: the slowest took ${slowestMs} ms (p50 ${p50Ms}, p95 ${p95Ms}), allowed are ${limitMs}`,
  );
  throw new RuleBroken(`${words.join('. ')}.`);
}
