/**
 * The part of protobuf's wire format that TRON's transactions need: whole numbers and bytes. The chain's name of a transaction is the hash
 * of these bytes, so they must be exact. Fields come in rising order, and none has its default value.
 */

const VARINT = 0;
const BYTES = 2;
const MOST_NUMBER = 2n ** 63n - 1n;

/** A field: its number, and its value. A number of 0 and an empty text are left out, as protobuf 3 does. */
export type Field = readonly [number, bigint | Uint8Array | string];

/** @throws RangeError for a number that is negative or has more than 63 bits */
export function writeMessage(fields: readonly Field[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [number, value] of fields) {
    if (typeof value === 'bigint') {
      if (value !== 0n) parts.push(varint(BigInt(number * 8 + VARINT)), varint(value));
      continue;
    }
    const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
    if (bytes.length > 0) parts.push(varint(BigInt(number * 8 + BYTES)), varint(BigInt(bytes.length)), bytes);
  }
  return Uint8Array.from(Buffer.concat(parts));
}

function varint(value: bigint): Uint8Array {
  if (value < 0n || value > MOST_NUMBER) throw new RangeError(`${value} is not a number of protobuf`);
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}

/** The fields of a message, in their order. @throws RangeError for bytes that are none, or that have another kind of value */
export function readMessage(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const number = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 63n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('The message ends inside a number');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('A number of the message is too long');
  };
  while (at < bytes.length) {
    const tag = Number(number());
    const field = Math.floor(tag / 8);
    if (tag % 8 === VARINT) fields.push([field, number()]);
    else if (tag % 8 === BYTES) {
      const length = Number(number());
      if (length > bytes.length - at) throw new RangeError('The message ends inside a field');
      fields.push([field, bytes.subarray(at, at + length)]);
      at += length;
    } else throw new RangeError('The message has a value of another kind');
  }
  return fields;
}

/** The number of a field. 0: it is absent. @throws RangeError when it is bytes */
export function numberOf(fields: readonly Field[], number: number): bigint {
  const value = fields.find(([field]) => field === number)?.[1] ?? 0n;
  if (typeof value !== 'bigint') throw new RangeError(`Field ${number} is not a number`);
  return value;
}

/** The bytes of a field. Empty: it is absent. @throws RangeError when it is a number */
export function bytesOf(fields: readonly Field[], number: number): Uint8Array {
  const value = fields.find(([field]) => field === number)?.[1] ?? new Uint8Array();
  if (!(value instanceof Uint8Array)) throw new RangeError(`Field ${number} is not bytes`);
  return value;
}
