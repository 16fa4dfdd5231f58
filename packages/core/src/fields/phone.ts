import type { PhoneCountry } from '@opencashier/contract/api';
import { asciiDigit } from '../amount/digits.ts';

/** E.164: no number is longer, its prefix included. */
const MAX_PHONE_DIGITS = 15;

/**
 * The text of a phone field after an edit (FORM-3): always the prefix, then digits alone. The prefix can be neither deleted
 * nor typed over: an edit that damages it keeps the digits behind it. A plus is blocked.
 * @param previous what the field showed before the edit
 * @param prefix with its plus, such as `+91`
 */
export function typePhone(text: string, previous: string, prefix: string): string {
  return prefix + limit(typedBody(text, previous, prefix), prefix);
}

function typedBody(text: string, previous: string, prefix: string): string {
  if (text.startsWith(prefix)) return digitsOf(text.slice(prefix.length));
  const body = phoneBody(previous, prefix);
  const typed = digitsOf(text);
  // Selecting all and deleting empties the field; any other deletion that reaches into the prefix is undone.
  if (typed === '') return '';
  if (text.length < previous.length || (body !== '' && typed.endsWith(body))) return body;
  // Everything was replaced at once (autofill, paste): a number that brings its own prefix loses it once.
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

/** The number behind the prefix: what rules are tested on (FORM-2). */
export function phoneBody(value: string, prefix: string): string {
  return digitsOf(value.startsWith(prefix) ? value.slice(prefix.length) : value);
}

/** The country of a number that is already complete, by the longest prefix that fits; undefined when none does. */
export function countryOfPhone(value: string, countries: readonly PhoneCountry[]): PhoneCountry | undefined {
  return countries
    .filter(({ prefix }) => value.startsWith(prefix))
    .reduce<PhoneCountry | undefined>(
      (best, country) => (best === undefined || country.prefix.length > best.prefix.length ? country : best),
      undefined,
    );
}
