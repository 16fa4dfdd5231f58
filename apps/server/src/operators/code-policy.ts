/**
 * The withdrawals that an operator wants confirmed by a code (WD-2). The rules are data in the operator's settings, in
 * addition to the catalogue's.
 */
import type { ConfirmationChannel } from '@opencashier/contract/api';
import { codeRuleSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import { minorOf } from './amount-of-currency.ts';
import type { Caller } from './caller.ts';
import { readStoredList } from './stored-list.ts';

const ruleSchema = v.pipe(
  codeRuleSchema,
  v.check(
    ({ from, currency }) => from === undefined || minorOf(from, currency) !== undefined,
    'not an amount of a currency',
  ),
);
export type CodeRule = v.InferOutput<typeof ruleSchema>;

/** Reads `settings.withdrawalCodes` of an operator's row. An invalid entry is left out and reported. */
export function readCodeRules(settings: unknown, onInvalid: (index: number) => void): readonly CodeRule[] {
  return readStoredList(settings, 'withdrawalCodes', ruleSchema, onInvalid);
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
