/**
 * Real-user monitoring (NET-8): what one visit felt like, posted to `/{product}/rum` as JSON by `sendBeacon`, without a token
 * and without an answer. Everything in it comes from a fixed vocabulary or from our own build, so nothing that a person typed
 * can be in it: an error is told by its class and its place in our files, never by its message.
 */
import * as v from 'valibot';

/** The web vitals: layout shift is a ratio, the others are milliseconds. */
export const vitalNames = ['CLS', 'FCP', 'INP', 'LCP', 'TTFB'] as const;
export type VitalName = (typeof vitalNames)[number];

/** So many different errors of one visit are told; more of them say nothing new. */
export const mostErrorsOfVisit = 20;

export const rumErrorSchema = v.object({
  /** The error's class, such as `TypeError`. */
  name: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_$]{1,64}$/)),
  /** `file.js:line:column` of our build; empty where it is not known. */
  at: v.pipe(v.string(), v.regex(/^(?:[\w.-]{1,120}:\d{1,7}:\d{1,7})?$/)),
  count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000)),
});
export type RumError = v.InferOutput<typeof rumErrorSchema>;

export const rumBeaconSchema = v.object({
  partner: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{0,64}$/)),
  /** The version of the widget that measured. */
  version: v.pipe(v.string(), v.regex(/^[A-Za-z0-9.+-]{1,32}$/)),
  /** Address of the screen below the product without its query; empty where it is none of ours. */
  path: v.pipe(v.string(), v.regex(/^[a-z0-9/_-]{0,120}$/)),
  vitals: v.pipe(
    v.array(
      v.object({ name: v.picklist(vitalNames), value: v.pipe(v.number(), v.minValue(0), v.maxValue(3_600_000)) }),
    ),
    v.maxLength(20),
  ),
  errors: v.pipe(v.array(rumErrorSchema), v.maxLength(mostErrorsOfVisit)),
});
export type RumBeacon = v.InferOutput<typeof rumBeaconSchema>;
