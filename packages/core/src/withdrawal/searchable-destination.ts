/** Destinations as they are compared: people write the same account in many ways (SRV-1). */

/** Shorter values say nothing of a destination. */
const MIN_LENGTH = 5;
const LONGEST = 256;

/**
 * What of a typed destination tells it from others: `DE89 3704…` is `de893704…`, `+55 (11) 9…` is `55119…`. An e-mail or a UPI id keeps its
 * signs. Undefined where it is no number and no address, such as a name.
 */
export function searchableDestination(typed: string): string | undefined {
  const text = typed.normalize('NFKC').trim().toLowerCase();
  const value = text.includes('@') ? text.replace(/\s/gu, '') : text.replace(/[^\p{L}\p{N}]/gu, '');
  const isOne = value.includes('@') || /\p{N}/u.test(value);
  return isOne && value.length >= MIN_LENGTH && value.length <= LONGEST ? value : undefined;
}
