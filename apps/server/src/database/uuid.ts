import * as v from 'valibot';

const uuidSchema = v.pipe(v.string(), v.uuid());

/**
 * Whether a text is a UUID, in either case and of any version: what schemas accept with `v.uuid()`. A statement with a `uuid`
 * parameter fails for any other text, so texts of strangers are checked before they reach one.
 */
export function isUuid(text: string): boolean {
  return v.is(uuidSchema, text);
}
