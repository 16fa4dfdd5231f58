/** The result of the geetest v4 captcha in a create call (ERR-5). The server verifies the result. */
import * as v from 'valibot';

/** The vendor's values are opaque. No real value is longer. @example "0af1c6" */
const vendorValueSchema = v.pipe(v.string(), v.maxLength(8192));

export const captchaResultSchema = v.object({
  /** The number of the challenge. */
  lotNumber: v.optional(vendorValueSchema),
  /** The answer of the user, encoded by the vendor. */
  captchaOutput: v.optional(vendorValueSchema),
  /** The proof that the user passed. */
  passToken: v.optional(vendorValueSchema),
  /** When the proof was made, as the vendor writes it. */
  genTime: v.optional(vendorValueSchema),
  /** The captcha could not be shown. This lowers the limits of the call and lifts no check. */
  isBypassed: v.optional(v.boolean()),
});
export type CaptchaResult = v.InferOutput<typeof captchaResultSchema>;
