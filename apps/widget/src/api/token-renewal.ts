/** The wait of refused calls for a fresh token of the host (HOST-11). */
import type { Cancel, Clock } from '@opencashier/core/time/clock';

/** How long a call waits when its token has expired: less than a list waits for its answers. */
export const renewalTimeoutMs = 15_000;
/** The same when the token is missing or of another user: the host is asked, but rarely has a fresh one. */
export const wrongTokenTimeoutMs = 3000;

export interface TokenRenewal {
  /** How often the token was replaced. A call that was refused with an older token may be repeated at once. */
  generation(): number;
  /**
   * Waits for a fresh token.
   *
   * @returns whether it came in time; an aborted signal rejects with its reason
   */
  wait(timeoutMs: number, signal: AbortSignal | undefined): Promise<boolean>;
  /** Ends every wait because the host has replaced the token. */
  renewed(): void;
  /** Ends every wait without a token. */
  end(): void;
}

/** @param askHost asks the host for a fresh token; it runs once for calls that are refused together */
export function createTokenRenewal(clock: Clock, askHost: () => void): TokenRenewal {
  const waits = new Set<(isRenewed: boolean) => void>();
  let generation = 0;
  const endAll = (isRenewed: boolean): void => {
    for (const finish of [...waits]) finish(isRenewed);
  };
  return {
    generation: () => generation,
    wait(timeoutMs, signal) {
      if (waits.size === 0) askHost();
      return new Promise((resolve, reject) => {
        let cancelTimer: Cancel = () => {};
        const finish = (isRenewed: boolean): void => {
          waits.delete(finish);
          cancelTimer();
          signal?.removeEventListener('abort', aborted);
          resolve(isRenewed);
        };
        const aborted = (): void => {
          finish(false);
          reject(signal?.reason);
        };
        cancelTimer = clock.setTimer(() => finish(false), timeoutMs);
        waits.add(finish);
        signal?.addEventListener('abort', aborted, { once: true });
      });
    },
    renewed() {
      generation += 1;
      endAll(true);
    },
    end: () => endAll(false),
  };
}
