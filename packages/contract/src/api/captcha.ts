/** The result of the geetest v4 captcha in a create call (ERR-5). The server verifies the result. */
import * as v from 'valibot';

/** The vendor's values are opaque. No real value is longer. */
const vendorValueSchema = v.pipe(v.string(), v.maxLength(8192));

export const captchaResultSchema = v.object({
  lotNumber: v.optional(vendorValueSchema),
  captchaOutput: v.optional(vendorValueSchema),
  passToken: v.optional(vendorValueSchema),
  genTime: v.optional(vendorValueSchema),
  /** The captcha could not be shown. This lowers the limits of the call and lifts no check. */
  isBypassed: v.optional(v.boolean()),
});
export type CaptchaResult = v.InferOutput<typeof captchaResultSchema>;
