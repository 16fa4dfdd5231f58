/** Rates from any service that publishes them as JSON (see `readRateTable`), kept between its answers. */
import type { Clock } from '@opencashier/core/time/clock';
import type { RateSource } from './rate-source.ts';
import { quoteFrom, type RateTable, readRateTable, type StaleAfter } from './rate-table.ts';

export interface HttpRatesOptions {
  readonly url: string;
  readonly staleAfter: StaleAfter;
  readonly clock: Clock;
  readonly logger: { warn(fields: object, message: string): void };
  readonly fetch?: typeof fetch;
}

/** No service of this kind is asked more often than this, also while it fails. */
export const refreshMs = 60_000;
export const rateTimeoutMs = 3_000;
/** A few hundred currencies fit in easily. */
const longestAnswer = 256 * 1024;

/**
 * Asks when somebody wants a rate and the last answer is a minute old, once for all who want one meanwhile. While the service
 * is down the last rates are given on, and become stale by their own age.
 */
export function createHttpRates({ url, staleAfter, clock, logger, fetch: send = fetch }: HttpRatesOptions): RateSource {
  let table: RateTable | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;

  const ask = async (signal: AbortSignal): Promise<void> => {
    const response = await send(url, { headers: { accept: 'application/json' }, redirect: 'error', signal });
    const text = await response.text();
    const fresh = response.ok && text.length <= longestAnswer ? tableOf(text, clock.now()) : undefined;
    if (fresh === undefined) logger.warn({ status: response.status }, 'the source of rates gave none');
    else table = fresh;
  };

  const refresh = async (): Promise<void> => {
    askedAt = clock.now();
    const abort = new AbortController();
    let cancelTimer = (): void => undefined;
    const late = new Promise<void>((_, reject) => {
      cancelTimer = clock.setTimer(() => {
        reject(new Error('no answer in time'));
        abort.abort();
      }, rateTimeoutMs);
    });
    try {
      await Promise.race([ask(abort.signal), late]);
    } catch (error) {
      // The address may carry a key, so what is logged is never the error itself: it can name the address.
      logger.warn({ reason: error instanceof Error ? error.name : 'unknown' }, 'the source of rates cannot be reached');
    } finally {
      cancelTimer();
      underWay = undefined;
    }
  };

  return {
    async quote(from, to) {
      if (clock.now() - askedAt >= refreshMs) underWay ??= refresh();
      if (underWay !== undefined) await underWay;
      return table === undefined ? 'none' : quoteFrom(table, from, to, clock.now(), staleAfter);
    },
  };
}

function tableOf(text: string, receivedAt: number): RateTable | undefined {
  try {
    return readRateTable(JSON.parse(text), receivedAt);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
