/** The Pix BR Code: the EMV QR Code (merchant-presented mode) in the profile of the Central Bank of Brazil. */

/** The fields of the code. */
export interface PixPayee {
  /** The Pix key of the payee: e-mail, phone with country code, CPF, CNPJ or a random UUID. */
  readonly key: string;
  readonly name: string;
  readonly city: string;
  /** A decimal with a decimal point, such as `100.00`. Absent: the payer types the amount. */
  readonly amount?: string;
  /** The reference of the payment: 1 to 25 letters and digits. Absent: `***`, as the profile requires. */
  readonly reference?: string;
}

const PIX_DOMAIN = 'br.gov.bcb.pix';
const REAL = '986';

/**
 * Writes a static Pix code with its checksum.
 * @throws RangeError for a value that the standard cannot carry
 */
export function pixCode({ key, name, city, amount, reference = '***' }: PixPayee): string {
  if (amount !== undefined && !/^\d{1,10}\.\d{2}$/.test(amount))
    throw new RangeError('Pix requires an amount such as 100.00');
  if (!/^(?:[A-Za-z0-9]{1,25}|\*{3})$/.test(reference))
    throw new RangeError('A Pix reference must have 1 to 25 letters or digits');
  const body = [
    field('00', '01'),
    field('26', field('00', PIX_DOMAIN) + field('01', required(key, 77))),
    field('52', '0000'),
    field('53', REAL),
    amount === undefined ? '' : field('54', amount),
    field('58', 'BR'),
    field('59', required(plain(name), 25)),
    field('60', required(plain(city), 15)),
    field('62', field('05', reference)),
    '6304',
  ].join('');
  return body + crc16(body);
}

/**
 * CRC-16/CCITT-FALSE over the bytes of the text, as four upper-case hex digits.
 * Polynomial 1021, initial value FFFF (EMVCo, ISO/IEC 13239).
 */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

/** One data object: two digits of id, two digits of length, and the value. */
function field(id: string, value: string): string {
  if (value.length > 99) throw new RangeError(`Field ${id} of a Pix code is longer than 99 characters`);
  return id + String(value.length).padStart(2, '0') + value;
}

/**
 * Banks read letters beyond ASCII differently. Accents are therefore removed, and characters without a plain form dropped.
 */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .trim();
}

function required(value: string, longest: number): string {
  if (!/^[\x20-\x7e]+$/.test(value)) throw new RangeError('A Pix code requires key, name and city in plain characters');
  if (value.length > longest) throw new RangeError(`A value of a Pix code is longer than ${longest} characters`);
  return value;
}
