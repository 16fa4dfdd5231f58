/** What users owe after chargebacks, and the accounts that a debt freezes (SRV-1, SRV-2). */
import * as v from 'valibot';
import { currencySchema, decimalStringSchema, instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { reasonSchema, staffSchema, userIdSchema } from './fields.ts';
import { pageEntries, pageQuery, pageSchema } from './paging.ts';

const frozenSchema = v.object({
  userId: v.string(),
  currency: currencySchema,
  since: instantSchema,
  /** What the user owes. */
  debt: decimalStringSchema,
});

/** The account that has been frozen longest comes first. */
export const frozenPageSchema = pageSchema({ accounts: v.array(frozenSchema) });
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
  decisionId: paymentIdSchema,
  userId: v.string(),
  currency: currencySchema,
  /** The debt when the account was released. The release does not change it. */
  debt: decimalStringSchema,
  decidedBy: v.string(),
  frozenSince: instantSchema,
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

const debtSchema = v.object({
  userId: v.string(),
  currency: currencySchema,
  /** What the user owes. */
  debt: decimalStringSchema,
  /** When the debt last rose. */
  raised: instantSchema,
  /** The balances of the user's two accounts, which could pay the debt. */
  main: decimalStringSchema,
  additional: decimalStringSchema,
  /** Absent: the account is not frozen, for example after a release. */
  frozenSince: v.optional(instantSchema),
});

export const debtPageSchema = pageSchema({
  /** The user whose first debt is oldest comes first. */
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
  /** Absent: the whole debt, or the balance of the paying account if that is less. */
  amount: v.optional(decimalStringSchema),
});
export type SettleRequest = v.InferOutput<typeof settleRequestSchema>;

export const settledDebtSchema = v.object({
  decisionId: paymentIdSchema,
  userId: v.string(),
  currency: currencySchema,
  from: payerSchema,
  amount: decimalStringSchema,
  /** The debt that was left after the payment. */
  debt: decimalStringSchema,
  /**
   * The account is frozen since then, even if the debt is paid: no money can leave it. Release it, or set `releasedWhenPaid`. Absent:
   * the account is not frozen.
   */
  frozenSince: v.optional(instantSchema),
  decidedBy: v.string(),
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
