/** The content of a crypto payment's QR code (CRY-5): a payment URI where wallets read URIs, else the plain address. */

/** Schemes of BIP 21 and of chains that use its exact format. */
export type Bip21Scheme = 'bitcoin' | 'litecoin' | 'dogecoin';

/** The parts of a BIP 21 URI. */
export interface Bip21Payment {
  readonly scheme: Bip21Scheme;
  readonly address: string;
  /** A decimal number of coins with a dot, such as `0.001`. */
  readonly amount?: string;
  readonly label?: string;
  readonly message?: string;
}

/**
 * Writes a payment URI by BIP 21.
 * @throws RangeError for an invalid address or amount
 */
export function bip21Uri({ scheme, address, amount, label, message }: Bip21Payment): string {
  if (!/^[A-Za-z0-9]{14,90}$/.test(address)) throw new RangeError('Not an address');
  if (amount !== undefined && !/^(?:0|[1-9]\d*)(?:\.\d{1,8})?$/.test(amount))
    throw new RangeError('Not an amount of coins');
  return `${scheme}:${address}${queryOf([
    ['amount', amount],
    ['label', label],
    ['message', message],
  ])}`;
}

/** The parts of an EIP-681 URI. */
export interface Eip681Payment {
  /** 1 for Ethereum, 56 for BNB Smart Chain. */
  readonly chainId: number;
  readonly to: string;
  /** In the smallest unit of the coin or token, such as wei. */
  readonly value?: bigint;
  /** The contract address of a token; absent: the chain's own coin. */
  readonly token?: string;
}

/**
 * Writes a payment URI by EIP-681: a transfer of the chain's coin, or of an ERC-20 token through its contract.
 * @throws RangeError for an invalid address, chain or amount 'The value is below zero'
 */
export function eip681Uri({ chainId, to, value, token }: Eip681Payment): string {
  for (const address of token === undefined ? [to] : [to, token]) {
    if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw new RangeError('Not an address of an Ethereum chain');
  }
  if (!Number.isSafeInteger(chainId) || chainId < 1) throw new RangeError('Not the id of a chain');
  if (value !== undefined && value < 0n) throw new RangeError('The value is below zero');
  const amount = value?.toString();
  return token === undefined
    ? `ethereum:${to}@${chainId}${queryOf([['value', amount]])}`
    : `ethereum:${token}@${chainId}/transfer${queryOf([
        ['address', to],
        ['uint256', amount],
      ])}`;
}

/** The parts of a TON transfer link. */
export interface TonPayment {
  /** The address in TON's user-friendly form, base64url. */
  readonly to: string;
  /** In the smallest unit of the coin or token, such as nanotons. */
  readonly value?: bigint;
  readonly text?: string;
  /** The master contract of a token; absent: Toncoin. */
  readonly jetton?: string;
}

/**
 * Writes the transfer link that TON wallets read.
 * @throws RangeError for an invalid address or amount
 */
export function tonUri({ to, value, text, jetton }: TonPayment): string {
  for (const address of jetton === undefined ? [to] : [to, jetton]) {
    if (!/^[A-Za-z0-9_-]{48}$/.test(address)) throw new RangeError('Not a friendly address of TON');
  }
  if (value !== undefined && value < 0n) throw new RangeError('The value is below zero');
  return `ton://transfer/${to}${queryOf([
    ['jetton', jetton],
    ['amount', value?.toString()],
    ['text', text],
  ])}`;
}

/**
 * The content of a TRON QR code: the plain address, because TRON wallets share no URI format.
 * @throws RangeError for an invalid address
 */
export function tronCode(address: string): string {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address)) throw new RangeError('Not an address of TRON');
  return address;
}

function queryOf(entries: readonly (readonly [string, string | undefined])[]): string {
  const given = entries.flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`]));
  return given.length === 0 ? '' : `?${given.join('&')}`;
}
