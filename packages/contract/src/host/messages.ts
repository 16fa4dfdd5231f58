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
 *   facts, and no person (see below)
 *                        <------------- Loaded {version, protocol}     sent at 0, 1, 3 and 7 s until answered
 *   loaded {token, …}    ------------->                                pins source and origin of the sender
 *                        <------------- init {success}                 first screen can be used, or why not
 *                        <------------- metric, transaction, error …   display hints: credit only on the webhook
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
 *
 * The address of the iframe says what the host already knows, so that the server can put the first list into the page. It never
 * names a token, a user, an amount or a name. Everything but `partner` may be left out. Where the payload of `loaded` says
 * something else, the payload wins.
 *
 * - `partner`: the operator's public name
 * - `locale`: a BCP 47 tag
 * - `theme`: `light`, `dark` or `auto`
 * - `autoHeight`: `true` lets the frame grow with its screen
 * - `country`: `paymentGeo` of the payload, two capital letters
 * - `currency`: `currency` of the payload
 * - `closing`: `0` when `closingButton` is `false`
 * - `bonuses`: `1` when `bonusList` has a bonus in this currency; the page keeps a place for it
 * - `look`: `1` when `appearance` changes more than the theme; the page waits for it before it shows a list
 * - `preload`: `1` when the host answers only at the opening: the widget says `Loaded` once, and waits without giving up
 */
import type { Bonus } from '../api/bonus.ts';
import type { Appearance, HostPayloadInput } from './payload.ts';

/** The widget's version, as the specification names it (§1), and the integer version of this protocol. */
export const widgetVersion = 'v1.0.477';
export const protocolVersion = 1;

/** The widget's messages to its host. */
export type WidgetMessage =
  /** The widget's script runs and listens. Only this message may go to an origin that is allowed but not pinned yet. */
  | { messageType: 'Loaded'; payload: { version: string; protocol: number } }
  /** The first screen can be used, or the widget could not start (HOST-12). */
  | { messageType: 'init'; payload: { success: true } | { success: false; error: string } }
  /** The user pressed close, or the close handler has finished: remove the widget (HOST-14). */
  | { messageType: 'close'; payload: Record<string, never> }
  /** The user token is no longer valid. Answer with a `loaded` message that carries a new token (HOST-11). */
  | { messageType: 'token-expired'; payload: Record<string, never> }
  /** The state of a payment has changed (HOST-15): with the `depositId` of a deposit or the `withdrawalId` of a withdrawal. For display only. */
  | { messageType: 'transaction'; payload: { event: TransactionEvent } & PaymentId }
  /** A measurement or event, such as the outcome of a create call (DEP-7). Never text typed by a user. */
  | { messageType: 'metric'; payload: { key: string; value: string | number | boolean; timestamp: number } }
  /** A message for the host's engineers. `code` is stable; `message` is English without personal data. */
  | { messageType: 'error'; payload: { code: WidgetErrorCode; message: string } }
  /** A text is missing, or a locale or the operator's own texts could not be loaded (ERR-6). */
  | { messageType: 'onLocaleError'; payload: { message: string } }
  /** The user asks for help with a payment (DEP-12): open your support with it, if you have one. It is a request and proves nothing. */
  | { messageType: 'support'; payload: { depositId: string; paymentMethod: string } }
  /** Put this text on the device's clipboard (HOST-13), because the user tapped to copy it. Sent only to the app around a web view that names `copy` in `nativeActions`. */
  | { messageType: 'copy'; payload: { text: string } }
  /** Open the device's share sheet (HOST-13). Sent only when `nativeActions` names `share`. */
  | { messageType: 'share'; payload: { title: string; text: string } }
  /** The height that the current screen needs, in CSS pixels. */
  | { messageType: 'resize'; payload: { height: number } };

/** The payment: exactly one of the two ids is present. */
export type PaymentId =
  | { readonly depositId: string; readonly withdrawalId?: undefined }
  | { readonly withdrawalId: string; readonly depositId?: undefined };

/** HOST-15: the host's events for accepted, mistaked, processed and waiting. */
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

/** The host's messages to the widget. */
export type HostMessage =
  /** The answer to `Loaded`. A later `loaded` for the same user replaces the token. */
  | { messageType: 'loaded'; payload: HostPayloadInput }
  /** The host has asked its backend for bonuses. With `success: false` the message is only logged (HOST-3). */
  | { messageType: 'bonus-list-fetched'; payload: { success: boolean; bonusList?: Bonus[] } }
  /** Replaces the bonuses (HOST-3). */
  | { messageType: 'bonus-list-updated'; payload: { bonusList: Bonus[] } }
  /** Replaces the appearance of `loaded` (UI-9). The user stays on the same screen. */
  | { messageType: 'appearance-updated'; payload: Appearance }
  /** Runs the widget's close handler (HOST-4). */
  | { messageType: 'close'; payload?: Record<string, never> };

export type WidgetMessageType = WidgetMessage['messageType'];
export type HostMessageType = HostMessage['messageType'];
