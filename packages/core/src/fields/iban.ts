/** IBANs (ISO 13616): the country, its length, the check digits and how they are written. */
import { IBAN_LENGTHS, SEPA_COUNTRIES } from './iban-countries.ts';

const IBAN_KEY = 'form.iban.invalid';
/** The text of the shipped fields' own rule fits: a character is missing or wrong. */
const IBAN_LENGTH_KEY = 'paymentMethods.regex_error.iban';
const IBAN_COUNTRY_KEY = 'form.iban.country';
const IBAN_SEPA_KEY = 'form.iban.sepa';

/** The longest that ISO 13616 allows. */
const LONGEST_IBAN = 34;

const compact = (text: string): string => text.replace(/\s/g, '').toUpperCase();

/**
 * The key of what is wrong with an IBAN, with or without spaces: its country has none, is outside SEPA, writes another length, or
 * the check digits speak against it. Undefined for one that can be right.
 * @param isSepa only accounts that SEPA reaches
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

/** Whether a text is an IBAN of some country, with or without spaces. */
export function isIban(text: string): boolean {
  return ibanError(text) === undefined;
}

/** An IBAN with its check digits, from a country and the account's own number there, both without spaces and in capitals. */
export function ibanOf(country: string, account: string): string {
  const check = 98 - remainder97(`${account}${country}00`);
  return country + String(check).padStart(2, '0') + account;
}

/** An IBAN as it stands on paper, in fours: `DE89 3704 0044 0532 0130 00`. */
export function groupIban(text: string): string {
  const iban = text.replace(/[^A-Za-z0-9]/g, '').slice(0, LONGEST_IBAN);
  return iban.replace(/(.{4})(?=.)/g, '$1 ');
}

/** Letters count from 10 up. */
function remainder97(text: string): number {
  let rest = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}
