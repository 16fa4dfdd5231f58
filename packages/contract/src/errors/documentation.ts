/** Where the documentation is read, and the section of each error code there. */
import type { ErrorCode } from '../api/error.ts';

/** The published documentation, without a slash at the end. The setting DOCS_URL names another one. */
export const documentationAddress = 'https://opencashier.github.io/opencashier';

/** The anchor of a code's heading, by the rule of Markdown renderers. It stays the same as long as the code does. */
export function errorAnchor(code: ErrorCode): string {
  return code.toLowerCase().replaceAll('.', '');
}

/**
 * The address of what an error code means and what to do.
 *
 * @param documentation the address of the documentation, without a slash at the end
 */
export function errorPage(code: ErrorCode, documentation: string = documentationAddress): string {
  return `${documentation}/errors/#${errorAnchor(code)}`;
}
