/**
 * Sends call-backs over HTTP until the cashier takes them, as a provider does: at least once, in no promised order.
 * The rows are the truth; the timer here only says when to look at them again.
 */
import type { Cancel, Clock } from '@opencashier/core/time/clock';
import { apart } from '../../../observability/spans.ts';
import type { CallbackOutbox, DueCallback } from './callback-outbox.ts';
import type { CallbackSignatures } from './callback-signature.ts';

/** Waiting times after the first, second… failed attempt, in milliseconds; after the last one the sandbox gives up. */
export const BACKOFF_MS: readonly number[] = [
  1_000, 5_000, 30_000, 120_000, 600_000, 1_800_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000,
];
const REQUEST_TIMEOUT_MS = 10_000;
/** Rows of a node that died are found by looking now and then. */
const LONGEST_REST_MS = 15_000;
const REST_AFTER_ERROR_MS = 5_000;

/** What the sandbox tells of its troubles: codes and ids, never bodies. A pino logger is one. */
export interface SandboxLog {
  warn(details: object, message: string): void;
}

export interface CallbackSender {
  start(): void;
  /** Ends requests that are under way; what they carried is sent again later. */
  stop(): Promise<void>;
  /** There is something new to send, at once or from `dueAt` on (ms since epoch). */
  wake(dueAt?: number): void;
  /** Sends everything that is due now and answers how many were sent. For tests with a clock of their own. */
  deliverDue(): Promise<number>;
}

export function createCallbackSender(parts: {
  readonly outbox: CallbackOutbox;
  readonly signatures: CallbackSignatures;
  readonly clock: Clock;
  readonly url: string;
  readonly log: SandboxLog;
}): CallbackSender {
  const { outbox, signatures, clock, url, log } = parts;
  const underWay = new Set<AbortController>();
  let isStarted = false;
  let cancelTimer: Cancel = () => {};
  let round: Promise<void> | undefined;
  /** When the next look is, ms since epoch; during a round: the earliest asked for meanwhile. */
  let lookAt = Number.POSITIVE_INFINITY;

  async function deliverDue(): Promise<number> {
    let sent = 0;
    for (let batch = await outbox.claim(clock.now()); batch.length > 0; batch = await outbox.claim(clock.now())) {
      await Promise.all([...groupBy(batch, (one) => one.ref).values()].map(sendInOrder));
      sent += batch.length;
    }
    return sent;
  }

  /** One payment's call-backs leave in the order in which they fell due; those of one moment leave together. */
  async function sendInOrder(callbacks: readonly DueCallback[]): Promise<void> {
    for (const moment of groupBy(callbacks, (one) => one.dueAt).values()) await Promise.all(moment.map(send));
  }

  async function send(callback: DueCallback): Promise<void> {
    const result = await post(callback);
    const now = clock.now();
    if (result === 'delivered' || callback.isForged) return outbox.finish(callback.id, now, result);
    const wait = BACKOFF_MS[callback.attempts - 1];
    log.warn({ event: callback.eventId, attempt: callback.attempts, result }, 'sandbox call-back was not taken');
    return wait === undefined
      ? outbox.finish(callback.id, now, `gave-up: ${result}`)
      : outbox.retry(callback.id, now + wait, result);
  }

  async function post({ eventId, body, isForged }: DueCallback): Promise<string> {
    const now = clock.now();
    const controller = new AbortController();
    const cancelTimeout = clock.setTimer(() => controller.abort(), REQUEST_TIMEOUT_MS);
    underWay.add(controller);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(isForged ? signatures.forge(eventId, body, now) : signatures.sign(eventId, body, now)),
        },
        body,
        redirect: 'manual',
        signal: controller.signal,
      });
      await response.body?.cancel();
      return response.ok ? 'delivered' : `http-${response.status}`;
    } catch (error) {
      // Whatever went wrong on the way, the row stays and is sent again; only its kind is worth keeping.
      return error instanceof Error && error.name === 'AbortError' ? 'aborted' : 'unreachable';
    } finally {
      cancelTimeout();
      underWay.delete(controller);
    }
  }

  function wake(dueAt = clock.now()): void {
    if (!isStarted) return;
    // A look that comes sooner anyway finds it: a create must not cost two queries for what is due in ten minutes.
    if (round === undefined) {
      if (dueAt < lookAt) lookNext(dueAt);
    } else lookAt = Math.min(lookAt, dueAt);
  }

  function lookNext(at: number): void {
    cancelTimer();
    lookAt = at;
    const wait = at - clock.now();
    apart(() => {
      if (wait > 0) cancelTimer = clock.setTimer(look, wait);
      else look();
    });
  }

  function look(): void {
    lookAt = Number.POSITIVE_INFINITY;
    round = runRound().then((next) => {
      round = undefined;
      if (isStarted) lookNext(Math.min(lookAt, next));
    });
  }

  /** @returns when to look again, ms since epoch */
  async function runRound(): Promise<number> {
    try {
      await deliverDue();
      const next = await outbox.nextDueAt();
      return Math.min(next ?? Number.POSITIVE_INFINITY, clock.now() + LONGEST_REST_MS);
    } catch (error) {
      log.warn({ err: error }, 'sandbox call-backs could not be worked on');
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
      for (const controller of underWay) controller.abort();
      await round;
    },
    wake,
    deliverDue,
  };
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
