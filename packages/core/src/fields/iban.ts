/** IBANs (ISO 13616): country, length, check digits and grouping. */
import { IBAN_LENGTHS, SEPA_COUNTRIES } from './iban-countries.ts';

const IBAN_KEY = 'form.iban.invalid';
/** The text of the shipped fields' own rule fits this error: a character is missing or wrong. */
const IBAN_LENGTH_KEY = 'paymentMethods.regex_error.iban';
const IBAN_COUNTRY_KEY = 'form.iban.country';
const IBAN_SEPA_KEY = 'form.iban.sepa';

/** The greatest length that ISO 13616 allows. */
const LONGEST_IBAN = 34;

const compact = (text: string): string => text.replace(/\s/g, '').toUpperCase();

/**
 * The locale key of an IBAN's error, with or without spaces; undefined for a valid IBAN.
 * Errors: a country without IBANs, a country outside SEPA, a wrong length, wrong check digits.
 * @param isSepa accept only accounts that SEPA reaches
 */
export function ibanError(text: string, isSepa = false): string | undefined {
  const iban = compact(text);
  const country = iban.slice(0, 2);
  const length = IBAN_LENGTHS.get(country);
  if (length === undefined) return IBAN_COUNTRY_KEY;
  if (isSepa && !SEPA_COUNTRIES.has(country)) return IBAN_SEPA_KEY;
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]*$/.test(iban)) return IBAN_KEY;
  if (iban.length !== length) return IBAN_LENGTH_KEY;
  return remainder97(iban.slice(4) + iban.slice(0, 4)) === 1 ? undefined : IBAN_KEY;
}

/** Whether a text is an IBAN of any country, with or without spaces. */
export function isIban(text: string): boolean {
  return ibanError(text) === undefined;
}

/**
 * Builds an IBAN with its check digits.
 * @param country the country code, in capitals
 * @param account the national account number, in capitals, without spaces
 */
export function ibanOf(country: string, account: string): string {
  const check = 98 - remainder97(`${account}${country}00`);
  return country + String(check).padStart(2, '0') + account;
}

/** An IBAN as printed on paper, in groups of four: `DE89 3704 0044 0532 0130 00`. */
export function groupIban(text: string): string {
  const iban = text.replace(/[^A-Za-z0-9]/g, '').slice(0, LONGEST_IBAN);
  return iban.replace(/(.{4})(?=.)/g, '$1 ');
}

/** Letters have values from 10 (A) to 35 (Z). */
function remainder97(text: string): number {
  let rest = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}
