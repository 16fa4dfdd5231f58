/** Reports of providers that fit nothing yet, as operators' backends see and dismiss them: `/operator/v1/parked-reports` (SRV-1, SRV-3). */
import { decimalStringSchema, instantSchema, paymentIdSchema } from '@opencashier/contract/api';
import * as v from 'valibot';
import { momentAndReport, pagedList } from '../requests/page-cursor.ts';
import { reasonSchema } from './approval-schemas.ts';
import { staffSchema } from './review-schemas.ts';

/** A list of reports that wait, what waits longest first. @param name of the list's cursors */
export const waitingReports = (name: string) => pagedList(name, momentAndReport);

export const parkedList = waitingReports('parked reports');

/** The query of `GET /operator/v1/parked-reports`. */
export const parkedQuerySchema = parkedList.query;
export type ParkedQuery = v.InferOutput<typeof parkedQuerySchema>;

/** What is shown of every report that waits. */
const waitingEntries = {
  reportId: v.string(),
  type: v.picklist(['deposit', 'withdrawal']),
  provider: v.string(),
  /** The provider's own name of the payment, and of this report of it. */
  reference: v.optional(v.string()),
  eventId: v.string(),
  /** What it tells: pending, paid, declined, expired, cancelled, reversed or returned. */
  outcome: v.string(),
  /**
   * Why it cannot be acted on, such as not-paid-yet, unknown-currency, asked-amount, asked-currency, unconfirmed, two-deposits,
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
   * `dismiss`: people may set it aside. Money that came is never set aside: it waits until it can be booked, unless it is of the other
   * mode than the provider's key.
   */
  decisions: v.array(v.literal('dismiss')),
});
export type ParkedReport = v.InferOutput<typeof parkedSchema>;

export const parkedPageSchema = parkedList.page({ reports: v.array(parkedSchema) });
export type ParkedPage = v.InferOutput<typeof parkedPageSchema>;

export const unmatchedList = waitingReports('unmatched reports');

/** The query of `GET /operator/v1/unmatched-reports`. */
export const unmatchedQuerySchema = unmatchedList.query;

const unmatchedSchema = v.object({
  ...waitingEntries,
  /** The public name of the operator, where one can be known. */
  operator: v.optional(v.string()),
  /** The payment that the provider names; there is none of this id. */
  id: v.optional(v.string()),
});
export type UnmatchedReport = v.InferOutput<typeof unmatchedSchema>;

export const unmatchedPageSchema = unmatchedList.page({ reports: v.array(unmatchedSchema) });
export type UnmatchedPage = v.InferOutput<typeof unmatchedPageSchema>;

export const dismissRequestSchema = v.strictObject({
  /** Who decides, as the operator names its people; kept with the report. */
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
