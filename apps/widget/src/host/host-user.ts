/** The user that a message of the host names (HOST-11). It is only compared here; the server decides by the token. */
import type { HostPayload } from '@opencashier/contract/host';

export interface HostUser {
  readonly userId: string | undefined;
  /** The subject of the token, when the token is a JWT. */
  readonly subject: string | undefined;
}

export function hostUserOf(payload: Pick<HostPayload, 'userId' | 'token'>): HostUser {
  return { userId: payload.userId || undefined, subject: tokenClaims(payload.token)?.sub };
}

/**
 * Whether a later message is of the user of the first one. A message without a comparable id is refused: a reload is better
 * than one person's payments under another person's token.
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

/** The claims of a JWT that the widget uses; undefined for any other token. Only the server verifies the token. */
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
    // The token is not base64url or not JSON, so it is opaque and its user is unknown.
    return undefined;
  }
}
