/** Withdrawals that wait for the operator's approval, and the amounts above which they wait (SRV-1). */
import * as v from 'valibot';
import {
  currencySchema,
  decimalStringSchema,
  instantSchema,
  methodNameSchema,
  paymentIdSchema,
} from '../api/scalar.ts';
import { accountTypes, destinationSchema, payoutSchema } from '../api/withdrawal.ts';
import { defineEndpoint } from './endpoint.ts';
import {
  askedInstantSchema,
  reasonSchema,
  shownStaffSchema,
  shownUserSchema,
  staffSchema,
  statusSchema,
  userIdSchema,
  withdrawalParams,
} from './fields.ts';
import { pageEntries, pageSchema } from './paging.ts';
import { withdrawalStates } from './states.ts';

export const awaitingQuerySchema = v.strictObject({
  /** What the withdrawals wait for. */
  awaiting: v.literal('approval'),
  userId: v.optional(userIdSchema),
  currency: v.optional(currencySchema),
  paymentMethod: v.optional(methodNameSchema),
  from: v.optional(v.pipe(askedInstantSchema, v.description('The withdrawal has waited since this moment or later.'))),
  to: v.optional(v.pipe(askedInstantSchema, v.description('The withdrawal has waited since before this moment.'))),
  ...pageEntries,
});
export type AwaitingQuery = v.InferOutput<typeof awaitingQuerySchema>;

const approvalSchema = v.object({
  decidedBy: shownStaffSchema,
  /** When this person approved. */
  decided: instantSchema,
});

const awaitingSchema = v.object({
  /** Send it with your decision. The webhooks about the withdrawal have it, too. @example "9f0c2b1e-5d1c-4c55-9b6b-3d5a0a6b7f01" */
  withdrawalId: paymentIdSchema,
  userId: shownUserSchema,
  paymentMethod: methodNameSchema,
  /** The account of the user that the amount leaves. */
  accountType: v.picklist(accountTypes),
  /** The amount that leaves the balance. `fee` and `receives` are its two parts. @example "25.00" */
  amount: decimalStringSchema,
  /** The part of the amount that the user does not receive. @example "0.50" */
  fee: decimalStringSchema,
  /** The part of the amount that the user receives. @example "24.50" */
  receives: decimalStringSchema,
  /** What the user receives, if the payout has another currency. */
  payout: v.optional(payoutSchema),
  currency: currencySchema,
  /** The country of the user. @example "DE" */
  country: v.string(),
  /** The account or address that gets the money, shortened as the user sees it. */
  destination: destinationSchema,
  /** The withdrawal has waited since then. */
  since: instantSchema,
  /** If nobody decides by then, the amount goes back to the user. */
  expires: instantSchema,
  /** How many members of the staff must approve. @example 1 */
  approvalsNeeded: v.number(),
  /** Why it waits: `amount`, its own amount; `day`, the sum of what its user withdrew in 24 hours. */
  because: v.picklist(['amount', 'day']),
  /** The approvals so far, the first one first. */
  approvals: v.array(approvalSchema),
});

export const awaitingPageSchema = pageSchema({
  /** The waiting withdrawals. The one that has waited longest comes first. */
  withdrawals: v.array(awaitingSchema),
});
export type AwaitingPage = v.InferOutput<typeof awaitingPageSchema>;

export const listAwaitingWithdrawals = defineEndpoint({
  id: 'list-awaiting-withdrawals',
  method: 'GET',
  path: '/withdrawals',
  summary: 'Withdrawals that wait for the operator’s approval, the oldest first, page by page.',
  query: awaitingQuerySchema,
  response: awaitingPageSchema,
});

const decisionEntries = {
  /** The operator's idempotency key of this decision. A repeat changes nothing and answers the current state. */
  decisionId: paymentIdSchema,
  /** The member of staff who decides, by the operator's own name; stored in the history. One name cannot approve twice. */
  decidedBy: staffSchema,
};

export const approveRequestSchema = v.strictObject({ ...decisionEntries, reason: v.optional(reasonSchema) });
export const declineRequestSchema = v.strictObject({
  ...decisionEntries,
  /** For the operator's records. The user sees only that the withdrawal was not approved. */
  reason: reasonSchema,
});

export const decisionResponseSchema = v.object({
  /** The operator's idempotency key of this decision. */
  decisionId: paymentIdSchema,
  /** Send it with your decision. The webhooks about the withdrawal have it, too. */
  withdrawalId: paymentIdSchema,
  /** What the staff decided. */
  decision: v.picklist(['approve', 'decline']),
  decidedBy: shownStaffSchema,
  /** When the staff decided. */
  decided: instantSchema,
  /** Current state of the withdrawal. `awaiting_approval`: a second person must approve it too. */
  state: v.picklist(withdrawalStates),
  status: statusSchema,
  /** How many members of the staff must approve. @example 2 */
  approvalsNeeded: v.number(),
  /** The approvals so far, the first one first. */
  approvals: v.array(approvalSchema),
});
export type DecisionResponse = v.InferOutput<typeof decisionResponseSchema>;

/** What both decisions share. */
const decision = {
  params: withdrawalParams,
  response: decisionResponseSchema,
  errors: {
    404: '`not-found`: no such withdrawal of this operator.',
    409: '`state-conflict`: the withdrawal does not wait for approval, or this person has already approved it. `params.state` is its current state.',
    422: '`idempotency-conflict`: another decision used this key.',
  },
};

export const approveWithdrawal = defineEndpoint({
  ...decision,
  id: 'approve-withdrawal',
  method: 'POST',
  path: '/withdrawals/{withdrawalId}/approve',
  summary:
    'Approves a waiting withdrawal, once per `decisionId`. After the last approval needed, the server sends it to the provider.',
  body: approveRequestSchema,
});

export const declineWithdrawal = defineEndpoint({
  ...decision,
  id: 'decline-withdrawal',
  method: 'POST',
  path: '/withdrawals/{withdrawalId}/decline',
  summary: 'Declines a waiting withdrawal, once per `decisionId`. The held amount goes back to the user.',
  body: declineRequestSchema,
});

/** When withdrawals in a currency wait for staff. */
export const approvalThresholdSchema = v.strictObject({
  /** The currency of the amounts. */
  currency: currencySchema,
  /**
   * A withdrawal above this amount waits for one approval; `0`: every withdrawal waits. It may be absent only if `dailyThreshold` is
   * set: then no withdrawal waits for its own amount.
   * @example "500.00"
   */
  approvalThreshold: v.optional(decimalStringSchema),
  /**
   * A withdrawal above this amount needs a second approval, by another person. Absent: none does. At least `approvalThreshold`.
   * @example "5000.00"
   */
  secondApprovalThreshold: v.optional(decimalStringSchema),
  /**
   * A withdrawal also waits when it raises the user's sum of the last 24 hours above this amount. Absent: the sum has no limit.
   * @example "1000.00"
   */
  dailyThreshold: v.optional(decimalStringSchema),
});

export const approvalSettingsSchema = v.strictObject({
  /**
   * The amounts by currency. Withdrawals in a currency that is not listed need no approval.
   * @example [{"currency": "EUR", "approvalThreshold": "500.00", "secondApprovalThreshold": "5000.00"}]
   */
  thresholds: v.pipe(v.array(approvalThresholdSchema), v.maxLength(200)),
  /** How many hours a withdrawal waits before its amount goes back to the user. @example 168 */
  approvalHours: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(8760)), 168),
  /**
   * `true`: two approvals of a withdrawal need two API keys, so that one key cannot approve under two names. The command line counts
   * as one key. `false`: two names are enough.
   */
  differentKeys: v.optional(v.boolean(), false),
});
export type ApprovalSettingsView = v.InferOutput<typeof approvalSettingsSchema>;

export const approvalSettingsRequestSchema = v.strictObject({
  ...approvalSettingsSchema.entries,
  /** Absent: it stays as it is. */
  differentKeys: v.optional(v.boolean()),
  staff: v.optional(staffSchema),
});

export const readApprovalSettings = defineEndpoint({
  id: 'read-approval-settings',
  method: 'GET',
  path: '/approval-settings',
  summary: 'The amounts above which withdrawals wait for approval.',
  response: approvalSettingsSchema,
});

export const putApprovalSettings = defineEndpoint({
  id: 'put-approval-settings',
  method: 'PUT',
  path: '/approval-settings',
  summary:
    'Replaces the amounts above which withdrawals wait for approval. Every node applies them at once. Waiting withdrawals keep waiting.',
  body: approvalSettingsRequestSchema,
  response: approvalSettingsSchema,
});
