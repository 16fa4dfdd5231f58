/** The offers of sellers, compared (DEP-14). Pure: no texts, no React. */
import type { DepositData, OnrampOffer } from '@opencashier/contract/api';
import { parseDecimal, toDecimalString } from '@opencashier/core/money/money';

export interface ComparedOffer {
  readonly offer: OnrampOffer;
  /** Its place in the answer, which tells apart two offers of one seller. */
  readonly id: string;
  readonly isBest: boolean;
  /** How much less arrives than by the best one, in coins; undefined for the best one and for equals. */
  readonly less: string | undefined;
}

/** More decimals than any coin has. */
const FINEST = 24;

/** Best first: by what arrives, then by the fee, else as the server ordered them. Offers of nothing are left out. */
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
  /** What arrives is counted in it; undefined where the answer names none. */
  readonly coin: string | undefined;
  /** What is paid and the fee are counted in it. */
  readonly currency: string;
  /** What the person pays. */
  readonly paid: string | undefined;
}

const CODE = /^[A-Za-z0-9]{2,10}$/;

/** @param currency the person's own, for an answer that names none */
export function termsOf(data: DepositData, currency: string): OfferTerms {
  const coin = data.processingCurrency ?? data.cryptoName;
  return {
    coin: coin !== undefined && CODE.test(coin) ? coin : undefined,
    currency: data.passedCurrency ?? data.payment_currency ?? currency,
    paid: data.passedAmount ?? data.payment_amount,
  };
}
