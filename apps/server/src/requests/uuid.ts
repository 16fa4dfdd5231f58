const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text can name a row: PostgreSQL refuses a query by any other text. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
