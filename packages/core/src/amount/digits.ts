/** First code points of the decimal digits that people type and paste beside ASCII's. */
const ZEROS = [
  0x0660, // Arabic
  0x06f0, // Eastern Arabic (Persian, Urdu)
  0x09e6, // Bengali
  0x0966, // Devanagari
  0x0c66, // Telugu
  0x0e50, // Thai
  0xff10, // as wide as East Asian letters
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

/** A text with the digits of every script as rules and servers know them: ASCII's. Everything else stays. */
export function withAsciiDigits(text: string): string {
  return [...text].map((char) => asciiDigit(char) ?? char).join('');
}

/** Invisible marks of direction, which come along with a copied number. */
const DIRECTION_MARK = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
/** Every space, also the no-break ones (U+00A0, U+202F), and every apostrophe (also U+2019). */
const SPACE_OR_APOSTROPHE = /[\s\u00a0\u202f'\u2018\u2019\u02bc\uff07]/;

/** True for characters that may stand within a number and mean nothing (AMT-2). */
export function isIgnored(char: string): boolean {
  return DIRECTION_MARK.test(char) || SPACE_OR_APOSTROPHE.test(char);
}
