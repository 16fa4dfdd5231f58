/** Deliveries of web-hooks as an operator's backend reads them, also for the reference page. */
import { instantSchema, paymentIdSchema } from '@opencashier/contract/api';
import * as v from 'valibot';
import { askedInstantSchema } from '../requests/asked-instant.ts';
import { momentAndId, pagedList } from '../requests/page-cursor.ts';

export const deliveryStatuses = ['pending', 'delivered', 'exhausted', 'dropped'] as const;

export const deliveryList = pagedList('web-hook deliveries', momentAndId);

/** The query of `GET /operator/v1/webhook-deliveries`; filters that are absent: all. */
export const deliveryQuerySchema = v.strictObject({
  /** Also one that this version does not send any more. */
  type: v.optional(v.pipe(v.string(), v.regex(/^[a-z_]{1,40}\.[a-z_]{1,40}$/, 'a type such as deposit.processed'))),
  status: v.optional(v.picklist(deliveryStatuses)),
  /** Queued at this instant or later. */
  from: v.optional(askedInstantSchema),
  /** Queued before this instant. */
  to: v.optional(askedInstantSchema),
  ...deliveryList.entries,
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

export const deliveryPageSchema = v.object({
  /** Newest first. */
  deliveries: v.array(deliverySchema),
  /** Since when nothing is sent, because every try of a delivery failed; a replay switches the address on again. */
  switchedOffSince: v.optional(instantSchema),
  /** Give it as `cursor` for what is older; absent on the last page. */
  nextCursor: v.optional(v.string()),
});
export type DeliveryPage = v.InferOutput<typeof deliveryPageSchema>;
