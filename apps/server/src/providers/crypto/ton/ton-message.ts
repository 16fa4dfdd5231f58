/** What the body of a message on TON says: a comment (TEP-2 wallets), or what jettons tell each other (TEP-74). */
import { Cell, type Slice } from '@ton/core';

/** A comment that cannot be read, such as an encrypted or a binary one, is ''. */
export type TonMessage =
  | { readonly kind: 'comment'; readonly comment: string }
  /** What a jetton wallet receives when tokens come to its owner. */
  | { readonly kind: 'tokens'; readonly amount: bigint; readonly comment: string }
  /** What a jetton wallet tells its owner of it. Anybody can send one: nothing is believed of it. */
  | { readonly kind: 'notification' }
  /** What was left of a fee. */
  | { readonly kind: 'excesses' }
  | { readonly kind: 'other' };

const COMMENT = 0;
const INTERNAL_TRANSFER = 0x178d4519;
const NOTIFICATION = 0x7362d09c;
const EXCESSES = 0xd53276db;

/** @param body a bag of cells in base64; absent or empty: a message without words */
export function readTonMessage(body: string | null | undefined): TonMessage {
  if (body === undefined || body === null || body === '') return { kind: 'comment', comment: '' };
  try {
    return messageIn(Cell.fromBase64(body).beginParse());
  } catch {
    // Anybody may write anything into a message: what cannot be read says nothing.
    return { kind: 'other' };
  }
}

function messageIn(slice: Slice): TonMessage {
  if (slice.remainingBits < 32) return { kind: 'comment', comment: '' };
  switch (slice.preloadUint(32)) {
    case COMMENT:
      return { kind: 'comment', comment: commentIn(slice) };
    case INTERNAL_TRANSFER:
      return tokensIn(slice);
    case NOTIFICATION:
      return { kind: 'notification' };
    case EXCESSES:
      return { kind: 'excesses' };
    default:
      return { kind: 'other' };
  }
}

/** `internal_transfer query_id:uint64 amount:VarUInteger16 from response forward_ton_amount forward_payload` (TEP-74). */
function tokensIn(slice: Slice): TonMessage {
  slice.skip(32 + 64);
  const amount = slice.loadCoins();
  return { kind: 'tokens', amount, comment: forwardedIn(slice) };
}

/** The tokens came all the same when the rest of the message makes no sense. */
function forwardedIn(slice: Slice): string {
  try {
    slice.loadMaybeAddress();
    slice.loadMaybeAddress();
    slice.loadCoins();
    return commentIn(slice.loadBit() ? slice.loadRef().beginParse() : slice);
  } catch {
    return '';
  }
}

/** A text behind 32 zero bits, in UTF-8, that goes on from cell to cell. '' for anything else. */
function commentIn(slice: Slice): string {
  if (slice.remainingBits < 32 || slice.loadUint(32) !== COMMENT) return '';
  try {
    const bytes: Buffer[] = [];
    for (let part = slice; ; part = part.loadRef().beginParse()) {
      if (part.remainingBits % 8 !== 0) return '';
      bytes.push(part.loadBuffer(part.remainingBits / 8));
      if (part.remainingRefs === 0) break;
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(bytes));
  } catch {
    return '';
  }
}
