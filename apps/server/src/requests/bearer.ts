/** The token of an `Authorization: Bearer <token>` header, or `undefined`. */
export function bearerOf(header: string | undefined): string | undefined {
  const match = /^Bearer +(\S+)$/i.exec(header ?? '');
  return match?.[1];
}
