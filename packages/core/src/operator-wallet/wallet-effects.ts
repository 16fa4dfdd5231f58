/** What the server books when the outcome of a call to an operator's wallet is known. */
import type { WalletMeaning } from './wallet-answer.ts';

/**
 * `take-in`: the operator owes the amount, and the user has it here. `go-on`: what the debit was for continues with this amount.
 * `give-back`: the amount is in transit back to the wallet. `refuse`: what the debit was for ends, and nothing was booked for it.
 * `settle`: the amount in transit reached the wallet, so nobody owes it to the user here. `ask-again`: nothing is known yet.
 */
export type WalletEffect = 'take-in' | 'go-on' | 'give-back' | 'refuse' | 'settle' | 'ask-again';

/**
 * The state of what a debit was asked for. `waiting`: it needs the amount. `blocked`: it still waits, but may not go on, for example
 * because a debt froze the account meanwhile. `over`: it has ended without the amount.
 */
export type DebitPurpose = 'waiting' | 'blocked' | 'over';

/**
 * The effects of the outcome of a debit, in their order. A debit is known before anything is given back: so a wallet never gets a
 * release of a debit that it may still execute.
 */
export function effectsOfDebit(outcome: WalletMeaning['kind'], purpose: DebitPurpose): readonly WalletEffect[] {
  if (outcome === 'unknown') return ['ask-again'];
  if (outcome === 'declined') return purpose === 'over' ? [] : ['refuse'];
  switch (purpose) {
    case 'waiting':
      return ['take-in', 'go-on'];
    case 'blocked':
      return ['take-in', 'give-back', 'refuse'];
    case 'over':
      return ['take-in', 'give-back'];
  }
}

/** The effects of the outcome of a credit or a release. Only `done` ends one: what the user owns is asked for until then. */
export function effectsOfCredit(outcome: WalletMeaning['kind']): readonly WalletEffect[] {
  return outcome === 'done' ? ['settle'] : ['ask-again'];
}

const DELAYS_S = [1, 2, 5, 15, 60, 300] as const;
const LONGEST_DELAY_S = 900;

/**
 * Seconds until a call with an unknown outcome is repeated. There is no last try, because an unknown outcome is neither success nor
 * failure.
 * @param tries how often the call was sent
 */
export function nextWalletTryS(tries: number): number {
  return DELAYS_S[Math.max(0, tries - 1)] ?? LONGEST_DELAY_S;
}

/** From this many tries on, about an hour, people are told that an outcome is still unknown. */
export const WALLET_TRIES_BEFORE_ALERT = 9;
