/**
 * The protocol between the widget and the page, app or web view that shows it. This file is the protocol; the reference
 * page is generated from it.
 *
 * Every message both ways is `{ messageType, payload }` (HOST-1). Over `postMessage` it is a structured clone; over a native
 * bridge it is the same as JSON text.
 *
 * ```text
 *   host page (SDK)                                            widget (iframe)
 *   ---------------                                            ---------------
 *   creates the iframe; its address names
 *   partner, product, locale and theme only
 *                        <------------- Loaded {version, protocol}     sent at 0, 1, 3 and 7 s until answered
 *   loaded {token, …}    ------------->                                pins source and origin of the sender
 *                        <------------- init {success}                 first screen can be used, or why not
 *                        <------------- metric, transaction, error …   display hints: credit only on the web-hook
 *   bonus-list-updated   ------------->
 *                        <------------- token-expired
 *   loaded {token}       ------------->                                same user: the token is replaced, the call repeated
 *   close                ------------->                                runs the widget's close handler
 *                        <------------- close                          the host removes the iframe
 * ```
 *
 * Channel states, on the widget's side:
 *
 * ```text
 *   waiting --loaded, allowed origin, good payload--> pinned --loaded of the same user--> pinned (token replaced)
 *   waiting --loaded without payload----------------> failed ("Incorrect data from host", init {success: false})
 *   waiting --10 s of silence-----------------------> failed (init {success: false})
 *   pinned  --loaded of another user----------------> pinned (refused and reported)
 * ```
 *
 * Reading order of a receiver, always: source, then origin, then shape. Whatever fails is dropped and counted.
 */
import type { Bonus } from '../api/bonus.ts';
import type { Appearance, HostPayloadInput } from './payload.ts';

/** The widget's version, as the specification names it (§1), and the integer version of this protocol. */
export const widgetVersion = 'v1.0.477';
export const protocolVersion = 1;

/** What the widget says to its host. */
export type WidgetMessage =
  /** The widget's script runs and listens. The only message that may go to an origin that is listed but not yet pinned. */
  | { messageType: 'Loaded'; payload: { version: string; protocol: number } }
  /** The first screen can be used, or the widget could not start (HOST-12). */
  | { messageType: 'init'; payload: { success: true } | { success: false; error: string } }
  /** The person pressed close, or the close handler has finished: remove the widget (HOST-14). */
  | { messageType: 'close'; payload: Record<string, never> }
  /** The user token no longer works; answer with a `loaded` that carries a fresh one (HOST-11). */
  | { messageType: 'token-expired'; payload: Record<string, never> }
  /** A payment has moved (HOST-15): with the `depositId` of a deposit or the `withdrawalId` of a withdrawal. For display only. */
  | { messageType: 'transaction'; payload: { event: TransactionEvent } & PaymentId }
  /** A measured or noted thing, such as the outcome of a create call (DEP-7). Never what a person typed. */
  | { messageType: 'metric'; payload: { key: string; value: string | number | boolean; timestamp: number } }
  /** Something the host's engineers should know; `code` is stable, `message` is English and holds no personal data. */
  | { messageType: 'error'; payload: { code: WidgetErrorCode; message: string } }
  /** A text is missing or a locale could not be had (ERR-6). */
  | { messageType: 'onLocaleError'; payload: { message: string } }
  /** The person asks for help with a payment (DEP-12): open your own support with it, if you have one. An intent, no proof of anything. */
  | { messageType: 'support'; payload: { depositId: string; paymentMethod: string } }
  /** Put this on the device's clipboard (HOST-13): what the person has tapped to copy. Sent only to the app around a web view, when it names `copy` in `nativeActions`. */
  | { messageType: 'copy'; payload: { text: string } }
  /** Open the device's sheet for sharing (HOST-13). Likewise, when it names `share`. */
  | { messageType: 'share'; payload: { title: string; text: string } }
  /** The height in CSS pixels that the current screen would like. */
  | { messageType: 'resize'; payload: { height: number } };

/** Which payment: exactly one of the two is there. */
export type PaymentId =
  | { readonly depositId: string; readonly withdrawalId?: undefined }
  | { readonly withdrawalId: string; readonly depositId?: undefined };

/** HOST-15: accepted, mistaked, processed and waiting, as the host hears them. */
export type TransactionEvent = 'processing' | 'decline' | 'success' | 'progress';

export type WidgetErrorCode =
  | 'incorrect-data-from-host'
  | 'unsupported-version'
  | 'host-field-defaulted'
  | 'contrast-corrected'
  | 'host-flood'
  | 'other-user-refused'
  | 'bonus-list-failed'
  | 'invalid-response'
  | 'session-left'
  | 'request-timeout'
  | 'token-refused'
  | 'captcha-failed'
  | 'not-chosen'
  | 'nothing-offered'
  | 'icon-unavailable'
  | 'unexpected';

/** What the host says to the widget. */
export type HostMessage =
  /** Answers `Loaded`; a later one of the same user replaces the token. */
  | { messageType: 'loaded'; payload: HostPayloadInput }
  /** The host has asked its backend for bonuses. With `success: false` it is only logged (HOST-3). */
  | { messageType: 'bonus-list-fetched'; payload: { success: boolean; bonusList?: Bonus[] } }
  /** Replaces the bonuses (HOST-3). */
  | { messageType: 'bonus-list-updated'; payload: { bonusList: Bonus[] } }
  /** Takes the place of the look that `loaded` brought (UI-9); no screen is left for it. */
  | { messageType: 'appearance-updated'; payload: Appearance }
  /** Runs the widget's close handler (HOST-4). */
  | { messageType: 'close'; payload?: Record<string, never> };

export type WidgetMessageType = WidgetMessage['messageType'];
export type HostMessageType = HostMessage['messageType'];
