/** What a deposit does after its tries (SRV-4). Only a certain "no money" leads to another account, so nobody is charged twice. */
import type { DepositDeclineCause } from '@opencashier/contract/api';
import type { TryOutcome } from './account-health.ts';
import type { CandidateKey, RoutingDecision } from './route.ts';

/** One try of a deposit at one account. */
export interface RoutingAttempt {
  readonly key: CandidateKey;
  /**
   * `pending`: the request may have been sent, and its outcome is not stored. It counts as unknown, so a node that dies in between locks
   * the deposit to the account.
   */
  readonly outcome: TryOutcome | 'pending';
  /** Of a decline: what the payer can change. */
  readonly declineCause?: DepositDeclineCause;
}

export type NextStep =
  /** Ask this account. Store the attempt as `pending` and commit before the request is sent. */
  | { readonly kind: 'try'; readonly key: CandidateKey }
  /** The account may have the payment. The deposit stays with it for ever; only inquiries and reports tell how it ends. */
  | { readonly kind: 'locked'; readonly key: CandidateKey }
  /** The account has the payment. */
  | { readonly kind: 'taken'; readonly key: CandidateKey }
  /** The payment was declined, and another account would be asked in vain or against the rules of the card schemes. */
  | { readonly kind: 'declined'; readonly key: CandidateKey }
  /** Every account that may be tried certainly took no money, or there was none. */
  | { readonly kind: 'exhausted' };

/**
 * The next step of a deposit.
 * @param attempts all tries of the deposit, the oldest first. An attempt at an account that the decision does not name counts too.
 */
export function nextAfter(
  decision: Pick<RoutingDecision, 'order' | 'inputs'>,
  attempts: readonly RoutingAttempt[],
): NextStep {
  const { mostTries, afterDecline } = decision.inputs.route;
  const taken = attempts.find(({ outcome }) => outcome === 'accepted');
  if (taken !== undefined) return { kind: 'taken', key: taken.key };
  const locked = attempts.find(({ outcome }) => outcome !== 'failed' && outcome !== 'declined');
  if (locked !== undefined) return { kind: 'locked', key: locked.key };
  const final = attempts.find(
    ({ outcome, declineCause }) => outcome === 'declined' && (afterDecline === 'stop' || isOfPayer(declineCause)),
  );
  if (final !== undefined) return { kind: 'declined', key: final.key };
  const tried = new Set(attempts.map(({ key }) => key));
  const key = tried.size < mostTries ? decision.order.find((one) => !tried.has(one)) : undefined;
  return key === undefined ? { kind: 'exhausted' } : { kind: 'try', key };
}

/** Whether the payer must change something first. `bank-refused` has no known cause, so another acquirer may succeed. */
function isOfPayer(cause: DepositDeclineCause | undefined): boolean {
  return cause !== undefined && cause !== 'bank-refused';
}
