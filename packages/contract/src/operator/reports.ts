/** Unmatched events, and the money that providers took back by chargebacks (SRV-1, SRV-2, SRV-3). */
import * as v from 'valibot';
import { decimalStringSchema, instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import {
  paymentTypeSchema,
  reasonSchema,
  shownCurrencySchema,
  shownProviderSchema,
  shownReferenceSchema,
  shownStaffSchema,
  shownUserSchema,
  staffSchema,
} from './fields.ts';
import { pageQuery, pageSchema } from './paging.ts';
import { reportedOutcomes } from './states.ts';

/** Names this entry of the list, also when staff dismiss it. @example "5d41402abc4b2a76b9719d911017c592" */
const reportIdSchema = v.string();

/** The fields of every report that waits. */
const waitingEntries = {
  reportId: reportIdSchema,
  type: paymentTypeSchema,
  provider: shownProviderSchema,
  reference: v.optional(shownReferenceSchema),
  /** The provider's id of this report. @example "evt_1Nx2" */
  eventId: v.string(),
  /** What it reports. */
  outcome: v.picklist(reportedOutcomes),
  /**
   * Why it cannot be applied, such as not-paid-yet, unknown-currency, asked-amount, asked-currency, unconfirmed, two-deposits, reused-ref,
   * unknown-deposit, unknown-withdrawal, test-mode-report or live-mode-report.
   * @example "unconfirmed"
   */
  reason: v.string(),
  /** The reported amount. Absent: the report has none, or the cashier does not know its currency. */
  amount: v.optional(decimalStringSchema),
  currency: v.optional(shownCurrencySchema),
  /** When the report arrived. */
  since: instantSchema,
  /** How often the server has tried to apply it. @example 3 */
  attempts: v.number(),
};

const parkedSchema = v.object({
  ...waitingEntries,
  /** The `depositId` or `withdrawalId`. */
  id: paymentIdSchema,
  userId: shownUserSchema,
  /**
   * `dismiss`: staff may dismiss it. A report of received money cannot be dismissed: it waits until it can be booked. One exception is
   * a report of test mode beside a live key, or of live mode beside a test key. Another one is a part of a payout to a card that came
   * back after the payout was paid.
   */
  decisions: v.array(v.literal('dismiss')),
});
export type ParkedReport = v.InferOutput<typeof parkedSchema>;

export const parkedPageSchema = pageSchema({
  /** The waiting reports. The one that has waited longest comes first. */
  reports: v.array(parkedSchema),
});
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
  /**
   * The transfer by which you gave the user the returned part of a payout. Needed for such a report, unless your own system keeps the
   * balances. @example "9f0c2b1e-5d1c-4c55-9b6b-3d5a0a6b7f01"
   */
  transferId: v.optional(paymentIdSchema),
});
export type DismissRequest = v.InferOutput<typeof dismissRequestSchema>;

export const dismissedReportSchema = v.object({
  reportId: reportIdSchema,
  /** Who decided first, even if a repeat names somebody else. */
  decidedBy: shownStaffSchema,
  /** When the report was dismissed. */
  dismissed: instantSchema,
});
export type DismissedReport = v.InferOutput<typeof dismissedReportSchema>;

export const dismissParkedReport = defineEndpoint({
  id: 'dismiss-parked-report',
  method: 'POST',
  path: '/parked-reports/{reportId}/dismiss',
  summary:
    'Dismisses a duplicate chargeback event, or the return of a part of a payout whose money the user has got by a transfer. It books nothing. A repeat gets the same answer.',
  params: v.object({ reportId: reportIdSchema }),
  body: dismissRequestSchema,
  response: dismissedReportSchema,
  errors: {
    404: '`not-found`: no such report of this operator, or it has been applied.',
    409: '`state-conflict`: the report cannot be dismissed; see its `decisions`. Or the transfer does not give this user this amount.',
  },
});

const unmatchedSchema = v.object({
  ...waitingEntries,
  /** The public name of the operator. Absent: the server cannot tell which operator the report belongs to. @example "demo" */
  operator: v.optional(v.string()),
  /** The id of a payment in the report. The database has no payment with this id. @example "9f0c2b1e-5d1c-4c55-9b6b-3d5a0a6b7f01" */
  id: v.optional(v.string()),
});
export type UnmatchedReport = v.InferOutput<typeof unmatchedSchema>;

export const unmatchedPageSchema = pageSchema({
  /** The waiting reports. The one that has waited longest comes first. */
  reports: v.array(unmatchedSchema),
});
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
  /** The id of the chargeback. @example "0198c1f2-7a30-7c55-9b6b-3d5a0a6b7f01" */
  reversalId: v.string(),
  /** The deposit that the money was taken from. */
  depositId: paymentIdSchema,
  userId: shownUserSchema,
  provider: shownProviderSchema,
  /** The provider's id of the payment. For a part of it, also the id of the refund or dispute. @example "pi_3Nx2" */
  reference: v.string(),
  /** Whether the provider took only a part of the payment. The deposit then stays credited. */
  isPartial: v.boolean(),
  /** The amount that the provider took. */
  amount: decimalStringSchema,
  currency: shownCurrencySchema,
  /** The part that the user had already spent and now owes. @example "5.00" */
  owed: decimalStringSchema,
  /** When the ledger booked it. */
  at: instantSchema,
});

export const reversalPageSchema = pageSchema({
  /** The chargebacks, newest first. */
  reversals: v.array(reversalSchema),
});
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
