/** What the geetest v4 captcha leaves behind, as it travels in a create call (ERR-5). The server verifies it. */
import * as v from 'valibot';

/** Values of the vendor are opaque; none of them is longer. */
const vendorValueSchema = v.pipe(v.string(), v.maxLength(8192));

export const captchaResultSchema = v.object({
  lotNumber: v.optional(vendorValueSchema),
  captchaOutput: v.optional(vendorValueSchema),
  passToken: v.optional(vendorValueSchema),
  genTime: v.optional(vendorValueSchema),
  /** The captcha could not be shown. It only lowers the limits of the call; it never lifts a check. */
  isBypassed: v.optional(v.boolean()),
});
export type CaptchaResult = v.InferOutput<typeof captchaResultSchema>;
