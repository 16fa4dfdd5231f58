/** The text of a SEPA credit transfer's QR code: EPC069-12, version 002, UTF-8. Banking apps read the transfer from it. */
import { ibanError } from '../fields/iban.ts';

/** The fields of the code. */
export interface SepaPayee {
  readonly name: string;
  readonly iban: string;
  /** Not needed within the European Economic Area. */
  readonly bic?: string;
  /** Euros with a decimal point, such as `12.30`. */
  readonly amount: string;
  /** The reference of the transfer, which identifies the payment. */
  readonly text: string;
  /** The purpose code (AT-44), such as `CHAR`. */
  readonly purpose?: string;
  /** A note for the payer, up to 70 characters. */
  readonly information?: string;
}

const LONGEST_BYTES = 331;

/**
 * Writes the text of the QR code.
 * @throws RangeError for a value that the standard cannot carry
 */
export function epcCode({ name, iban, bic = '', amount, text, purpose = '', information = '' }: SepaPayee): string {
  const account = iban.replaceAll(' ', '').toUpperCase();
  if (ibanError(account, true) !== undefined) throw new RangeError('Not an IBAN of a SEPA country');
  if (bic !== '' && !/^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(bic)) throw new RangeError('Not a BIC');
  if (!/^(?:0|[1-9]\d{0,8})\.\d{2}$/.test(amount) || amount === '0.00') {
    throw new RangeError('SEPA requires an amount from 0.01 to 999999999.99');
  }
  if (purpose !== '' && !/^[A-Z]{1,4}$/.test(purpose)) throw new RangeError('Not a purpose code');
  const payee = oneLine(name, 70);
  const what = [purpose, '', oneLine(text, 140), oneLine(information, 70)];
  const lines = ['BCD', '002', '1', 'SCT', bic, payee, account, `EUR${amount}`, ...what];
  if (payee === '') throw new RangeError('SEPA requires the name of the payee');
  const code = lines.join('\n').trimEnd();
  if (new TextEncoder().encode(code).length > LONGEST_BYTES) throw new RangeError('The code is longer than 331 bytes');
  return code;
}

/** A line break inside a value would shift every following line. */
function oneLine(text: string, longest: number): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  if ([...line].length > longest) throw new RangeError(`A line of the code is longer than ${longest} characters`);
  return line;
}
