/**
 * The destination of a withdrawal, masked: the user can recognise it before confirming, but a reader learns no more
 * (WD-2).
 */

/** A value of the form, by the name of its field; shortened when it is a number or an address. */
export interface DestinationPart {
  readonly name: string;
  readonly value: string;
}

/** An address or an IBAN shows both its ends. */
const LONG = 20;
const LONG_END = 5;
/** Cards, accounts and phones have at least this many digits. */
const MIN_SECRET_DIGITS = 5;
const SHOWN_DIGITS = 4;

/** All values of a destination, masked (WD-2). */
export function maskedDestination(fields: Readonly<Record<string, string>>): DestinationPart[] {
  return Object.entries(fields).map(([name, value]) => ({ name, value: maskedValue(value) }));
}

/** Masks numbers, addresses and e-mails. Names, banks and networks are unchanged. */
export function maskedValue(value: string): string {
  const text = value.trim();
  const at = text.lastIndexOf('@');
  if (at > 0 && !/\s/.test(text)) return `${text.slice(0, 1)}•••${text.slice(at)}`;
  if (text.length >= LONG && !/\s/.test(text)) return `${text.slice(0, LONG_END)}…${text.slice(-LONG_END)}`;
  const characters = text.replace(/[^\p{L}\p{N}]/gu, '');
  const digits = characters.replace(/\P{N}/gu, '').length;
  return digits >= MIN_SECRET_DIGITS ? `•••• ${characters.slice(-SHOWN_DIGITS)}` : text;
}
