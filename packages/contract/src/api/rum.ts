/**
 * Real-user monitoring (NET-8): the measurements of one visit. `sendBeacon` posts them to `/{product}/rum` as JSON,
 * without a token and without a response.
 * Every value comes from a fixed vocabulary or from our build, so no user's text can be in it.
 * An error has its class and its position in our files, never its message.
 */
import * as v from 'valibot';

/** The web vitals: layout shift is a ratio, the others are milliseconds. */
export const vitalNames = ['CLS', 'FCP', 'INP', 'LCP', 'TTFB'] as const;
export type VitalName = (typeof vitalNames)[number];

/** The greatest number of different errors per visit. More errors add no information. */
export const mostErrorsOfVisit = 20;

export const rumErrorSchema = v.object({
  /** The class of the error, such as `TypeError`. */
  name: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_$]{1,64}$/)),
  /** `file.js:line:column` of our build; empty when unknown. */
  at: v.pipe(v.string(), v.regex(/^(?:[\w.-]{1,120}:\d{1,7}:\d{1,7})?$/)),
  count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000)),
});
export type RumError = v.InferOutput<typeof rumErrorSchema>;

export const rumBeaconSchema = v.object({
  partner: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{0,64}$/)),
  /** The version of the widget that measured. */
  version: v.pipe(v.string(), v.regex(/^[A-Za-z0-9.+-]{1,32}$/)),
  /** The address of the screen below the product, without its query; empty when the screen is not ours. */
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
