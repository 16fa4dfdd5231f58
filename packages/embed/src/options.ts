/** The options of a cashier, and the SDK's own copy of them. */
import type { CashierPayload } from './address-facts.ts';
import type { CashierCallbacks } from './events.ts';
import { cashierAddress, type FrameOptions } from './frame.ts';

export interface CashierOptions extends FrameOptions, CashierCallbacks {
  /** `inline` (default) fills `container` at once; `modal` waits for `open()`. */
  mode?: 'inline' | 'modal' | undefined;
  /** Element or selector that holds the inline frame. */
  container?: Element | string | undefined;
  /** Name of the modal's own close button; default `Close`. */
  closeLabel?: string | undefined;
  /** Asks the operator's backend for a user token. Called at each opening and whenever the token has expired (HOST-11). */
  getToken?: (() => string | Promise<string>) | undefined;
}

/** Options with a payload of the SDK's own. */
export type Settings = CashierOptions & { payload: CashierPayload };

/**
 * Copies options and their payload, so that later changes by the page have no effect.
 *
 * @throws TypeError for an impossible address or partner; DataCloneError for a payload that cannot be sent
 */
export function copySettings(options: CashierOptions): Settings {
  const settings = { ...options, payload: structuredClone(options.payload ?? {}) };
  // Refuse a wrong address now, not on the first click.
  cashierAddress(settings);
  return settings;
}
