import { asciiDigit } from '../amount/digits.ts';

/** The greatest length of a card number (ISO/IEC 7812). */
const MAX_CARD_DIGITS = 19;
const MIN_CARD_DIGITS = 12;

/** The digits of a card number, typed or pasted in any spacing and script. */
export function cardDigits(text: string): string {
  return [...text]
    .map((char) => asciiDigit(char) ?? '')
    .join('')
    .slice(0, MAX_CARD_DIGITS);
}

/** A card number in groups of four (FORM-8): `4276 3800 1234 5678`. */
export function groupCardNumber(text: string): string {
  return cardDigits(text).replace(/(\d{4})(?=\d)/g, '$1 ');
}

/** Whether a card number has a valid check digit and a possible length (FORM-8; ISO/IEC 7812-1, the Luhn formula). */
export function passesLuhn(text: string): boolean {
  const digits = [...text].map((char) => asciiDigit(char) ?? '').join('');
  if (digits.length < MIN_CARD_DIGITS || digits.length > MAX_CARD_DIGITS) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - index));
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
