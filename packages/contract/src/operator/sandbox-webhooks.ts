/** Webhooks of the sandbox for a listener on an engineer's own machine, which the cashier cannot reach (SRV-5). */
import * as v from 'valibot';
import { instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';

/** The longest wait of one request, in seconds. It is below the time that proxies give a silent answer. */
export const mostListenSeconds = 25;
/** The most webhooks of one answer. A slow receiver takes them before their signatures are too old. */
export const mostListenedWebhooks = 20;

const wholeSeconds = (most: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(most));

export const listenSchema = v.strictObject({
  /** The `cursor` of the answer before. Absent: the webhooks from now on. @example "eyJhdCI6MTc2NzIyNTYwMDAwMH0" */
  cursor: v.optional(v.pipe(v.string(), v.maxLength(16_000))),
  /** Without a `cursor`: also the webhooks of the last seconds, at most of a day. @example 600 */
  sinceSeconds: v.optional(wholeSeconds(86_400), 0),
  /** How long the answer waits for a webhook. Default 20. @example 20 */
  waitSeconds: v.optional(wholeSeconds(mostListenSeconds), 20),
});
export type ListenRequest = v.InferOutput<typeof listenSchema>;

export const listenedWebhookSchema = v.object({
  /** The `webhook-id`. @example "0198c1f2-7a30-7c55-9b6b-3d5a0a6b7f01" */
  id: v.string(),
  /** The type of the event. @example "deposit.processed" */
  type: v.string(),
  /** When the webhook was queued. */
  created: instantSchema,
  /** The deposit that the webhook is about. */
  depositId: v.optional(paymentIdSchema),
  /** The withdrawal that the webhook is about. */
  withdrawalId: v.optional(paymentIdSchema),
  /** The bytes of the body, as your address gets them. @example "{\"type\":\"deposit.processed\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"data\":{}}" */
  body: v.string(),
  /** `false`: the body had a confirmation code, which your address has taken already. The code is not kept, so the signature is absent. */
  isComplete: v.boolean(),
  /** The header `webhook-timestamp`: when the cashier signed, in seconds since 1970. @example 1767225600 */
  timestamp: v.pipe(v.number(), v.integer()),
  /** The header `webhook-signature`, by your own webhook secrets. Absent: you have none. @example "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" */
  signature: v.optional(v.string()),
});
export type ListenedWebhook = v.InferOutput<typeof listenedWebhookSchema>;

export const listenAnswerSchema = v.object({
  /** In the order of their times. Empty: there was none within the wait. */
  webhooks: v.array(listenedWebhookSchema),
  /** Goes into the next request, which continues here. @example "eyJhdCI6MTc2NzIyNTYwMDAwMH0" */
  cursor: v.string(),
});
export type ListenAnswer = v.InferOutput<typeof listenAnswerSchema>;

export const listenForWebhooks = defineEndpoint({
  id: 'listen-for-webhooks',
  method: 'POST',
  path: '/sandbox/webhooks/listen',
  summary:
    'Only in the sandbox: waits for webhooks of the operator, and answers them with body and signature. Deliveries to the webhook address go on as always. Four listeners of an operator may wait at a time.',
  body: listenSchema,
  response: listenAnswerSchema,
  errors: { 404: '`not-found`: the cashier is no sandbox.' },
});
