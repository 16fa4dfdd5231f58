/** Reads the body of a message on TON: a comment, or a message between jetton contracts (TEP-74). */
import { Cell, type Slice } from '@ton/core';

/** A comment that cannot be read, such as a binary one, is ''. */
export type TonMessage =
  | { readonly kind: 'comment'; readonly comment: string }
  /** A jetton wallet receives it when tokens arrive for its owner. */
  | { readonly kind: 'tokens'; readonly amount: bigint; readonly comment: string }
  /** A jetton wallet announces tokens to its owner. It proves nothing, because anybody can send one. */
  | { readonly kind: 'notification' }
  /** The unused rest of a fee. */
  | { readonly kind: 'excesses' }
  | { readonly kind: 'other' };

const COMMENT = 0;
const INTERNAL_TRANSFER = 0x178d4519;
const NOTIFICATION = 0x7362d09c;
const EXCESSES = 0xd53276db;

/** @param body a bag of cells in base64. Absent or empty: a message without a comment */
export function readTonMessage(body: string | null | undefined): TonMessage {
  if (body === undefined || body === null || body === '') return { kind: 'comment', comment: '' };
  try {
    return messageIn(Cell.fromBase64(body).beginParse());
  } catch {
    // Anybody may write anything into a message. An unreadable one is not an error.
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

/** The comment that came with tokens. '' where it cannot be read, because the tokens have arrived all the same. */
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

/** A text in UTF-8 after 32 zero bits, which continues from cell to cell. '' for anything else. */
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
