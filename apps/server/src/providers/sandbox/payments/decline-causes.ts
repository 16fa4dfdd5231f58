import type { DepositDeclineCause } from '@opencashier/contract/api';

/** What of the company's reasons a payer can act on. What it does not name here, such as a stolen card, stays unsaid. */
const CAUSES: Readonly<Record<string, DepositDeclineCause>> = {
  'insufficient-funds': 'insufficient-funds',
  'limit-exceeded': 'limit-exceeded',
  'card-expired': 'card-expired',
  'wrong-details': 'wrong-details',
  'confirmation-failed': 'authentication-failed',
  'declined-by-issuer': 'bank-refused',
};

/** The part of a report that tells a payer why. */
export function causeOf(reason: string | undefined): { readonly cause?: DepositDeclineCause } {
  const cause = reason !== undefined && Object.hasOwn(CAUSES, reason) ? CAUSES[reason] : undefined;
  return cause === undefined ? {} : { cause };
}
