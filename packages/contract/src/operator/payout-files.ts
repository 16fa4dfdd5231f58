/** Payouts that leave in files for a bank, and the answers of the bank (WD-2). */
import * as v from 'valibot';
import { decimalStringSchema, instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { shownCurrencySchema, shownStaffSchema, staffSchema } from './fields.ts';
import { pageEntries, pageSchema } from './paging.ts';

/** `built`: nobody has it. `downloaded`: the bank may have it. `handed`: the bank has it. `rejected`: the bank executes nothing of it. */
const fileStateSchema = v.picklist(['built', 'downloaded', 'handed', 'rejected']);

/** A day. @example "2026-01-31" */
const daySchema = v.string();

/** One person who has downloaded the file. Only somebody who never did can hand it over. */
const fileTakeSchema = v.object({
  staff: shownStaffSchema,
  first: instantSchema,
  last: instantSchema,
  /** How often. @example 1 */
  times: v.number(),
});

export const payoutFileSchema = v.object({
  fileId: paymentIdSchema,
  /** The message id, by which the bank names the file. @example "F019B8A6C000070008A3F0C1D2E3F4A5B" */
  messageId: v.string(),
  /** The connection whose account is debited. */
  connectionId: paymentIdSchema,
  /** The version of the message. */
  version: v.picklist(['pain.001.001.09', 'pain.001.001.03']),
  state: fileStateSchema,
  /** How many payouts the file asks the bank for. @example 120 */
  transfers: v.number(),
  /** Transfers that the bank has not answered for. @example 3 */
  open: v.number(),
  currency: shownCurrencySchema,
  /** The sum of all transfers. */
  total: decimalStringSchema,
  /** The business day on which the bank shall pay. */
  executionDay: daySchema,
  /** Whether the bank shall pay within seconds. */
  isInstant: v.boolean(),
  /** SHA-256 of the content. @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" */
  hash: v.string(),
  built: instantSchema,
  downloadedBy: v.optional(shownStaffSchema),
  handedBy: v.optional(shownStaffSchema),
  /** Everybody who has downloaded it, in the order of the first download. At most 50. */
  takes: v.array(fileTakeSchema),
});
export type PayoutFileView = v.InferOutput<typeof payoutFileSchema>;

export const payoutFilePageSchema = pageSchema({
  /** The files. The newest comes first. */
  files: v.array(payoutFileSchema),
});
export type PayoutFilePage = v.InferOutput<typeof payoutFilePageSchema>;
export const payoutFileQuery = v.strictObject({ state: v.optional(fileStateSchema), ...pageEntries });
export type PayoutFileQuery = v.InferOutput<typeof payoutFileQuery>;
export const payoutFileParams = v.strictObject({ fileId: paymentIdSchema });

export const listPayoutFiles = defineEndpoint({
  id: 'list-payout-files',
  method: 'GET',
  path: '/payout-files',
  summary: 'The files of payouts for banks, the newest first, page by page.',
  query: payoutFileQuery,
  response: payoutFilePageSchema,
});

/** `stopped`: the bank did not pay for a reason that is not the payee’s, and staff decide. */
const transferStateSchema = v.picklist(['queued', 'filed', 'stopped', 'paid', 'declined', 'returned']);

const payoutTransferSchema = v.object({
  withdrawalId: paymentIdSchema,
  /** The end-to-end id, by which statements name the transfer. @example "W9B2E0F4C00004000800000000000000A" */
  reference: v.string(),
  state: transferStateSchema,
  /** The file that may pay it. */
  fileId: v.optional(paymentIdSchema),
  currency: shownCurrencySchema,
  amount: decimalStringSchema,
  /** The code of the bank’s reason. @example "AC04" */
  reason: v.optional(v.string()),
  /** What the payee’s bank said of the name. Absent: nobody was asked. `no-match` is refused before an amount is held. */
  payeeCheck: v.optional(v.picklist(['match', 'close-match', 'no-match', 'not-possible'])),
  changed: instantSchema,
});
export const payoutTransferPageSchema = pageSchema({
  /** The transfers, by the ids of their withdrawals. */
  transfers: v.array(payoutTransferSchema),
});
export type PayoutTransferPage = v.InferOutput<typeof payoutTransferPageSchema>;
export const payoutTransferQuery = v.strictObject({
  state: v.optional(transferStateSchema),
  fileId: v.optional(paymentIdSchema),
  ...pageEntries,
});
export type PayoutTransferQuery = v.InferOutput<typeof payoutTransferQuery>;

export const listPayoutTransfers = defineEndpoint({
  id: 'list-payout-transfers',
  method: 'GET',
  path: '/payout-transfers',
  summary: 'The transfers of withdrawals that leave in files, page by page.',
  query: payoutTransferQuery,
  response: payoutTransferPageSchema,
});

/** Who acts. */
const byStaffSchema = v.strictObject({ staff: staffSchema });

export const downloadPayoutFile = defineEndpoint({
  id: 'download-payout-file',
  method: 'POST',
  path: '/payout-files/{fileId}/download',
  summary: 'Answers the content of a file, and records who has it. From then on the bank may have the file.',
  params: payoutFileParams,
  body: byStaffSchema,
  response: v.object({
    /** The file after the request, with you among those who took it. */
    file: payoutFileSchema,
    /** The content: XML in UTF-8. It names payees and their accounts. @example "<?xml version=\"1.0\" encoding=\"UTF-8\"?>" */
    content: v.string(),
  }),
  errors: {
    404: '`not-found`: no such file.',
    409: '`state-conflict`: the bank has rejected the file, it has ended one of its transfers by an older file, or a step of a bank message about one of them waits.',
  },
});

export const handOverPayoutFile = defineEndpoint({
  id: 'hand-over-payout-file',
  method: 'POST',
  path: '/payout-files/{fileId}/hand-over',
  summary: 'Records that the bank has a file. A person who never downloaded it must say so.',
  params: payoutFileParams,
  body: byStaffSchema,
  response: payoutFileSchema,
  errors: {
    404: '`not-found`: no such file.',
    409: '`state-conflict`: the file was not downloaded, or also by the same person.',
  },
});

export const transferParams = v.strictObject({ withdrawalId: paymentIdSchema });
export const decideTransferSchema = v.strictObject({
  /** `send-again`: the transfer leaves in another file. `decline`: the user gets the amount back. */
  decision: v.picklist(['send-again', 'decline']),
  staff: staffSchema,
});

export const decidePayoutTransfer = defineEndpoint({
  id: 'decide-payout-transfer',
  method: 'POST',
  path: '/payout-transfers/{withdrawalId}/decide',
  summary: 'Ends the stop of a transfer that the bank did not pay for a reason that is not the payee’s.',
  params: transferParams,
  body: decideTransferSchema,
  response: v.object({ state: transferStateSchema }),
  errors: {
    404: '`not-found`: no such transfer.',
    409: '`state-conflict`: the transfer is not stopped, the bank may have paid it, or a step of a bank message about it waits.',
  },
});

const problemSchema = v.object({
  /** The line of the file. @example 17 */
  line: v.number(),
  withdrawalId: v.optional(paymentIdSchema),
  /**
   * `unknown`: no such transfer. `amount`: another amount or currency. `other-file`: about a file that does not pay the transfer any
   * more. `contradiction`: the transfer has ended otherwise.
   */
  problem: v.picklist(['unknown', 'amount', 'other-file', 'contradiction']),
});

export const bankMessageSchema = v.object({
  /** `known`: the same file was imported before, and nothing changed. */
  outcome: v.picklist(['applied', 'known']),
  messageId: paymentIdSchema,
  /** What the file is. */
  kind: v.picklist(['pain.002', 'camt.053', 'camt.054']),
  /** Transfers that the file names. @example 120 */
  found: v.number(),
  /** Transfers that it changes. @example 118 */
  changed: v.number(),
  /** Of these: transfers that are not changed yet, since a part of the file failed. The cashier tries it again. @example 0 */
  left: v.number(),
  /** Of these: transfers with a step that the database refused. Staff end it. @example 0 */
  setAside: v.number(),
  /** Of these: transfers with a step that staff have dismissed. @example 0 */
  dismissed: v.number(),
  /** The first 100 problems. Nothing was changed for them. */
  problems: v.array(problemSchema),
  /** How many problems there are. @example 0 */
  problemCount: v.number(),
});
export type BankMessageView = v.InferOutput<typeof bankMessageSchema>;

export const importBankMessage = defineEndpoint({
  id: 'import-bank-message',
  method: 'POST',
  path: '/bank-messages',
  summary:
    'Imports an answer of a bank (pain.002), a statement (camt.053) or a notification (camt.054), wholly or not at all. The same file again changes nothing.',
  body: v.strictObject({
    /** The name of the file, for your records. @example "statement-2026-01-31.xml" */
    name: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(200),
      v.regex(/^[^\p{Cc}]*$/u, 'text without control characters'),
    ),
    /** The bytes of the file in base64, at most 12 MiB. @example "PD94bWwgdmVyc2lvbj0iMS4wIj8+" */
    content: v.pipe(v.string(), v.base64()),
    staff: staffSchema,
  }),
  response: bankMessageSchema,
  bodyLimitBytes: 17 * 1024 * 1024,
});

export const playPayoutFile = defineEndpoint({
  id: 'play-payout-file',
  method: 'POST',
  path: '/sandbox/payout-files/{fileId}/play',
  summary: 'Only in the sandbox: a bank takes the file, and answers with a status report and a statement.',
  params: payoutFileParams,
  response: v.object({
    /** What the answers changed. */
    messages: v.array(bankMessageSchema),
  }),
  errors: {
    404: '`not-found`: no such file, or the cashier is no sandbox.',
    409: '`state-conflict`: the file was not handed over.',
  },
});
