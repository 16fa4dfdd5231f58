/** What users owe after chargebacks, and the accounts that a debt freezes (SRV-1, SRV-2). */
import * as v from 'valibot';
import { currencySchema, decimalStringSchema, instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { reasonSchema, shownStaffSchema, shownUserSchema, staffSchema, userIdSchema } from './fields.ts';
import { pageEntries, pageQuery, pageSchema } from './paging.ts';

const frozenSchema = v.object({
  userId: shownUserSchema,
  /** The currency of the frozen account. */
  currency: currencySchema,
  /** The account is frozen since then. */
  since: instantSchema,
  /** What the user owes. */
  debt: decimalStringSchema,
});

export const frozenPageSchema = pageSchema({
  /** The frozen accounts. The one that has been frozen longest comes first. */
  accounts: v.array(frozenSchema),
});
export type FrozenPage = v.InferOutput<typeof frozenPageSchema>;

export const listFrozenAccounts = defineEndpoint({
  id: 'list-frozen-accounts',
  method: 'GET',
  path: '/frozen-accounts',
  summary: 'Accounts that a debt has frozen, the oldest first, page by page.',
  query: pageQuery,
  response: frozenPageSchema,
});

/** A decision of staff about an account of one of the operator's users. */
const accountDecisionEntries = {
  userId: userIdSchema,
  /** The currency of the account. */
  currency: currencySchema,
  /** The operator's idempotency key of this decision. A repeat changes nothing and gets the first answer. */
  decisionId: paymentIdSchema,
  /** The member of staff who decides, by the operator's own name; stored in the history. */
  decidedBy: staffSchema,
  /** For the operator's records; stored in the history. */
  reason: reasonSchema,
};

const decisionErrors = {
  404: '`not-found`: no such account of this operator.',
  422: '`idempotency-conflict`: another decision used this key.',
};

export const releaseRequestSchema = v.strictObject(accountDecisionEntries);
export type ReleaseRequest = v.InferOutput<typeof releaseRequestSchema>;

export const releasedAccountSchema = v.object({
  /** The operator's idempotency key of this decision. */
  decisionId: paymentIdSchema,
  userId: shownUserSchema,
  /** The currency of the account. */
  currency: currencySchema,
  /** The debt when the account was released. The release does not change it. */
  debt: decimalStringSchema,
  decidedBy: shownStaffSchema,
  /** The account was frozen since then. */
  frozenSince: instantSchema,
  /** When the account was released. */
  released: instantSchema,
});
export type ReleasedAccount = v.InferOutput<typeof releasedAccountSchema>;

export const releaseAccount = defineEndpoint({
  id: 'release-frozen-account',
  method: 'POST',
  path: '/frozen-accounts/release',
  summary:
    'Releases a frozen account, once per `decisionId`, so that money can leave it again. The debt does not change.',
  body: releaseRequestSchema,
  response: releasedAccountSchema,
  errors: { ...decisionErrors, 409: '`state-conflict`: the account is not frozen.' },
});

export const debtQuerySchema = v.strictObject({
  userId: v.optional(userIdSchema),
  currency: v.optional(currencySchema),
  ...pageEntries,
});
export type DebtQuery = v.InferOutput<typeof debtQuerySchema>;

/** A forced debit of the operator's wallet for a debt. */
const claimEntries = {
  /** The call to the wallet. */
  callId: paymentIdSchema,
  /** What the wallet was asked for. */
  amount: decimalStringSchema,
  /** `waiting`: the outcome is unknown, and the wallet is asked again. `declined`: the wallet gives nothing. */
  state: v.picklist(['waiting', 'done', 'declined']),
  /** Why the wallet declined. @example "blocked" */
  code: v.optional(v.string()),
  /** When the cashier made the call. */
  asked: instantSchema,
};

const debtSchema = v.object({
  userId: shownUserSchema,
  /** The currency of the debt. */
  currency: currencySchema,
  /** What the user owes. */
  debt: decimalStringSchema,
  /** When the debt last rose. */
  raised: instantSchema,
  /** The balance of the user's main account, which could pay the debt. */
  main: decimalStringSchema,
  /** The balance of the user's additional account, which could pay the debt. */
  additional: decimalStringSchema,
  /** The account is frozen since then. Absent: it is not, for example after a release. */
  frozenSince: v.optional(instantSchema),
  /** The newest claim from the operator's own wallet. Absent: no wallet was asked for debts of this account. */
  claim: v.optional(v.object(claimEntries)),
});

export const debtPageSchema = pageSchema({
  /** The debts. The user whose first debt is oldest comes first. */
  debts: v.array(debtSchema),
});
export type DebtPage = v.InferOutput<typeof debtPageSchema>;

export const listDebts = defineEndpoint({
  id: 'list-debts',
  method: 'GET',
  path: '/debts',
  summary: 'The debts of users, including those whose account was released, page by page.',
  query: debtQuerySchema,
  response: debtPageSchema,
});

const payerSchema = v.picklist(['operator', 'main', 'additional']);

export const settleRequestSchema = v.strictObject({
  ...accountDecisionEntries,
  /**
   * Who pays. `operator`: you, because you forgive the debt or the user paid you in another way. `main` or `additional`: that account
   * of the user.
   */
  from: payerSchema,
  /** The amount to pay. Absent: the whole debt, or the balance of the paying account if that is less. */
  amount: v.optional(decimalStringSchema),
});
export type SettleRequest = v.InferOutput<typeof settleRequestSchema>;

export const settledDebtSchema = v.object({
  /** The operator's idempotency key of this decision. */
  decisionId: paymentIdSchema,
  userId: shownUserSchema,
  /** The currency of the debt. */
  currency: currencySchema,
  /** Who paid. */
  from: payerSchema,
  /** The amount that was paid. */
  amount: decimalStringSchema,
  /** The debt that was left after the payment. @example "0.00" */
  debt: decimalStringSchema,
  /**
   * The account is frozen since then, even if the debt is paid: no money can leave it. Release it, or set `releasedWhenPaid`. Absent:
   * the account is not frozen.
   */
  frozenSince: v.optional(instantSchema),
  decidedBy: shownStaffSchema,
  /** When the debt was settled. */
  settled: instantSchema,
});
export type SettledDebt = v.InferOutput<typeof settledDebtSchema>;

export const settleDebt = defineEndpoint({
  id: 'settle-debt',
  method: 'POST',
  path: '/debts/settle',
  summary:
    'Pays or forgives a debt, once per `decisionId`. A frozen account stays frozen until you release it, unless `releasedWhenPaid` is set.',
  body: settleRequestSchema,
  response: settledDebtSchema,
  errors: {
    ...decisionErrors,
    409: '`state-conflict`: the amount is larger than the debt (`params.debt`).',
    422: '`insufficient-funds`: the balance of the account is too small (`params.max`). `idempotency-conflict`: another decision used this key.',
  },
});

export const claimRequestSchema = v.strictObject(accountDecisionEntries);
export type ClaimRequest = v.InferOutput<typeof claimRequestSchema>;

export const claimedDebtSchema = v.object({
  /** The operator's idempotency key of this decision. */
  decisionId: paymentIdSchema,
  userId: shownUserSchema,
  /** The currency of the debt. */
  currency: currencySchema,
  ...claimEntries,
  decidedBy: shownStaffSchema,
});
export type ClaimedDebt = v.InferOutput<typeof claimedDebtSchema>;

export const claimDebt = defineEndpoint({
  id: 'claim-debt',
  method: 'POST',
  path: '/debts/claim',
  summary:
    "Asks the operator's own wallet for the whole debt, once per `decisionId`: after the wallet declined it, or for a debt of an earlier mode.",
  body: claimRequestSchema,
  response: claimedDebtSchema,
  errors: {
    ...decisionErrors,
    409: '`state-conflict`: no wallet keeps this balance, nothing is owed, or the wallet is being asked already.',
  },
});

export const debtSettingsSchema = v.strictObject({
  /** Whether a credited deposit first pays the user's debt in its currency. Default: only staff settle debts. */
  paidByDeposits: v.boolean(),
  /** Whether a frozen account is released as soon as its debt is paid. Default: only staff release accounts. */
  releasedWhenPaid: v.optional(v.boolean(), false),
});
export type DebtSettings = v.InferOutput<typeof debtSettingsSchema>;

export const debtSettingsRequestSchema = v.strictObject({
  ...debtSettingsSchema.entries,
  staff: v.optional(staffSchema),
});

export const readDebtSettings = defineEndpoint({
  id: 'read-debt-settings',
  method: 'GET',
  path: '/debt-settings',
  summary: 'Whether deposits pay debts first, and whether a paid debt releases its account.',
  response: debtSettingsSchema,
});

export const putDebtSettings = defineEndpoint({
  id: 'put-debt-settings',
  method: 'PUT',
  path: '/debt-settings',
  summary:
    'Sets whether deposits pay debts first, and whether a paid debt releases its account. Every node applies the change at once.',
  body: debtSettingsRequestSchema,
  response: debtSettingsSchema,
});
