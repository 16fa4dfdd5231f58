import { DECLINE_MESSAGE_LENGTH } from '@opencashier/contract/api';

/**
 * Characters that can hide text or turn its direction: direction marks, invisible characters, lone surrogates,
 * private-use characters. The two joiners stay, because Hindi, Persian and Urdu need them.
 */
const UNSAFE = /(?![\u200c\u200d])[\p{Cf}\p{Cs}\p{Co}]/gu;
const CONTROLS_AND_SPACES = /[\p{Cc}\s]+/gu;

/**
 * A provider's message to the user (ERR-4, WD-3), safe to store and show: one line of plain text without direction
 * marks.
 * @returns at most {@link DECLINE_MESSAGE_LENGTH} UTF-16 units; undefined when no letter or digit is left
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
