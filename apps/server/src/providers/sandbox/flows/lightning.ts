/** Lightning: an invoice of a test network, with the amount and the time of the payment. No wallet can pay it. */
import { createHash } from 'node:crypto';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { bech32 } from '@scure/base';
import { inCoin } from '../coins/networks.ts';
import { type FlowAnswer, type FlowParts, timing } from './flow.ts';

/** Words of five bits. The signature is all zeros, and no key has this signature. */
const TIME_WORDS = 7;
const SIGNATURE_WORDS = 104;
const LONGEST = 1000;
/** The tag of the payment hash, and the length of its words. */
const HASH_TAG = [1, 1, 20];
/** A satoshi is ten of the unit `n`. */
const PER_SAT = 10n;

/** @throws RangeError for a currency without a price in Bitcoin */
export function lightningAnswer(parts: FlowParts): FlowAnswer {
  const { payment } = parts;
  const sats = inCoin(payment.amountMinor, payment.currency, decimalsOf(payment.currency), 'BTC');
  if (sats === undefined) throw new RangeError(`The sandbox has no invoices in ${payment.currency}`);
  const seconds = Math.floor(payment.createdAt / 1000);
  const time = Array.from({ length: TIME_WORDS }, (_, at) => (seconds >>> (5 * (TIME_WORDS - 1 - at))) & 31);
  // The first words are beyond 32 bits, where the shift starts again.
  time[0] = 0;
  const hash = bech32.toWords(createHash('sha256').update(payment.ref).digest());
  const words = [...time, ...HASH_TAG, ...hash, ...new Array<number>(SIGNATURE_WORDS).fill(0)];
  const invoice = bech32.encode(`lntbs${sats * PER_SAT}n`, words, LONGEST);
  return {
    data: {
      ...timing(parts),
      unifiedFlow: true,
      qrCodeText: `lightning:${invoice}`.toUpperCase(),
      requisites: [{ name: 'invoice', title: 'Lightning (BOLT 11)', value: invoice, isCopyable: true }],
      buttonPay: `lightning:${invoice}`,
      buttons: [],
    },
  };
}
