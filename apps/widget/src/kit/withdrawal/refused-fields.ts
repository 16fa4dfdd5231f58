/** What the server says about fields of a withdrawal: which, and for a wallet why. */
import type { ClientError } from '../../api/client.ts';
import { refusedNames } from '../session/failure-code.ts';
import type { Texts } from '../session/services.tsx';

/** `words` where the server named a text of its own, such as the network that a wallet's address belongs to. */
export function refusedFields(
  failure: ClientError | undefined,
  texts: Texts,
): { readonly names: readonly string[]; readonly words: string | undefined } {
  const key = failure?.fields[0]?.message;
  const words = key !== undefined && texts.has(key) ? texts.translate(key, failure?.params) : undefined;
  return { names: refusedNames(failure), words };
}
