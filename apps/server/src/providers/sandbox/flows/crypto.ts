/** Crypto: an address for the payment on the chosen network, and offers of sellers of coins (on-ramp). */
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { addressOf } from '../coins/addresses.ts';
import { coinsOf, inCoin, networkOf, sendable } from '../coins/networks.ts';
import { amountOf, digitsOf, type FlowAnswer, type FlowParts, timing } from './flow.ts';

/** The network of a crypto deposit: the person's choice in the form, or the method's own. */
export function chosenNetwork({ fields, providerOptions }: FlowParts['deposit']): string | undefined {
  return fields['network'] ?? providerOptions['network'];
}

/** The digits of the shared address, on a network with memos. */
const SHARED_ADDRESS = '21';

/** @throws RangeError for a network or coin that the catalogue names and the sandbox does not know */
export function cryptoAnswer(parts: FlowParts): FlowAnswer {
  const { payment, deposit } = parts;
  const { coin = 'USDT' } = deposit.providerOptions;
  const name = chosenNetwork(deposit) ?? '';
  const network = networkOf(name);
  const asked = inCoin(payment.amountMinor, payment.currency, decimalsOf(payment.currency), coin);
  const minor = network === undefined || asked === undefined ? undefined : sendable(network, coin, asked);
  if (network === undefined || minor === undefined) {
    throw new RangeError(`The sandbox has no ${coin} on network ${name} for ${payment.currency}`);
  }
  const address = addressOf(network.addressKind, network.hasMemo ? SHARED_ADDRESS : digitsOf(payment, 'address', 24));
  const memo = network.hasMemo ? digitsOf(payment, 'address', 12) : '';
  return {
    data: {
      ...timing(parts),
      depositAddress: address,
      ...(network.hasMemo && { depositMemo: memo }),
      // The requested amount, the amount in the code and the least amount for a credit are equal.
      minDepositValue: coinsOf(minor),
      cryptoName: coin,
      network: network.key,
      qrCodeText: network.uri(coin, address, minor, memo),
      processingAmount: coinsOf(minor),
      processingCurrency: coin,
    },
  };
}

/** The sellers of coins, with their fees in thousandths of the amount. */
const sellers = [
  { method: 'card', feePerMille: 39n, iconIds: ['card'] },
  { method: 'wallet', feePerMille: 29n, iconIds: ['wallet', 'card'] },
  { method: 'bank', feePerMille: 12n, iconIds: ['bank'] },
] as const;

/** Offers of coins. `amount` arrives in coins, and the seller keeps `fee` of the payment. */
export function onrampAnswer(parts: FlowParts): FlowAnswer {
  const { payment, deposit } = parts;
  const { coin = 'USDT' } = deposit.providerOptions;
  const decimals = decimalsOf(payment.currency);
  const paymentMethodOffers = sellers.map(({ method, feePerMille, iconIds }) => {
    const fee = (payment.amountMinor * feePerMille + 999n) / 1_000n;
    const bought = inCoin(payment.amountMinor - fee, payment.currency, decimals, coin);
    if (bought === undefined) throw new RangeError(`The sandbox has no price of ${payment.currency}`);
    return { method, amount: coinsOf(bought), fee: toDecimalString(fee, decimals), iconIds: [...iconIds] };
  });
  return {
    data: {
      ...timing(parts),
      paymentMethodOffers,
      cryptoName: coin,
      passedAmount: amountOf(payment),
      passedCurrency: payment.currency,
      processingCurrency: coin,
    },
  };
}

/** Whether there is a seller of this name. True without a name. */
export function isSeller(method: string | undefined): boolean {
  return method === undefined || sellers.some((seller) => seller.method === method);
}
