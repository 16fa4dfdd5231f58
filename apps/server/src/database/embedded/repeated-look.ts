/** Looks after the embedded database again and again, one at a time. */
import type { Clock } from '@opencashier/core/time/clock';

export interface RepeatedLook {
  /** Waits for the look in progress. */
  settled(): Promise<void>;
  /** Ends the looks. Waits for the look in progress. */
  stop(): Promise<void>;
}

export interface LookOptions {
  readonly clock: Clock;
  readonly logger: { error(fields: object, message: string): void };
  readonly everyMs: number;
  /** What the log says when a look fails. It is said once in a row: a full disk would fail each time. */
  readonly failure: string;
}

export function repeatLook(look: () => Promise<void>, { clock, logger, everyMs, failure }: LookOptions): RepeatedLook {
  let hasFailed = false;
  const lookOnce = async (): Promise<void> => {
    try {
      await look();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) logger.error({ err: error }, failure);
      hasFailed = true;
    }
  };

  let running: Promise<void> | undefined;
  const cancel = clock.setRepeating(() => {
    running ??= lookOnce().finally(() => {
      running = undefined;
    });
  }, everyMs);

  return {
    async settled() {
      await running;
    },
    async stop() {
      cancel();
      await running;
    },
  };
}
