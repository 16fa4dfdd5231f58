/** The amount and the time of a manual payment, from the provider's answer and the server's report about the deposit. Pure. */
import type { DepositData, Transaction } from '@opencashier/contract/api';
import { statedAmount } from './payment-requisites.ts';

export interface PaymentAmount {
  /** A decimal string, as it came: the payee compares every digit. */
  readonly amount: string;
  readonly currency: string;
}

type Told = Pick<
  DepositData,
  'payment_amount' | 'payment_currency' | 'requisites' | 'created' | 'lifetime' | 'timeout_minutes'
>;
type Known = Pick<Transaction, 'amount' | 'currency' | 'created' | 'lifetime'>;

/**
 * The sum to transfer: the provider's, which may differ in the last digits from what was asked so that it can be matched;
 * else the deposit's own. Never one side's number with the other side's currency.
 */
export function paymentAmount(data: Told, report: Known | undefined): PaymentAmount | undefined {
  const amount = data.payment_amount ?? statedAmount(data);
  const currency = data.payment_currency ?? report?.currency;
  if (amount !== undefined) return currency === undefined ? undefined : { amount, currency };
  return report && { amount: report.amount, currency: report.currency };
}

export interface PaymentTiming {
  /** ISO 8601 by the server's clock. */
  readonly created: string | undefined;
  /** Seconds; undefined means the default of 600. */
  readonly lifetimeS: number | undefined;
}

/** When the time began and how long it is: the provider's words, and the deposit's own where it is silent. */
export function paymentTiming(data: Told | undefined, report: Known | undefined): PaymentTiming {
  const told = data?.lifetime ?? (data?.timeout_minutes === undefined ? undefined : data.timeout_minutes * 60);
  if (isInstant(data?.created)) return { created: data?.created, lifetimeS: told };
  return { created: report?.created, lifetimeS: told ?? report?.lifetime };
}

const isInstant = (text: string | undefined) => !Number.isNaN(Date.parse(text ?? ''));
