import type { DepositDeclineCause } from '@opencashier/contract/api';

/** The company's reasons that a payer can act on. The payer is not told the others, such as a stolen card. */
const CAUSES: Readonly<Record<string, DepositDeclineCause>> = {
  'insufficient-funds': 'insufficient-funds',
  'limit-exceeded': 'limit-exceeded',
  'card-expired': 'card-expired',
  'wrong-details': 'wrong-details',
  'confirmation-failed': 'authentication-failed',
  'declined-by-issuer': 'bank-refused',
};

/** The `cause` of a decline. Empty where the payer cannot act on the reason. */
export function causeOf(reason: string | undefined): { readonly cause?: DepositDeclineCause } {
  const cause = reason !== undefined && Object.hasOwn(CAUSES, reason) ? CAUSES[reason] : undefined;
  return cause === undefined ? {} : { cause };
}
