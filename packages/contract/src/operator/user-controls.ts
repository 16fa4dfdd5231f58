/** What staff set for one user: limits, blocks and notes (SRV-1). */
import * as v from 'valibot';
import { currencySchema, decimalStringSchema, instantSchema, methodNameSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { reasonSchema, staffSchema, userParams } from './fields.ts';
import { transactionSchema } from './transactions.ts';
import { balancesResponseSchema } from './users.ts';

/** A limit of one payment. It replaces the limits of the operator and of the catalogue. */
const userLimitSchema = v.strictObject({
  direction: v.picklist(['deposit', 'withdrawal']),
  currency: currencySchema,
  /** Absent: every method. A limit that names the method goes first. */
  paymentMethod: v.optional(methodNameSchema),
  /** Zero: no limit on this side. */
  min: v.optional(decimalStringSchema, '0'),
  max: v.optional(decimalStringSchema, '0'),
});

const blockEntries = {
  deposits: v.boolean(),
  withdrawals: v.boolean(),
};

const noteSchema = v.object({ note: v.string(), by: v.string(), keyId: v.optional(v.string()), at: instantSchema });

export const userViewSchema = v.object({
  ...balancesResponseSchema.entries,
  /** What the user owes after a chargeback. */
  debts: balancesResponseSchema.entries.balances,
  /** Currencies whose main account a debt has frozen. */
  frozen: v.array(currencySchema),
  limits: v.array(userLimitSchema),
  /** What the user cannot do. Absent: the user is not blocked. */
  block: v.optional(v.object({ ...blockEntries, reason: v.string(), by: v.string(), since: instantSchema })),
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
