/** Who is signed in, in a signed cookie: it survives a restart and needs no store. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { findUser, type User } from './users.ts';

const cookieName = 'demo_session';
const lifetimeSeconds = 7 * 24 * 60 * 60;

export interface Sessions {
  /** The value of a Set-Cookie header. */
  begin(user: User, nowMs: number): string;
  /** The value of a Set-Cookie header. */
  end(): string;
  /** @returns the signed-in user; undefined for no cookie, a forged one or an old one */
  read(cookieHeader: string | undefined, nowMs: number): User | undefined;
}

/** @param secret anything secret; the key is derived from it, so that a cookie says nothing about it */
export function createSessions(secret: string): Sessions {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'demo session cookie', 32));
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const cookie = (value: string, maxAge: number) =>
    `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}`;
  return {
    begin(user, nowMs) {
      const content = `${user.id}.${Math.floor(nowMs / 1000) + lifetimeSeconds}`;
      return cookie(`${content}.${sign(content)}`, lifetimeSeconds);
    },
    end: () => cookie('', 0),
    read(header = '', nowMs) {
      const pair = header.split(/;\s*/).find((part) => part.startsWith(`${cookieName}=`));
      const [userId, expires, signature] = pair?.slice(cookieName.length + 1).split('.') ?? [];
      if (userId === undefined || expires === undefined || signature === undefined) return undefined;
      const wanted = Buffer.from(sign(`${userId}.${expires}`));
      const given = Buffer.from(signature);
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
      return Number(expires) * 1000 > nowMs ? findUser(userId) : undefined;
    },
  };
}
