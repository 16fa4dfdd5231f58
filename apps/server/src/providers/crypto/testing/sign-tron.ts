/** Signs transactions of TRON for tests, also other ones than were asked for. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hex } from '@scure/base';
import { bytesOf, type Field, numberOf, readMessage, writeMessage } from '../tron/protobuf.ts';
import { type SignedTransaction, writeSigned } from '../tron/tron-transaction.ts';

/** What is changed before it is signed. */
export type TronChange = 'recipient' | 'amount' | 'fee' | 'slot' | undefined;

const THIEF = 'de'.repeat(20);

/**
 * A signature with a new random part each time, as hardware may add.
 * @param unsigned `raw_data` in hex
 */
export function signTron(
  unsigned: string,
  { key, change }: { readonly key: Uint8Array; readonly change: TronChange },
): SignedTransaction {
  const changed = change === undefined ? unsigned : hex.encode(changedTransaction(hex.decode(unsigned), change));
  const [recovery = 0, ...signature] = secp256k1.sign(hex.decode(changed), key, {
    format: 'recovered',
    extraEntropy: true,
  });
  return { unsigned: changed, signature: Uint8Array.of(...signature, recovery + 27) };
}

/** The whole transaction in hex, as a signer answers. */
export const signedTron = (...asked: Parameters<typeof signTron>): string => writeSigned(signTron(...asked));

const withField = (fields: readonly Field[], number: number, value: Field[1]): Field[] =>
  fields.map((field) => (field[0] === number ? [number, value] : field));

function changedTransaction(bytes: Uint8Array, change: NonNullable<TronChange>): Uint8Array {
  const fields = readMessage(bytes);
  if (change === 'slot') return writeMessage(withField(fields, 8, numberOf(fields, 8) + 60_000n));
  if (change === 'fee') return writeMessage([...fields.filter(([field]) => field !== 18), [18, 999_000_000n]]);
  const call = readMessage(bytesOf(fields, 11));
  const parameter = readMessage(bytesOf(call, 2));
  const value = changedValue(readMessage(bytesOf(parameter, 2)), change);
  const changedCall = withField(call, 2, writeMessage(withField(parameter, 2, writeMessage(value))));
  return writeMessage(withField(fields, 11, writeMessage(changedCall)));
}

/** The call that pays, to somebody else or with another amount. */
function changedValue(value: readonly Field[], change: 'recipient' | 'amount'): Field[] {
  const data = hex.encode(bytesOf(value, 4));
  if (data === '') return change === 'amount' ? withField(value, 3, 1n) : withField(value, 2, hex.decode(`41${THIEF}`));
  const other =
    change === 'amount'
      ? `${data.slice(0, 72)}${'1'.padStart(64, '0')}`
      : `${data.slice(0, 8)}${THIEF.padStart(64, '0')}${data.slice(72)}`;
  return withField(value, 4, hex.decode(other));
}
