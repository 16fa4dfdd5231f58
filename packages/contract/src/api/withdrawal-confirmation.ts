/** What a withdrawal wants before it can be confirmed (WD-2). */
import * as v from 'valibot';
import { boundedNumberSchema, instantSchema, paymentIdSchema } from './scalar.ts';

/** How the operator lets its user know the code; it alone knows the number and the address. */
export const confirmationChannels = ['sms', 'email', 'app'] as const;
export type ConfirmationChannel = (typeof confirmationChannels)[number];

/** A code that only the user gets, from the operator. The code itself crosses no call but `withdrawal-confirm`. */
export const withdrawalConfirmationSchema = v.object({
  kind: v.literal('code'),
  channel: v.picklist(confirmationChannels),
  /** Of how many digits (0 to 9) it is. */
  length: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(16)),
  /** Of the withdrawal, whatever code was sent last. At zero the withdrawal has ended. */
  attemptsLeft: boundedNumberSchema,
  /** Until when the code that was sent last can be given. */
  expires: instantSchema,
  /** From when another code can be asked for; absent: no more will be sent. */
  resendAt: v.optional(instantSchema),
  serverTime: instantSchema,
});
export type WithdrawalConfirmation = v.InferOutput<typeof withdrawalConfirmationSchema>;

/** A withdrawal's id with what it wants. */
export const withdrawalCodeSchema = v.object({
  withdrawalId: paymentIdSchema,
  confirmation: withdrawalConfirmationSchema,
});
