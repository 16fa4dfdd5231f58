/** Amounts in settings. */
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { parseDecimal } from '@opencashier/core/money/money';

/** Minor units of a decimal string. Undefined without a known currency, and for a text that is no amount of it. */
export function minorOf(amount: string, currency: string | undefined): bigint | undefined {
  if (currency === undefined || !findCurrency(currency)) return undefined;
  const parsed = parseDecimal(amount, decimalsOf(currency));
  return parsed.ok ? parsed.minor : undefined;
}
