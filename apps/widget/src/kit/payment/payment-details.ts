/** The amount and the time of a manual payment, from the provider's answer and the server's report about the deposit. Pure. */
import type { DepositData, Transaction } from '@opencashier/contract/api';
import { statedAmount } from './payment-requisites.ts';

export interface PaymentAmount {
  /** A decimal string, unchanged, because the payee compares every digit. */
  readonly amount: string;
  readonly currency: string;
}

type ProviderAnswer = Pick<
  DepositData,
  'payment_amount' | 'payment_currency' | 'requisites' | 'created' | 'lifetime' | 'timeout_minutes'
>;
type DepositFacts = Pick<Transaction, 'amount' | 'currency' | 'created' | 'lifetime'>;

/**
 * The amount to transfer: the provider's, else the deposit's own. The provider may change the last digits, in order to match the
 * payment. The number of one is never combined with the currency of the other.
 */
export function paymentAmount(data: ProviderAnswer, report: DepositFacts | undefined): PaymentAmount | undefined {
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

/** The start and the length of the time to pay. The provider's values come first, then the deposit's own. */
export function paymentTiming(data: ProviderAnswer | undefined, report: DepositFacts | undefined): PaymentTiming {
  const told = data?.lifetime ?? (data?.timeout_minutes === undefined ? undefined : data.timeout_minutes * 60);
  if (isInstant(data?.created)) return { created: data?.created, lifetimeS: told };
  return { created: report?.created, lifetimeS: told ?? report?.lifetime };
}

const isInstant = (text: string | undefined) => !Number.isNaN(Date.parse(text ?? ''));
