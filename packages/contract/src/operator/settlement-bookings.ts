/**
 * Bookings of settlements: fees, settlements and differences, which one person proposes and another approves (SRV-1, SRV-2).
 */
import * as v from 'valibot';
import { instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import {
  reasonSchema,
  shownCurrencySchema,
  shownProviderSchema,
  shownStaffSchema,
  signedDecimalSchema,
  staffSchema,
} from './fields.ts';
import { pageEntries, pageSchema } from './paging.ts';

/**
 * What ends a difference: a fee of the provider, a loss or gain of yours, or nothing to book. Of a chain, also `settlement_account`: coins
 * that you moved to a wallet of your own, or back.
 */
const endingAccountSchema = v.picklist(['provider_fee', 'write_off', 'settlement_account', 'none']);

export const bookingSchema = v.object({
  bookingId: paymentIdSchema,
  /** `fees`: what the provider kept of a file. `settlement`: what providers paid to your bank. `mismatch`: a difference. */
  kind: v.picklist(['fees', 'settlement', 'mismatch']),
  /** Whether the second person has decided. */
  state: v.picklist(['proposed', 'approved', 'rejected']),
  provider: shownProviderSchema,
  fileId: paymentIdSchema,
  mismatchId: v.optional(paymentIdSchema),
  /** The account that is booked against the account of the provider. `none`: nothing is booked. */
  account: v.picklist(['provider_fee', 'write_off', 'settlement_account', 'none']),
  currency: shownCurrencySchema,
  /** What the provider owes less by this booking. Negative: it owes more. */
  amount: signedDecimalSchema,
  reason: reasonSchema,
  proposedBy: shownStaffSchema,
  proposed: instantSchema,
  decidedBy: v.optional(shownStaffSchema),
  decided: v.optional(instantSchema),
});
export type BookingView = v.InferOutput<typeof bookingSchema>;

export const bookingPageSchema = pageSchema({
  /** The bookings. The oldest comes first. */
  bookings: v.array(bookingSchema),
});
export type BookingPage = v.InferOutput<typeof bookingPageSchema>;
export const bookingQuery = v.strictObject({
  /** Only bookings in this state. @example "proposed" */
  state: v.optional(v.picklist(['proposed', 'approved', 'rejected'])),
  ...pageEntries,
});
export type BookingQuery = v.InferOutput<typeof bookingQuery>;

export const listSettlementBookings = defineEndpoint({
  id: 'list-settlement-bookings',
  method: 'GET',
  path: '/settlement-bookings',
  summary:
    'Fees, settlements and differences that wait for a second person, or were decided, the oldest first, page by page.',
  query: bookingQuery,
  response: bookingPageSchema,
});

export const resolveMismatchSchema = v.strictObject({
  /** Your idempotency key of this decision. */
  decisionId: paymentIdSchema,
  account: endingAccountSchema,
  /** The member of staff who proposes it. */
  decidedBy: staffSchema,
  reason: reasonSchema,
});
export type ResolveMismatch = v.InferOutput<typeof resolveMismatchSchema>;

export const resolveMismatch = defineEndpoint({
  id: 'resolve-settlement-mismatch',
  method: 'POST',
  path: '/settlement-mismatches/{mismatchId}/resolve',
  summary: 'Proposes how a mismatch ends, once per `decisionId`. Nothing is booked until another person approves it.',
  params: v.object({ mismatchId: paymentIdSchema }),
  body: resolveMismatchSchema,
  response: bookingSchema,
  errors: {
    404: '`not-found`: no such mismatch of this operator.',
    409: '`state-conflict`: the mismatch is not open (`params.state`), or has nothing to book on this account.',
    422: '`idempotency-conflict`: another decision used this key.',
  },
});

export const decideBookingSchema = v.strictObject({
  /** `approve` books it. `reject` books nothing. */
  decision: v.picklist(['approve', 'reject']),
  /** The member of staff who decides. It cannot be the one who proposed it. */
  decidedBy: staffSchema,
});
export type DecideBooking = v.InferOutput<typeof decideBookingSchema>;

export const decideSettlementBooking = defineEndpoint({
  id: 'decide-settlement-booking',
  method: 'POST',
  path: '/settlement-bookings/{bookingId}/decide',
  summary: 'Approves a booking, which writes its journal, or rejects it. A repeat gets the same answer.',
  params: v.object({ bookingId: paymentIdSchema }),
  body: decideBookingSchema,
  response: bookingSchema,
  errors: {
    404: '`not-found`: no such booking of this operator.',
    409: '`state-conflict`: it was decided otherwise, or the same person (or API key, with `differentKeys`) proposed it.',
  },
});
