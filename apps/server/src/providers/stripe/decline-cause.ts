/**
 * Which of Stripe's decline codes tell a payer what to change (https://docs.stripe.com/declines/codes). Codes about fraud and about lost
 * or stolen cards get no cause. The general codes get none either, so that nobody can tell the two groups apart.
 */
import type { DepositDeclineCause } from '@opencashier/contract/api';

const CODES: Readonly<Record<DepositDeclineCause, readonly string[]>> = {
  'insufficient-funds': ['insufficient_funds', 'insufficient_balance', 'debit_not_authorized_insufficient_funds'],
  'limit-exceeded': ['card_velocity_exceeded', 'withdrawal_count_limit_exceeded', 'charge_exceeds_source_limit'],
  'card-expired': ['expired_card'],
  'wrong-details': [
    'incorrect_address',
    'incorrect_cvc',
    'incorrect_number',
    'incorrect_zip',
    'invalid_account',
    'invalid_cvc',
    'invalid_expiry_month',
    'invalid_expiry_year',
    'invalid_number',
  ],
  'authentication-failed': [
    'authentication_required',
    'authentication_not_handled',
    'incorrect_pin',
    'invalid_pin',
    'mobile_device_authentication_required',
    'offline_pin_required',
    'online_or_offline_pin_required',
    'payment_intent_authentication_failure',
    'pin_try_exceeded',
  ],
  'bank-refused': ['card_not_supported', 'currency_not_supported', 'not_permitted', 'service_not_allowed'],
};

const causes = new Map(
  Object.entries(CODES).flatMap(([cause, codes]) => codes.map((code) => [code, cause as DepositDeclineCause] as const)),
);

/**
 * The cause for the first code that is given.
 * @param codes the most exact one first: the bank's decline code, then Stripe's error code
 */
export function causeOf(...codes: readonly (string | null | undefined)[]): { readonly cause?: DepositDeclineCause } {
  const code = codes.find((known) => known !== undefined && known !== null && known !== '');
  const cause = code === undefined || code === null ? undefined : causes.get(code);
  return cause === undefined ? {} : { cause };
}
