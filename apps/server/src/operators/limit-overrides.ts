/** Limits of an operator, or of one of its users, instead of the catalogue's (AMT-3): data in the operator's settings. */
import { currencySchema, decimalStringSchema, methodNameSchema } from '@opencashier/contract/api';
import type { ServerLimits } from '@opencashier/core/limits/limits';
import * as v from 'valibot';
import type { Caller } from './caller.ts';

const overrideSchema = v.object({
  paymentMethod: methodNameSchema,
  currency: currencySchema,
  /** Absent: for all users of the operator. */
  userId: v.optional(v.string()),
  /** Zero: no bound. Both zero: no override, the catalogue's limits count. */
  min: decimalStringSchema,
  max: decimalStringSchema,
});
export type LimitOverride = v.InferOutput<typeof overrideSchema>;

/** `settings.depositLimits` of an operator's row; an entry of a wrong shape is left out and told. */
export function readLimitOverrides(settings: unknown, onBad: (index: number) => void): readonly LimitOverride[] {
  const list =
    typeof settings === 'object' && settings !== null && 'depositLimits' in settings && settings.depositLimits;
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry, index) => {
    const parsed = v.safeParse(overrideSchema, entry);
    if (parsed.success) return [parsed.output];
    onBad(index);
    return [];
  });
}

/** The override that counts for a caller, or `undefined`: the catalogue's limits. */
export type LimitsOf = (caller: Caller, paymentMethod: string, currency: string) => ServerLimits | undefined;

/** What is said of a user counts before what is said of all. */
export function limitsOf(
  overrides: readonly LimitOverride[],
  userId: string,
  paymentMethod: string,
  currency: string,
): ServerLimits | undefined {
  const fitting = overrides.filter((entry) => entry.paymentMethod === paymentMethod && entry.currency === currency);
  const found = fitting.find((entry) => entry.userId === userId) ?? fitting.find((entry) => entry.userId === undefined);
  return found && { min: found.min, max: found.max };
}
