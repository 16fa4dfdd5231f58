/** What the geetest v4 captcha leaves behind, as it travels in a create call (ERR-5). The server verifies it. */
import * as v from 'valibot';

export const captchaResultSchema = v.object({
  lotNumber: v.optional(v.string()),
  captchaOutput: v.optional(v.string()),
  passToken: v.optional(v.string()),
  genTime: v.optional(v.string()),
  /** The captcha could not be shown. It only lowers the limits of the call; it never lifts a check. */
  isBypassed: v.optional(v.boolean()),
});
export type CaptchaResult = v.InferOutput<typeof captchaResultSchema>;
