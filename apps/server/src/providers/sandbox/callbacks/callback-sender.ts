/**
 * Decides when the outbox is searched for due callbacks. Each callback is sent at least once and in no promised order, as with a real
 * provider. The rows in the database are the truth. The timer only says when to read them again.
 */
import type { Cancel, Clock } from '@opencashier/core/time/clock';
import { apart } from '../../../observability/spans.ts';
import type { CallbackDelivery, SandboxLog } from './callback-delivery.ts';
import type { CallbackOutbox } from './callback-outbox.ts';

/** The longest pause between two rounds. It bounds how long the rows of a process that died stay unsent. */
const LONGEST_REST_MS = 15_000;
const REST_AFTER_ERROR_MS = 5_000;

export interface CallbackSender {
  start(): void;
  /** Aborts the requests in progress. Their callbacks are sent again later. */
  stop(): Promise<void>;
  /** New callbacks wait, at once or from `dueAt` on (milliseconds since the epoch). */
  wake(dueAt?: number): void;
}

export function createCallbackSender(parts: {
  readonly outbox: Pick<CallbackOutbox, 'nextDueAt'>;
  readonly delivery: CallbackDelivery;
  readonly clock: Clock;
  readonly log: SandboxLog;
}): CallbackSender {
  const { outbox, delivery, clock, log } = parts;
  let isStarted = false;
  let cancelTimer: Cancel = () => {};
  let round: Promise<void> | undefined;
  /** When the next round starts, in milliseconds since the epoch. During a round: the earliest time that was asked for meanwhile. */
  let nextAt = Number.POSITIVE_INFINITY;

  function wake(dueAt = clock.now()): void {
    if (!isStarted) return;
    // An earlier round finds the callback too. A create must not cost two queries for a callback that is due in ten minutes.
    if (round === undefined) {
      if (dueAt < nextAt) schedule(dueAt);
    } else nextAt = Math.min(nextAt, dueAt);
  }

  function schedule(at: number): void {
    cancelTimer();
    nextAt = at;
    const wait = at - clock.now();
    apart(() => {
      if (wait > 0) cancelTimer = clock.setTimer(startRound, wait);
      else startRound();
    });
  }

  function startRound(): void {
    nextAt = Number.POSITIVE_INFINITY;
    round = runRound().then((next) => {
      round = undefined;
      if (isStarted) schedule(Math.min(nextAt, next));
    });
  }

  /** @returns when the next round is due, in milliseconds since the epoch */
  async function runRound(): Promise<number> {
    try {
      await delivery.deliverDue();
      const next = await outbox.nextDueAt();
      return Math.min(next ?? Number.POSITIVE_INFINITY, clock.now() + LONGEST_REST_MS);
    } catch (error) {
      log.warn({ err: error }, 'sandbox callbacks could not be processed');
      return clock.now() + REST_AFTER_ERROR_MS;
    }
  }

  return {
    start() {
      isStarted = true;
      wake();
    },
    async stop() {
      isStarted = false;
      cancelTimer();
      delivery.abort();
      await round;
    },
    wake,
  };
}
