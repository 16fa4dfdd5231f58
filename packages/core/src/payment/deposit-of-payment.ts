/**
 * Money that gets a deposit of its own. People send to an address more than once: a further transfer with a transaction of its own, while
 * its address is still waited for, is a deposit like any other. So is money that names no deposit. Whatever is less plain stays a further
 * payment of the deposit, for staff.
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

/** A provider whose reference stands for the address tells transfers to it apart by their transactions alone. */
export function refOfTransfer(row: AddressDeposit, { chain, providerRef }: PaymentReport): string {
  const isAnother = chain !== undefined && row.txid !== null && chain.txid !== row.txid;
  return isAnother && row.paid !== null && providerRef === row.providerRef
    ? `${providerRef}:${chain.txid}`
    : providerRef;
}

/** The report may be of a further transfer to the address of an open amount. */
export function isFurtherTransfer(row: AddressDeposit, { chain, providerRef }: PaymentReport): boolean {
  return row.providerRef !== null && providerRef !== row.providerRef && row.isOpenAmount && chain !== undefined;
}

/** Money is on the way or there; not after an end, where even the first transfer is for staff. */
const LIVE: ReadonlySet<DepositState> = new Set(['awaiting_payment', 'detected', 'confirming', 'credited']);

/** A further transfer that is plainly a payment of its own. */
export function opensDeposit(row: AddressDeposit, { outcome, currency }: PaymentReport): boolean {
  const isInTime = row.serverTime.getTime() < row.expiresAt.getTime();
  const isPlain = outcome === 'paid' && currency === row.currency && row.paid !== null && LIVE.has(row.state);
  return isPlain && isInTime && row.furtherOf === null;
}

/** Money that came and of which staff can be asked: nobody could be asked about a currency without a name. */
export function isNamedMoney({ outcome, paidMinor, currency }: PaymentReport): boolean {
  const isMoney = outcome === 'paid' && paidMinor !== undefined && paidMinor > 0n;
  return isMoney && currency !== undefined && findCurrency(currency) !== undefined;
}
