/** Sends the callbacks that are due over HTTP. A callback that the cashier does not take is sent again later. */
import type { Clock } from '@opencashier/core/time/clock';
import type { EndpointOf } from './account-endpoints.ts';
import type { CallbackOutbox, DueCallback } from './callback-outbox.ts';

/** Waiting times after the first, second… failed attempt, in milliseconds. After the last one the sandbox gives up. */
const BACKOFF_MS: readonly number[] = [
  1_000, 5_000, 30_000, 120_000, 600_000, 1_800_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000,
];
const REQUEST_TIMEOUT_MS = 10_000;

/** A pino logger fits. It gets codes and ids, never bodies. */
export interface SandboxLog {
  warn(details: object, message: string): void;
}

export interface CallbackDelivery {
  /** Sends everything that is due now and returns the number of callbacks. @throws when the database does not answer */
  deliverDue(): Promise<number>;
  /** Aborts the requests in progress. Their callbacks are sent again later. */
  abort(): void;
}

interface DeliveryParts {
  readonly outbox: CallbackOutbox;
  readonly endpointOf: EndpointOf;
  readonly clock: Clock;
  readonly log: SandboxLog;
}

export function createCallbackDelivery(parts: DeliveryParts): CallbackDelivery {
  const { outbox, clock } = parts;
  const underWay = new Set<AbortController>();
  return {
    async deliverDue() {
      let sent = 0;
      for (let batch = await outbox.claim(clock.now()); batch.length > 0; batch = await outbox.claim(clock.now())) {
        const payments = groupBy(batch, (callback) => callback.ref);
        await Promise.all([...payments.values()].map((callbacks) => sendInOrder(parts, underWay, callbacks)));
        sent += batch.length;
      }
      return sent;
    },
    abort() {
      for (const controller of underWay) controller.abort();
    },
  };
}

/** Sends one payment's callbacks in the order of their due times. Those with the same due time are sent at once. */
async function sendInOrder(
  parts: DeliveryParts,
  underWay: Set<AbortController>,
  callbacks: readonly DueCallback[],
): Promise<void> {
  for (const moment of groupBy(callbacks, (callback) => callback.dueAt).values()) {
    await Promise.all(moment.map((callback) => send(parts, underWay, callback)));
  }
}

/** Sends a callback once and stores the result. */
async function send(parts: DeliveryParts, underWay: Set<AbortController>, callback: DueCallback): Promise<void> {
  const { outbox, clock, log } = parts;
  const result = await post(parts, underWay, callback);
  const now = clock.now();
  if (result === 'delivered' || callback.isForged) return outbox.finish(callback.id, now, result);
  const wait = BACKOFF_MS[callback.attempts - 1];
  log.warn({ event: callback.eventId, attempt: callback.attempts, result }, 'sandbox callback was not accepted');
  return wait === undefined
    ? outbox.finish(callback.id, now, `gave-up: ${result}`)
    : outbox.retry(callback.id, now + wait, result);
}

/** @returns `delivered`, or the kind of the failure. Never throws */
async function post(
  { endpointOf, clock }: DeliveryParts,
  underWay: Set<AbortController>,
  { account, eventId, body, isForged }: DueCallback,
): Promise<string> {
  const endpoint = await endpointOf(account);
  if (endpoint === undefined) return 'no-account';
  const { url, signatures } = endpoint;
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
    // The row stays and is sent again, so only the kind of the failure is stored.
    return error instanceof Error && error.name === 'AbortError' ? 'aborted' : 'unreachable';
  } finally {
    cancelTimeout();
    underWay.delete(controller);
  }
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
