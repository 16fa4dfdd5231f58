/**
 * Short-lived user tokens (SRV-1). The operator's backend requests a token, and the widget sends it.
 * JWT (RFC 7519) with HMAC-SHA-256 and no other algorithm; valid for at most 15 minutes.
 */
import { hash, randomUUID, webcrypto } from 'node:crypto';
import type { Clock } from '@opencashier/core/time/clock';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Identify, Identity } from './identity.ts';
import type { Operators } from './operators.ts';

/** The user's data in a token. */
export interface TokenUser {
  readonly operatorId: string;
  readonly userId: string;
  readonly currency: string;
  readonly country: string;
}

/** Issues and verifies user tokens. */
export interface UserTokens {
  issue(user: TokenUser): Promise<{ token: string; expiresAt: number }>;
  readonly identify: Identify;
}

/** The longest lifetime of a user token. */
export const tokenLifetimeMs = 15 * 60_000;
const algorithm = 'HS256';
const audience = 'cashier';
/** In characters. No token made here is longer. */
const longestToken = 8 * 1024;
const mostRemembered = 20_000;

/**
 * @param secret at least 32 bytes of randomness, as text
 * @throws Error for a shorter secret
 */
export async function createUserTokens(
  secret: string,
  issuer: string,
  operators: Pick<Operators, 'byId' | 'findById'>,
  clock: Pick<Clock, 'now'>,
): Promise<UserTokens> {
  if (secret.length < 32) throw new Error('TOKEN_SECRET must have at least 32 characters.');
  // An imported key verifies faster than raw bytes, which are imported for every verification.
  const key = await webcrypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign', 'verify'],
  );
  // The cache stores hashes, so that its memory contains no valid token.
  const remembered = new Map<string, Identity & { kind: 'user' }>();

  const identify = async (token: string | undefined): Promise<Identity> => {
    if (token === undefined || token === '') return { kind: 'anonymous' };
    if (token.length > longestToken) return { kind: 'refused', code: 'unauthorized' };
    const mark = hash('sha256', token, 'base64');
    const known = remembered.get(mark);
    if (known) {
      if (known.expiresAt > clock.now()) return known;
      remembered.delete(mark);
      return { kind: 'refused', code: 'token-expired' };
    }
    const identity = await verify(token);
    if (identity.kind === 'user') {
      if (remembered.size >= mostRemembered) forgetExpired();
      remembered.set(mark, identity);
    }
    return identity;
  };

  const forgetExpired = () => {
    const now = clock.now();
    for (const [mark, { expiresAt }] of remembered) if (expiresAt <= now) remembered.delete(mark);
    if (remembered.size >= mostRemembered) remembered.clear();
  };

  const verify = async (token: string): Promise<Identity> => {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        audience,
        issuer,
        currentDate: new Date(clock.now()),
        requiredClaims: ['sub', 'exp', 'jti'],
      });
      const { sub, exp, operator, currency, country } = payload;
      const texts = [sub, operator, currency, country];
      if (exp === undefined || !texts.every((text) => typeof text === 'string' && text !== '')) {
        return { kind: 'refused', code: 'unauthorized' };
      }
      const [userId, operatorId, userCurrency, userCountry] = texts as [string, string, string, string];
      // The token is valid, so the operator existed on the node that made it.
      const partner = operators.byId(operatorId) ?? (await operators.findById?.(operatorId));
      if (!partner) return { kind: 'refused', code: 'unauthorized' };
      const { partnerKey } = partner;
      const caller = { operatorId, partnerKey, userId, currency: userCurrency, country: userCountry };
      return { kind: 'user', caller, expiresAt: exp * 1000 };
    } catch (error) {
      if (error instanceof errors.JWTExpired) return { kind: 'refused', code: 'token-expired' };
      if (error instanceof errors.JOSEError) return { kind: 'refused', code: 'unauthorized' };
      throw error;
    }
  };

  return {
    async issue({ operatorId, userId, currency, country }) {
      const issuedAt = Math.floor(clock.now() / 1000);
      const expiresAt = issuedAt + tokenLifetimeMs / 1000;
      const token = await new SignJWT({ operator: operatorId, currency, country })
        .setProtectedHeader({ alg: algorithm })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(userId)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(key);
      return { token, expiresAt: expiresAt * 1000 };
    },
    identify,
  };
}
