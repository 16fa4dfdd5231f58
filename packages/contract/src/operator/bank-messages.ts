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
  /** How the file was called when it was imported. @example "statement-2026-01-31.xml" */
  name: v.string(),
  /** `reading`: some of its steps are not applied yet. `set-aside`: all others are applied. `applied`: it has ended. */
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
  /** The place of the step among the steps of its message. @example 3 */
  step: v.number(),
  /** What the transfer becomes by the step. */
  to: v.picklist(['stopped', 'paid', 'declined', 'returned']),
  /** The constraint or the code by which the database refused the step. `earlier-step`: an earlier step of the transfer is set aside. @example "payout_transfer_moves" */
  cause: v.string(),
  setAside: instantSchema,
  /** Who has dismissed the step and who brought it back last. Absent: nobody has dismissed it. */
  broughtBack: v.optional(
    v.object({
      staff: shownStaffSchema,
      at: instantSchema,
      /** Why the step was brought back. @example "the dismissal was meant for another withdrawal" */
      reason: v.string(),
      dismissedBy: shownStaffSchema,
      dismissed: instantSchema,
      /** Why the step was dismissed. @example "the bank has corrected the line in its next statement" */
      dismissalReason: v.string(),
    }),
  ),
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

const reasonSchema = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1),
  v.maxLength(500),
  v.regex(/^[^\p{Cc}]*$/u, 'text without control characters'),
);

export const setAsideParams = v.strictObject({ withdrawalId: paymentIdSchema });
export const endSetAsideSchema = v.pipe(
  v.strictObject({
    /** `retry`: all steps of the transfer are applied now, in their order, or none. `dismiss`: the first step is not applied, and the next one takes its place. */
    decision: v.picklist(['retry', 'dismiss']),
    /** The message of the step that you dismiss. Needed to dismiss. */
    messageId: v.optional(paymentIdSchema),
    /** For the record: what your staff know that the message does not say. Needed to dismiss. @example "the bank has corrected the line in its next statement" */
    reason: v.optional(reasonSchema),
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

const dismissedStepSchema = v.object({
  withdrawalId: paymentIdSchema,
  messageId: paymentIdSchema,
  /** The place of the step among the steps of its message. @example 3 */
  step: v.number(),
  /** What the transfer would have become by the step. */
  to: v.picklist(['stopped', 'paid', 'declined', 'returned']),
  /** The constraint or the code by which the database refused the step. `earlier-step`: an earlier step of the transfer was set aside. @example "payout_transfer_moves" */
  cause: v.string(),
  setAside: instantSchema,
  dismissed: instantSchema,
  /** Who dismissed it. @example "ann" */
  staff: shownStaffSchema,
  /** For the record: what your staff have found out. @example "the bank has corrected the line in its next statement" */
  reason: v.string(),
});
export const dismissedStepPageSchema = pageSchema({
  /** The steps. The one that was set aside last comes first. */
  steps: v.array(dismissedStepSchema),
});
export type DismissedStepPage = v.InferOutput<typeof dismissedStepPageSchema>;
export const dismissedStepQuery = v.strictObject({ ...pageEntries });
export type DismissedStepQuery = v.InferOutput<typeof dismissedStepQuery>;

export const listDismissedSteps = defineEndpoint({
  id: 'list-dismissed-steps',
  method: 'GET',
  path: '/dismissed-steps',
  summary: 'Steps of bank messages that staff have dismissed. Each can be brought back.',
  query: dismissedStepQuery,
  response: dismissedStepPageSchema,
});

export const bringBackSchema = v.strictObject({
  /** The message of the step. */
  messageId: paymentIdSchema,
  /** The place of the step among the steps of its message, as the list has it. @example 3 */
  step: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(2_147_483_647)),
  /** For the record: what your staff have found out. @example "dismissed by mistake" */
  reason: reasonSchema,
  staff: staffSchema,
});

export const bringBackDismissedStep = defineEndpoint({
  id: 'bring-back-dismissed-step',
  method: 'POST',
  path: '/dismissed-steps/{withdrawalId}/bring-back',
  summary:
    'Sets a dismissed step aside again, at its place among the steps of the transfer. End it like every step that is set aside.',
  params: setAsideParams,
  body: bringBackSchema,
  response: v.object({
    /** How many steps of the transfer are set aside now. @example 1 */
    setAside: v.number(),
  }),
  errors: {
    404: '`not-found`: this step of the transfer is not dismissed.',
    409: '`state-conflict`: a message about the transfer is being read. Or the transfer was moved since the dismissal, and the step makes no sense any more: `state` is its state, and `messageId` names the message that moved it last, or `decidedBy` the person. Neither: the cashier moved it.',
  },
});
