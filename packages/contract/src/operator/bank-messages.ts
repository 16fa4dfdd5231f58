/** The messages of banks about payout files: how far each is applied, and the steps that were set aside (WD-2). */
import * as v from 'valibot';
import { instantSchema, paymentIdSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { shownStaffSchema, staffSchema } from './fields.ts';
import { pageEntries, pageSchema } from './paging.ts';

const bankMessageEntrySchema = v.object({
  messageId: paymentIdSchema,
  /** What the file is. */
  kind: v.picklist(['pain.002', 'camt.053', 'camt.054']),
  /** The name of the file. @example "statement-2026-01-31.xml" */
  name: v.string(),
  /** `reading`: some of its steps are not taken yet. `set-aside`: all others are taken. `applied`: it has ended. */
  state: v.picklist(['reading', 'set-aside', 'applied']),
  /** Transfers that the file names. @example 120 */
  found: v.number(),
  /** Transfers that it changes. @example 118 */
  changed: v.number(),
  /** Of these: transfers that have been changed. @example 118 */
  applied: v.number(),
  /** Of these: transfers with a step that is set aside for staff. @example 0 */
  setAside: v.number(),
  /** Of these: transfers with a step that staff have dismissed. @example 0 */
  dismissed: v.number(),
  /** Lines that did not fit. Nothing was changed for them. @example 0 */
  problemCount: v.number(),
  staff: shownStaffSchema,
  imported: instantSchema,
});
export const bankMessagePageSchema = pageSchema({
  /** The messages. The newest comes first. */
  messages: v.array(bankMessageEntrySchema),
});
export type BankMessagePage = v.InferOutput<typeof bankMessagePageSchema>;
export const bankMessageQuery = v.strictObject({ ...pageEntries });
export type BankMessageQuery = v.InferOutput<typeof bankMessageQuery>;

export const listBankMessages = defineEndpoint({
  id: 'list-bank-messages',
  method: 'GET',
  path: '/bank-messages',
  summary: 'The imported messages of banks, the newest first, with how many of their transfers have been changed.',
  query: bankMessageQuery,
  response: bankMessagePageSchema,
});

const setAsideStepSchema = v.object({
  withdrawalId: paymentIdSchema,
  messageId: paymentIdSchema,
  /** What the transfer becomes by the step. */
  to: v.picklist(['stopped', 'paid', 'declined', 'returned']),
  /** The constraint or the code by which the database refused the step. `earlier-step`: an earlier step of the transfer is set aside. @example "payout_transfer_moves" */
  cause: v.string(),
  setAside: instantSchema,
});
export const setAsideStepPageSchema = pageSchema({
  /** The steps, by the ids of their withdrawals. */
  steps: v.array(setAsideStepSchema),
});
export type SetAsideStepPage = v.InferOutput<typeof setAsideStepPageSchema>;
export const setAsideStepQuery = v.strictObject({ ...pageEntries });
export type SetAsideStepQuery = v.InferOutput<typeof setAsideStepQuery>;

export const listSetAsideSteps = defineEndpoint({
  id: 'list-set-aside-steps',
  method: 'GET',
  path: '/set-aside-steps',
  summary: 'Steps of bank messages that the database refused. They wait for staff.',
  query: setAsideStepQuery,
  response: setAsideStepPageSchema,
});

export const setAsideParams = v.strictObject({ withdrawalId: paymentIdSchema });
export const endSetAsideSchema = v.pipe(
  v.strictObject({
    /** `retry`: all steps of the transfer are taken now, in their order, or none. `dismiss`: the first step is never taken, and the next one takes its place. */
    decision: v.picklist(['retry', 'dismiss']),
    /** The message of the step that you dismiss. Needed to dismiss. */
    messageId: v.optional(paymentIdSchema),
    /** Why. Needed to dismiss. @example "the bank has corrected the line in its next statement" */
    reason: v.optional(
      v.pipe(
        v.string(),
        v.trim(),
        v.minLength(1),
        v.maxLength(500),
        v.regex(/^[^\p{Cc}]*$/u, 'text without control characters'),
      ),
    ),
    staff: staffSchema,
  }),
  v.forward(
    v.check(({ decision, reason }) => decision !== 'dismiss' || reason !== undefined, 'Say why.'),
    ['reason'],
  ),
  v.forward(
    v.check(({ decision, messageId }) => decision !== 'dismiss' || messageId !== undefined, 'Name the message.'),
    ['messageId'],
  ),
);

export const endSetAsideSteps = defineEndpoint({
  id: 'end-set-aside-steps',
  method: 'POST',
  path: '/set-aside-steps/{withdrawalId}/end',
  summary: 'Ends steps of a transfer that are set aside.',
  params: setAsideParams,
  body: endSetAsideSchema,
  response: v.object({
    /** How many steps were ended. @example 1 */
    ended: v.number(),
  }),
  errors: {
    404: '`not-found`: no step of this transfer is set aside.',
    409: '`state-conflict`: the database still refuses a step, and `cause` names the constraint or the code. Or the step to dismiss is of another message, and `messageId` names it.',
  },
});
