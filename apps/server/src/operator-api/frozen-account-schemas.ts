/** Accounts that a debt has frozen, as operators' backends see and release them: `/operator/v1/frozen-accounts` (SRV-1). */
import { currencySchema, decimalStringSchema, instantSchema, paymentIdSchema } from '@opencashier/contract/api';
import * as v from 'valibot';
import { momentAndAccount, pagedList } from '../requests/page-cursor.ts';
import { reasonSchema } from './approval-schemas.ts';
import { userIdSchema } from './operator-schemas.ts';
import { staffSchema } from './review-schemas.ts';

export const frozenList = pagedList('frozen accounts', momentAndAccount);

/** The query of `GET /operator/v1/frozen-accounts`. */
export const frozenQuerySchema = frozenList.query;
export type FrozenQuery = v.InferOutput<typeof frozenQuerySchema>;

const frozenSchema = v.object({
  userId: v.string(),
  currency: currencySchema,
  since: instantSchema,
  /** What the user owes. */
  debt: decimalStringSchema,
});

/** Who is frozen longest comes first. */
export const frozenPageSchema = frozenList.page({ accounts: v.array(frozenSchema) });
export type FrozenPage = v.InferOutput<typeof frozenPageSchema>;

/** What people decide about an account of one of the operator's users. */
export const accountDecisionEntries = {
  userId: userIdSchema,
  currency: currencySchema,
  /** The operator's key of this decision: a repeat decides nothing more and answers as the first did. */
  decisionId: paymentIdSchema,
  /** Who decides, as the operator names its people; kept with the history. */
  decidedBy: staffSchema,
  /** For the operator's own books; kept with the history. */
  reason: reasonSchema,
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
