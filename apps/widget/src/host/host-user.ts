/** Whose widget this is, as far as the host's messages tell (HOST-11). The server decides by the token; this only compares. */
import type { HostPayload } from '@opencashier/contract/host';

export interface HostUser {
  readonly userId: string | undefined;
  /** The subject inside the token, where the token is a JWT. */
  readonly subject: string | undefined;
}

export function hostUserOf(payload: Pick<HostPayload, 'userId' | 'token'>): HostUser {
  return { userId: payload.userId || undefined, subject: tokenClaims(payload.token)?.sub };
}

/**
 * Whether a later message speaks for the user we started with. A message that names nobody we could compare with is
 * refused: showing one person's payments under another's token would be worse than asking for a reload.
 */
export function isSameUser(first: HostUser, later: HostUser): boolean {
  if (differ(first.userId, later.userId) || differ(first.subject, later.subject)) return false;
  const known = [first.userId, first.subject].filter((id) => id !== undefined);
  if (known.length === 0) return true;
  return known.some((id) => id === later.userId || id === later.subject);
}

function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/** The readable part of a JWT that we use, or `undefined` for any other token. Nothing is verified: the server does that. */
export function tokenClaims(token: string | undefined): { sub?: string; currency?: string } | undefined {
  const body = token?.split('.')[1];
  if (token === undefined || body === undefined || token.split('.').length !== 3) return undefined;
  try {
    const bytes = Uint8Array.from(atob(body.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof claims !== 'object' || claims === null) return undefined;
    const { sub, currency } = claims as Record<string, unknown>;
    return {
      ...(typeof sub === 'string' && sub !== '' && { sub }),
      ...(typeof currency === 'string' && { currency }),
    };
  } catch {
    // Not base64url or not JSON: an opaque token, whose user we cannot know.
    return undefined;
  }
}
