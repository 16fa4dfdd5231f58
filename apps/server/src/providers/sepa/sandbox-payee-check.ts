/** The payees' bank of the sandbox: the name chooses the verdict, as docs/payouts.md lists. */
import type { PayeeAnswer } from '@opencashier/core/withdrawal/payee-name';

const ENDINGS: readonly (readonly [ending: string, verdict: PayeeAnswer['verdict']])[] = [
  ['close', 'close-match'],
  ['other', 'no-match'],
  ['silent', 'not-possible'],
];

/** @param name the name as the user typed it */
export function sandboxPayeeAnswer(name: string): PayeeAnswer {
  const given = name.trim().split(' ');
  const last = given.pop()?.toLowerCase();
  const verdict = ENDINGS.find(([ending]) => ending === last)?.[1] ?? 'match';
  return verdict === 'close-match' ? { verdict, name: [...given, 'Closer'].join(' ') } : { verdict };
}
