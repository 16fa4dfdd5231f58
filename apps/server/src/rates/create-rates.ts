/** Creates the rate source of the settings. */
import type { Clock } from '@opencashier/core/time/clock';
import type { Queryable } from '../database/database.ts';
import { createHttpRates } from './http-rates.ts';
import { noRates, type RateSource } from './rate-source.ts';
import { createSharedMood, type SharedMoodStore } from './sandbox-mood.ts';
import { createSandboxRates, type SandboxRates } from './sandbox-rates.ts';

interface RatesConfig {
  readonly isSandbox: boolean;
  readonly ratesUrl: string | undefined;
  readonly rateStaleAfterMs: number;
}

interface Rates {
  readonly rates: RateSource;
  /** Present for sandbox rates, whose mood can be chosen. */
  readonly sandboxRates?: SandboxRates & Pick<SharedMoodStore, 'formToken'>;
}

/** Sources of fiat rates publish once per working day. */
const fiatStaleAfterMs = 86_400_000;

/** The rate source that the settings select: HTTP, sandbox or none. */
export function createRates(
  { isSandbox, ratesUrl, rateStaleAfterMs }: RatesConfig,
  parts: {
    readonly clock: Clock;
    readonly database: Queryable;
    readonly logger: { warn(fields: object, message: string): void };
  },
): Rates {
  const staleAfter = { coinMs: rateStaleAfterMs, fiatMs: Math.max(fiatStaleAfterMs, rateStaleAfterMs) };
  if (ratesUrl !== undefined) return { rates: createHttpRates({ url: ratesUrl, staleAfter, ...parts }) };
  if (!isSandbox) return { rates: noRates };
  const moods = createSharedMood(parts.database);
  const sandboxRates = { ...createSandboxRates(parts.clock, staleAfter, moods), formToken: moods.formToken };
  return { rates: sandboxRates, sandboxRates };
}
