/** UPI deep links (NPCI linking specification): every UPI app reads the link, from a tap or a QR code. */

/** The parameters of the intent. */
export interface UpiPayee {
  /** The virtual payment address, such as `shop@bank`. */
  readonly address: string;
  readonly name: string;
  /** Rupees with a decimal point, such as `500.00`. */
  readonly amount: string;
  /** The reference of the payment, up to 35 characters. The provider's report contains it. */
  readonly reference: string;
  /** A note for the payer, up to 80 characters. */
  readonly note?: string;
}

/** Apps that read the same link under their own scheme. */
export const UPI_APPS = [
  { name: 'PhonePe', prefix: 'phonepe://pay' },
  { name: 'Google Pay', prefix: 'tez://upi/pay' },
  { name: 'Paytm', prefix: 'paytmmp://pay' },
] as const;

const ADDRESS = /^[A-Za-z0-9.\-_]{2,256}@[A-Za-z][A-Za-z0-9]{1,63}$/;

/**
 * Writes the payment link.
 * @param prefix the address before the question mark; the default scheme works for every app
 * @throws RangeError for a value that the standard cannot carry
 */
export function upiLink({ address, name, amount, reference, note }: UpiPayee, prefix = 'upi://pay'): string {
  if (!ADDRESS.test(address)) throw new RangeError('Not a virtual payment address');
  if (!/^\d{1,10}\.\d{2}$/.test(amount)) throw new RangeError('UPI requires an amount such as 500.00');
  if (!/^[A-Za-z0-9\-._]{1,35}$/.test(reference))
    throw new RangeError('A UPI reference must have 1 to 35 plain characters');
  if (name.trim() === '') throw new RangeError('UPI requires the name of the payee');
  const entries: [string, string][] = [
    ['pa', address],
    ['pn', name],
    ['am', amount],
    ['cu', 'INR'],
    ['tr', reference],
    ...(note === undefined ? [] : [['tn', note.slice(0, 80)] satisfies [string, string]]),
  ];
  // Apps read a space as %20 and not as a plus. They read the at sign of the address unescaped.
  const query = entries.map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll('%40', '@')}`);
  return `${prefix}?${query.join('&')}`;
}
