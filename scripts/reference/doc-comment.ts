/** The text and the tags of a `/** … *\/` comment of the contract. */

export interface Comment {
  /** What the field means. */
  readonly words?: string;
  /** The JSON value of `@example`. */
  readonly example?: unknown;
  /** The name of `@values`: an export of the contract with every allowed value. */
  readonly values?: string;
}

/** Ids of requirements, such as `(SRV-1, §4)`. The reader of the reference does not have them. */
const requirementIds = / ?\((?:(?:[A-Z]{2,5}-\d+|§\d+)(?: '[^']*')?(?:, | and | to )?)+\)/g;

/**
 * @param text the text between the slashes, with its stars
 * @throws Error when an example is not JSON
 */
export function readComment(text: string): Comment {
  const lines = text.split('\n').map((line) => line.replace(/^\s*\*+ ?/, '').trim());
  const [head = '', ...tags] = lines.join(' ').split(/(?:^|\s)@(?=example |values )/);
  const words = head
    .replaceAll(requirementIds, '')
    .replaceAll(/\{@link (\w+)\}/g, '`$1`')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const tagged = Object.fromEntries(tags.map(readTag));
  return { ...(words !== '' && { words }), ...tagged };
}

function readTag(tag: string): [string, unknown] {
  const [name = '', value = ''] = [tag.slice(0, tag.indexOf(' ')), tag.slice(tag.indexOf(' ')).trim()];
  if (name === 'values') return [name, value];
  try {
    return [name, JSON.parse(value)];
  } catch (error) {
    throw new Error(`@example must be JSON, with quotes around a text: ${value}`, { cause: error });
  }
}
