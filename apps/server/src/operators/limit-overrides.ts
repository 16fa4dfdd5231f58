/** Limits of an operator, or of one of its users, that replace the catalogue's (AMT-3). Data in the operator's settings. */
import { limitOverrideSchema } from '@opencashier/contract/operator';
import type { ServerLimits } from '@opencashier/core/limits/limits';
import * as v from 'valibot';
import type { Caller } from './caller.ts';
import { readStoredList } from './stored-list.ts';

/** As the operator API accepts it. Both limits zero: no override, so the catalogue's limits apply. */
const overrideSchema = v.object(limitOverrideSchema.entries);
export type LimitOverride = v.InferOutput<typeof overrideSchema>;

/** Reads `settings.depositLimits` of an operator's row. An invalid entry is left out and reported. */
export function readLimitOverrides(settings: unknown, onInvalid: (index: number) => void): readonly LimitOverride[] {
  return readStoredList(settings, 'depositLimits', overrideSchema, onInvalid);
}

/** The override for a caller, or `undefined` for the catalogue's limits. */
export type LimitsOf = (caller: Caller, paymentMethod: string, currency: string) => ServerLimits | undefined;

/** A user's override wins over the operator's. */
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
