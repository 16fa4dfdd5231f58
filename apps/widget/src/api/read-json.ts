/**
 * Characters that turn the direction of the text around them (U+202A to U+202E, U+2066 to U+2069). In a server's text they could
 * show an amount or an account backwards.
 */
const turning = /[\u202a-\u202e\u2066-\u2069]/g;
/** The same as they stand in JSON, where an escape writes them, too. What only looks like an escape costs a look at the values. */
const turningInJson = /[\u202a-\u202e\u2066-\u2069]|\\u20(?:2[a-e]|6[6-9])/i;

/** Reads an answer or a push without them. @throws SyntaxError */
export function readJson(text: string): unknown {
  return turningInJson.test(text) ? JSON.parse(text, withoutTurning) : JSON.parse(text);
}

function withoutTurning(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(turning, '') : value;
}
