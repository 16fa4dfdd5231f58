/**
 * The signed webhooks to an operator's backend (SRV-5): one schema per event. The server's outbox, the table in docs/integrate.md and the
 * `webhooks` of the OpenAPI page are derived from these objects.
 *
 * Within a version an event may only get more optional fields. A change that a receiver could misread needs a new version.
 */
import * as v from 'valibot';
import {
  currencySchema,
  decimalStringSchema,
  instantSchema,
  methodNameSchema,
  paymentIdSchema,
} from '../api/scalar.ts';
import { boughtBoxSchema } from '../api/transaction.ts';
import { accountTypes, payoutSchema } from '../api/withdrawal.ts';
import { confirmationChannels } from '../api/withdrawal-confirmation.ts';
import { shownMethodSchema, shownUserSchema, statusSchema } from './fields.ts';
import { reviewReasons } from './states.ts';

/** The version of every schema of this file. */
export const webhookVersion = 1;

const depositEntries = {
  /** The same in every webhook about this deposit. A repeat of a webhook has the same `webhook-id`. */
  depositId: paymentIdSchema,
  userId: shownUserSchema,
  /** The amount that the ledger moved, or else the amount that the user requested. */
  amount: decimalStringSchema,
  /** The currency of `amount`. */
  currency: currencySchema,
  paymentMethod: shownMethodSchema,
  /** @example "failed" */
  status: statusSchema,
  /** The coin box that the deposit buys (SWP-1). */
  box: v.optional(boughtBoxSchema),
  /** The bonus that the user chose with the deposit. Absent: none. @example "welcome" */
  bonusId: v.optional(v.string()),
  /** Why staff must decide. Only in `deposit.under_review`. */
  reason: v.optional(v.picklist(reviewReasons)),
};

const withdrawalEntries = {
  /** The same in every webhook about this withdrawal. Webhooks can arrive in any order. */
  withdrawalId: paymentIdSchema,
  userId: shownUserSchema,
  /** The account that the amount leaves. A failed withdrawal returns it to the same account. */
  accountType: v.picklist(accountTypes),
  /** The amount that leaves the balance, in `currency`. `fee` and `receives` are its two parts. */
  amount: decimalStringSchema,
  /** The part of the amount that the user does not receive. @example "0.50" */
  fee: decimalStringSchema,
  /** The part of the amount that the user receives. @example "24.50" */
  receives: decimalStringSchema,
  /** What the user receives if the payout has another currency, for example for redeemed coins (SWP-2). */
  payout: v.optional(payoutSchema),
  /** The currency of `amount`, `fee` and `receives`. */
  currency: currencySchema,
  paymentMethod: methodNameSchema,
  /** @example "failed" */
  status: statusSchema,
};

/** `data` of the webhooks about a deposit that have no further fields. */
export const depositEventSchema = v.object(depositEntries);
/** `data` of the webhooks about a withdrawal that have no further fields. */
export const withdrawalEventSchema = v.object(withdrawalEntries);

interface WebhookEvent<Data extends v.GenericSchema> {
  /** What happened, and what the operator must do. */
  readonly meaning: string;
  readonly data: Data;
}

/* @__NO_SIDE_EFFECTS__ */
function event<Data extends v.GenericSchema>(meaning: string, data: Data): WebhookEvent<Data> {
  return { meaning, data };
}

/** Every event by its type. New types may be added: acknowledge those that you do not know. */
export const webhookEvents = {
  'deposit.processed': event(
    'The deposit is credited. Add its amount, less `fee` and `paidDebt`; with `box` add those coins instead.',
    v.object({
      ...depositEntries,
      /** The fee that the user pays of the amount, if the method has one. @example "0.50" */
      fee: v.optional(decimalStringSchema),
      /**
       * The bonus money that the deposit earned by the terms that the user chose, in `currency`. "0" if the paid amount is below the
       * minimum of the bonus. Absent: no bonus, or free spins. @example "25.00"
       */
      bonusAmount: v.optional(decimalStringSchema),
      /** The free spins that the deposit earned, in the same way. Absent: no bonus, or bonus money. @example 50 */
      bonusSpins: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
      /** The part of the amount that paid a debt, if the operator's settings let deposits pay debts. @example "5.00" */
      paidDebt: v.optional(decimalStringSchema),
    }),
  ),
  'deposit.declined': event(
    'The payment failed, or its money went back before it was credited. Add nothing.',
    depositEventSchema,
  ),
  'deposit.cancelled': event('The user cancelled the deposit. Add nothing.', depositEventSchema),
  'deposit.expired': event('The user did not pay in time. Add nothing.', depositEventSchema),
  'deposit.under_review': event(
    'Money arrived that no rule can book. Staff decide in the reviews; add nothing until then.',
    v.object({
      ...depositEntries,
      /** The review that staff decide. @example "deposit-9f0c2b1e-5d1c-4c55-9b6b-3d5a0a6b7f01-1" */
      reviewId: v.string(),
    }),
  ),
  'deposit.refunded': event(
    'The payment was refunded to the user. Deduct the amount, less `fee`, if you added it.',
    v.object({
      ...depositEntries,
      /** The fee of the deposit, which the refund returns. */
      fee: v.optional(decimalStringSchema),
    }),
  ),
  'deposit.refund_declined': event(
    'A refund that you requested failed. The user keeps the amount. Nothing to book.',
    v.object({
      ...depositEntries,
      /** The operator's key of the refund. */
      refundId: paymentIdSchema,
    }),
  ),
  'deposit.reversed': event(
    'The provider took back the payment or a part of it (chargeback, refund at the provider). Deduct the amount; a missing part is a debt.',
    depositEventSchema,
  ),
  'deposit.reinstated': event(
    'Money that had left came back (a won dispute, a refund that failed at the bank), and staff credited it. Add the amount, less `paidDebt`.',
    v.object({
      ...depositEntries,
      /** The part of the amount that paid a debt of the user. @example "5.00" */
      paidDebt: v.optional(decimalStringSchema),
    }),
  ),
  'withdrawal.held': event(
    'The user requested a withdrawal. The amount is held and no longer available: deduct it.',
    withdrawalEventSchema,
  ),
  'withdrawal.confirmation_requested': event(
    'A withdrawal needs a code. Send the user `code` by `channel`, and store it nowhere.',
    v.object({
      ...withdrawalEntries,
      /** How to send the code to the user. */
      channel: v.picklist(confirmationChannels),
      /** The user can enter the code until then. */
      expires: instantSchema,
      /** The code to send to the user. The outbox keeps it encrypted, and the sender adds it to the webhook. @example "482913" */
      code: v.optional(v.string()),
    }),
  ),
  'withdrawal.awaiting_approval': event(
    'A withdrawal waits for your staff. Approve or decline it before `expires`.',
    v.object({
      ...withdrawalEntries,
      /** How many members of the staff must approve. @example 1 */
      approvalsNeeded: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2)),
      /** Why it waits: `amount`, its own amount; `day`, the sum of what its user withdrew in 24 hours. */
      because: v.optional(v.picklist(['amount', 'day'])),
      /** If nobody decides by then, the amount goes back to the user. */
      expires: instantSchema,
    }),
  ),
  'withdrawal.submitted': event(
    'The provider has accepted the payout, which is not paid yet. Nothing to book.',
    withdrawalEventSchema,
  ),
  'withdrawal.processed': event(
    'The payout is paid. Nothing to book: you deducted the amount at `withdrawal.held`.',
    withdrawalEventSchema,
  ),
  'withdrawal.declined': event(
    'The payout failed or was not approved. The amount is available again: add it.',
    withdrawalEventSchema,
  ),
  'withdrawal.cancelled': event('The user cancelled. The amount is available again: add it.', withdrawalEventSchema),
  'withdrawal.expired': event(
    'Nobody confirmed or approved in time. The amount is available again: add it.',
    withdrawalEventSchema,
  ),
  'withdrawal.returned': event(
    'A paid payout was returned. The amount is available again: add it.',
    withdrawalEventSchema,
  ),
  'withdrawal.under_review': event(
    'A payout was paid after its hold was released. Staff decide in the reviews; book nothing until then.',
    v.object({
      ...withdrawalEntries,
      /** The review that staff decide. @example "deposit-9f0c2b1e-5d1c-4c55-9b6b-3d5a0a6b7f01-1" */
      reviewId: v.string(),
    }),
  ),
  'withdrawal.settled': event(
    'The review ended. Deduct `charged`.',
    v.object({
      ...withdrawalEntries,
      /** The amount that was deducted from the user's account for the late payout. */
      charged: decimalStringSchema,
    }),
  ),
} as const;

export type WebhookType = keyof typeof webhookEvents;

type DataOf<Type extends WebhookType> = v.InferOutput<(typeof webhookEvents)[Type]['data']>;
type Rest<Type extends WebhookType> = Partial<DataOf<Type>>;

/** `data` of a webhook about a deposit, with the fields of every such event. */
export type DepositWebhookData = v.InferOutput<typeof depositEventSchema> &
  Rest<'deposit.processed'> &
  Rest<'deposit.under_review'> &
  Rest<'deposit.refund_declined'>;

/** `data` of a webhook about a withdrawal, with the fields of every such event. */
export type WithdrawalWebhookData = v.InferOutput<typeof withdrawalEventSchema> &
  Rest<'withdrawal.awaiting_approval'> &
  Rest<'withdrawal.under_review'> &
  Rest<'withdrawal.settled'>;

export type ConfirmationWebhookData = DataOf<'withdrawal.confirmation_requested'>;

/** The body of a webhook as it is sent. */
export function webhookSchemaOf(type: WebhookType) {
  return v.object({ type: v.literal(type), timestamp: instantSchema, data: webhookEvents[type].data });
}
