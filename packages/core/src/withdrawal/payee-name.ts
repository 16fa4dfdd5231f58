/**
 * What the answer of a payee's bank about a name leads to (WD-2). Verification of payee lets the bank name the account only when the typed
 * name nearly matches. An account in another name stays unnamed, so that nobody learns whose account a number is.
 */

/**
 * - `match`: the account has this name. `close-match`: nearly, such as with a typing error.
 * - `no-match`: the account has another name. `not-possible`: nobody can say.
 */
export type PayeeVerdict = 'match' | 'close-match' | 'no-match' | 'not-possible';

/** The answer of the payee's bank. */
export interface PayeeAnswer {
  readonly verdict: PayeeVerdict;
  /** The name of the account, as the bank has it. Read only of a close match. */
  readonly name?: string | undefined;
}

/**
 * What the person wants of a close match. `ask`: the person is to choose. `keep`: the person has chosen the typed name. Undefined: the
 * caller cannot ask, or the account is a saved one, which the person has used before.
 */
export type PayeeChoice = 'ask' | 'keep' | undefined;

export type PayeeJudgement =
  /** The typed name is used. Staff see the verdict. */
  | { readonly kind: 'go-on' }
  /** Nothing is held until the person has chosen between the typed name and this one. */
  | { readonly kind: 'ask'; readonly name: string }
  /** The account is in another name, so nothing is held. */
  | { readonly kind: 'refuse' };

/** ISO 20022 has names of at most 140 characters. */
const LONGEST_NAME = 140;

/** @param typed the name that the person has typed */
export function judgePayee({ verdict, name }: PayeeAnswer, typed: string, choice: PayeeChoice): PayeeJudgement {
  if (verdict === 'no-match') return { kind: 'refuse' };
  if (verdict !== 'close-match' || choice !== 'ask') return { kind: 'go-on' };
  const shown = shownName(name ?? '');
  return shown === undefined || shown === tidy(typed) ? { kind: 'go-on' } : { kind: 'ask', name: shown };
}

/** A name that may stand on a screen and in a form. Undefined: it is empty, too long, or has signs that nobody sees. */
function shownName(name: string): string | undefined {
  const tidied = tidy(name);
  return tidied === '' || tidied.length > LONGEST_NAME || /[\p{C}\p{Zl}\p{Zp}]/u.test(tidied) ? undefined : tidied;
}

function tidy(name: string): string {
  return name.normalize('NFC').trim().replaceAll(/ {2,}/g, ' ');
}
