/** The web view's channel inwards (HOST-5): the app sets `window.cashierPayload`, and it is polled for. */
import type { Clock } from '@opencashier/core/time/clock';
import { pageProperty } from './app-bridges.ts';

export const payloadProperty = 'cashierPayload';
export const propertyPollMs = 10;
export const propertyTimeoutMs = 5000;
export const propertyMissing = "Can't find a property in window";

/**
 * Waits for the property, reads it once and takes it away, so that a script that comes later cannot read the token.
 *
 * @param found gets the payload: a plain object, or what its JSON text holds
 * @param missing runs when five seconds have passed without one
 * @returns how to stop
 */
export function pollWindowProperty(
  window: object,
  clock: Clock,
  found: (payload: unknown) => void,
  missing: () => void,
): () => void {
  const started = clock.now();
  let ticks = 0;
  const stop = clock.setRepeating(() => {
    ticks += 1;
    const payload = take(window);
    if (payload !== undefined) {
      stop();
      found(payload);
      return;
    }
    // The clock can be set back while we wait and timers are slowed in a hidden page: whichever is first ends it.
    if (ticks >= propertyTimeoutMs / propertyPollMs || clock.now() - started >= propertyTimeoutMs) {
      stop();
      missing();
    }
  }, propertyPollMs);
  return stop;
}

function take(window: object): object | undefined {
  const value = plainObject(pageProperty(window, payloadProperty));
  if (value !== undefined) Reflect.deleteProperty(window, payloadProperty);
  return value;
}

/** A plain object or JSON text of one. An element with that id is also reachable by that name, and is neither. */
function plainObject(value: unknown): object | undefined {
  if (typeof value === 'string') {
    try {
      return plainObject(JSON.parse(value) as unknown);
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? value : undefined;
}
