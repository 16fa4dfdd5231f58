/** Counts in messages for staff, in English: `1 row`, `2 rows`. The widget's texts have plurals of their own in each language. */

/**
 * A number with its noun.
 *
 * @param noun in the singular, such as `row`, `entry` or `address`
 */
export function counted(count: number | bigint, noun: string): string {
  return `${count} ${BigInt(count) === 1n ? noun : pluralOf(noun)}`;
}

/** The plural of a regular English noun. Its last word changes: `settlement files`. */
function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}
