/** The text forms of addresses and their published checksums: Base58Check, bech32 (BIP 173, BIP 350), EIP-55 and TON. */
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58, base64, bech32, bech32m, createBase58check } from '@scure/base';

/** `form`: the text is not an address of this kind. `checksum`: the form is right, but a letter is wrong. */
export type Decoded<Value> = { readonly kind: 'ok'; readonly value: Value } | { readonly kind: 'form' | 'checksum' };

const base58check = createBase58check(sha256);
/** The length of a version byte, 20 address bytes and the checksum. All supported Base58Check chains use this length. */
const BASE58_BYTES = 25;

/** The version byte of a Base58Check address of 20 bytes. */
export function decodeBase58Check(text: string): Decoded<number> {
  if (!/^[1-9A-HJ-NP-Za-km-z]{25,35}$/.test(text)) return { kind: 'form' };
  if (base58.decode(text).length !== BASE58_BYTES) return { kind: 'form' };
  try {
    return { kind: 'ok', value: base58check.decode(text)[0] ?? 0 };
  } catch {
    // The form was checked above, so the library can only have refused the checksum.
    return { kind: 'checksum' };
  }
}

/** The prefix of a segregated witness address, such as `bc`. */
export function decodeSegwit(text: string): Decoded<string> {
  const lower = text.toLowerCase();
  const parts = /^([a-z]{2,4})1[02-9ac-hj-np-z]{8,87}$/.exec(lower);
  // BIP 173 forbids an address in mixed case.
  if (parts === null || (text !== lower && text !== text.toUpperCase()) || text.length > 90) return { kind: 'form' };
  const [old, modern] = [bech32.decodeUnsafe(lower), bech32m.decodeUnsafe(lower)];
  const found = old?.words[0] === 0 ? old : modern;
  const [version = 0, ...words] = found?.words ?? [];
  // BIP 350: version 0 uses the old checksum, and every later version uses the new checksum.
  if (found === undefined || (found === modern && version === 0)) return { kind: 'checksum' };
  const length = bech32.fromWordsUnsafe(words)?.length ?? 0;
  const isLength = version === 0 ? length === 20 || length === 32 : length >= 2 && length <= 40;
  return version <= 16 && isLength ? { kind: 'ok', value: parts[1] ?? '' } : { kind: 'form' };
}

/** An address of Ethereum, or of a chain with the same form. An address in a single case has no checksum (EIP-55). */
export function decodeEvm(text: string): Decoded<true> {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return { kind: 'form' };
  const digits = text.slice(2);
  const lower = digits.toLowerCase();
  if (digits === lower || digits === digits.toUpperCase()) return { kind: 'ok', value: true };
  const hash = keccak_256(new TextEncoder().encode(lower));
  const nibble = (index: number): number => ((hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0)) & 15;
  const wanted = [...lower].map((letter, index) => (nibble(index) >= 8 ? letter.toUpperCase() : letter)).join('');
  return digits === wanted ? { kind: 'ok', value: true } : { kind: 'checksum' };
}

const SOLANA_BYTES = 32;

/** A public key of Solana in base58. The form has no checksum, so a wrong letter is found only where the length changes. */
export function decodeSolana(text: string): Decoded<true> {
  const isKey = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) && base58.decode(text).length === SOLANA_BYTES;
  return isKey ? { kind: 'ok', value: true } : { kind: 'form' };
}

const TON_TEST_ONLY = 0x80;

/** Reads a user-friendly TON address and its test-network flag. The raw form has no checksum and is refused. */
export function decodeTon(text: string): Decoded<{ readonly isTest: boolean }> {
  if (!/^(?:[A-Za-z0-9+/]{48}|[A-Za-z0-9_-]{48})$/.test(text)) return { kind: 'form' };
  const bytes = base64.decode(text.replaceAll('-', '+').replaceAll('_', '/'));
  const [tag = 0, workchain] = bytes;
  if (![0x11, 0x51].includes(tag & ~TON_TEST_ONLY) || (workchain !== 0 && workchain !== 255)) return { kind: 'form' };
  // The CRC-16/XMODEM over a text and its own CRC is zero.
  if (crc16Xmodem(bytes) !== 0) return { kind: 'checksum' };
  return { kind: 'ok', value: { isTest: (tag & TON_TEST_ONLY) !== 0 } };
}

function crc16Xmodem(bytes: Uint8Array): number {
  let check = 0;
  for (const byte of bytes) {
    check ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) check = ((check << 1) ^ (check & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return check;
}
