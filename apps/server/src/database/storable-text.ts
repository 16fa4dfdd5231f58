/** Whether the database can keep a text byte for byte: PostgreSQL takes neither NUL nor a lone half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}
