/** Destinations in a form to compare: users write the same account in many ways (SRV-1). */

/** Shorter values do not identify a destination. */
const MIN_LENGTH = 5;
const LONGEST = 256;

/**
 * The search value of a typed destination: `DE89 3704…` gives `de893704…`, `+55 (11) 9…` gives `55119…`. An e-mail or
 * a UPI id keeps its punctuation.
 * @returns undefined for a value that is no number and no address, such as a name
 */
export function searchableDestination(typed: string): string | undefined {
  const text = typed.normalize('NFKC').trim().toLowerCase();
  const value = text.includes('@') ? text.replace(/\s/gu, '') : text.replace(/[^\p{L}\p{N}]/gu, '');
  const isOne = value.includes('@') || /\p{N}/u.test(value);
  return isOne && value.length >= MIN_LENGTH && value.length <= LONGEST ? value : undefined;
}
