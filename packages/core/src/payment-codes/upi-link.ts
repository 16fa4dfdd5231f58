/** UPI deep links (NPCI linking specification): every UPI app reads this payment intent, from a tap or a QR code. */

/** The parameters of the intent. */
export interface UpiPayee {
  /** The virtual payment address, such as `shop@bank`. */
  readonly address: string;
  readonly name: string;
  /** Rupees with a dot, such as `500.00`. */
  readonly amount: string;
  /** The reference of the payment, up to 35 characters. The report of the payment repeats it. */
  readonly reference: string;
  /** A note for the payer, up to 80 characters. */
  readonly note?: string;
}

/** Apps that accept the same intent under their own scheme. */
export const UPI_APPS = [
  { name: 'PhonePe', prefix: 'phonepe://pay' },
  { name: 'Google Pay', prefix: 'tez://upi/pay' },
  { name: 'Paytm', prefix: 'paytmmp://pay' },
] as const;

const ADDRESS = /^[A-Za-z0-9.\-_]{2,256}@[A-Za-z][A-Za-z0-9]{1,63}$/;

/**
 * Writes the link.
 * @param prefix the link before the question mark; the default is the scheme that every app supports
 * @throws RangeError for a value that the standard does not allow
 */
export function upiLink({ address, name, amount, reference, note }: UpiPayee, prefix = 'upi://pay'): string {
  if (!ADDRESS.test(address)) throw new RangeError('Not a virtual payment address');
  if (!/^\d{1,10}\.\d{2}$/.test(amount)) throw new RangeError('A UPI amount looks like 500.00');
  if (!/^[A-Za-z0-9\-._]{1,35}$/.test(reference)) throw new RangeError('A UPI reference is 1 to 35 plain characters');
  if (name.trim() === '') throw new RangeError('A UPI link needs the name of the payee');
  const entries: [string, string][] = [
    ['pa', address],
    ['pn', name],
    ['am', amount],
    ['cu', 'INR'],
    ['tr', reference],
    ...(note === undefined ? [] : [['tn', note.slice(0, 80)] satisfies [string, string]]),
  ];
  // Apps expect spaces as %20, not as plus signs, and a literal @ in the address.
  const query = entries.map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll('%40', '@')}`);
  return `${prefix}?${query.join('&')}`;
}
