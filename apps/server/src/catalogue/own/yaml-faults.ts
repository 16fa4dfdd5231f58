/** What the parser of YAML says about a file, with what the writer of the file can do. */
import type { ErrorCode } from 'yaml';

const quoteIt =
  'Put a text that has `: ` or begins with a sign such as @ or % into quotes, and close each bracket and quote.';

/** By the parser's code. Codes that only unusual files have share the last remedy. */
const remedies: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: 'Put a text that begins with * into quotes, or name an anchor (&) that stands above.',
  BAD_DQ_ESCAPE: 'Use single quotes, or write each backslash twice.',
  BAD_INDENT: 'Close each bracket, and indent the line with spaces, as much as the other lines of its level.',
  BAD_SCALAR_START: quoteIt,
  BLOCK_AS_IMPLICIT_KEY: quoteIt,
  BLOCK_IN_FLOW: 'Put a text that has `: ` into quotes, or close the bracket before the next key.',
  DUPLICATE_KEY: 'Keep one of the two keys.',
  MISSING_CHAR: 'Add the character that is missing: the colon after a key, a comma, a quote or a closing bracket.',
  MULTILINE_IMPLICIT_KEY: 'Put a colon after the key, or close the quote of the line above.',
  MULTIPLE_DOCS: 'Remove the lines `---`: the file is one document.',
  TAB_AS_INDENT: 'Replace the tab by spaces.',
  TAG_RESOLVE_FAILED: 'Put a text that begins with ! into quotes.',
  UNEXPECTED_TOKEN: quoteIt,
};
const compare = 'Compare the line with a file that the command `export` prints.';

/** More of a line would hide the message. */
const mostCharacters = 60;

/**
 * One message for the person who wrote the file: the line as it stands, what is wrong, and what to do.
 * @param line counted from one
 */
export function yamlFaultWords(text: string, line: number, code: ErrorCode, message: string): string {
  const whole = text.split('\n')[line - 1]?.trim() ?? '';
  const shown = whole.length > mostCharacters ? `${whole.slice(0, mostCharacters)}…` : whole;
  const where = shown === '' ? `Line ${line}` : `Line ${line} (\`${shown}\`)`;
  return `${where} is no valid YAML: ${message.replace(/\.$/, '')}. ${remedies[code] ?? compare}`;
}
