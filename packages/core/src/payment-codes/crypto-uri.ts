/** The text of a crypto payment's QR code (CRY-5). It is a payment URI if wallets read one, or else the address. */

/** BIP 21, and the schemes that follow it exactly. */
export type Bip21Scheme = 'bitcoin' | 'litecoin' | 'dogecoin';

/** The parts of a BIP 21 URI. */
export interface Bip21Payment {
  readonly scheme: Bip21Scheme;
  readonly address: string;
  /** Whole coins with a decimal point, such as `0.001`. */
  readonly amount?: string;
  readonly label?: string;
  readonly message?: string;
}

/**
 * A payment URI by BIP 21.
 * @throws RangeError for an invalid address or amount
 */
export function bip21Uri({ scheme, address, amount, label, message }: Bip21Payment): string {
  if (!/^[A-Za-z0-9]{14,90}$/.test(address)) throw new RangeError('Not an address');
  if (amount !== undefined && !/^(?:0|[1-9]\d*)(?:\.\d{1,8})?$/.test(amount))
    throw new RangeError('Not an amount in coins');
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
  /** In the smallest unit of the sent coin: wei, or the token's own unit. */
  readonly value?: bigint;
  /** The token's contract. Absent: the chain's own coin. */
  readonly token?: string;
}

/**
 * A payment URI by EIP-681: a transfer of the chain's coin, or of an ERC-20 token through its contract.
 * @throws RangeError for an invalid address or amount
 */
export function eip681Uri({ chainId, to, value, token }: Eip681Payment): string {
  for (const address of token === undefined ? [to] : [to, token]) {
    if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw new RangeError('Not an address of an Ethereum chain');
  }
  if (!Number.isSafeInteger(chainId) || chainId < 1) throw new RangeError('Not a chain id');
  if (value !== undefined && value < 0n) throw new RangeError('The amount must not be negative');
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
  /** The user-friendly form, base64url. */
  readonly to: string;
  /** In the smallest unit of the sent coin: nanotons, or the token's own unit. */
  readonly value?: bigint;
  readonly text?: string;
  /** The master contract of a token. Absent: toncoin. */
  readonly jetton?: string;
}

/**
 * The payment link that TON wallets read.
 * @throws RangeError for an invalid address or amount
 */
export function tonUri({ to, value, text, jetton }: TonPayment): string {
  for (const address of jetton === undefined ? [to] : [to, jetton]) {
    if (!/^[A-Za-z0-9_-]{48}$/.test(address)) throw new RangeError('Not a user-friendly TON address');
  }
  if (value !== undefined && value < 0n) throw new RangeError('The amount must not be negative');
  return `ton://transfer/${to}${queryOf([
    ['jetton', jetton],
    ['amount', value?.toString()],
    ['text', text],
  ])}`;
}

/** The parts of a Solana Pay transfer request. */
export interface SolanaPayment {
  /** The owner of the coins: a wallet, also for a token. The wallet that pays finds the token's account by itself. */
  readonly to: string;
  /** Whole coins with a decimal point. */
  readonly amount?: string;
  /** The mint of a token. Absent: SOL. */
  readonly token?: string;
}

/**
 * The transfer request of Solana Pay.
 * @throws RangeError for an invalid address or amount
 */
export function solanaPayUri({ to, amount, token }: SolanaPayment): string {
  for (const address of token === undefined ? [to] : [to, token]) {
    if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)) throw new RangeError('Not a Solana address');
  }
  if (amount !== undefined && !/^(?:0|[1-9]\d*)(?:\.\d{1,9})?$/.test(amount))
    throw new RangeError('Not an amount in coins');
  return `solana:${to}${queryOf([
    ['amount', amount],
    ['spl-token', token],
  ])}`;
}

/** TRON wallets share no URI format, so a QR code contains only the address. */
export function tronCode(address: string): string {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address)) throw new RangeError('Not a TRON address');
  return address;
}

function queryOf(entries: readonly (readonly [string, string | undefined])[]): string {
  const given = entries.flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${encodeURIComponent(value)}`]));
  return given.length === 0 ? '' : `?${given.join('&')}`;
}
