/** Addresses of Solana: public keys of Ed25519 in base58, and the token accounts that belong to them. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';

/** A prepared address that cannot be used. The message says which one by its number, and never repeats it. */
export class PreparedAddressError extends Error {
  override readonly name = 'PreparedAddressError';
}

const KEY_BYTES = 32;
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const TOKEN_ACCOUNT_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const MARKER = utf8ToBytes('ProgramDerivedAddress');
const LARGEST_BUMP = 255;

/** The bytes of an address. Undefined for any other text. */
export function keyOf(text: string): Uint8Array | undefined {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return undefined;
  const bytes = base58.decode(text);
  return bytes.length === KEY_BYTES ? bytes : undefined;
}

/** Whether a key can sign. Token accounts and other derived addresses cannot, so coins of their own would be lost. */
export function isWallet(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes);
    return true;
  } catch {
    // The bytes are no point of the curve.
    return false;
  }
}

/** A token's mint in the form that nodes report. Undefined for anything else. */
export function readMint(text: string): string | undefined {
  return keyOf(text) === undefined ? undefined : text;
}

/**
 * Reads the addresses that the operator has prepared.
 * @throws PreparedAddressError for a mistyped address, a token account, or an address that is in the list twice
 */
export function readPreparedAddresses(texts: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  for (const [at, text] of texts.entries()) {
    const bytes = keyOf(text);
    const wrong = (why: string): PreparedAddressError =>
      new PreparedAddressError(`Address ${at + 1} of "addresses" ${why}.`);
    if (bytes === undefined) throw wrong('is not a Solana address: a character is wrong or missing');
    if (!isWallet(bytes)) throw wrong('is not the address of a wallet: it has no key that can sign');
    if (seen.has(text)) throw wrong('is in the list twice');
    seen.add(text);
  }
  return texts;
}

/**
 * The associated token account of a wallet, into which wallets and exchanges pay a token. It is found without a node.
 * @param wallet a valid address
 * @param mint a valid address of a mint of the token program
 */
export function tokenAccountOf(wallet: string, mint: string): string {
  const [owner, token] = [base58.decode(wallet), base58.decode(mint)];
  const program = base58.decode(TOKEN_ACCOUNT_PROGRAM);
  for (let bump = LARGEST_BUMP; bump >= 0; bump -= 1) {
    const seeds = concatBytes(owner, base58.decode(TOKEN_PROGRAM), token, Uint8Array.of(bump), program, MARKER);
    const address = sha256(seeds);
    // A derived address must not be a point of the curve, so that nobody can have its key.
    if (!isWallet(address)) return base58.encode(address);
  }
  throw new RangeError('The wallet has no token account');
}

/** Whether the account is one of the token program, by the owner that a node reports. */
export function isTokenProgram(owner: string): boolean {
  return owner === TOKEN_PROGRAM;
}
