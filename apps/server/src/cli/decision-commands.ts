/** Commands by which people decide about their users' money: reviews, withdrawals that wait, and which of them do (SRV-1). */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { currencySchema, decimalStringSchema, paymentIdSchema } from '@opencashier/contract/api';
import * as v from 'valibot';
import type { Database } from '../database/database.ts';
import {
  type ApprovalSettingsView,
  type AwaitingPage,
  approveRequestSchema,
  awaitingQuerySchema,
  declineRequestSchema,
} from '../operators/approval-schemas.ts';
import { approvalSettingsOf, awaitingPage, changeApprovalSettings } from '../operators/operator-approvals.ts';
import { resolveReviewOnce, reviewPage } from '../operators/operator-reviews.ts';
import { type Review, resolveRequestSchema, reviewQuerySchema } from '../operators/review-schemas.ts';
import { transactionView } from '../payments/deposit-row.ts';
import { resolveReview } from '../payments/resolve-review.ts';
import { settleLateWithdrawal } from '../payments/withdrawals/late-withdrawal.ts';
import { recordWithdrawalDecision } from '../payments/withdrawals/withdrawal-decision.ts';
import { type Command, type Output, UsageError } from './command.ts';
import { operatorIdOf, operatorList, print, type Row, readOptions } from './listing.ts';
import { onlyPositional } from './operator-commands.ts';

const text = { type: 'string' } as const;
const pageOptions = { limit: text, cursor: text, json: { type: 'boolean' } } as const;
const theOperator = 'the public name of the operator';

/** `reviews list <operator>`, `reviews resolve <operator> <review> <decision> --by <name>`. */
export const reviewsCommand: Command = (asked) => {
  const [what = 'list', ...args] = asked.args;
  if (what === 'list') return listReviews({ ...asked, args });
  if (what === 'resolve') return resolveOneReview({ ...asked, args });
  throw new UsageError('List reviews, or resolve one.');
};

const listReviews = operatorList({
  query: reviewQuerySchema,
  page: reviewPage,
  rowsOf: ({ reviews }) => reviews.map(reviewRow),
});

function reviewRow(review: Review): Row {
  return {
    review: review.reviewId,
    user: review.userId,
    reason: review.reason,
    asked: `${review.amount} ${review.currency}`,
    suspense: review.suspense.map(({ amount, currency }) => `${amount} ${currency}`).join(', '),
    method: review.paymentMethod,
    since: review.since,
    decisions: review.decisions.join(' '),
  };
}

const resolveOneReview: Command = ({ args, output }) => {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: { by: text } });
  const [partnerKey, reviewId, decision, ...more] = positionals;
  if (partnerKey === undefined || reviewId === undefined || decision === undefined || more.length > 0) {
    throw new UsageError('Give the operator, the review and the decision, as `reviews list` names them.');
  }
  const wanted = readOptions(resolveRequestSchema, { decision, staff: values.by });
  return async (database) => {
    const operatorId = await operatorIdOf(database, partnerKey);
    const made = await resolveReviewOnce(database, deciderOf(database), operatorId, reviewId, wanted);
    output.out(`${made.reviewId}: ${made.decision}, by ${made.staff} at ${made.decided}.`);
    return 0;
  };
};

/** Whom it concerns is told by the running cashier: pushes and web-hooks are rows by then. */
function deciderOf(database: Database): Parameters<typeof resolveReviewOnce>[1] {
  const here = { database, onChange: () => undefined };
  return {
    resolveReview: async (id, decision, staff, nth) =>
      transactionView(await resolveReview(here, id, decision, staff, nth)),
    settleLateWithdrawal: (id, decision, staff) => settleLateWithdrawal(here, id, decision, staff),
  };
}

/** `withdrawals awaiting <operator>`, `withdrawals approve|decline <operator> <withdrawal> --by <name> [--reason …]`. */
export const withdrawalsCommand: Command = (asked) => {
  const [what = '', ...args] = asked.args;
  if (what === 'awaiting') return listAwaiting({ ...asked, args });
  if (what === 'approve' || what === 'decline') return decide(what, args, asked.output);
  throw new UsageError('List withdrawals that are awaiting approval, approve or decline one.');
};

const listAwaiting: Command = ({ args, output }) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { user: text, currency: text, method: text, from: text, to: text, ...pageOptions },
  });
  const partnerKey = onlyPositional(positionals, theOperator);
  const { json = false, user: userId, method: paymentMethod, ...others } = values;
  const query = readOptions(awaitingQuerySchema, {
    awaiting: 'approval',
    ...others,
    ...(userId !== undefined && { userId }),
    ...(paymentMethod !== undefined && { paymentMethod }),
  });
  return async (database) => {
    const { withdrawals, nextCursor } = await awaitingPage(database, await operatorIdOf(database, partnerKey), query);
    print(output, withdrawals.map(awaitingRow), json, nextCursor);
    return 0;
  };
};

function awaitingRow(one: AwaitingPage['withdrawals'][number]): Row {
  return {
    withdrawal: one.withdrawalId,
    user: one.userId,
    amount: one.amount,
    currency: one.currency,
    method: one.paymentMethod,
    to: one.destination.map(({ value }) => value).join(', '),
    approved: `${one.approvals.length} of ${one.approvalsNeeded}`,
    because: one.because,
    by: one.approvals.map(({ decidedBy }) => decidedBy).join(', ') || undefined,
    since: one.since,
    expires: one.expires,
  };
}

function decide(decision: 'approve' | 'decline', args: readonly string[], output: Output): ReturnType<Command> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { by: text, reason: text },
  });
  const [partnerKey, withdrawalId, ...more] = positionals;
  if (partnerKey === undefined || !v.is(paymentIdSchema, withdrawalId) || more.length > 0) {
    throw new UsageError('Give the operator and the id of a withdrawal, from `withdrawals awaiting`.');
  }
  const { by: decidedBy, reason } = values;
  const schema = decision === 'approve' ? approveRequestSchema : declineRequestSchema;
  const asked = readOptions(schema, {
    decisionId: randomUUID(),
    decidedBy,
    ...(reason !== undefined && { reason }),
  });
  return async (database) => {
    const operatorId = await operatorIdOf(database, partnerKey);
    const { row, isLast } = await recordWithdrawalDecision(
      { database },
      { operatorId, withdrawalId, decision, ...asked },
    );
    if (decision === 'decline') output.out('Declined: the amount is back on the user’s balance.');
    else if (isLast) output.out('Approved: the running cashier hands it to the provider.');
    else output.out(`Approved by one of ${row.approvalsNeeded}: somebody else must approve it too.`);
    return 0;
  };
}

/** `approvals <operator>`, `approvals set <operator> …`. */
export const approvalsCommand: Command = ({ args, ...asked }) =>
  args[0] === 'set' ? setApprovals({ ...asked, args: args.slice(1) }) : showApprovals({ ...asked, args });

const showApprovals: Command = ({ args, output }) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { json: { type: 'boolean' } },
  });
  const partnerKey = onlyPositional(positionals, theOperator);
  return async (database) => {
    const settings = await approvalSettingsOf(database, await operatorIdOf(database, partnerKey));
    printSettings(output, settings, values.json);
    return 0;
  };
};

const setApprovals: Command = ({ args, output }) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { currency: text, above: text, 'second-above': text, day: text, none: { type: 'boolean' }, hours: text },
  });
  const partnerKey = onlyPositional(positionals, theOperator);
  const change = changeOf(values);
  return async (database) => {
    printSettings(output, await changeApprovalSettings(database, await operatorIdOf(database, partnerKey), change));
    return 0;
  };
};

function printSettings(output: Output, { thresholds, approvalHours }: ApprovalSettingsView, isJson = false): void {
  // The hours stand in the rows of the thresholds: without a row they would be set and never said.
  if (thresholds.length === 0 && !isJson) {
    output.out(`Thresholds: none. Hours: ${approvalHours}.`);
    return;
  }
  const rows = thresholds.map((one) => ({
    currency: one.currency,
    above: one.approvalThreshold,
    'second above': one.secondApprovalThreshold,
    'in a day': one.dailyThreshold,
    hours: approvalHours,
  }));
  print(output, rows, isJson);
}

const hoursSchema = v.pipe(v.string(), v.regex(/^\d{1,4}$/), v.transform(Number), v.minValue(1), v.maxValue(8760));
const setSchema = v.strictObject({
  currency: v.optional(currencySchema),
  above: v.optional(decimalStringSchema),
  'second-above': v.optional(decimalStringSchema),
  day: v.optional(decimalStringSchema),
  none: v.optional(v.boolean()),
  hours: v.optional(hoursSchema),
});

/** @throws UsageError */
function changeOf(options: object): (known: ApprovalSettingsView) => ApprovalSettingsView {
  const { currency, above, 'second-above': second, day, none, hours } = readOptions(setSchema, options);
  if (currency === undefined && hours === undefined)
    throw new UsageError('Give --currency with what is to count, or --hours.');
  const isWanted = above !== undefined || day !== undefined;
  if ((currency === undefined) !== (!isWanted && none !== true) || (isWanted && none === true)) {
    throw new UsageError('Give --currency with --above (0: all need approval), --day or both, or with --none.');
  }
  if (second !== undefined && above === undefined) throw new UsageError('--second-above needs --above.');
  return ({ thresholds, approvalHours }) => ({
    approvalHours: hours ?? approvalHours,
    thresholds: [
      ...thresholds.filter((known) => known.currency !== currency),
      ...(currency === undefined || !isWanted
        ? []
        : [
            {
              currency,
              ...(above !== undefined && { approvalThreshold: above }),
              ...(second !== undefined && { secondApprovalThreshold: second }),
              ...(day !== undefined && { dailyThreshold: day }),
            },
          ]),
    ],
  });
}
