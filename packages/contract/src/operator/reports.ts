/** Unmatched events, and the money that providers took back by chargebacks (SRV-1, SRV-2, SRV-3). */
import * as v from 'valibot';
import { decimalStringSchema, instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { reasonSchema, staffSchema } from './fields.ts';
import { pageQuery, pageSchema } from './paging.ts';

/** The fields of every report that waits. */
const waitingEntries = {
  reportId: v.string(),
  type: v.picklist(['deposit', 'withdrawal']),
  provider: v.string(),
  /** The provider's id of the payment. `eventId` is the provider's id of this report. */
  reference: v.optional(v.string()),
  eventId: v.string(),
  /** What it reports: pending, paid, declined, expired, cancelled, reversed or returned. */
  outcome: v.string(),
  /**
   * Why it cannot be applied, such as not-paid-yet, unknown-currency, asked-amount, asked-currency, unconfirmed, two-deposits,
   * reused-ref, unknown-deposit, unknown-withdrawal, test-mode-report or live-mode-report.
   */
  why: v.string(),
  /** Absent: the report has no amount, or the cashier does not know its currency. */
  amount: v.optional(decimalStringSchema),
  currency: v.optional(v.string()),
  since: instantSchema,
  /** How often the server has tried to apply it. */
  tries: v.number(),
};

const parkedSchema = v.object({
  ...waitingEntries,
  /** The `depositId` or `withdrawalId`. */
  id: paymentIdSchema,
  userId: v.string(),
  /**
   * `dismiss`: staff may dismiss it. A report of received money cannot be dismissed: it waits until it can be booked. The exception is
   * a report of test mode beside a live key, or of live mode beside a test key.
   */
  decisions: v.array(v.literal('dismiss')),
});
export type ParkedReport = v.InferOutput<typeof parkedSchema>;

export const parkedPageSchema = pageSchema({ reports: v.array(parkedSchema) });
export type ParkedPage = v.InferOutput<typeof parkedPageSchema>;

export const listParkedReports = defineEndpoint({
  id: 'list-parked-reports',
  method: 'GET',
  path: '/parked-reports',
  summary:
    'Unmatched events about your payments: reports of providers that cannot be applied yet. The one that has waited longest comes first, page by page.',
  query: pageQuery,
  response: parkedPageSchema,
});

export const dismissRequestSchema = v.strictObject({
  /** The member of staff who decides, by the operator's own name; stored with the report. */
  decidedBy: staffSchema,
  /** For the operator's records; stored with the report. */
  reason: reasonSchema,
});
export type DismissRequest = v.InferOutput<typeof dismissRequestSchema>;

export const dismissedReportSchema = v.object({
  reportId: v.string(),
  /** Who decided first, even if a repeat names somebody else. */
  decidedBy: v.string(),
  dismissed: instantSchema,
});
export type DismissedReport = v.InferOutput<typeof dismissedReportSchema>;

export const dismissParkedReport = defineEndpoint({
  id: 'dismiss-parked-report',
  method: 'POST',
  path: '/parked-reports/{reportId}/dismiss',
  summary: 'Dismisses a duplicate chargeback event. It books nothing. A repeat gets the same answer.',
  params: v.object({ reportId: v.string() }),
  body: dismissRequestSchema,
  response: dismissedReportSchema,
  errors: {
    404: '`not-found`: no such report of this operator, or it has been applied.',
    409: '`state-conflict`: the report cannot be dismissed; see its `decisions`.',
  },
});

const unmatchedSchema = v.object({
  ...waitingEntries,
  /** The public name of the operator. Absent: the server cannot tell which operator the report belongs to. */
  operator: v.optional(v.string()),
  /** The id of a payment in the report. The database has no payment with this id. */
  id: v.optional(v.string()),
});
export type UnmatchedReport = v.InferOutput<typeof unmatchedSchema>;

export const unmatchedPageSchema = pageSchema({ reports: v.array(unmatchedSchema) });
export type UnmatchedPage = v.InferOutput<typeof unmatchedPageSchema>;

export const listUnmatchedReports = defineEndpoint({
  id: 'list-unmatched-reports',
  method: 'GET',
  path: '/unmatched-reports',
  summary: 'Unmatched events that name no known payment. The one that has waited longest comes first, page by page.',
  query: pageQuery,
  response: unmatchedPageSchema,
});

const reversalSchema = v.object({
  reversalId: v.string(),
  depositId: paymentIdSchema,
  userId: v.string(),
  provider: v.string(),
  /** The provider's id of the payment. For a part of it, also the id of the refund or dispute. */
  reference: v.string(),
  /** Whether the provider took only a part of the payment. The deposit then stays credited. */
  isPart: v.boolean(),
  amount: decimalStringSchema,
  currency: v.string(),
  /** The part that the user had already spent and now owes. */
  owed: decimalStringSchema,
  at: instantSchema,
});

/** Newest first. */
export const reversalPageSchema = pageSchema({ reversals: v.array(reversalSchema) });
export type ReversalPage = v.InferOutput<typeof reversalPageSchema>;

export const listReversals = defineEndpoint({
  id: 'list-reversals',
  method: 'GET',
  path: '/reversals',
  summary:
    'Chargebacks: money that providers took back from credited deposits, in full or in part. Newest first, page by page.',
  query: pageQuery,
  response: reversalPageSchema,
});
