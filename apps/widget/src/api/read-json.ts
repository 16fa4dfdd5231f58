/**
 * Control characters of the text direction (U+202A to U+202E, U+2066 to U+2069). In a text of the server they could show an
 * amount or an account backwards.
 */
const turning = /[\u202a-\u202e\u2066-\u2069]/g;
/** The same in JSON, also as an escape. A text that only looks like an escape makes the parser check each value. */
const turningInJson = /[\u202a-\u202e\u2066-\u2069]|\\u20(?:2[a-e]|6[6-9])/i;

/** Reads the JSON of an answer or a push without these characters. @throws SyntaxError */
export function readJson(text: string): unknown {
  return turningInJson.test(text) ? JSON.parse(text, withoutTurning) : JSON.parse(text);
}

function withoutTurning(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(turning, '') : value;
}
