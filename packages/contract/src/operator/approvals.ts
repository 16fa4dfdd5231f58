/** Withdrawals that wait for the operator's approval, and from which amounts on they do (SRV-1). */
import * as v from 'valibot';
import {
  currencySchema,
  decimalStringSchema,
  instantSchema,
  methodNameSchema,
  paymentIdSchema,
} from '../api/scalar.ts';
import { accountTypes, payoutSchema } from '../api/withdrawal.ts';
import { defineEndpoint } from './endpoint.ts';
import {
  askedInstantSchema,
  reasonSchema,
  staffSchema,
  statusNames,
  userIdSchema,
  withdrawalParams,
} from './fields.ts';
import { pageEntries, pageSchema } from './paging.ts';

export const awaitingQuerySchema = v.strictObject({
  awaiting: v.literal('approval'),
  userId: v.optional(userIdSchema),
  currency: v.optional(currencySchema),
  paymentMethod: v.optional(methodNameSchema),
  from: v.optional(v.pipe(askedInstantSchema, v.description('Waiting since then or later.'))),
  to: v.optional(v.pipe(askedInstantSchema, v.description('Waiting since before.'))),
  ...pageEntries,
});
export type AwaitingQuery = v.InferOutput<typeof awaitingQuerySchema>;

const approvalSchema = v.object({ decidedBy: v.string(), decided: instantSchema });

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

export const awaitingPageSchema = pageSchema({
  /** What waits longest comes first. */
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
  /** The operator's key of this decision: a repeat decides nothing more and answers how it stands. */
  decisionId: paymentIdSchema,
  /** Who decides, as the operator names its staff; kept with the history. The same name cannot approve twice. */
  decidedBy: staffSchema,
};

export const approveRequestSchema = v.strictObject({ ...decisionEntries, reason: v.optional(reasonSchema) });
export const declineRequestSchema = v.strictObject({
  ...decisionEntries,
  /** For the operator's own books; its user learns only that the withdrawal was not approved. */
  reason: reasonSchema,
});

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

/** Of both decisions. */
const decision = {
  params: withdrawalParams,
  response: decisionResponseSchema,
  errors: {
    404: '`not-found`: no such withdrawal of this operator.',
    409: '`state-conflict`: it does not wait for approval (any more), or this person has approved it already; `params.state` says how it stands.',
    422: '`idempotency-conflict`: another decision had this key.',
  },
};

export const approveWithdrawal = defineEndpoint({
  ...decision,
  id: 'approve-withdrawal',
  method: 'POST',
  path: '/withdrawals/{withdrawalId}/approve',
  summary:
    'Approves a withdrawal that waits, once per `decisionId`; the last approval that is needed hands it to the provider.',
  body: approveRequestSchema,
});

export const declineWithdrawal = defineEndpoint({
  ...decision,
  id: 'decline-withdrawal',
  method: 'POST',
  path: '/withdrawals/{withdrawalId}/decline',
  summary: 'Declines a withdrawal that waits, once per `decisionId`: the held amount goes back to its user.',
  body: declineRequestSchema,
});

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

export const readApprovalSettings = defineEndpoint({
  id: 'read-approval-settings',
  method: 'GET',
  path: '/approval-settings',
  summary: 'From which amounts on withdrawals wait for approval.',
  response: approvalSettingsSchema,
});

export const putApprovalSettings = defineEndpoint({
  id: 'put-approval-settings',
  method: 'PUT',
  path: '/approval-settings',
  summary: 'Replaces them; counts at once on every node. What waits already is left as it is.',
  body: approvalSettingsSchema,
  response: approvalSettingsSchema,
});
