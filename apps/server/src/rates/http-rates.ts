/** Rates from any service that publishes them as JSON (see `readRateTable`), cached between requests. */
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

/** The service is asked at most this often, even while it fails. */
export const refreshMs = 60_000;
/** How long one request to the service may take. */
export const rateTimeoutMs = 3_000;
/** Enough for a few hundred currencies. */
const longestAnswer = 256 * 1024;

/**
 * Asks the service when a rate is needed and the last table is a minute old. Concurrent callers share one request.
 * While the service is down, the last rates are returned and become stale with age.
 */
export function createHttpRates({ url, staleAfter, clock, logger, fetch: send = fetch }: HttpRatesOptions): RateSource {
  let table: RateTable | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;

  const ask = async (signal: AbortSignal): Promise<void> => {
    const response = await send(url, { headers: { accept: 'application/json' }, redirect: 'error', signal });
    const text = await response.text();
    const fresh = response.ok && text.length <= longestAnswer ? tableOf(text, clock.now()) : undefined;
    if (fresh === undefined) logger.warn({ status: response.status }, 'the rate source returned no rates');
    else table = fresh;
  };

  const refresh = async (): Promise<void> => {
    askedAt = clock.now();
    const abort = new AbortController();
    let cancelTimer = (): void => undefined;
    const late = new Promise<void>((_, reject) => {
      cancelTimer = clock.setTimer(() => {
        reject(new Error('no response in time'));
        abort.abort();
      }, rateTimeoutMs);
    });
    try {
      await Promise.race([ask(abort.signal), late]);
    } catch (error) {
      // The error may contain the address, and the address may contain a key. Therefore only the error's name is logged.
      logger.warn({ reason: error instanceof Error ? error.name : 'unknown' }, 'the rate source cannot be reached');
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
