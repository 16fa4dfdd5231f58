/** What staff set for one user: limits, blocks and notes (SRV-1). */
import * as v from 'valibot';
import { currencySchema, decimalStringSchema, instantSchema, methodNameSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { reasonSchema, shownKeySchema, shownStaffSchema, staffSchema, userParams } from './fields.ts';
import { transactionSchema } from './transactions.ts';
import { balancesResponseSchema } from './users.ts';

/** A limit of one payment. It replaces the limits of the operator and of the catalogue. */
const userLimitSchema = v.strictObject({
  /** Whether the limit is for deposits or for withdrawals. */
  direction: v.picklist(['deposit', 'withdrawal']),
  currency: currencySchema,
  /** Absent: every method. A limit that names the method goes first. */
  paymentMethod: v.optional(methodNameSchema),
  /** The smallest amount. Zero: no smallest amount. @example "20.00" */
  min: v.optional(decimalStringSchema, '0'),
  /** The largest amount. Zero: no largest amount. @example "500.00" */
  max: v.optional(decimalStringSchema, '0'),
});

const blockEntries = {
  /** Whether new deposits are blocked. */
  deposits: v.boolean(),
  /** Whether new withdrawals are blocked. */
  withdrawals: v.boolean(),
};

const noteSchema = v.object({
  /** What your staff want to remember about the user. Users never see it. @example "Asked for a lower limit by phone." */
  note: v.string(),
  /** Who wrote it: a member of staff, by the operator's own name. */
  by: shownStaffSchema,
  /** The API key that sent the note. Absent: the command line. */
  keyId: v.optional(shownKeySchema),
  /** When it was written. */
  at: instantSchema,
});

export const userViewSchema = v.object({
  ...balancesResponseSchema.entries,
  /** What the user owes after a chargeback. */
  debts: balancesResponseSchema.entries.balances,
  /** Currencies whose main account a debt has frozen. */
  frozen: v.array(currencySchema),
  /** The limits that staff set for this user. */
  limits: v.array(userLimitSchema),
  /** What the user cannot do. Absent: the user is not blocked. */
  block: v.optional(
    v.object({
      ...blockEntries,
      reason: reasonSchema,
      /** Who blocked the user: a member of staff, by the operator's own name. */
      by: shownStaffSchema,
      /** Since when the user is blocked. */
      since: instantSchema,
    }),
  ),
  /** Payments that have not ended, newest first, at most 20. */
  openPayments: v.array(transactionSchema),
  /** Newest first, at most 50. */
  notes: v.array(noteSchema),
});
export type UserView = v.InferOutput<typeof userViewSchema>;

export const readUser = defineEndpoint({
  id: 'read-user',
  method: 'GET',
  path: '/users/{userId}',
  summary: 'A user: balances, debts, open payments, limits, block and notes.',
  params: userParams,
  response: userViewSchema,
});

export const userChangeSchema = v.strictObject({
  /** Replaces all limits of the user. An empty list removes them. Absent: the limits stay. */
  limits: v.optional(v.pipe(v.array(userLimitSchema), v.maxLength(100))),
  /** Both `false` ends the block. Absent: the block stays. */
  block: v.optional(v.strictObject({ ...blockEntries, reason: reasonSchema })),
  staff: staffSchema,
});
export type UserChange = v.InferOutput<typeof userChangeSchema>;

export const patchUser = defineEndpoint({
  id: 'change-user',
  method: 'PATCH',
  path: '/users/{userId}',
  summary:
    'Sets the limits of a user, or blocks deposits, withdrawals or both. Every node applies the change at once. Payments in progress continue.',
  params: userParams,
  body: userChangeSchema,
  response: userViewSchema,
});

export const noteRequestSchema = v.strictObject({
  /** What your staff want to remember about the user. Users never see it. @example "Asked for a lower limit by phone." */
  note: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(2000)),
  staff: staffSchema,
});

export const addUserNote = defineEndpoint({
  id: 'add-user-note',
  method: 'POST',
  path: '/users/{userId}/notes',
  summary: 'Adds a note for staff about a user. The user never sees it, and it is kept for ever.',
  params: userParams,
  body: noteRequestSchema,
  response: userViewSchema,
});
