/** Deliveries of webhooks: the list of them, and the replay of one (SRV-5). */
import * as v from 'valibot';
import { instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { askedInstantSchema } from './fields.ts';
import { pageEntries, pageSchema } from './paging.ts';

const deliveryStatuses = ['pending', 'delivered', 'exhausted', 'undeliverable', 'dropped'] as const;

/** A filter that is absent does not narrow the list. */
export const deliveryQuerySchema = v.strictObject({
  /** May be a type that older versions sent and this one does not. @example "deposit.processed" */
  type: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[a-z_]{1,40}\.[a-z_]{1,40}$/, 'a type such as deposit.processed'),
      v.description('Such as `deposit.processed`.'),
    ),
  ),
  /** The status of the delivery. */
  status: v.optional(v.picklist(deliveryStatuses)),
  from: v.optional(v.pipe(askedInstantSchema, v.description('Queued at this moment or later.'))),
  to: v.optional(v.pipe(askedInstantSchema, v.description('Queued before this moment.'))),
  ...pageEntries,
});
export type DeliveryQuery = v.InferOutput<typeof deliveryQuerySchema>;

/** Without the body, because it may contain a secret of the receiver, such as a confirmation code. */
export const deliverySchema = v.object({
  /** The same as the `webhook-id` of every attempt and replay. @example "0198c1f2-7a30-7c55-9b6b-3d5a0a6b7f01" */
  id: v.string(),
  /** The type of the event. It may be one that an older version sent. @example "deposit.processed" */
  type: v.string(),
  /** The deposit that the webhook is about. */
  depositId: v.optional(paymentIdSchema),
  /** The withdrawal that the webhook is about. */
  withdrawalId: v.optional(paymentIdSchema),
  /**
   * `exhausted`: the last attempt failed. `undeliverable`: for 30 days the operator had no working address, or in the sandbox only a listener got it. `dropped`: it contained a confirmation code that has expired.
   */
  status: v.picklist(deliveryStatuses),
  /** When the webhook was queued. */
  created: instantSchema,
  /** When the receiver accepted it. Absent: it has not. */
  delivered: v.optional(instantSchema),
  /** Number of attempts so far, including those of replays. @example 1 */
  attempts: v.pipe(v.number(), v.integer()),
  /** The last attempt. Absent: there was none yet. */
  lastAttempt: v.optional(
    v.object({
      /** When the attempt was made. */
      at: instantSchema,
      /** HTTP status of the receiver's answer. Absent: there was no answer. @example 200 */
      status: v.optional(v.pipe(v.number(), v.integer())),
      /** Why the receiver did not answer, such as `timeout` or `ECONNREFUSED`. @example "timeout" */
      error: v.optional(v.string()),
      /** How long the attempt took, in milliseconds. @example 120 */
      durationMs: v.pipe(v.number(), v.integer()),
    }),
  ),
  /** Absent: no attempt is planned, because the delivery succeeded or failed for good, or the address is switched off. */
  nextAttempt: v.optional(instantSchema),
  /** `false` for a delivery that contained a confirmation code, because codes are not kept. */
  isReplayable: v.boolean(),
});
export type Delivery = v.InferOutput<typeof deliverySchema>;

export const deliveryPageSchema = pageSchema({
  /** The deliveries, newest first. */
  deliveries: v.array(deliverySchema),
  /** Since then no webhook is sent, because every attempt of a delivery failed. A replay switches the address on again. */
  switchedOffSince: v.optional(instantSchema),
});
export type DeliveryPage = v.InferOutput<typeof deliveryPageSchema>;

export const listDeliveries = defineEndpoint({
  id: 'list-webhook-deliveries',
  method: 'GET',
  path: '/webhook-deliveries',
  summary: 'Webhooks that were queued for the operator, with the status of their delivery. Newest first, page by page.',
  query: deliveryQuerySchema,
  response: deliveryPageSchema,
});

export const replayDelivery = defineEndpoint({
  id: 'replay-webhook-delivery',
  method: 'POST',
  path: '/webhook-deliveries/{deliveryId}/replay',
  summary: 'Sends a webhook again under the same `webhook-id`, even if it was delivered before.',
  params: v.strictObject({
    /** The `id` of the delivery. @example "0198c1f2-7a30-7c55-9b6b-3d5a0a6b7f01" */
    deliveryId: v.pipe(v.string(), v.uuid(), v.toLowerCase()),
  }),
  response: deliverySchema,
  errors: {
    404: '`not-found`: the operator has no such delivery.',
    409: '`state-conflict`: the webhook contained a confirmation code, which is not kept.',
  },
});
