/** First code points of the decimal digits, other than ASCII, that people type and paste. */
const ZEROS = [
  0x0660, // Arabic
  0x06f0, // Eastern Arabic (Persian, Urdu)
  0x09e6, // Bengali
  0x0966, // Devanagari
  0x0c66, // Telugu
  0x0e50, // Thai
  0xff10, // full-width digits of East Asian keyboards
];

/** The ASCII digit of a digit character, or undefined for any other character. */
export function asciiDigit(char: string): string | undefined {
  if (char >= '0' && char <= '9' && char.length === 1) return char;
  const code = char.codePointAt(0) ?? 0;
  for (const zero of ZEROS) {
    if (code >= zero && code <= zero + 9) return String(code - zero);
  }
  return undefined;
}

/**
 * Replaces the digits of every script with ASCII digits, because rules and servers read only those. Other characters stay.
 */
export function withAsciiDigits(text: string): string {
  return [...text].map((char) => asciiDigit(char) ?? char).join('');
}

/** Invisible direction marks, which a copied number may contain. */
const DIRECTION_MARK = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
/** Every space, including the no-break spaces (U+00A0, U+202F), and every apostrophe, including U+2019. */
const SPACE_OR_APOSTROPHE = /[\s\u00a0\u202f'\u2018\u2019\u02bc\uff07]/;

/** True for a character that may stand within a number without changing its value (AMT-2). */
export function isIgnored(char: string): boolean {
  return DIRECTION_MARK.test(char) || SPACE_OR_APOSTROPHE.test(char);
}
