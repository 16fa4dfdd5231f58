/**
 * The withdrawals that an operator wants confirmed by a code (WD-2). The rules are data in the operator's settings, in
 * addition to the catalogue's.
 */
import {
  type ConfirmationChannel,
  confirmationChannels,
  currencySchema,
  methodNameSchema,
} from '@opencashier/contract/api';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { parseDecimal } from '@opencashier/core/money/money';
import * as v from 'valibot';
import type { Caller } from './caller.ts';

const ruleSchema = v.pipe(
  v.strictObject({
    channel: v.picklist(confirmationChannels),
    /** Absent: every method. */
    paymentMethod: v.optional(methodNameSchema),
    /** Absent: every currency. */
    currency: v.optional(currencySchema),
    /** The smallest amount that requires a code, in `currency`. */
    from: v.optional(v.string()),
  }),
  v.check(
    ({ from, currency }) => from === undefined || minorOf(from, currency) !== undefined,
    'not an amount of a currency',
  ),
);
export type CodeRule = v.InferOutput<typeof ruleSchema>;

/** Reads `settings.withdrawalCodes` of an operator's row. An invalid entry is left out and reported. */
export function readCodeRules(settings: unknown, onInvalid: (index: number) => void): readonly CodeRule[] {
  const list =
    typeof settings === 'object' && settings !== null && 'withdrawalCodes' in settings && settings.withdrawalCodes;
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry, index) => {
    const parsed = v.safeParse(ruleSchema, entry);
    if (parsed.success) return [parsed.output];
    onInvalid(index);
    return [];
  });
}

/** The withdrawal that a rule is matched against. `amountMinor` is in minor units. */
export interface RequestedWithdrawal {
  readonly paymentMethod: string;
  readonly currency: string;
  readonly amountMinor: bigint;
}

/** How the operator sends the code for a withdrawal. Undefined: no code is required. */
export type CodeChannelOf = (caller: Caller, withdrawal: RequestedWithdrawal) => ConfirmationChannel | undefined;

/** The channel of the first rule that fits. */
export function codeChannelIn(
  rules: readonly CodeRule[],
  { paymentMethod, currency, amountMinor }: RequestedWithdrawal,
): ConfirmationChannel | undefined {
  return rules.find(
    (rule) =>
      (rule.paymentMethod === undefined || rule.paymentMethod === paymentMethod) &&
      (rule.currency === undefined || rule.currency === currency) &&
      (rule.from === undefined || amountMinor >= (minorOf(rule.from, rule.currency) ?? 0n)),
  )?.channel;
}

function minorOf(amount: string, currency: string | undefined): bigint | undefined {
  if (currency === undefined || !findCurrency(currency)) return undefined;
  const parsed = parseDecimal(amount, decimalsOf(currency));
  return parsed.ok ? parsed.minor : undefined;
}
