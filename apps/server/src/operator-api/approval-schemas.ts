/** Withdrawals that wait for approval, as operators' backends see and decide them: `/operator/v1/withdrawals` (SRV-1). */
import {
  accountTypes,
  currencySchema,
  decimalStringSchema,
  instantSchema,
  methodNameSchema,
  paymentIdSchema,
  payoutSchema,
  type TransactionStatus,
  transactionStatusCodes,
} from '@opencashier/contract/api';
import * as v from 'valibot';
import { askedInstantSchema } from '../requests/asked-instant.ts';
import { momentAndId, pagedList } from '../requests/page-cursor.ts';
import { userIdSchema } from './operator-schemas.ts';
import { staffSchema } from './review-schemas.ts';

const statusNames = Object.keys(transactionStatusCodes) as [TransactionStatus, ...TransactionStatus[]];

/** Why, in the operator's own words. */
export const reasonSchema = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(200),
  v.regex(/^[^\p{Cc}]*$/u, 'no control characters'),
);

const decisionEntries = {
  /** The operator's key of this decision: a repeat decides nothing more and answers how it stands. */
  decisionId: paymentIdSchema,
  /** Who decides, as the operator names its people; kept with the history. The same name cannot approve twice. */
  decidedBy: staffSchema,
};

export const approveRequestSchema = v.strictObject({ ...decisionEntries, reason: v.optional(reasonSchema) });
export const declineRequestSchema = v.strictObject({
  ...decisionEntries,
  /** For the operator's own books; its user is told only that the withdrawal was not approved. */
  reason: reasonSchema,
});

const approvalSchema = v.object({ decidedBy: v.string(), decided: instantSchema });

export const decisionResponseSchema = v.object({
  decisionId: paymentIdSchema,
  withdrawalId: paymentIdSchema,
  decision: v.picklist(['approve', 'decline']),
  decidedBy: v.string(),
  decided: instantSchema,
  /** Of the withdrawal, now: awaiting_approval while somebody else must approve too. */
  state: v.string(),
  status: v.picklist(statusNames),
  approvalsNeeded: v.number(),
  approvals: v.array(approvalSchema),
});
export type DecisionResponse = v.InferOutput<typeof decisionResponseSchema>;

export const awaitingList = pagedList('withdrawals awaiting approval', momentAndId);

/** The query of `GET /operator/v1/withdrawals`. */
export const awaitingQuerySchema = v.strictObject({
  awaiting: v.literal('approval'),
  userId: v.optional(userIdSchema),
  currency: v.optional(currencySchema),
  paymentMethod: v.optional(methodNameSchema),
  /** Waiting since this instant or later. */
  from: v.optional(askedInstantSchema),
  /** Waiting since before this instant. */
  to: v.optional(askedInstantSchema),
  ...awaitingList.entries,
});
export type AwaitingQuery = v.InferOutput<typeof awaitingQuerySchema>;

const awaitingSchema = v.object({
  withdrawalId: paymentIdSchema,
  userId: v.string(),
  paymentMethod: methodNameSchema,
  accountType: v.picklist(accountTypes),
  amount: decimalStringSchema,
  /** Of the amount; the rest arrives. */
  fee: decimalStringSchema,
  receives: decimalStringSchema,
  payout: v.optional(payoutSchema),
  currency: currencySchema,
  country: v.string(),
  /** Where it goes, shortened as its user sees it. */
  destination: v.array(v.object({ name: v.string(), value: v.string() })),
  since: instantSchema,
  /** When the amount goes back if nobody decides. */
  expires: instantSchema,
  approvalsNeeded: v.number(),
  /** What made it wait: its own amount, or the sum of its user's last 24 hours. */
  because: v.picklist(['amount', 'day']),
  approvals: v.array(approvalSchema),
});

export const awaitingPageSchema = v.object({
  /** Who waits longest comes first. */
  withdrawals: v.array(awaitingSchema),
  /** Give it as `cursor` for what is newer; absent on the last page. */
  nextCursor: v.optional(v.string()),
});
export type AwaitingPage = v.InferOutput<typeof awaitingPageSchema>;

export const approvalSettingsSchema = v.strictObject({
  /** Of currencies that are not named nothing needs approval. */
  thresholds: v.pipe(
    v.array(
      v.strictObject({
        currency: currencySchema,
        /** Withdrawals above it wait for somebody's approval; zero: all. Absent only beside a `dailyThreshold`: none for their amount. */
        approvalThreshold: v.optional(decimalStringSchema),
        /** Above it somebody else must approve as well; absent: never. Not below `approvalThreshold`. */
        secondApprovalThreshold: v.optional(decimalStringSchema),
        /** Waits, too, what brings all that one user withdraws within 24 hours above it; absent: whatever the sum. */
        dailyThreshold: v.optional(decimalStringSchema),
      }),
    ),
    v.maxLength(200),
  ),
  /** How long a withdrawal waits before its amount goes back. */
  approvalHours: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(8760)), 168),
});
export type ApprovalSettingsView = v.InferOutput<typeof approvalSettingsSchema>;
