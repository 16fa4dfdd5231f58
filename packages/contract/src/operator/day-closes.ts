/** The signed close of a day: what the ledger had at its end, what was compared, and what is open (SRV-1, SRV-2). */
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
  utcDaySchema,
} from './fields.ts';
import { pageEntries, pageSchema } from './paging.ts';
import { mismatchClassSchema } from './settlements.ts';

/** SHA-256 in hexadecimal digits. @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" */
const hashSchema = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, '64 hexadecimal digits'));

const countSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** One kind of account of the ledger. The accounts of all users count together. */
const closedAccountSchema = v.strictObject({
  /** What the account is for, such as what a provider owes you (`provider_clearing`). @example "provider_clearing" */
  account: v.string(),
  /** The provider of the account. Empty: the account of users, or your own. @example "stripe" */
  owner: v.string(),
  currency: shownCurrencySchema,
  /** The balance when the day before was closed. */
  opening: signedDecimalSchema,
  /** What was booked for the day before after its close. */
  late: signedDecimalSchema,
  /** What was booked during the day. */
  moved: signedDecimalSchema,
  /** `opening`, `late` and `moved` together. */
  closing: signedDecimalSchema,
});
export type ClosedAccount = v.InferOutput<typeof closedAccountSchema>;

const closedMovementSchema = v.strictObject({
  provider: shownProviderSchema,
  /** Your connection that took the payments. Absent: the account in the settings of the server. */
  connection: v.optional(paymentIdSchema),
  currency: shownCurrencySchema,
  /** What the journals book, by their kind in the ledger. @example "deposit_credit" */
  kind: v.string(),
  /** The number of journals. @example 120 */
  count: countSchema,
  /** What they changed the account of the provider by. Negative: the provider owes more. */
  amount: signedDecimalSchema,
});

const comparedFilesSchema = v.strictObject({
  provider: shownProviderSchema,
  /** `provider`: settlement files or lists. `bank`: statements. `chain`: readings of balances, which have no lines. */
  source: v.picklist(['provider', 'bank', 'chain']),
  /** How many were compared on this day. @example 1 */
  files: countSchema,
  /** SHA-256 of the sorted SHA-256 of the files. */
  digest: hashSchema,
  /** How many movements of money the files have together. @example 1200 */
  lines: countSchema,
  /** Lines that belong to an entry of the ledger. @example 1198 */
  matched: countSchema,
});

const lateLinesSchema = v.strictObject({
  provider: shownProviderSchema,
  currency: shownCurrencySchema,
  /** Lines for days that were closed before the file came. @example 3 */
  lines: countSchema,
  /** The sum of these lines before fees. */
  amount: signedDecimalSchema,
});

/** How long a mismatch has been open, in whole days. */
export const openAges = ['0-1', '2-7', '8-30', '31+'] as const;

const openMismatchesSchema = v.strictObject({
  provider: shownProviderSchema,
  /** What is wrong. */
  class: mismatchClassSchema,
  /** Days since it was found. */
  age: v.picklist(openAges),
  currency: shownCurrencySchema,
  /** The number of mismatches. @example 2 */
  count: countSchema,
  /** The amounts in the ledger. */
  expected: signedDecimalSchema,
  /** The amounts in the files. */
  found: signedDecimalSchema,
});

const closedFundsSchema = v.strictObject({
  currency: shownCurrencySchema,
  /** As in the statement of player funds. */
  owedToUsers: signedDecimalSchema,
  inReview: signedDecimalSchema,
  bank: signedDecimalSchema,
  inTransit: signedDecimalSchema,
  surplus: signedDecimalSchema,
});
export type ClosedFunds = v.InferOutput<typeof closedFundsSchema>;

export const dayTotalsSchema = v.strictObject({
  /** The version of this form. Its number rises when a field changes. */
  format: v.literal('opencashier-day-close/1'),
  /** The public name of the operator. @example "acme" */
  operator: v.string(),
  /** The day in UTC. @example "2026-01-31" */
  day: utcDaySchema,
  /** What came later is in a later close. */
  asOf: instantSchema,
  /** The hash of the document of the day before. Absent: this is the first day. */
  previous: v.optional(hashSchema),
  /** The accounts of the ledger. */
  accounts: v.array(closedAccountSchema),
  /** What was booked with providers during the day. */
  movements: v.array(closedMovementSchema),
  /** The files that were compared since the close before. */
  files: v.array(comparedFilesSchema),
  /** Lines of these files that belong to days that were closed before. */
  lateLines: v.array(lateLinesSchema),
  /** What does not match and nobody has ended yet. */
  open: v.array(openMismatchesSchema),
  /** What is owed to users, and where the money is, at the end of the day. */
  funds: v.array(closedFundsSchema),
});
export type DayTotals = v.InferOutput<typeof dayTotalsSchema>;

/** What is signed. */
export const closeDocumentSchema = v.strictObject({
  ...dayTotalsSchema.entries,
  closeId: paymentIdSchema,
  proposedBy: shownStaffSchema,
  confirmedBy: shownStaffSchema,
  confirmed: instantSchema,
});
export type CloseDocument = v.InferOutput<typeof closeDocumentSchema>;

/** An Ed25519 key that signs the closes of days. */
export const closeKeySchema = v.object({
  /** SHA-256 of the public key as DER. Compare it with the one that you keep. */
  keyId: hashSchema,
  /** The public key as PEM (SubjectPublicKeyInfo). @example "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA…\n-----END PUBLIC KEY-----\n" */
  publicKey: v.pipe(v.string(), v.maxLength(1_000)),
  since: instantSchema,
});
export type CloseKey = v.InferOutput<typeof closeKeySchema>;

/** A closed day as it is exported: the signed text, byte for byte. */
export const signedCloseSchema = v.object({
  /** The JSON that was signed. Its UTF-8 bytes are hashed and signed, so keep every byte. @example "{\"format\":\"opencashier-day-close/1\"}" */
  document: v.string(),
  /** The Ed25519 signature in base64. @example "c2lnbmF0dXJl" */
  signature: v.pipe(v.string(), v.base64()),
  keyId: hashSchema,
});
export type SignedClose = v.InferOutput<typeof signedCloseSchema>;

const dayCloseEntries = {
  closeId: paymentIdSchema,
  /** The day in UTC. @example "2026-01-31" */
  day: utcDaySchema,
  /** `proposed`: waits for a second person. `closed`: signed, and never changes. */
  state: v.picklist(['proposed', 'closed', 'rejected']),
  proposedBy: shownStaffSchema,
  proposed: instantSchema,
  decidedBy: v.optional(shownStaffSchema),
  decided: v.optional(instantSchema),
  /** SHA-256 of the signed document. The next close has it as `previous`. */
  hash: v.optional(hashSchema),
};

export const listedCloseSchema = v.object(dayCloseEntries);
export type ListedClose = v.InferOutput<typeof listedCloseSchema>;
export const dayCloseSchema = v.object({
  ...dayCloseEntries,
  /** What the second person reads before the confirmation. */
  totals: dayTotalsSchema,
  /** Absent: the day is not closed. */
  signed: v.optional(signedCloseSchema),
});
export type DayCloseView = v.InferOutput<typeof dayCloseSchema>;

export const proposeCloseSchema = v.strictObject({
  /** The day in UTC. It must be over, and follow the last closed day. @example "2026-01-31" */
  day: utcDaySchema,
  /** The member of staff who proposes it. */
  decidedBy: staffSchema,
});
export type ProposeClose = v.InferOutput<typeof proposeCloseSchema>;

export const proposeDayClose = defineEndpoint({
  id: 'propose-day-close',
  method: 'POST',
  path: '/day-closes',
  summary:
    'Computes the totals of a day. The day is closed when another person confirms them. A repeat changes nothing.',
  body: proposeCloseSchema,
  response: dayCloseSchema,
  errors: {
    409: '`state-conflict`: the day is not over, does not follow the last closed day, or another close waits.',
  },
});

export const decideCloseSchema = v.strictObject({
  /** `confirm` signs the totals. `reject` closes nothing. */
  decision: v.picklist(['confirm', 'reject']),
  /** The member of staff who decides. It cannot be the one who proposed it. */
  decidedBy: staffSchema,
  /** Why it is rejected. */
  reason: v.optional(reasonSchema),
});
export type DecideClose = v.InferOutput<typeof decideCloseSchema>;

export const decideDayClose = defineEndpoint({
  id: 'decide-day-close',
  method: 'POST',
  path: '/day-closes/{closeId}/decide',
  summary: 'Confirms the close of a day, which signs it, or rejects it. A repeat gets the same answer.',
  params: v.object({ closeId: paymentIdSchema }),
  body: decideCloseSchema,
  response: dayCloseSchema,
  errors: {
    404: '`not-found`: no such close of this operator.',
    409: '`state-conflict`: it was decided otherwise, or the same person (or API key, with `differentKeys`) proposed it.',
  },
});

export const readDayClose = defineEndpoint({
  id: 'read-day-close',
  method: 'GET',
  path: '/day-closes/{closeId}',
  summary: 'The totals of a day and, once it is closed, the signed document.',
  params: v.object({ closeId: paymentIdSchema }),
  response: dayCloseSchema,
  errors: { 404: '`not-found`: no such close of this operator.' },
});

export const dayClosePageSchema = pageSchema({
  /** The closes. The newest day comes first. */
  closes: v.array(listedCloseSchema),
});
export type DayClosePage = v.InferOutput<typeof dayClosePageSchema>;
export const dayCloseQuery = v.strictObject({
  /** Only closes in this state. @example "closed" */
  state: v.optional(v.picklist(['proposed', 'closed', 'rejected'])),
  ...pageEntries,
});
export type DayCloseQuery = v.InferOutput<typeof dayCloseQuery>;

export const listDayCloses = defineEndpoint({
  id: 'list-day-closes',
  method: 'GET',
  path: '/day-closes',
  summary: 'The closes of days, the newest first, page by page.',
  query: dayCloseQuery,
  response: dayClosePageSchema,
});

export const closeKeyListSchema = v.object({
  /** The keys. The newest comes first, and signs. */
  keys: v.array(closeKeySchema),
});

export const listDayCloseKeys = defineEndpoint({
  id: 'list-day-close-keys',
  method: 'GET',
  path: '/day-close-keys',
  summary: 'The public keys of the closes of days. Keep them outside of the cashier.',
  response: closeKeyListSchema,
});
