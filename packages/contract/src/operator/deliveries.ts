/** Deliveries of webhooks: what was sent, and sending it again (SRV-5). */
import * as v from 'valibot';
import { instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { askedInstantSchema } from './fields.ts';
import { pageEntries, pageSchema } from './paging.ts';

const deliveryStatuses = ['pending', 'delivered', 'exhausted', 'dropped'] as const;

/** Filters that are absent: all. */
export const deliveryQuerySchema = v.strictObject({
  /** Also one that this version does not send any more. */
  type: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[a-z_]{1,40}\.[a-z_]{1,40}$/, 'a type such as deposit.processed'),
      v.description('Such as `deposit.processed`.'),
    ),
  ),
  status: v.optional(v.picklist(deliveryStatuses)),
  from: v.optional(v.pipe(askedInstantSchema, v.description('Queued then or later.'))),
  to: v.optional(v.pipe(askedInstantSchema, v.description('Queued before.'))),
  ...pageEntries,
});
export type DeliveryQuery = v.InferOutput<typeof deliveryQuerySchema>;

/** Never the body: it may carry what only the receiver may know. */
export const deliverySchema = v.object({
  /** Also the `webhook-id` of every try and replay. */
  id: v.string(),
  type: v.string(),
  depositId: v.optional(paymentIdSchema),
  withdrawalId: v.optional(paymentIdSchema),
  /** `exhausted`: given up after the last try. `dropped`: it carried a code that is of no use any more. */
  status: v.picklist(deliveryStatuses),
  created: instantSchema,
  delivered: v.optional(instantSchema),
  /** Tries so far, over all replays. */
  attempts: v.pipe(v.number(), v.integer()),
  lastAttempt: v.optional(
    v.object({
      at: instantSchema,
      /** HTTP status of the receiver's answer. */
      status: v.optional(v.pipe(v.number(), v.integer())),
      /** Why there was no answer, such as `timeout` or `ECONNREFUSED`. */
      error: v.optional(v.string()),
      durationMs: v.pipe(v.number(), v.integer()),
    }),
  ),
  /** Absent where none is due: taken, given up, or the address is switched off. */
  nextAttempt: v.optional(instantSchema),
  /** False for what carried a code: that is not kept. */
  isReplayable: v.boolean(),
});
export type Delivery = v.InferOutput<typeof deliverySchema>;

export const deliveryPageSchema = pageSchema({
  /** Newest first. */
  deliveries: v.array(deliverySchema),
  /** Since when nothing is sent, because every try of a delivery failed; a replay switches the address on again. */
  switchedOffSince: v.optional(instantSchema),
});
export type DeliveryPage = v.InferOutput<typeof deliveryPageSchema>;

export const listDeliveries = defineEndpoint({
  id: 'list-webhook-deliveries',
  method: 'GET',
  path: '/webhook-deliveries',
  summary: 'Webhooks that were queued for the operator and what became of them, newest first, page by page.',
  query: deliveryQuerySchema,
  response: deliveryPageSchema,
});

export const replayDelivery = defineEndpoint({
  id: 'replay-webhook-delivery',
  method: 'POST',
  path: '/webhook-deliveries/{deliveryId}/replay',
  summary: 'Sends a webhook again, whatever became of it, under the same `webhook-id`.',
  params: v.strictObject({ deliveryId: v.pipe(v.string(), v.uuid(), v.toLowerCase()) }),
  response: deliverySchema,
  errors: {
    404: '`not-found`: the operator has no such delivery.',
    409: '`state-conflict`: it carried a code, which is not kept.',
  },
});
