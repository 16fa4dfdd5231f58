/** The wallet of payouts on Bitcoin and Litecoin, as the settings name it. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { NETWORK, p2wpkh } from '@scure/btc-signer';
import { AccountKeyError, networkOfKey, readAccountKey } from '../chain/receiving-address.ts';

/** The networks by the prefix of their addresses. */
export const BITCOIN_NETWORKS = {
  bc: NETWORK,
  ltc: { bech32: 'ltc', pubKeyHash: 0x30, scriptHash: 0x32, wif: 0xb0 },
} as const;
export type BitcoinPrefix = keyof typeof BITCOIN_NETWORKS;

/** Where a device finds the private key: the fingerprint of its master key, and the path from there (BIP 32). */
export interface KeyOrigin {
  readonly fingerprint: number;
  readonly path: number[];
}

/** One address of the kind P2WPKH. */
export interface BitcoinWallet {
  readonly publicKey: Uint8Array;
  readonly address: string;
  readonly script: Uint8Array;
  readonly origin?: KeyOrigin | undefined;
}

const HARDENED = 0x80000000;
/** The origin in brackets, the key, and the steps below it. */
const EXPRESSION = /^(?:\[([0-9a-fA-F]{8})((?:\/\d{1,10}[h']?)*)\])?([0-9A-Za-z]+)((?:\/\d{1,10})*)$/;
const PUBLIC_KEY = /^(?:0[23][0-9a-fA-F]{64}|04[0-9a-fA-F]{128})$/;
/** The path of an account: purpose, coin, account. */
const ACCOUNT_DEPTH = 3;
/** Below an account: whether the address is for change, and its number. */
const ADDRESS_STEPS = 2;

/**
 * Reads a key expression of output descriptors (BIP 380): a public key in hex, or an account's extended public key with the steps to one
 * address. An origin in front of it, such as `[d34db33f/84h/0h/0h/0/0]`, tells devices which of their keys must sign.
 * @throws RangeError that names what is wrong
 */
export function readBitcoinWallet(text: string, prefix: BitcoinPrefix): BitcoinWallet {
  const [, fingerprint, originSteps = '', key = '', steps = ''] = EXPRESSION.exec(text.trim()) ?? [];
  if (key === '') throw new RangeError('The wallet of payouts is neither a public key nor a key expression (BIP 380)');
  const below = stepsOf(steps);
  const above = stepsOf(originSteps);
  const publicKey = PUBLIC_KEY.test(key)
    ? onlyKey(key, below)
    : keyOfAccount(key, { above, below, fingerprint, prefix });
  const { address, script } = p2wpkh(publicKey, BITCOIN_NETWORKS[prefix]);
  if (address === undefined) throw new RangeError('The wallet of payouts has no address');
  const origin =
    fingerprint === undefined
      ? undefined
      : { fingerprint: Number.parseInt(fingerprint, 16), path: [...above, ...below] };
  return { publicKey, address, script, origin };
}

function stepsOf(path: string): number[] {
  return path
    .split('/')
    .slice(1)
    .map((step) => {
      const number = Number.parseInt(step, 10);
      if (number >= HARDENED) throw new RangeError(`The wallet of payouts has a step that is too large: ${step}`);
      return /[h']$/.test(step) ? number + HARDENED : number;
    });
}

function onlyKey(key: string, below: readonly number[]): Uint8Array {
  if (below.length > 0)
    throw new RangeError('The wallet of payouts is one public key, and has no steps. Put the path into the brackets');
  try {
    return secp256k1.Point.fromHex(key).toBytes(true);
  } catch {
    throw new RangeError('The wallet of payouts is not a public key: it is no point of the curve');
  }
}

function keyOfAccount(
  key: string,
  of: {
    readonly above: readonly number[];
    readonly below: readonly number[];
    readonly fingerprint: string | undefined;
    readonly prefix: BitcoinPrefix;
  },
): Uint8Array {
  const account = accountOf(key);
  const network = networkOfKey(key);
  if (network !== undefined && network !== (of.prefix === 'bc' ? 'bitcoin' : 'litecoin'))
    throw new RangeError(`The wallet of payouts is a key of ${network}`);
  if (of.below.length !== ADDRESS_STEPS)
    throw new RangeError('The wallet of payouts is an account. Name its one address by two steps, such as /0/0');
  if (of.fingerprint !== undefined && of.above.length !== ACCOUNT_DEPTH)
    throw new RangeError("The brackets of the wallet of payouts must have the account's path, such as 84h/0h/0h");
  const child = of.below.reduce((one, step) => one.deriveChild(step), account);
  if (child.publicKey === null) throw new RangeError('The wallet of payouts has no public key');
  return child.publicKey;
}

function accountOf(key: string): ReturnType<typeof readAccountKey> {
  try {
    return readAccountKey(key);
  } catch (error) {
    if (!(error instanceof AccountKeyError)) throw error;
    throw new RangeError(`The wallet of payouts cannot be read. ${error.message}`, { cause: error });
  }
}

/** The field of a PSBT that names the key of an input or of the change. @returns fields to add, none without an origin */
export function derivationOf({ publicKey, origin }: BitcoinWallet) {
  return origin === undefined ? {} : { bip32Derivation: [[publicKey, origin]] as [Uint8Array, KeyOrigin][] };
}
