/**
 * The protocol between the widget and the captcha frame (ERR-5). Scripts of the captcha's vendor run only inside that frame.
 * The frame's page is sandboxed into an opaque origin, so the scripts see neither the widget nor its token.
 *
 * ```text
 *   widget                                                     captcha frame: /captcha/frame?partner=<partner key>
 *   ------                                                     ---------------------------------------------------
 *   creates the iframe, over the whole widget
 *                             <------------- captcha:ready     listens; a reloaded frame sends it again
 *   captcha:start {id, lang}  ------------->                   loads the vendor's script and opens the captcha
 *                             <------------- captcha:shown     the user can act: the loading timeout ends here
 *                             <------------- captcha:success   the four values of the create call; the end
 *                             <------------- captcha:closed    the user closed it; the end
 *                             <------------- captcha:error     one of the kinds below; the end
 *   captcha:start             ------------->                   after an end: starts again, and loads the script again
 *   removes the iframe
 * ```
 *
 * - The frame posts to the origin that the server wrote into its page (the widget's origin).
 *   It accepts only messages from that origin with `event.source === parent`. A second `start` replaces the first.
 * - The widget accepts only messages with `event.source === iframe.contentWindow`. An opaque origin has no name, so
 *   `event.origin` is the text `null`. For the same reason the widget posts with the target `'*'`: `start` has no secret.
 * - The widget's own timeout (30 s) runs from the creation of the iframe until `shown`, and again from `start` to `start`.
 */

/** The path of the frame. `partner` names the operator whose pages may frame the widget (frame-ancestors). */
export const captchaFramePath = '/captcha/frame';

/** The captcha id of the sandbox, used when no geetest account is configured. */
export const sandboxCaptchaId = 'sandbox-captcha';

/**
 * Why there is no result. `script`: the vendor's script could not be loaded. `network`: the script lost its servers.
 * `environment`: the script refuses to run here (browser, account settings). `expired`: solved or left open too long.
 * `empty`: success without a result. `unknown`: any other cause.
 */
export const captchaErrorKinds = ['script', 'network', 'environment', 'expired', 'empty', 'unknown'] as const;
export type CaptchaErrorKind = (typeof captchaErrorKinds)[number];

/** The widget's message to the frame. */
export interface CaptchaStart {
  readonly messageType: 'captcha:start';
  /** The operator's captcha id, from the host's payload (`schema.meta.geetestCaptchaId`). */
  readonly captchaId: string;
  /** The widget's language, such as `pt-BR`. The vendor falls back to English. */
  readonly language: string;
}

/** The frame's messages to the widget. */
export type CaptchaFrameMessage =
  | { readonly messageType: 'captcha:ready' }
  | { readonly messageType: 'captcha:shown' }
  | {
      readonly messageType: 'captcha:success';
      /** For the create call, unchanged. The server verifies it once. */
      readonly lotNumber: string;
      readonly captchaOutput: string;
      readonly passToken: string;
      readonly genTime: string;
    }
  | { readonly messageType: 'captcha:error'; readonly kind: CaptchaErrorKind }
  | { readonly messageType: 'captcha:closed' };

/** No captcha value is longer. A longer value is not a result. */
const longestValue = 8192;

/** Reads any value. `undefined` is not a message of this protocol and must be dropped. The caller has checked the source. */
export function parseCaptchaFrameMessage(data: unknown): CaptchaFrameMessage | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { messageType, kind, lotNumber, captchaOutput, passToken, genTime } = data as Record<string, unknown>;
  switch (messageType) {
    case 'captcha:ready':
    case 'captcha:shown':
    case 'captcha:closed':
      return { messageType };
    case 'captcha:error':
      return { messageType, kind: captchaErrorKinds.find((known) => known === kind) ?? 'unknown' };
    case 'captcha:success':
      return isValue(lotNumber) && isValue(captchaOutput) && isValue(passToken) && isValue(genTime)
        ? { messageType, lotNumber, captchaOutput, passToken, genTime }
        : { messageType: 'captcha:error', kind: 'empty' };
    default:
      return undefined;
  }
}

function isValue(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestValue;
}
