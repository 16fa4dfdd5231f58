/** The message by which a wallet on TON pays: coins with a comment, or a transfer of jettons (TEP-74). */
import {
  type Address,
  beginCell,
  Cell,
  type CommonMessageInfoRelaxedInternal,
  comment,
  internal,
  type MessageRelaxed,
} from '@ton/core';
import type { TonPayee } from './ton-payee.ts';

/** The operations of TEP-74. */
const TRANSFER = 0x0f8a7ea5;
const INTERNAL_TRANSFER = 0x178d4519;
const EXCESSES = 0xd53276db;
/** What a transfer of jettons takes along for its fees, in nanotons. The rest comes back. */
export const JETTON_VALUE = 100_000_000n;
/** Exchanges see tokens only when a message about them arrives, so the smallest amount goes along. */
const FORWARDED = 1n;

export interface TonPayment {
  /** The wallet that pays. The rest of a transfer's fees returns there. */
  readonly wallet: Address;
  readonly payee: TonPayee;
  readonly raw: bigint;
  /** The wallet's own contract for the jetton. Absent: the chain's coin. */
  readonly jettonWallet?: Address;
  /** Tells the transfers of a wallet apart. */
  readonly queryId: bigint;
}

/** @param mayBounce whether a contract is at the address, which can give money back */
export function paymentMessage(payment: TonPayment, mayBounce: boolean): MessageRelaxed {
  const { payee, raw, jettonWallet } = payment;
  if (jettonWallet !== undefined)
    return internal({ to: jettonWallet, value: JETTON_VALUE, bounce: true, body: transferBody(payment) });
  const body = payee.memo === '' ? {} : { body: comment(payee.memo) };
  return internal({ to: payee.address, value: raw, bounce: payee.isBounceable && mayBounce, ...body });
}

function transferBody({ wallet, payee, raw, queryId }: TonPayment): Cell {
  const noted = payee.memo === '' ? undefined : comment(payee.memo);
  return beginCell()
    .storeUint(TRANSFER, 32)
    .storeUint(queryId, 64)
    .storeCoins(raw)
    .storeAddress(payee.address)
    .storeAddress(wallet)
    .storeBit(false)
    .storeCoins(FORWARDED)
    .storeMaybeRef(noted)
    .endCell();
}

/** What a message pays. */
export interface PaidBy {
  readonly to: Address;
  /** Of the chain's coin. */
  readonly value: bigint;
  /** A contract at the address may return it. */
  readonly canBounce: boolean;
  readonly body: Cell;
  /** In a transfer of jettons. */
  readonly tokens?: { readonly raw: bigint; readonly to: Address };
}

/** Undefined for a message that leaves the chain, or brings a contract's code. */
export function paidBy({ info, body, init }: MessageRelaxed): PaidBy | undefined {
  if (!isInternal(info) || init) return undefined;
  const tokens = tokensIn(body);
  return { to: info.dest, value: info.value.coins, canBounce: info.bounce, body, ...(tokens && { tokens }) };
}

const isInternal = (info: MessageRelaxed['info']): info is CommonMessageInfoRelaxedInternal => info.type === 'internal';

function tokensIn(body: Cell): PaidBy['tokens'] {
  try {
    const slice = body.beginParse();
    if (slice.loadUint(32) !== TRANSFER) return undefined;
    slice.skip(64);
    return { raw: slice.loadCoins(), to: slice.loadAddress() };
  } catch {
    // Any other message.
    return undefined;
  }
}

/** Whether a body, in base64, moves the tokens of a transfer on to the recipient's contract. */
export const movesTokens = (body: string | null | undefined): boolean => opOf(body) === INTERNAL_TRANSFER;

/** Whether a body, in base64, returns the rest of a transfer's fees. */
export const returnsRest = (body: string | null | undefined): boolean => opOf(body) === EXCESSES;

function opOf(body: string | null | undefined): number | undefined {
  try {
    return body ? Cell.fromBase64(body).beginParse().loadUint(32) : undefined;
  } catch {
    return undefined;
  }
}
