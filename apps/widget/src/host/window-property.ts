/** The way from an app into its web view (HOST-5): the app sets `window.cashierPayload`, and the widget polls for it. */
import type { Clock } from '@opencashier/core/time/clock';
import { pageProperty } from './app-bridges.ts';

export const payloadProperty = 'cashierPayload';
export const propertyPollMs = 10;
export const propertyTimeoutMs = 5000;
export const propertyMissing = "Can't find a property in window";

/**
 * Waits for the property, reads it once and deletes it, so that a later script cannot read the token.
 *
 * @param found gets the payload: a plain object, or what its JSON text holds
 * @param missing runs when five seconds have passed without one
 * @returns stops polling
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
    // Count ticks as well as time: the clock may be set back, and a hidden page has slow timers.
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

/** A plain object, or the object of a JSON text. An element with this id would also be found, but is refused. */
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
