import type { PhoneCountry } from '@opencashier/contract/api';
import { asciiDigit } from '../amount/digits.ts';

/** E.164: the greatest number of digits, including the prefix. */
const MAX_PHONE_DIGITS = 15;

/**
 * The text of a phone field after an edit (FORM-3): always the prefix, then digits. A plus is blocked.
 * The user cannot delete or overwrite the prefix: an edit that damages the prefix keeps the digits after it.
 * @param previous the text of the field before the edit
 * @param prefix with its plus, such as `+91`
 */
export function typePhone(text: string, previous: string, prefix: string): string {
  return prefix + limit(typedBody(text, previous, prefix), prefix);
}

function typedBody(text: string, previous: string, prefix: string): string {
  if (text.startsWith(prefix)) return digitsOf(text.slice(prefix.length));
  const body = phoneBody(previous, prefix);
  const typed = digitsOf(text);
  // Select all and delete empties the field. Any other deletion that reaches into the prefix is undone.
  if (typed === '') return '';
  if (text.length < previous.length || (body !== '' && typed.endsWith(body))) return body;
  // Autofill or paste replaced the whole text. When the new number has its own prefix, the prefix is removed once.
  const code = digitsOf(prefix);
  const bringsPrefix = text.includes('+') || typed.length > MAX_PHONE_DIGITS - code.length;
  return bringsPrefix && typed.startsWith(code) ? typed.slice(code.length) : typed;
}

function limit(body: string, prefix: string): string {
  return body.slice(0, MAX_PHONE_DIGITS - digitsOf(prefix).length);
}

function digitsOf(text: string): string {
  return [...text].map((char) => asciiDigit(char) ?? '').join('');
}

/** The number after the prefix. The regex rules test this part (FORM-2). */
export function phoneBody(value: string, prefix: string): string {
  return digitsOf(value.startsWith(prefix) ? value.slice(prefix.length) : value);
}

/** The country of a complete number, by the longest matching prefix; undefined when no prefix matches. */
export function countryOfPhone(value: string, countries: readonly PhoneCountry[]): PhoneCountry | undefined {
  return countries
    .filter(({ prefix }) => value.startsWith(prefix))
    .reduce<PhoneCountry | undefined>(
      (best, country) => (best === undefined || country.prefix.length > best.prefix.length ? country : best),
      undefined,
    );
}
