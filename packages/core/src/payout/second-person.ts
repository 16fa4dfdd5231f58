import { sameDecider } from '../withdrawal/withdrawal-approval.ts';

/** Somebody who took what leaves the cashier, a bank's file or a transaction to sign, or who proposed a booking or a close of a day. */
export interface Take {
  readonly by: string;
  /** The API key that asked; null: the command line. */
  readonly keyId: string | null;
}

/** `not-taken`: nobody has it yet. `same-person`, `same-key`: this person or key has taken it. */
export type SecondPersonVerdict = 'good' | 'not-taken' | 'same-person' | 'same-key';

/**
 * Judges who may say that the bank has a file, or give back a signed transaction (WD-2), or agree to a proposal
 * (SRV-2). Nobody knows which of the copies was used. So it must be somebody who has taken none of them: otherwise one person could take,
 * use and confirm a copy, because another one took a copy, too.
 * @param takes everybody who ever took it
 * @param needsOtherKey whether the API key must be another one than those of all takes, too
 */
export function judgeSecondPerson(takes: readonly Take[], who: Take, needsOtherKey: boolean): SecondPersonVerdict {
  if (takes.length === 0) return 'not-taken';
  if (takes.some(({ by }) => sameDecider(by, who.by))) return 'same-person';
  if (needsOtherKey && takes.some(({ keyId }) => keyId === who.keyId)) return 'same-key';
  return 'good';
}
