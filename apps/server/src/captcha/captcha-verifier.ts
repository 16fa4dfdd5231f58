/** Whoever can tell whether a person solved the captcha (ERR-5): geetest, or its stand-in. */

/** What the captcha left behind in the browser, whole. */
export interface CaptchaAnswer {
  readonly lotNumber: string;
  readonly captchaOutput: string;
  readonly passToken: string;
  readonly genTime: string;
}

/** `unreachable`: nothing can be said, also where no captcha is configured. It never counts as a success. */
export type CaptchaVerdict = 'success' | 'fail' | 'unreachable';

export interface CaptchaVerifier {
  /** Never throws. */
  verify(answer: CaptchaAnswer): Promise<CaptchaVerdict>;
}

/** For a server without an account: every method that wants a captcha stays within the limits of a bypass. */
export const absentVerifier: CaptchaVerifier = { verify: async () => 'unreachable' };
