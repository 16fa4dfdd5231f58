/** Compares the offers of sellers (DEP-14). Pure: no texts, no React. */
import type { DepositData, OnrampOffer } from '@opencashier/contract/api';
import { parseDecimal, toDecimalString } from '@opencashier/core/money/money';

export interface ComparedOffer {
  readonly offer: OnrampOffer;
  /** The index in the answer, which tells apart two offers of one seller. */
  readonly id: string;
  readonly isBest: boolean;
  /** How much less arrives than with the best offer, in coins. Undefined for the best offer and equal ones. */
  readonly less: string | undefined;
}

/** More decimals than any coin has. */
const FINEST = 24;

/**
 * Sorts the best offer first: by the amount that arrives, then by the fee, else in the server's order. Offers with a zero or
 * unreadable amount are left out.
 */
export function compareOffers(offers: readonly OnrampOffer[] | undefined): readonly ComparedOffer[] {
  const read = (offers ?? []).flatMap((offer, index) => {
    const amount = minorOf(offer.amount);
    const fee = minorOf(offer.fee);
    return amount === undefined || amount <= 0n || fee === undefined ? [] : [{ offer, amount, fee, id: String(index) }];
  });
  const sorted = read.toSorted((one, two) => order(two.amount, one.amount) || order(one.fee, two.fee));
  const most = sorted[0]?.amount ?? 0n;
  return sorted.map(({ offer, amount, id }, index) => ({
    offer,
    id,
    isBest: index === 0,
    less: amount < most ? trimmed(most - amount) : undefined,
  }));
}

function minorOf(amount: string): bigint | undefined {
  const parsed = parseDecimal(amount, FINEST);
  return parsed.ok ? parsed.minor : undefined;
}

function order(one: bigint, two: bigint): number {
  return one < two ? -1 : one > two ? 1 : 0;
}

function trimmed(minor: bigint): string {
  return toDecimalString(minor, FINEST).replace(/\.?0+$/, '');
}

export interface OfferTerms {
  /** The coin that arrives; undefined if the answer names none. */
  readonly coin: string | undefined;
  /** The currency of the payment and the fee. */
  readonly currency: string;
  /** What the user pays. */
  readonly paid: string | undefined;
}

const CODE = /^[A-Za-z0-9]{2,10}$/;

/** @param currency the session's currency, for an answer without one */
export function termsOf(data: DepositData, currency: string): OfferTerms {
  const coin = data.processingCurrency ?? data.cryptoName;
  return {
    coin: coin !== undefined && CODE.test(coin) ? coin : undefined,
    currency: data.passedCurrency ?? data.payment_currency ?? currency,
    paid: data.passedAmount ?? data.payment_amount,
  };
}
