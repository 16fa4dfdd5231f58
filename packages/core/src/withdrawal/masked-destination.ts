/** Where a withdrawal goes, as its own user may read it once more before confirming (WD-2): enough to know it by, no more. */

/** A value of the form by its field's name, shortened where it is a number or an address. */
export interface DestinationPart {
  readonly name: string;
  readonly value: string;
}

/** An address or an IBAN is known by both of its ends. */
const LONG = 20;
const LONG_END = 5;
/** A card, an account, a phone. */
const MIN_SECRET_DIGITS = 5;
const SHOWN_DIGITS = 4;

/** @param fields as the server stored them, in the order in which they were asked for */
export function maskedDestination(fields: Readonly<Record<string, string>>): DestinationPart[] {
  return Object.entries(fields).map(([name, value]) => ({ name, value: maskedValue(value) }));
}

/** Names, banks and networks stay as they are; of numbers, addresses and e-mails only what tells them apart. */
export function maskedValue(value: string): string {
  const text = value.trim();
  const at = text.lastIndexOf('@');
  if (at > 0 && !/\s/.test(text)) return `${text.slice(0, 1)}•••${text.slice(at)}`;
  if (text.length >= LONG && !/\s/.test(text)) return `${text.slice(0, LONG_END)}…${text.slice(-LONG_END)}`;
  const characters = text.replace(/[^\p{L}\p{N}]/gu, '');
  const digits = characters.replace(/\P{N}/gu, '').length;
  return digits >= MIN_SECRET_DIGITS ? `•••• ${characters.slice(-SHOWN_DIGITS)}` : text;
}
