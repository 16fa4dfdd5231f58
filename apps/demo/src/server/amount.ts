/**
 * This site stores amounts as whole numbers of one unit. The unit is fine enough for every currency and coin. So adding needs no
 * table of decimals, and nothing is ever rounded.
 */
export const decimals = 18;
const form = /^(\d{1,30})(?:\.(\d{1,18}))?$/;

/** @returns units of 10⁻¹⁸, or undefined when the text is not a positive decimal number */
export function parseAmount(text: unknown): bigint | undefined {
  const [, whole, fraction = ''] = (typeof text === 'string' && form.exec(text)) || [];
  if (whole === undefined) return undefined;
  const units = BigInt(whole + fraction.padEnd(decimals, '0'));
  return units > 0n ? units : undefined;
}

/** A decimal string with at least two decimals: `25.00`, `0.00012`. */
export function formatAmount(units: bigint): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '').padEnd(2, '0');
  return `${digits.slice(0, -decimals)}.${fraction}`;
}
