/**
 * Addresses that are valid in form and belong to nobody, because the sandbox keeps no coins and has no keys. A chain whose test
 * network has an address form of its own gets such an address. On other chains the address is zeros and the payment's digits.
 */
import { createHash } from 'node:crypto';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

export type AddressKind = 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'tron' | 'ton' | 'solana';

/**
 * The address of a payment on a chain. The same digits give the same address.
 * @param digits at most 24 decimal digits, of this payment alone
 */
export function addressOf(kind: AddressKind, digits: string): string {
  const hash = Buffer.concat([Buffer.alloc(12), createHash('sha256').update(digits).digest().subarray(0, 8)]);
  switch (kind) {
    case 'bitcoin':
      return segwitAddress('tb', hash);
    case 'litecoin':
      return segwitAddress('tltc', hash);
    case 'dogecoin':
      return base58Check(Buffer.concat([Buffer.of(0x71), hash]));
    case 'tron':
      return base58Check(Buffer.concat([Buffer.of(0x41), hash]));
    case 'ethereum':
      // The letter case carries the checksum (EIP-55), so an address of digits alone has no checksum.
      return `0x${digits.padStart(40, '0')}`;
    case 'ton':
      return tonAddress(hash);
    case 'solana':
      return base58(Buffer.concat([Buffer.of(0x21), Buffer.alloc(11), hash]));
  }
}

/** Base58Check: the bytes and the first four bytes of their double SHA-256. */
export function base58Check(bytes: Buffer): string {
  const sha256 = (data: Buffer): Buffer => createHash('sha256').update(data).digest();
  return base58(Buffer.concat([bytes, sha256(sha256(bytes)).subarray(0, 4)]));
}

function base58(whole: Buffer): string {
  let rest = BigInt(`0x${whole.toString('hex')}`);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = BASE58.charAt(Number(rest % 58n)) + text;
  const zeros = whole.findIndex((byte) => byte !== 0);
  return BASE58.charAt(0).repeat(zeros) + text;
}

/** A witness program of version 0 in bech32 (BIP 173). */
export function segwitAddress(prefix: string, program: Buffer): string {
  const data = [0, ...fiveBits(program)];
  const check = polymod([...expanded(prefix), ...data, 0, 0, 0, 0, 0, 0]) ^ 1;
  const sum = Array.from({ length: 6 }, (_unused, index) => (check >> (5 * (5 - index))) & 31);
  return `${prefix}1${[...data, ...sum].map((value) => BECH32.charAt(value)).join('')}`;
}

function expanded(prefix: string): number[] {
  const codes = [...prefix].map((character) => character.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
}

const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

function polymod(values: readonly number[]): number {
  let check = 1;
  for (const value of values) {
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ value;
    for (const [bit, term] of GENERATOR.entries()) if ((top >> bit) & 1) check ^= term;
  }
  return check;
}

function fiveBits(bytes: Buffer): number[] {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((group) => Number.parseInt(group.padEnd(5, '0'), 2));
}

/** The user-friendly, not bounceable form on the test network: flag, workchain, account and checksum in base64url. */
function tonAddress(hash: Buffer): string {
  const body = Buffer.concat([Buffer.of(0x51 | 0x80, 0), Buffer.alloc(12), hash]);
  return Buffer.concat([body, crc16Xmodem(body)]).toString('base64url');
}

/** CRC-16/XMODEM (polynomial 1021, start 0), big-endian: the checksum of a TON address. */
export function crc16Xmodem(bytes: Uint8Array): Buffer {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return Buffer.of(crc >> 8, crc & 0xff);
}
