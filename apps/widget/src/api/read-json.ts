/**
 * Characters that turn the direction of the text around them (U+202A to U+202E, U+2066 to U+2069), as they are and as JSON writes
 * them. In a server's text they could show an amount or an account backwards.
 */
const turning = /[\u202a-\u202e\u2066-\u2069]|\\u20(?:2[a-e]|6[6-9])/gi;

/** Reads an answer or a push without them. @throws SyntaxError */
export function readJson(text: string): unknown {
  return JSON.parse(text.replace(turning, ''));
}
