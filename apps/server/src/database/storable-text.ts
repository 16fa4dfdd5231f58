/** Whether the database can store a text byte for byte. PostgreSQL refuses NUL and a lone surrogate. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}
