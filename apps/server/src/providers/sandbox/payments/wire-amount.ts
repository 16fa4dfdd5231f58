/** Amounts in the sandbox's callbacks: a decimal string, with its currency beside it. */
import { decimalsOf } from '@opencashier/core/money/currencies';
import { parseDecimal, toDecimalString } from '@opencashier/core/money/money';
import * as v from 'valibot';

export const amountSchema = v.object({ value: v.string(), currency: v.string() });
export type WireAmount = v.InferOutput<typeof amountSchema>;

/** @param minor minor units of the currency */
export function writeAmount(minor: bigint, currency: string): WireAmount {
  return { value: toDecimalString(minor, decimalsOf(currency)), currency };
}

/** @returns minor units of the currency. @throws RangeError when the value is not an amount */
export function readAmount({ value, currency }: WireAmount): bigint {
  const parsed = parseDecimal(value, decimalsOf(currency));
  if (!parsed.ok) throw new RangeError(`Not an amount in ${currency}: ${parsed.error}`);
  return parsed.minor;
}
