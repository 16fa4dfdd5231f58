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

/** The account that is frozen longest comes first. */
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

/** What staff decide about an account of one of the operator's users. */
const accountDecisionEntries = {
  userId: userIdSchema,
  currency: currencySchema,
  /** The operator's key of this decision: a repeat decides nothing more and answers as the first did. */
  decisionId: paymentIdSchema,
  /** Who decides, as the operator names its staff; kept with the history. */
  decidedBy: staffSchema,
  /** For the operator's own books; kept with the history. */
  reason: reasonSchema,
};

const decisionErrors = {
  404: '`not-found`: no such account of this operator.',
  422: '`idempotency-conflict`: another decision had this key.',
};

export const releaseRequestSchema = v.strictObject(accountDecisionEntries);
export type ReleaseRequest = v.InferOutput<typeof releaseRequestSchema>;

export const releasedAccountSchema = v.object({
  decisionId: paymentIdSchema,
  userId: v.string(),
  currency: currencySchema,
  /** What the user still owed when the account was released: the release leaves it as it is. */
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
  summary: 'Lets money leave a frozen account again, once per `decisionId`; the debt stays as it is.',
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
  /** When it last rose. */
  raised: instantSchema,
  /** What lies on the user's two accounts, and could pay it. */
  main: decimalStringSchema,
  additional: decimalStringSchema,
  /** Absent where nothing freezes the account, such as after a release. */
  frozenSince: v.optional(instantSchema),
});

export const debtPageSchema = pageSchema({
  /** In the order in which users came into debt first. */
  debts: v.array(debtSchema),
});
export type DebtPage = v.InferOutput<typeof debtPageSchema>;

export const listDebts = defineEndpoint({
  id: 'list-debts',
  method: 'GET',
  path: '/debts',
  summary: 'What users owe, also where their account was released, page by page.',
  query: debtQuerySchema,
  response: debtPageSchema,
});

const payerSchema = v.picklist(['operator', 'main', 'additional']);

export const settleRequestSchema = v.strictObject({
  ...accountDecisionEntries,
  /** Who pays: `operator` (you) where you forgive it or were paid another way; `main` or `additional`: that account of the user's. */
  from: payerSchema,
  /** Absent: all that is owed, of an account as much of it as is there. */
  amount: v.optional(decimalStringSchema),
});
export type SettleRequest = v.InferOutput<typeof settleRequestSchema>;

export const settledDebtSchema = v.object({
  decisionId: paymentIdSchema,
  userId: v.string(),
  currency: currencySchema,
  from: payerSchema,
  amount: decimalStringSchema,
  /** What the user still owed then. */
  debt: decimalStringSchema,
  /**
   * Nothing leaves the account now, also where nothing is owed any more: release it, or let it be released when its debt is paid
   * (`releasedWhenPaid`). Absent: it is free.
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
    'Pays a debt, or forgives it, once per `decisionId`; a frozen account stays frozen until it is released, unless `releasedWhenPaid` is set.',
  body: settleRequestSchema,
  response: settledDebtSchema,
  errors: {
    ...decisionErrors,
    409: '`state-conflict`: so much is not owed (`params.debt`).',
    422: '`insufficient-funds`: the account does not cover it (`params.max`); `idempotency-conflict`: another decision had this key.',
  },
});

export const debtSettingsSchema = v.strictObject({
  /** Whether a credited deposit pays what its user owes in its currency first. Default: only staff settle debts. */
  paidByDeposits: v.boolean(),
  /** Whether a frozen account is released as soon as nothing is owed any more. Default: only staff release one. */
  releasedWhenPaid: v.optional(v.boolean(), false),
});
export type DebtSettings = v.InferOutput<typeof debtSettingsSchema>;

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
    'Says whether deposits pay debts first, and whether a paid debt releases its account; counts at once on every node.',
  body: debtSettingsSchema,
  response: debtSettingsSchema,
});
