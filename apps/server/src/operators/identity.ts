/** The caller of a verified token. Both transports pass it to dispatch. */
import type { Caller } from './caller.ts';

export type Identity =
  | { readonly kind: 'anonymous' }
  /** `expiresAt`: ms since the epoch. From then on the identity is refused, even on an open socket. */
  | { readonly kind: 'user'; readonly caller: Caller; readonly expiresAt: number }
  | { readonly kind: 'refused'; readonly code: 'unauthorized' | 'token-expired' };

/** Verifies a user token. A missing token is `anonymous`. */
export type Identify = (token: string | undefined) => Promise<Identity>;

/** The token of an `Authorization: Bearer <token>` header, or `undefined`. */
export function bearerOf(header: string | undefined): string | undefined {
  const match = /^Bearer +(\S+)$/i.exec(header ?? '');
  return match?.[1];
}
