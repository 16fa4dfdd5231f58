/**
 * Derives receiving addresses from an account's extended public key (BIP 32). The cashier never has a key that could spend the coins.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bech32, createBase58check, hex } from '@scure/base';
import { HDKey } from '@scure/bip32';

/** The form of a chain's addresses. */
export type AddressForm =
  /** Pay to witness public key hash: `bc1q…` (BIP 84). */
  | { readonly kind: 'segwit'; readonly prefix: string }
  /** Pay to public key hash in Base58Check (BIP 44). */
  | { readonly kind: 'base58'; readonly version: number }
  /** Ethereum and the chains with the same form, with the checksum of EIP-55. */
  | { readonly kind: 'evm' }
  | { readonly kind: 'tron' };

/** An extended key that cannot be used. The message never repeats it. */
export class AccountKeyError extends Error {
  override readonly name = 'AccountKeyError';
}

const base58check = createBase58check(sha256);

/** Version bytes of public keys: xpub, ypub, zpub, Ltub, Mtub, dgub, and those of the test networks. */
const PUBLIC_VERSIONS = new Set([
  0x0488b21e, 0x049d7cb2, 0x04b24746, 0x019da462, 0x01b26ef6, 0x02facafd, 0x043587cf, 0x044a5262, 0x045f1cf6,
]);
/** The network that a version names. `xpub` is used for every chain and is not listed. */
const NETWORK_OF_VERSION: ReadonlyMap<number, string> = new Map([
  [0x049d7cb2, 'bitcoin'],
  [0x04b24746, 'bitcoin'],
  [0x019da462, 'litecoin'],
  [0x01b26ef6, 'litecoin'],
  [0x02facafd, 'dogecoin'],
  [0x043587cf, 'test'],
  [0x044a5262, 'test'],
  [0x045f1cf6, 'test'],
]);
const XPUB = 0x0488b21e;
/** The depth of an account's key in its path, `purpose'/coin'/account'`. */
const ACCOUNT_DEPTH = 3;

/**
 * Reads an account's extended public key, in any of the usual spellings.
 * @throws AccountKeyError for anything else. A private key is refused too: a server must never have it
 */
export function readAccountKey(text: string): HDKey {
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(text.trim());
  } catch {
    throw new AccountKeyError(
      'The account is not an extended public key: a character is wrong or missing. Copy it again from your wallet.',
    );
  }
  if (bytes.length !== 78)
    throw new AccountKeyError('The account is not an extended public key. Copy it again from your wallet.');
  const version = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  if (bytes[45] === 0)
    throw new AccountKeyError(
      'The account is a private key. Anybody who reads it can spend the money. Remove it, and use the extended public key.',
    );
  if (!PUBLIC_VERSIONS.has(version))
    throw new AccountKeyError(
      'The account is an extended key of an unknown kind. See docs/providers.md for the kinds.',
    );
  if (bytes[4] !== ACCOUNT_DEPTH)
    throw new AccountKeyError(
      'The account is not an account key. Export the extended public key of the account (depth 3).',
    );
  const plain = Uint8Array.from(bytes);
  new DataView(plain.buffer).setUint32(0, XPUB);
  return HDKey.fromExtendedKey(base58check.encode(plain));
}

/** The network that the spelling of a valid key names, such as `bitcoin` or `test`. Undefined for `xpub`. */
export function networkOfKey(text: string): string | undefined {
  const bytes = base58check.decode(text.trim());
  return NETWORK_OF_VERSION.get(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0));
}

/** The place of an address below its account's key: the path `branch/index`. */
export interface AddressPlace {
  readonly branch: number;
  readonly index: number;
}

const isStep = (step: number): boolean => Number.isInteger(step) && step >= 0 && step < 0x80000000;

/**
 * The receiving address at a place below an account.
 * @throws RangeError when branch or index is not a valid path step
 */
export function receivingAddress(account: HDKey, { branch, index }: AddressPlace, form: AddressForm): string {
  if (!isStep(branch) || !isStep(index)) throw new RangeError(`${branch}/${index} is not the path of an address`);
  const { publicKey } = account.deriveChild(branch).deriveChild(index);
  if (publicKey === null) throw new RangeError('The key has no public half');
  switch (form.kind) {
    case 'segwit':
      return bech32.encode(form.prefix, [0, ...bech32.toWords(hash160(publicKey))]);
    case 'base58':
      return base58check.encode(Uint8Array.of(form.version, ...hash160(publicKey)));
    case 'evm':
      return withChecksum(hex.encode(evmHash(publicKey)));
    case 'tron':
      return base58check.encode(Uint8Array.of(0x41, ...evmHash(publicKey)));
  }
}

/** The 20 bytes of a TRON address in hex without a prefix, as contracts write it. */
export function tronHex(address: string): string {
  return hex.encode(base58check.decode(address).subarray(1));
}

/** The inverse of {@link tronHex}. @param digits 40 hex digits */
export function tronAddress(digits: string): string {
  return base58check.encode(Uint8Array.of(0x41, ...hex.decode(digits)));
}

function hash160(publicKey: Uint8Array): Uint8Array {
  return ripemd160(sha256(publicKey));
}

/** The last 20 bytes of the hash of the uncompressed key without its tag. */
function evmHash(publicKey: Uint8Array): Uint8Array {
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  return keccak_256(point.subarray(1)).subarray(12);
}

/** An address with the checksum of EIP-55. @param digits 40 small hex digits */
export function withChecksum(digits: string): string {
  const hash = hex.encode(keccak_256(new TextEncoder().encode(digits)));
  const letters = [...digits].map((letter, index) =>
    Number.parseInt(hash.charAt(index), 16) >= 8 ? letter.toUpperCase() : letter,
  );
  return `0x${letters.join('')}`;
}
