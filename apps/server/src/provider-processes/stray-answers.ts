/** Answers that no call waits for: a package that answers twice, or invents calls. They are counted, and logged at most once a minute. */
import type { Clock } from '@opencashier/core/time/clock';
import type { Logger } from '../observability/logger.ts';

export type StrayAnswer = 'repeated' | 'unknown';

const LOG_EVERY_MS = 60_000;
/** More within a minute end the process, as each costs the cashier time. */
const MOST_A_MINUTE = 1_000;

export interface StrayPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly provider: string;
}

export class StrayAnswers {
  readonly #ports: StrayPorts;
  readonly #counts: Record<StrayAnswer, number> = { repeated: 0, unknown: 0 };
  #minuteBeganAt = Number.NEGATIVE_INFINITY;
  #inMinute = 0;

  constructor(ports: StrayPorts) {
    this.#ports = ports;
  }

  /** @returns false: there are too many, and the process must end */
  note(kind: StrayAnswer): boolean {
    const { clock, logger, provider } = this.#ports;
    this.#counts[kind] += 1;
    const now = clock.now();
    if (now - this.#minuteBeganAt >= LOG_EVERY_MS) {
      this.#minuteBeganAt = now;
      this.#inMinute = 0;
      logger.warn({ provider, kind, ...this.#counts }, 'a provider answered a call that waits for no answer');
    }
    this.#inMinute += 1;
    return this.#inMinute <= MOST_A_MINUTE;
  }

  /** How many there were since the start of this node. */
  counts(): Readonly<Record<StrayAnswer, number>> {
    return this.#counts;
  }
}
