/**
 * The shapes of what a provider's process answers. It is other people's code, so the cashier checks each answer before it uses it.
 * Of `data` of a create only the texts are checked, as for every provider: the widget reports what is missing.
 */
import { declineCauses, depositDeclineCauses } from '@opencashier/contract/api';
import { type ListAnswer, ListError, type ListQuery, readListAnswer } from '@opencashier/provider-kit';
import * as v from 'valibot';
import { isStorableText } from '../database/storable-text.ts';
import type {
  DepositReport,
  ProviderContinueResult,
  ProviderCreateResult,
  ProviderInputResult,
  ProviderRefundResult,
  VerifiedCallback,
} from '../providers/provider.ts';
import type { ProviderWithdrawResult, WithdrawalReport } from '../providers/withdrawal-provider.ts';

const line = (most: number) => v.pipe(v.string(), v.maxLength(most));
const code = v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/));
const reference = v.pipe(v.string(), v.minLength(1), v.maxLength(500));
const address = line(8_000);
const form = v.object({
  action: address,
  method: v.picklist(['GET', 'POST']),
  fields: v.optional(v.record(v.string(), v.string()), {}),
});
const target = v.union([address, form]);
const failed = v.object({ kind: v.literal('failed'), code });
const unknown = v.object({ kind: v.literal('unknown'), code });
const refusedRefunds = v.optional(v.pipe(v.array(v.pipe(v.string(), v.uuid())), v.maxLength(100)));
/** A card of another shape is left out: the credit never waits for it. */
const card = v.fallback(
  v.optional(v.object({ id: reference, brand: line(50), last4: v.pipe(v.string(), v.regex(/^\d{4}$/)) })),
  undefined,
);

/** 366 days. */
const MOST_LIFETIME_S = 31_622_400;

const createResult = v.variant('kind', [
  v.object({
    kind: v.literal('created'),
    providerRef: reference,
    source: v.optional(target),
    data: v.optional(v.nullable(v.record(v.string(), v.unknown()))),
    pageId: v.optional(line(100)),
    pageType: v.optional(line(100)),
    lifetimeSeconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_LIFETIME_S))),
  }),
  v.object({
    kind: v.literal('declined'),
    code,
    message: v.optional(line(300)),
    cause: v.optional(v.picklist(depositDeclineCauses)),
  }),
  failed,
  unknown,
]);

const amount = v.pipe(v.bigint(), v.minValue(0n));
const shared = {
  providerRef: reference,
  paidMinor: v.optional(amount),
  currency: v.optional(line(20)),
  reason: v.optional(line(1_000)),
  eventId: reference,
  at: v.pipe(v.string(), v.isoTimestamp()),
};
const report = v.object({
  ...shared,
  outcome: v.picklist(['pending', 'vanished', 'paid', 'declined', 'expired', 'cancelled', 'reversed', 'returned']),
  depositId: v.optional(reference),
  operatorId: v.optional(reference),
  card,
  unassigned: v.optional(v.object({ operator: v.optional(line(100)) })),
  asked: v.optional(v.object({ minor: amount, currency: line(20) })),
  part: v.optional(reference),
  contradiction: v.optional(code),
  refundId: v.optional(reference),
  cause: v.optional(v.picklist(depositDeclineCauses)),
  remoteStatus: v.optional(line(100)),
  chain: v.optional(
    v.object({
      txid: reference,
      blockchain: line(100),
      cryptoCurrency: line(20),
      confirmations: v.number(),
      requiredConfirmations: v.number(),
    }),
  ),
});
const withdrawalReport = v.object({
  ...shared,
  providerRef: v.optional(reference),
  withdrawalId: v.optional(reference),
  outcome: v.picklist(['pending', 'paid', 'declined', 'returned']),
  refusedRefunds,
  refundId: v.optional(reference),
  cause: v.optional(v.picklist(declineCauses)),
  message: v.optional(line(300)),
});

const refundResult = v.variant('kind', [
  v.object({ kind: v.literal('accepted'), isDone: v.boolean() }),
  v.object({ kind: v.literal('declined'), code }),
  unknown,
]);
const withdrawResult = v.variant('kind', [
  v.object({ kind: v.literal('accepted'), providerRef: reference }),
  v.object({
    kind: v.literal('declined'),
    code,
    message: v.optional(line(300)),
    cause: v.optional(v.picklist(declineCauses)),
  }),
  failed,
  v.object({ ...unknown.entries, refusedRefunds }),
]);
const inputResult = v.variant('kind', [
  v.object({ kind: v.literal('taken') }),
  v.object({ kind: v.literal('refused'), fields: v.array(line(100)) }),
]);
const verified = v.variant('kind', [
  v.object({ kind: v.literal('verified'), messageId: reference }),
  v.object({ kind: v.literal('rejected'), reason: code }),
]);
const continued = v.union([v.object({ redirect: target }), v.object({ error: code })]);

/** The answer has another shape than the interface says. The message names the place, and never the value. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

function check<Schema extends v.GenericSchema>(schema: Schema, method: string, value: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const place = v.getDotPath(result.issues[0]) ?? 'the top';
  throw new MalformedAnswer(`The answer of ${method} is wrong at ${place}`);
}

/**
 * A created payment is stored in the same step. A text that the database refuses would leave its outcome unmarked until an inquiry. The
 * texts of reports are cleaned where they are stored, so that none of them keeps a payment from its credit.
 */
function created(value: unknown): ProviderCreateResult {
  const result = check(createResult, 'create', value);
  if (result.kind === 'created') {
    for (const [place, part] of Object.entries(result)) {
      if (!hasStorableTexts(part))
        throw new MalformedAnswer(`The answer of create has a text that cannot be stored at ${place}`);
    }
  }
  return result as ProviderCreateResult;
}

/** Also false for what is nested too deep to be written as JSON. */
function hasStorableTexts(part: unknown): boolean {
  let isStorable = true;
  try {
    JSON.stringify(part, (name, value: unknown) => {
      isStorable &&= isStorableText(name) && (typeof value !== 'string' || isStorableText(value));
      return value;
    });
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
  return isStorable;
}

/** A page is checked by the kit's own rules, which authors of packages test by. */
function listed(value: unknown, asked: Pick<ListQuery, 'from' | 'to' | 'cursor'>): ListAnswer {
  try {
    return readListAnswer(value, asked);
  } catch (error) {
    if (error instanceof ListError) throw new MalformedAnswer(`The answer of list is wrong: ${error.message}`);
    throw error;
  }
}

/** A report carries the name of its provider, whatever the process wrote there: no package speaks for another. */
function named<Report extends object>(provider: string, value: Report | undefined) {
  return value && { ...value, provider };
}

/** Reads answers. Each function throws {@link MalformedAnswer}. @param provider its name, for reports */
export function answersOf(provider: string) {
  const maybe = v.optional(report);
  const maybeOut = v.optional(withdrawalReport);
  return {
    create: created,
    report: (value: unknown) => named(provider, check(maybe, 'the report', value)) as DepositReport | undefined,
    withdrawalReport: (value: unknown) =>
      named(provider, check(maybeOut, 'the report', value)) as WithdrawalReport | undefined,
    refund: (value: unknown) => check(refundResult, 'refund', value) as ProviderRefundResult,
    withdraw: (value: unknown) => check(withdrawResult, 'withdraw', value) as ProviderWithdrawResult,
    inputs: (value: unknown) => check(inputResult, 'takeInputs', value) as ProviderInputResult,
    continued: (value: unknown) => check(continued, 'continue', value) as ProviderContinueResult,
    list: listed,
    verified: (value: unknown) => check(verified, 'verify', value) as VerifiedCallback,
  };
}
