import * as v from 'valibot';
import { defineCall } from '../call.ts';

/**
 * One measurement or event. `key` is from a fixed vocabulary. Values are numbers or short codes, never text typed by a user.
 */
export const telemetryEventSchema = v.object({
  /** The name of the measurement. @example "route.loaded" */
  key: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_.:-]{1,64}$/)),
  /** When it was measured, in milliseconds since 1970. @example 1769854500000 */
  timestamp: v.number(),
  /** The measured number, a flag or a short code. @example 240 */
  value: v.union([v.number(), v.boolean(), v.pipe(v.string(), v.maxLength(120))]),
});
export type TelemetryEvent = v.InferOutput<typeof telemetryEventSchema>;

/** Page-load timings and analytics events (NET-8). */
export const events = defineCall({
  prefix: 'METRIC_EVENTS_HANDLER',
  name: 'events',
  method: 'POST',
  summary: 'Receives timings and analytics events.',
  request: v.object({
    /** The measurements, at most 100. */
    events: v.pipe(v.array(telemetryEventSchema), v.maxLength(100)),
  }),
  response: v.object({}),
  auth: 'none',
});
