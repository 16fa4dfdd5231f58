import { createTestClock } from '@opencashier/core/time/test-clock';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { demoUser, operatorsInMemory } from '../transports/testing/running-server.ts';
import { createUserTokens } from './user-tokens.ts';

const secret = 'a secret of at least thirty-two characters';
const issuer = 'https://cashier.example';
const clock = createTestClock();
const tokens = await createUserTokens(secret, issuer, operatorsInMemory, clock);

/** A valid token, except for the changes of a case. */
function sign(
  changes: {
    claims?: Record<string, unknown>;
    issuer?: string;
    audience?: string;
    lifetime?: number;
    without?: 'sub' | 'jti' | 'exp';
    algorithm?: string;
    secret?: string;
  } = {},
): Promise<string> {
  const now = Math.floor(clock.now() / 1000);
  const token = new SignJWT({ operator: 'demo', currency: 'USD', country: 'IN', ...changes.claims })
    .setProtectedHeader({ alg: changes.algorithm ?? 'HS256' })
    .setIssuer(changes.issuer ?? issuer)
    .setAudience(changes.audience ?? 'cashier')
    .setIssuedAt(now);
  if (changes.without !== 'sub') token.setSubject('u-1');
  if (changes.without !== 'jti') token.setJti('j-1');
  if (changes.without !== 'exp') token.setExpirationTime(now + (changes.lifetime ?? 60));
  return token.sign(new TextEncoder().encode(changes.secret ?? secret));
}

describe('user tokens', () => {
  test('[SRV-1] contain operator, user, audience, issuer, a unique id, and last at most 15 minutes', async () => {
    const [one, two] = [await tokens.issue(demoUser), await tokens.issue(demoUser)];
    expect(decodeProtectedHeader(one.token)).toEqual({ alg: 'HS256' });
    const claims = decodeJwt(one.token);
    expect(claims).toMatchObject({ operator: 'demo', sub: 'u-1', aud: 'cashier', iss: issuer });
    expect((claims.exp ?? 0) * 1000).toBe(one.expiresAt);
    expect(one.expiresAt - clock.now()).toBeLessThanOrEqual(15 * 60_000);
    expect(claims.jti).not.toBe(decodeJwt(two.token).jti);
  });

  test('an unchanged token is accepted, so that each case below fails for its own reason', async () => {
    expect(await tokens.identify(await sign())).toMatchObject({ kind: 'user', caller: { userId: 'u-1' } });
  });

  test.each([
    ['another secret', { secret: 'another secret of at least thirty-two characters' }],
    ['another algorithm of the same family', { algorithm: 'HS512' }],
    ['another issuer', { issuer: 'https://evil.example' }],
    ['another audience', { audience: 'shop' }],
    ['no subject', { without: 'sub' }],
    ['no id', { without: 'jti' }],
    ['no expiry', { without: 'exp' }],
    ['an unknown operator', { claims: { operator: 'nobody' } }],
    ['no currency', { claims: { currency: undefined } }],
    ['a currency that is no text', { claims: { currency: 5 } }],
  ] as const)('[SRV-1] one with %s is refused', async (_what, changes) => {
    expect(await tokens.identify(await sign(changes))).toEqual({ kind: 'refused', code: 'unauthorized' });
  });

  test('[SRV-1] an expired token is refused as expired, whether it was seen before or not', async () => {
    const own = createTestClock();
    const mine = await createUserTokens(secret, issuer, operatorsInMemory, own);
    const [seen, unseen] = [await mine.issue(demoUser), await mine.issue(demoUser)];
    expect((await mine.identify(seen.token)).kind).toBe('user');
    own.advance(15 * 60_000);
    for (const { token } of [seen, unseen]) {
      expect(await mine.identify(token)).toEqual({ kind: 'refused', code: 'token-expired' });
    }
  });

  test('no token is anonymous, which differs from an invalid token', async () => {
    expect(await tokens.identify(undefined)).toEqual({ kind: 'anonymous' });
    expect(await tokens.identify('')).toEqual({ kind: 'anonymous' });
  });

  test('a short secret is refused at the start', async () => {
    await expect(createUserTokens('short', issuer, operatorsInMemory, clock)).rejects.toThrow(/TOKEN_SECRET/);
  });
});
