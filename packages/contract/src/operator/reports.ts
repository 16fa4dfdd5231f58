/** Reports of providers that fit nothing yet, and money that providers took back (SRV-1, SRV-2, SRV-3). */
import * as v from 'valibot';
import { decimalStringSchema, instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { reasonSchema, staffSchema } from './fields.ts';
import { pageQuery, pageSchema } from './paging.ts';

/** What is shown of every report that waits. */
const waitingEntries = {
  reportId: v.string(),
  type: v.picklist(['deposit', 'withdrawal']),
  provider: v.string(),
  /** The provider's own name of the payment, and of this report of it. */
  reference: v.optional(v.string()),
  eventId: v.string(),
  /** What it reports: pending, paid, declined, expired, cancelled, reversed or returned. */
  outcome: v.string(),
  /**
   * Why it cannot be applied, such as not-paid-yet, unknown-currency, asked-amount, asked-currency, unconfirmed, two-deposits,
   * reused-ref, unknown-deposit, unknown-withdrawal, test-mode-report or live-mode-report.
   */
  why: v.string(),
  /** Absent where the report names none, or none of a currency that the cashier knows. */
  amount: v.optional(decimalStringSchema),
  currency: v.optional(v.string()),
  since: instantSchema,
  /** How often it was tried. */
  tries: v.number(),
};

const parkedSchema = v.object({
  ...waitingEntries,
  /** The `depositId` or `withdrawalId`. */
  id: paymentIdSchema,
  userId: v.string(),
  /**
   * `dismiss`: staff may dismiss it. A report of money that came is never dismissed: it waits until it can be booked, unless it is of
   * the other mode than the provider's key.
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
    'Unmatched events about one of your payments: reports of providers that cannot be applied yet. What waits longest comes first, page by page.',
  query: pageQuery,
  response: parkedPageSchema,
});

export const dismissRequestSchema = v.strictObject({
  /** Who decides, as the operator names its staff; kept with the report. */
  decidedBy: staffSchema,
  /** For the operator's own books; kept with the report. */
  reason: reasonSchema,
});
export type DismissRequest = v.InferOutput<typeof dismissRequestSchema>;

export const dismissedReportSchema = v.object({
  reportId: v.string(),
  /** Who decided, also where a repeat names somebody else. */
  decidedBy: v.string(),
  dismissed: instantSchema,
});
export type DismissedReport = v.InferOutput<typeof dismissedReportSchema>;

export const dismissParkedReport = defineEndpoint({
  id: 'dismiss-parked-report',
  method: 'POST',
  path: '/parked-reports/{reportId}/dismiss',
  summary: 'Dismisses a duplicate chargeback event, once; it books nothing, and a repeat answers the same.',
  params: v.object({ reportId: v.string() }),
  body: dismissRequestSchema,
  response: dismissedReportSchema,
  errors: {
    404: '`not-found`: no such report of this operator, or it has been applied.',
    409: '`state-conflict`: it reports anything but a chargeback.',
  },
});

const unmatchedSchema = v.object({
  ...waitingEntries,
  /** The public name of the operator, where one can be known. */
  operator: v.optional(v.string()),
  /** The payment that the provider names; there is none of this id. */
  id: v.optional(v.string()),
});
export type UnmatchedReport = v.InferOutput<typeof unmatchedSchema>;

export const unmatchedPageSchema = pageSchema({ reports: v.array(unmatchedSchema) });
export type UnmatchedPage = v.InferOutput<typeof unmatchedPageSchema>;

export const listUnmatchedReports = defineEndpoint({
  id: 'list-unmatched-reports',
  method: 'GET',
  path: '/unmatched-reports',
  summary: 'Unmatched events that name no payment, what waits longest first, page by page.',
  query: pageQuery,
  response: unmatchedPageSchema,
});

const reversalSchema = v.object({
  reversalId: v.string(),
  depositId: paymentIdSchema,
  userId: v.string(),
  provider: v.string(),
  /** The provider's own name of the payment, with that of the refund or dispute where it was a part. */
  reference: v.string(),
  /** A part of the payment: the deposit stays credited. */
  isPart: v.boolean(),
  amount: decimalStringSchema,
  currency: v.string(),
  /** What of it the user no longer had, and owes. */
  owed: decimalStringSchema,
  at: instantSchema,
});

/** The newest first. */
export const reversalPageSchema = pageSchema({ reversals: v.array(reversalSchema) });
export type ReversalPage = v.InferOutput<typeof reversalPageSchema>;

export const listReversals = defineEndpoint({
  id: 'list-reversals',
  method: 'GET',
  path: '/reversals',
  summary:
    'Chargebacks: money that providers took back from credited deposits, wholly or in part, the newest first, page by page.',
  query: pageQuery,
  response: reversalPageSchema,
});
