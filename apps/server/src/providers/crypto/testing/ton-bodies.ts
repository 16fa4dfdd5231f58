/** Message bodies of wallets and jettons on TON, in base64. */
import { Address, beginCell, type Cell } from '@ton/core';

const NOBODY = new Address(0, Buffer.alloc(32, 7));

function textCell(text: string | Buffer): Cell {
  // A cell holds 127 bytes. A longer text continues in the next cell.
  const bytes = Buffer.from(text);
  const cell = beginCell().storeBuffer(bytes.subarray(0, 100));
  return bytes.length > 100 ? cell.storeRef(textCell(bytes.subarray(100))).endCell() : cell.endCell();
}

const commentCell = (text: string | Buffer): Cell =>
  beginCell().storeUint(0, 32).storeSlice(textCell(text).beginParse()).endCell();

export const commentBody = (text: string | Buffer): string => commentCell(text).toBoc().toString('base64');

/** A comment that only the receiver can read. */
export const encryptedBody = (): string =>
  beginCell().storeUint(0x2167da4b, 32).storeUint(99n, 256).endCell().toBoc().toString('base64');

export interface JettonParts {
  readonly raw: bigint;
  /** Absent: no message is forwarded. */
  readonly comment?: string;
  /** The comment is in the message itself, not in a cell of its own. */
  readonly isInline?: boolean;
}

const jettonBody = (op: number, { raw, comment, isInline = false }: JettonParts): string => {
  const start = beginCell().storeUint(op, 32).storeUint(1, 64).storeCoins(raw).storeAddress(NOBODY);
  // A notification has neither a receiver of excesses nor an amount of coins.
  const head = op === 0x178d4519 ? start.storeAddress(null).storeCoins(1) : start;
  const whole =
    comment === undefined
      ? head.storeBit(false)
      : isInline
        ? head.storeBit(false).storeSlice(commentCell(comment).beginParse())
        : head.storeBit(true).storeRef(commentCell(comment));
  return whole.endCell().toBoc().toString('base64');
};

/** The message that brings tokens to a jetton wallet. */
export const tokensBody = (parts: JettonParts): string => jettonBody(0x178d4519, parts);
/** The message that announces the tokens to the owner. */
export const notificationBody = (parts: JettonParts): string => jettonBody(0x7362d09c, parts);
export const excessesBody = (): string =>
  beginCell().storeUint(0xd53276db, 32).storeUint(1, 64).endCell().toBoc().toString('base64');
