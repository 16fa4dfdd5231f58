/**
 * The protocol between the widget and the captcha frame (ERR-5). Scripts of the captcha's vendor run only inside that frame,
 * whose page is sandboxed into an opaque origin: they see neither the widget nor its token.
 *
 * ```text
 *   widget                                                     captcha frame: /captcha/frame?partner=<partner key>
 *   ------                                                     ---------------------------------------------------
 *   creates the iframe, over the whole widget
 *                             <------------- captcha:ready     listens; a reloaded frame says it again
 *   captcha:start {id, lang}  ------------->                   loads the vendor's script and opens the captcha
 *                             <------------- captcha:shown     a person can act: the loading time-out ends here
 *                             <------------- captcha:success   the four values of the create call; the end
 *                             <------------- captcha:closed    the person closed it; the end
 *                             <------------- captcha:error     one of the kinds below; the end
 *   captcha:start             ------------->                   after an end: begins anew, also the loading of the script
 *   removes the iframe
 * ```
 *
 * - The frame posts to the origin that the server wrote into its page (the widget's) and hears only `event.source ===
 *   parent` from that origin. It acts on one `start` at a time: a second one replaces the first.
 * - The widget hears only `event.source === iframe.contentWindow`; `event.origin` is the text `null`, as an opaque origin has
 *   no name. For the same reason it posts with the target `'*'`: `start` holds nothing secret.
 * - The widget's own time-out (30 s) runs from creating the iframe until `shown`, and again from `start` to `start`.
 */

/** Where the frame is served; `partner` names the operator whose pages may stand above the widget (frame-ancestors). */
export const captchaFramePath = '/captcha/frame';

/** The id of the captcha that runs where the sandbox is on and no geetest account is configured. */
export const sandboxCaptchaId = 'sandbox-captcha';

/**
 * Why there is no result. `script`: the vendor's script could not be loaded. `network`: it loaded and then lost its servers.
 * `environment`: it refuses to run here (browser, settings of the account). `expired`: solved, or left open, too late.
 * `empty`: it says success and gives no result. `unknown`: anything else.
 */
export const captchaErrorKinds = ['script', 'network', 'environment', 'expired', 'empty', 'unknown'] as const;
export type CaptchaErrorKind = (typeof captchaErrorKinds)[number];

/** What the widget says to the frame. */
export interface CaptchaStart {
  readonly messageType: 'captcha:start';
  /** The operator's captcha id, from the host's payload (`schema.meta.geetestCaptchaId`). */
  readonly captchaId: string;
  /** The widget's language, such as `pt-BR`; the vendor falls back to English by itself. */
  readonly language: string;
}

/** What the frame says to the widget. */
export type CaptchaFrameMessage =
  | { readonly messageType: 'captcha:ready' }
  | { readonly messageType: 'captcha:shown' }
  | {
      readonly messageType: 'captcha:success';
      /** To be put into the create call as it is; the server verifies it, once. */
      readonly lotNumber: string;
      readonly captchaOutput: string;
      readonly passToken: string;
      readonly genTime: string;
    }
  | { readonly messageType: 'captcha:error'; readonly kind: CaptchaErrorKind }
  | { readonly messageType: 'captcha:closed' };

/** No value of a captcha is longer; a longer one is no result. */
const longestValue = 8192;

/** Reads any value at all; `undefined` is no message of this protocol: drop it. The source has been checked before. */
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
