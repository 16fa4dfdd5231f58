/**
 * Payments that get a deposit of their own.
 *
 * Payers send to an address more than once. A further transfer gets its own deposit while the address is still valid.
 * Money that names no deposit gets its own deposit too. Every less clear payment stays a further payment of the first
 * deposit, for review by staff.
 */
import type { DepositState } from '../deposit/deposit-lifecycle.ts';
import { findCurrency } from '../money/currencies.ts';
import type { DepositFacts } from './aggregate.ts';
import type { PaymentReport } from './report.ts';

/** The first deposit of an address. */
export interface AddressDeposit
  extends Pick<DepositFacts, 'providerRef' | 'currency' | 'isOpenAmount' | 'state' | 'txid'> {
  readonly paid: bigint | null;
  readonly furtherOf: string | null;
  readonly serverTime: Date;
  readonly expiresAt: Date;
}

/**
 * The reference of the payment. Some providers use one reference for all transfers to an address; only the
 * transaction id tells two transfers apart.
 */
export function refOfTransfer(row: AddressDeposit, { chain, providerRef }: PaymentReport): string {
  const isAnother = chain !== undefined && row.txid !== null && chain.txid !== row.txid;
  return isAnother && row.paid !== null && providerRef === row.providerRef
    ? `${providerRef}:${chain.txid}`
    : providerRef;
}

/** True when the report may be about a further transfer to the address of an open amount. */
export function isFurtherTransfer(row: AddressDeposit, { chain, providerRef }: PaymentReport): boolean {
  return row.providerRef !== null && providerRef !== row.providerRef && row.isOpenAmount && chain !== undefined;
}

/**
 * States in which a further transfer can open a deposit. After the end of a deposit staff review even the first
 * transfer.
 */
const LIVE: ReadonlySet<DepositState> = new Set(['awaiting_payment', 'detected', 'confirming', 'credited']);

/** True when a further transfer gets its own deposit: paid in time, in the same currency, after the first transfer. */
export function opensDeposit(row: AddressDeposit, { outcome, currency }: PaymentReport): boolean {
  const isInTime = row.serverTime.getTime() < row.expiresAt.getTime();
  const isPlain = outcome === 'paid' && currency === row.currency && row.paid !== null && LIVE.has(row.state);
  return isPlain && isInTime && row.furtherOf === null;
}

/** True for a paid amount in a known currency. Staff cannot review an amount in an unknown currency. */
export function isReviewableMoney({ outcome, paidMinor, currency }: PaymentReport): boolean {
  const isMoney = outcome === 'paid' && paidMinor !== undefined && paidMinor > 0n;
  return isMoney && currency !== undefined && findCurrency(currency) !== undefined;
}
