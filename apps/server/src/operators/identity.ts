/** Who a token says is calling, after it has been verified; both transports hand it to dispatch. */
import type { Caller } from './caller.ts';

export type Identity =
  | { readonly kind: 'anonymous' }
  /** `expiresAt`: ms since epoch; from then on the identity is refused, also on a socket that stays open. */
  | { readonly kind: 'user'; readonly caller: Caller; readonly expiresAt: number }
  | { readonly kind: 'refused'; readonly code: 'unauthorized' | 'token-expired' };

/** Verifies the token of a user; no token at all is `anonymous`. */
export type Identify = (token: string | undefined) => Promise<Identity>;

/** The token of an `Authorization: Bearer <token>` header, or `undefined`. */
export function bearerOf(header: string | undefined): string | undefined {
  const match = /^Bearer +(\S+)$/i.exec(header ?? '');
  return match?.[1];
}
