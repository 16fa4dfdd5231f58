/** How long the answers took, beside the time limits of the cashier. */
import type { Timing } from './ask-wallet.ts';
import { RuleBroken } from './bench.ts';

/** After this time the cashier takes the outcome for unknown. ms. The contract names the same in seconds. */
const limitsMs: Readonly<Record<string, number>> = { balance: 1000, debit: 5000, credit: 15_000, release: 15_000 };

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
  return Object.entries(limitsMs).flatMap(([type, limitMs]) => {
    const sorted = timings
      .filter((timing) => timing.type === type)
      .map(({ ms }) => Math.round(ms))
      .sort((one, other) => one - other);
    const at = (share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
    if (sorted.length === 0) return [];
    return [{ type, calls: sorted.length, p50Ms: at(0.5), p95Ms: at(0.95), slowestMs: at(1), limitMs }];
  });
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
