/**
 * Which response codes tell a payer what to change (https://www.checkout.com/docs/resources/codes/response-codes). Codes of risk
 * (`40…`), of suspected fraud, and of lost or stolen cards get no cause. The general codes get none either, so that nobody can tell
 * the groups apart.
 */
import type { DepositDeclineCause } from '@opencashier/provider-kit';

const CODES: Readonly<Record<DepositDeclineCause, readonly string[]>> = {
  'insufficient-funds': ['20051'],
  'limit-exceeded': ['20061', '20065'],
  'card-expired': ['20054'],
  'wrong-details': ['20014', '20087'],
  'authentication-failed': ['20055', '20075', '20150', '20151', '20152', '20153', '20154'],
  'bank-refused': ['20057', '20058'],
};

const causes = new Map(
  Object.entries(CODES).flatMap(([cause, codes]) => codes.map((code) => [code, cause as DepositDeclineCause] as const)),
);

/** @param code the five digits of the payment's last action */
export function causeOf(code: string | undefined): { readonly cause?: DepositDeclineCause } {
  const cause = code === undefined ? undefined : causes.get(code);
  return cause === undefined ? {} : { cause };
}
