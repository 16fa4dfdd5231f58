/** Amounts of the contract as whole minor units, read as strictly as the cashier reads them. */

/**
 * Minor units of a decimal text such as `25.00`.
 *
 * @returns a text: why the cashier cannot use the value
 */
export function minorOf(value: unknown, decimals: number): bigint | string {
  if (typeof value !== 'string') return `it is ${typeof value === 'number' ? 'a number' : typeof value}, not a text`;
  const match = value.length > 40 ? null : /^(0|[1-9]\d*)(?:\.(\d+))?$/.exec(value);
  if (match === null) return `"${value.slice(0, 60)}" is no decimal text such as "25.00"`;
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > decimals) return `"${value}" has more than ${decimals} decimals`;
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** Minor units as the cashier writes them: 2500n with 2 decimals is `25.00`. */
export function textOf(minor: bigint, decimals: number): string {
  const digits = String(minor).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
