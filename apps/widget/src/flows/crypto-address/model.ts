/** What the address screen shows, without any drawing (CRY-1, CRY-2, CRY-5). */
import type { DepositData, DropdownItem, PaymentMethod, Transaction } from '@opencashier/contract/api';
import { defaultNetwork, findChain, transactionUrl } from '@opencashier/core/crypto/chains';
import { parseDecimal } from '@opencashier/core/money/money';
import { type Bip21Scheme, bip21Uri } from '@opencashier/core/payment-codes/crypto-uri';
import { statusOfCode, type TransactionStatus } from '@opencashier/core/transaction/status';

export interface Network {
  /** As the create call names it. */
  readonly value: string;
  readonly title: string;
}

export interface NetworkChoice {
  /** The field of the create call for the choice; undefined for a method with only one network. */
  readonly field: string | undefined;
  readonly networks: readonly Network[];
}

/** The networks of a method: those of its `networks` field, else its only network, if it is known. */
export function networksOf({ fields, network }: Pick<PaymentMethod, 'fields' | 'network'>): NetworkChoice {
  const field = fields.find(({ type }) => type === 'networks');
  const items: readonly DropdownItem[] = field?.props?.items ?? field?.values ?? [];
  if (field && items.length > 0) {
    const networks = items.map(({ value, text }) => ({ value, title: text.trim() || networkTitle(value) }));
    return { field: field.name, networks };
  }
  return {
    field: undefined,
    networks: network === undefined ? [] : [{ value: network, title: networkTitle(network) }],
  };
}

/** The network in the page's URL, if the method has it; else the first one (CRY-1). */
export function chosenNetwork(networks: readonly Network[], asked: string | null): Network | undefined {
  return networks.find(({ value }) => value === asked) ?? defaultNetwork(networks);
}

/** `trc20` becomes TRC-20, `bitcoin` Bitcoin; an unknown name only gets a capital letter. */
export function networkTitle(name: string): string {
  const standard = /^([a-z]{3})[-_ ]?(20)$/i.exec(name.trim());
  if (standard) return `${standard[1]?.toUpperCase()}-${standard[2]}`;
  return findChain(name)?.name ?? name.charAt(0).toUpperCase() + name.slice(1);
}

/** Whether two names mean the same chain. An address of another chain than the chosen one is never shown. */
export function isSameNetwork(left: string, right: string): boolean {
  const key = (name: string) => findChain(name)?.name ?? name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return key(left) === key(right);
}

export interface Minimum {
  readonly amount: string;
  readonly coin: string;
}

export type AddressView =
  /** The answer has no usable address, so no code is drawn. */
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'address';
      readonly address: string;
      /** The memo that the transfer needs, if many users share one address. */
      readonly memo: string | undefined;
      /** The chain's payment URI for a wallet, if there is one (CRY-5). */
      readonly uri: string | undefined;
      readonly minimum: Minimum | undefined;
      /** By the server's clock; undefined where the answer names none. */
      readonly expiresAt: number | undefined;
    };

/** The characters of an address; a text with any other character is no address. */
const ADDRESS = /^[A-Za-z0-9:_-]{8,128}$/;
const COIN = /^[A-Za-z0-9]{2,10}$/;

/**
 * Reads a create call's answer and trusts nothing in it. Gives `empty` without an address, for another network than the chosen
 * one, and for a text that is no address.
 */
export function addressView(data: DepositData | undefined, network: string | undefined): AddressView {
  const address = data?.depositAddress?.trim() ?? '';
  const isOfOtherNetwork =
    data?.network !== undefined && network !== undefined && !isSameNetwork(data.network, network);
  if (data === undefined || !ADDRESS.test(address) || isOfOtherNetwork) return { kind: 'empty' };
  return {
    kind: 'address',
    address,
    memo: data.depositMemo || undefined,
    uri: paymentUri(address, data.qrCodeText, network ?? data.network),
    minimum: minimumOf(data),
    expiresAt: expiryOf(data),
  };
}

/** A code for another address than the one on the screen is not shown. */
function paymentUri(address: string, served: string | undefined, network: string | undefined): string | undefined {
  if (served !== undefined && served !== '') {
    const isUri = /^[a-z][a-z0-9+.-]*:/i.test(served) && served !== address;
    return isUri && served.includes(address) ? served : undefined;
  }
  const scheme = network === undefined ? undefined : bip21Scheme(network);
  if (scheme === undefined) return undefined;
  try {
    return bip21Uri({ scheme, address });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The scheme of chains whose URI the widget can build. Other URIs need data from the server, such as a token's contract. */
function bip21Scheme(network: string): Bip21Scheme | undefined {
  const key = (findChain(network)?.name ?? network).toLowerCase();
  return (['bitcoin', 'litecoin', 'dogecoin'] as const).find((scheme) => scheme === key);
}

/** More decimals than any coin has. */
const FINEST = 24;

/**
 * The smallest credited amount: the larger of the network's minimum and the deposit's amount. Undefined without a readable amount
 * or coin.
 */
function minimumOf({
  minDepositValue,
  processingAmount,
  processingCurrency,
  cryptoName,
}: DepositData): Minimum | undefined {
  const coin = cryptoName ?? processingCurrency;
  if (coin === undefined || !COIN.test(coin)) return undefined;
  const asked = processingCurrency === coin ? processingAmount : undefined;
  const amount = [minDepositValue, asked].reduce(larger, undefined);
  return amount === undefined ? undefined : { amount, coin };
}

function larger(left: string | undefined, right: string | undefined): string | undefined {
  const [one, two] = [minorOf(left), minorOf(right)];
  if (two === undefined || two <= 0n) return one !== undefined && one > 0n ? left : undefined;
  return one === undefined || two > one ? right : left;
}

function minorOf(amount: string | undefined): bigint | undefined {
  if (amount === undefined) return undefined;
  const parsed = parseDecimal(amount, FINEST);
  return parsed.ok ? parsed.minor : undefined;
}

function expiryOf({ created, lifetime }: DepositData): number | undefined {
  const start = Date.parse(created ?? '');
  return Number.isFinite(start) && lifetime !== undefined && lifetime > 0 ? start + lifetime * 1000 : undefined;
}

/** The progress of the payment, by the server's report. */
export type Progress =
  /** Nothing has been seen on the chain yet. */
  | { readonly at: 'awaited' }
  | {
      readonly at: 'confirming' | 'accepted';
      readonly status: TransactionStatus;
      readonly txid: string | undefined;
      /** The transaction's page in a public explorer; undefined for a chain without one in the table. */
      readonly explorer: string | undefined;
      readonly reported: number;
      /** Undefined if neither the server nor the table of chains names a number. */
      readonly required: number | undefined;
      readonly intervalMs: number;
    }
  /** Staff review the payment, so it will not be credited soon. Another screen says why, and what not to do. */
  | { readonly at: 'reviewed' }
  /** The ledger credited the deposit, or the deposit failed. Another screen says so. */
  | { readonly at: 'settled' };

/** The kinds of progress that the address screen itself shows. */
export type OpenProgress = Exclude<Progress, { readonly at: 'reviewed' | 'settled' }>;

/** @param network the chosen network, for a report without a chain */
export function progressOf(report: Transaction | undefined, network: string | undefined): Progress {
  if (report === undefined) return { at: 'awaited' };
  const status = statusOfCode(report.status);
  if (status === 'processed' || status === 'mistaked') return { at: 'settled' };
  if (status === 'accepted' && report.reason) return { at: 'reviewed' };
  const { txid, confirmations, receivedAmount } = report;
  const isSeen = txid !== undefined || confirmations !== undefined || receivedAmount !== undefined;
  if (status === 'waiting' && !isSeen) return { at: 'awaited' };
  const chain = findChain(report.blockchain ?? network ?? '');
  return {
    at: status === 'waiting' ? 'confirming' : 'accepted',
    status,
    txid,
    explorer: chain && txid !== undefined ? transactionUrl(chain, txid) : undefined,
    reported: confirmations ?? 0,
    required: report.requiredConfirmations ?? chain?.confirmations,
    intervalMs: chain?.intervalMs ?? 0,
  };
}

const MOST_SEGMENTS = 10;

/** The bar of confirmations: at most ten parts, all of them filled only when the required count is reached. */
export function segments(count: number, required: number): readonly boolean[] {
  const length = Math.max(1, Math.min(required, MOST_SEGMENTS));
  const share = required > 0 ? Math.round((count * length) / required) : 0;
  const filled = count >= required ? length : Math.min(share, length - 1);
  return Array.from({ length }, (_unused, index) => index < filled);
}
