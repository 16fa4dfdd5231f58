/** Verifies that a person solved the captcha (ERR-5): geetest, or its stand-in. */

/** The result that the captcha handed to the browser, complete. */
export interface CaptchaAnswer {
  readonly lotNumber: string;
  readonly captchaOutput: string;
  readonly passToken: string;
  readonly genTime: string;
}

/** `unreachable`: the verifier gave no verdict, or no captcha is configured. It never counts as a success. */
export type CaptchaVerdict = 'success' | 'fail' | 'unreachable';

export interface CaptchaVerifier {
  /** Never throws. */
  verify(answer: CaptchaAnswer): Promise<CaptchaVerdict>;
}

/** For a server without a captcha account: methods with a captcha stay within the limits of a bypass. */
export const absentVerifier: CaptchaVerifier = { verify: async () => 'unreachable' };
