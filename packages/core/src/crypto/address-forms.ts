/** The written forms of addresses with their published check sums: Base58Check, bech32 (BIP 173, BIP 350), EIP-55, TON's. */
import { keccak256 } from './keccak-256.ts';
import { sha256 } from './sha-256.ts';

/** `form`: it is no address of this kind. `checksum`: it is one, with a letter wrong. */
export type Decoded<Value> = { readonly kind: 'ok'; readonly value: Value } | { readonly kind: 'form' | 'checksum' };

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** A version, 20 bytes and the check sum: what every chain here that uses this form has. */
const BASE58_BYTES = 25;

/** The version byte of a Base58Check address of 20 bytes. */
export function decodeBase58Check(text: string): Decoded<number> {
  if (!/^[1-9A-HJ-NP-Za-km-z]{25,35}$/.test(text)) return { kind: 'form' };
  let rest = 0n;
  for (const letter of text) rest = rest * 58n + BigInt(BASE58.indexOf(letter));
  if (rest >= 2n ** BigInt(8 * BASE58_BYTES)) return { kind: 'form' };
  const bytes = new Uint8Array(BASE58_BYTES);
  for (let index = BASE58_BYTES - 1; index >= 0; index -= 1) {
    bytes[index] = Number(rest & 255n);
    rest >>= 8n;
  }
  // Each leading 1 stands for a byte of zero, no more and no fewer.
  const zeros = bytes.findIndex((byte) => byte !== 0);
  const ones = text.length - text.replace(/^1+/, '').length;
  if (ones !== (zeros === -1 ? BASE58_BYTES : zeros)) return { kind: 'form' };
  const sum = sha256(sha256(bytes.subarray(0, -4))).subarray(0, 4);
  const isRight = sum.every((byte, index) => byte === bytes[BASE58_BYTES - 4 + index]);
  return isRight ? { kind: 'ok', value: bytes[0] ?? 0 } : { kind: 'checksum' };
}

const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const BECH32M_SUM = 0x2bc830a3;
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

function polymod(values: readonly number[]): number {
  let check = 1;
  for (const value of values) {
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ value;
    for (const [bit, term] of GENERATOR.entries()) if ((top >>> bit) & 1) check ^= term;
  }
  return check;
}

/** The prefix of a segregated witness address, such as `bc`. */
export function decodeSegwit(text: string): Decoded<string> {
  const lower = text.toLowerCase();
  const parts = /^([a-z]{2,4})1([02-9ac-hj-np-z]{8,87})$/.exec(lower);
  // Both cases at once are forbidden.
  if (parts === null || (text !== lower && text !== text.toUpperCase()) || text.length > 90) return { kind: 'form' };
  const [, prefix = '', data = ''] = parts;
  const values = [...data].map((letter) => BECH32.indexOf(letter));
  const codes = [...prefix].map((letter) => letter.charCodeAt(0));
  const [version = 0, ...program] = values.slice(0, -6);
  const sum = polymod([...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...values]);
  if (sum !== (version === 0 ? 1 : BECH32M_SUM)) return { kind: 'checksum' };
  const bytes = Math.floor((program.length * 5) / 8);
  const spare = (program.length * 5) % 8;
  const isWhole = spare < 5 && ((program.at(-1) ?? 0) & (2 ** spare - 1)) === 0;
  const isLength = version === 0 ? bytes === 20 || bytes === 32 : bytes >= 2 && bytes <= 40;
  return version <= 16 && isWhole && isLength ? { kind: 'ok', value: prefix } : { kind: 'form' };
}

/** An address of Ethereum and of the chains that share its form. All in one case it carries no check sum (EIP-55). */
export function decodeEvm(text: string): Decoded<true> {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return { kind: 'form' };
  const digits = text.slice(2);
  const lower = digits.toLowerCase();
  if (digits === lower || digits === digits.toUpperCase()) return { kind: 'ok', value: true };
  const hash = keccak256(new TextEncoder().encode(lower));
  const nibble = (index: number): number => ((hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0)) & 15;
  const wanted = [...lower].map((letter, index) => (nibble(index) >= 8 ? letter.toUpperCase() : letter)).join('');
  return digits === wanted ? { kind: 'ok', value: true } : { kind: 'checksum' };
}

const TON_TEST_ONLY = 0x80;

/** Whether a friendly address of TON is of the test network. The raw form has no check sum and is not taken. */
export function decodeTon(text: string): Decoded<{ readonly isTest: boolean }> {
  if (!/^(?:[A-Za-z0-9+/]{48}|[A-Za-z0-9_-]{48})$/.test(text)) return { kind: 'form' };
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = [...binary].map((character) => character.charCodeAt(0));
  const [tag = 0, workchain] = bytes;
  if (![0x11, 0x51].includes(tag & ~TON_TEST_ONLY) || (workchain !== 0 && workchain !== 255)) return { kind: 'form' };
  // The remainder of the whole with its own CRC-16/XMODEM behind it is nothing.
  if (crc16Xmodem(bytes) !== 0) return { kind: 'checksum' };
  return { kind: 'ok', value: { isTest: (tag & TON_TEST_ONLY) !== 0 } };
}

function crc16Xmodem(bytes: readonly number[]): number {
  let check = 0;
  for (const byte of bytes) {
    check ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) check = ((check << 1) ^ (check & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return check;
}
