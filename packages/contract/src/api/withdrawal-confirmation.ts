/** The confirmation that a withdrawal requires (WD-2). */
import * as v from 'valibot';
import { boundedNumberSchema, instantSchema, paymentIdSchema } from './scalar.ts';

/** How the operator sends the code to its user. Only the operator knows the user's phone number and address. */
export const confirmationChannels = ['sms', 'email', 'app'] as const;
export type ConfirmationChannel = (typeof confirmationChannels)[number];

/** A code that the operator sends to the user. Only `withdrawal-confirm` carries the code itself. */
export const withdrawalConfirmationSchema = v.object({
  /** What confirms the withdrawal. */
  kind: v.literal('code'),
  channel: v.picklist(confirmationChannels),
  /** The number of digits (0 to 9). @example 6 */
  length: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(16)),
  /** Attempts left for the withdrawal, over all codes. At zero the withdrawal ends. @example 5 */
  attemptsLeft: boundedNumberSchema,
  /** When the last code expires. */
  expires: instantSchema,
  /** When another code can be requested; absent: no more codes will be sent. */
  resendAt: v.optional(instantSchema),
  /** The server's clock at the response. */
  serverTime: instantSchema,
});
export type WithdrawalConfirmation = v.InferOutput<typeof withdrawalConfirmationSchema>;

/** The id of a withdrawal with its required confirmation. */
export const withdrawalCodeSchema = v.object({
  withdrawalId: paymentIdSchema,
  /** The confirmation that the withdrawal requires. */
  confirmation: withdrawalConfirmationSchema,
});
