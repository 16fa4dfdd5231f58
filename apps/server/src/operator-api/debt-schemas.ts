/** What users owe, as operators' backends see and settle it: `/operator/v1/debts` (SRV-1, SRV-2). */
import { currencySchema, decimalStringSchema, instantSchema, paymentIdSchema } from '@opencashier/contract/api';
import * as v from 'valibot';
import { accountAlone, pagedList } from '../requests/page-cursor.ts';
import { accountDecisionEntries } from './frozen-account-schemas.ts';
import { userIdSchema } from './operator-schemas.ts';

export const debtList = pagedList('debts', accountAlone);

/** The query of `GET /operator/v1/debts`. */
export const debtQuerySchema = v.strictObject({
  userId: v.optional(userIdSchema),
  currency: v.optional(currencySchema),
  ...debtList.entries,
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

export const debtPageSchema = v.object({
  /** In the order in which users came into debt first. */
  debts: v.array(debtSchema),
  /** Give it as `cursor` for more; absent on the last page. */
  nextCursor: v.optional(v.string()),
});
export type DebtPage = v.InferOutput<typeof debtPageSchema>;

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

export const debtSettingsSchema = v.strictObject({
  /** Whether a deposit that is credited pays what its user owes in its currency first. Unless it is set, only people settle debts. */
  paidByDeposits: v.boolean(),
  /** Whether a frozen account is released by itself as soon as nothing is owed any more, whoever paid. Unless it is set, only people release one. */
  releasedWhenPaid: v.optional(v.boolean(), false),
});
export type DebtSettings = v.InferOutput<typeof debtSettingsSchema>;
