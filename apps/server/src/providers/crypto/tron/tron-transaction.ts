/** TRON's transactions: writes the two kinds that pay, and reads what a signer returned. No node builds a transaction for us. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { hex } from '@scure/base';
import { tronAddress, tronHex } from '../chain/receiving-address.ts';
import { bytesOf, numberOf, readMessage, writeMessage } from './protobuf.ts';

/** The selector of `transfer(address,uint256)`. */
const TRANSFER = 'a9059cbb';
const TYPE_URL = 'type.googleapis.com/protocol.';
const KINDS = {
  coin: { number: 1n, name: 'TransferContract' },
  token: { number: 31n, name: 'TriggerSmartContract' },
} as const;
/** r, s and the number that makes the public key recoverable. */
const SIGNATURE_BYTES = 65;

/** What a transaction pays. Addresses are in Base58Check. */
export interface TronPayment {
  readonly from: string;
  readonly to: string;
  /** '' for the chain's own coin. */
  readonly contract: string;
  /** In the asset's smallest unit. */
  readonly raw: bigint;
}

/** What binds a transaction to its chain and its time. All times are milliseconds since 1970. */
export interface TronFrame {
  /** A block that the transaction names. Only a chain with this block takes it. */
  readonly block: { readonly height: number; readonly hash: string };
  readonly expiresAt: number;
  readonly timestamp: number;
  /** The most that a contract may take, in the chain's smallest unit. 0 without a contract. */
  readonly feeLimit: bigint;
}

/** Whether a text is an address of TRON, with a right checksum. */
export function isTronAddress(text: string): boolean {
  try {
    const digits = tronHex(text);
    return digits.length === 40 && tronAddress(digits) === text;
  } catch {
    return false;
  }
}

/** An address as the chain writes it: 21 bytes. */
export const tronBytes = (address: string): Uint8Array => Uint8Array.of(0x41, ...hex.decode(tronHex(address)));

/** The word of an address in the call of a contract. */
export const addressWord = (address: string): string => tronHex(address).padStart(64, '0');

/** The arguments of the call that pays tokens, in hex. */
export const transferArguments = ({ to, raw }: Pick<TronPayment, 'to' | 'raw'>): string =>
  `${addressWord(to)}${raw.toString(16).padStart(64, '0')}`;

/** An unsigned transaction (`raw_data`), in hex. The same payment in the same frame always gives the same bytes. */
export function writeTransaction(payment: TronPayment, { block, expiresAt, timestamp, feeLimit }: TronFrame): string {
  const { from, to, contract, raw } = payment;
  const kind = contract === '' ? KINDS.coin : KINDS.token;
  const value =
    contract === ''
      ? writeMessage([
          [1, tronBytes(from)],
          [2, tronBytes(to)],
          [3, raw],
        ])
      : writeMessage([
          [1, tronBytes(from)],
          [2, tronBytes(contract)],
          [4, hex.decode(`${TRANSFER}${transferArguments(payment)}`)],
        ]);
  const parameter = writeMessage([
    [1, `${TYPE_URL}${kind.name}`],
    [2, value],
  ]);
  const call = writeMessage([
    [1, kind.number],
    [2, parameter],
  ]);
  const height = block.height.toString(16).padStart(16, '0');
  return hex.encode(
    writeMessage([
      [1, hex.decode(height.slice(12))],
      [4, hex.decode(block.hash.slice(16, 32))],
      [8, BigInt(expiresAt)],
      [11, call],
      [14, BigInt(timestamp)],
      [18, feeLimit],
    ]),
  );
}

/** The chain's name of a transaction. It does not depend on the signature. @param unsigned `raw_data` in hex */
export const transactionId = (unsigned: string): string => hex.encode(sha256(hex.decode(unsigned)));

/** When the chain stops to take a transaction. @param unsigned `raw_data` in hex */
export const expiryOf = (unsigned: string): number => Number(numberOf(readMessage(hex.decode(unsigned)), 8));

/** The block that a transaction names: the last two bytes of its height, and 8 bytes of its hash in hex. @param unsigned `raw_data` in hex */
export function referenceOf(unsigned: string): { readonly lowHeight: number; readonly hashPart: string } {
  const fields = readMessage(hex.decode(unsigned));
  return { lowHeight: Number.parseInt(hex.encode(bytesOf(fields, 1)), 16), hashPart: hex.encode(bytesOf(fields, 4)) };
}

/** What a transaction is made of, part by part, to say in what two of them differ. @throws Error for bytes that are no transaction */
export function partsOf(unsigned: string) {
  const fields = readMessage(hex.decode(unsigned));
  const call = readMessage(bytesOf(fields, 11));
  const value = readMessage(bytesOf(readMessage(bytesOf(call, 2)), 2));
  const isCoin = numberOf(call, 1) === KINDS.coin.number;
  const data = isCoin ? '' : hex.encode(bytesOf(value, 4));
  return {
    recipient: isCoin ? hex.encode(bytesOf(value, 2)) : `${hex.encode(bytesOf(value, 2))} ${data.slice(0, 72)}`,
    amount: isCoin ? String(numberOf(value, 3)) : data.slice(72),
    fee: String(numberOf(fields, 18)),
    slot: [
      hex.encode(bytesOf(fields, 1)),
      hex.encode(bytesOf(fields, 4)),
      numberOf(fields, 8),
      numberOf(fields, 14),
    ].join(),
  };
}

export interface SignedTransaction {
  /** `raw_data` in hex. */
  readonly unsigned: string;
  readonly signature: Uint8Array;
}

/** @param signed a whole transaction in hex. @throws Error for anything else, and for several signatures */
export function readSigned(signed: string): SignedTransaction {
  const fields = readMessage(hex.decode(signed.replace(/^0x/, '').toLowerCase()));
  const isWhole = fields.length === 2 && fields[0]?.[0] === 1 && fields[1]?.[0] === 2;
  const signature = bytesOf(fields, 2);
  if (!isWhole || signature.length !== SIGNATURE_BYTES) throw new RangeError('Not a transaction with one signature');
  return { unsigned: hex.encode(bytesOf(fields, 1)), signature };
}

/** A whole transaction in hex, as nodes take it. */
export const writeSigned = ({ unsigned, signature }: SignedTransaction): string =>
  hex.encode(
    writeMessage([
      [1, hex.decode(unsigned)],
      [2, signature],
    ]),
  );

/** The address whose key signed. @throws Error for a signature that no key can have made */
export function signerOf({ unsigned, signature }: SignedTransaction): string {
  const last = signature.at(-1) ?? 0;
  // Wallets write 0 and 1, or 27 and 28 as Ethereum once did.
  const recovery = last >= 27 ? last - 27 : last;
  const recovered = Uint8Array.of(recovery, ...signature.subarray(0, -1));
  const key = secp256k1.recoverPublicKey(recovered, hex.decode(unsigned));
  const point = secp256k1.Point.fromBytes(key).toBytes(false);
  return tronAddress(hex.encode(keccak_256(point.subarray(1)).subarray(12)));
}
