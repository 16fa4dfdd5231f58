/** UPI deep links: the payment intent that every UPI app reads, from a tap and from a QR code (NPCI linking specification). */

export interface UpiPayee {
  /** The virtual payment address, such as `shop@bank`. */
  readonly address: string;
  readonly name: string;
  /** Rupees with a dot, such as `500.00`. */
  readonly amount: string;
  /** The payment's own reference, up to 35 characters: it comes back with the money. */
  readonly reference: string;
  /** A note for the payer, up to 80 characters. */
  readonly note?: string;
}

/** The addresses of apps that take the same intent under a scheme of their own. */
export const UPI_APPS = [
  { name: 'PhonePe', prefix: 'phonepe://pay' },
  { name: 'Google Pay', prefix: 'tez://upi/pay' },
  { name: 'Paytm', prefix: 'paytmmp://pay' },
] as const;

const ADDRESS = /^[A-Za-z0-9.\-_]{2,256}@[A-Za-z][A-Za-z0-9]{1,63}$/;

/**
 * Writes the intent.
 * @param prefix the address before the question mark; the default is the scheme that every app shares
 * @throws RangeError for a value that the standard cannot carry
 */
export function upiLink({ address, name, amount, reference, note }: UpiPayee, prefix = 'upi://pay'): string {
  if (!ADDRESS.test(address)) throw new RangeError('Not a virtual payment address');
  if (!/^\d{1,10}\.\d{2}$/.test(amount)) throw new RangeError('UPI wants an amount such as 500.00');
  if (!/^[A-Za-z0-9\-._]{1,35}$/.test(reference)) throw new RangeError('A UPI reference is 1 to 35 plain characters');
  if (name.trim() === '') throw new RangeError('UPI wants the name of the payee');
  const entries: [string, string][] = [
    ['pa', address],
    ['pn', name],
    ['am', amount],
    ['cu', 'INR'],
    ['tr', reference],
    ...(note === undefined ? [] : [['tn', note.slice(0, 80)] satisfies [string, string]]),
  ];
  // Apps read spaces as %20, not as the plus of a form, and the address with its @ as it is.
  const query = entries.map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll('%40', '@')}`);
  return `${prefix}?${query.join('&')}`;
}
