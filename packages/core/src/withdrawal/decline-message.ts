import { DECLINE_MESSAGE_LENGTH } from '@opencashier/contract/api';

/**
 * What could hide or turn the words around it: marks of direction, other invisible characters, halves of a pair, private ones. The
 * two joiners stay, since Hindi, Persian and Urdu are not written without them.
 */
const UNSAFE = /(?![\u200c\u200d])[\p{Cf}\p{Cs}\p{Co}]/gu;
const CONTROLS_AND_SPACES = /[\p{Cc}\s]+/gu;

/**
 * A provider's own words for a person (ERR-4, WD-3), safe to be stored and shown: one line of plain text, at most
 * {@link DECLINE_MESSAGE_LENGTH} long, without marks that turn its direction. Undefined where no word is left.
 */
export function declineMessage(words: string | undefined): string | undefined {
  const text = (words ?? '').replace(UNSAFE, '').replace(CONTROLS_AND_SPACES, ' ').trim();
  if (text.length <= DECLINE_MESSAGE_LENGTH) return /[\p{L}\p{N}]/u.test(text) ? text : undefined;
  let kept = '';
  for (const character of text) {
    if (kept.length + character.length >= DECLINE_MESSAGE_LENGTH) break;
    kept += character;
  }
  return declineMessage(`${kept.trimEnd()}…`);
}
