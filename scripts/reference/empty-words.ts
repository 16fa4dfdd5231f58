/** Finds descriptions that only repeat the name of their field, such as `reviewId: The id of the review.` */

/** Words that say nothing beside a name. */
const plain = new Set(
  'a an the of its it is this that these in for to by and as or with id name number text code kind list value when why which what'.split(
    ' ',
  ),
);

const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '');

/** Whether a description has no word that the name of its field does not have, besides the thing that the field is of. */
export function isEmptyDescription(name: string, description: string): boolean {
  const known = new Set(wordsOf(name).map(singular));
  // A name such as `id` needs more than the name of its object: a reader sees that it is the id of the bonus.
  const isPlainName = wordsOf(name).every((word) => plain.has(word));
  if (isPlainName && /^The (\w+) of (?:the|a|an) \w+\.$/.exec(description)?.[1] === name) return true;
  return wordsOf(description).every((word) => plain.has(word) || known.has(singular(word)));
}
