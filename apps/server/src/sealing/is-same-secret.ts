import { timingSafeEqual } from 'node:crypto';

/**
 * Whether a caller knows a secret or can sign with it. Takes as long for a near miss as for a far one, since the time would
 * tell a caller how many characters are right.
 */
export function isSameSecret(given: string, own: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(own)];
  return left.length === right.length && timingSafeEqual(left, right);
}
