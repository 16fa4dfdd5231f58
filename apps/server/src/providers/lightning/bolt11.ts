/** The readable part of a Lightning invoice (BOLT 11): its network and its amount. Signature and data are the wallet's business. */

export interface InvoiceHead {
  /** The prefix of the network: `bc` for the main network of Bitcoin, others for test networks. */
  readonly network: 'bc' | 'tb' | 'tbs' | 'bcrt';
  /** In thousandths of a satoshi. Undefined for an invoice that leaves the amount to the payer. */
  readonly amountMsat: bigint | undefined;
}

const MSAT_PER_BTC = 100_000_000_000n;
const divisors: Readonly<Record<string, bigint>> = {
  '': 1n,
  m: 1_000n,
  u: 1_000_000n,
  n: 1_000_000_000n,
  p: 1_000_000_000_000n,
};

/** @returns undefined for a text that is no invoice, and for an amount below a thousandth of a satoshi */
export function readInvoice(text: string): InvoiceHead | undefined {
  const lower = text.toLowerCase();
  // BIP 173 forbids mixed case. The last `1` parts the readable part from the data.
  if (text !== lower && text !== text.toUpperCase()) return undefined;
  const parts = /^ln(bcrt|bc|tbs|tb)(?:([1-9]\d{0,19})([munp]?))?1[02-9ac-hj-np-z]{100,2000}$/.exec(lower);
  const network = parts?.[1] as InvoiceHead['network'] | undefined;
  if (network === undefined) return undefined;
  const [digits, unit = ''] = [parts?.[2], parts?.[3]];
  if (digits === undefined) return { network, amountMsat: undefined };
  const divisor = divisors[unit] ?? 1n;
  const whole = BigInt(digits) * MSAT_PER_BTC;
  return whole % divisor === 0n ? { network, amountMsat: whole / divisor } : undefined;
}
