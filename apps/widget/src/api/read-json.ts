/**
 * Control characters of the text direction (U+202A to U+202E, U+2066 to U+2069). In a text of the server they could show an
 * amount or an account backwards. JSON has them as they are or as an escape. A backslash of the text itself is matched as a
 * pair, so that what follows it is not taken for an escape.
 */
const turningInJson = /[\u202a-\u202e\u2066-\u2069]|\\(?:\\|u20(?:2[a-e]|6[6-9]))/gi;

/** Removes these characters from JSON. */
export function withoutTurning(json: string): string {
  return json.replace(turningInJson, (found) => (found === '\\\\' ? found : ''));
}

/** Reads the JSON of an answer without these characters. @throws SyntaxError */
export function readJson(text: string): unknown {
  return JSON.parse(withoutTurning(text));
}
