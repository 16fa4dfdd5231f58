/**
 * How one family of chains pays out. A rail knows no database and no signer: it builds, checks, sends and finds transactions. The wallet's
 * key is never here.
 */
import type { Sighting } from '@opencashier/core/chain-payout/chain-payout';
import type { SlotClaim } from '@opencashier/core/chain-payout/wallet-doubt';

/** What a payout pays. All amounts are in the smallest unit of their asset. */
export interface PayoutDraft {
  /** '' for the chain's own coin. */
  readonly contract: string;
  readonly address: string;
  readonly raw: bigint;
}

export interface PreparedTransaction {
  /** What it spends: its nonce, its inputs as `txid:index`, or on chains without both its own hash. The same in every replacement. */
  readonly slots: readonly string[];
  /** In the chain's standard form, as the signer gets it. */
  readonly unsigned: string;
  /** A replacement must have a higher one. */
  readonly feeRate: bigint;
  /** The most that the network can take. */
  readonly mostFee: bigint;
  /** When the chain stops to take it, in milliseconds by the chain's clock. Absent: never. A payout has one such transaction at a time. */
  readonly expiresAt?: number | undefined;
}

export type Preparation =
  | ({ readonly kind: 'prepared' } & PreparedTransaction)
  | { readonly kind: 'wait'; readonly why: 'low-balance' | 'low-coin' | 'fee-high' };

/** What of a signer's answer is not what it was asked for. */
export type SignatureFault = 'unreadable' | 'recipient' | 'amount' | 'fee' | 'slot' | 'sender' | 'other';

export type Verdict =
  | { readonly kind: 'good'; readonly hash: string; readonly signed: string }
  | { readonly kind: 'bad'; readonly why: SignatureFault };

export interface SeenPayout {
  readonly sighting: Sighting;
  /** With a mined transaction, where the node says it. */
  readonly fee?: bigint | undefined;
}

/** A transaction of a payout that a block may have. */
export interface SoughtTransaction {
  readonly unsigned: string;
  /** Null: not signed as far as the cashier knows. Only of chains that name a transaction before it is signed. */
  readonly hash: string | null;
}

/** The hashes of the signed ones. */
export const hashesOf = (sought: readonly SoughtTransaction[]): string[] => sought.flatMap(({ hash }) => hash ?? []);

export interface PayoutRail {
  /** The name of the form of `unsigned`, for the signer. */
  readonly format: 'eip1559' | 'psbt' | 'ton-v4r2' | 'tron';
  /** The address that pays. */
  readonly wallet: string;
  /** Why the payout can never be made. Pure. Undefined: nothing speaks against it. */
  objection(draft: PayoutDraft): 'bad-address' | 'bad-memo' | 'amount-too-small' | undefined;
  /** The parts of a payout's address, where it also holds a memo. */
  payee?(address: string): { readonly address: string; readonly memo?: string };
  /** What the wallet has of an asset, without what payouts in progress have reserved. */
  balance(contract: string): Promise<bigint>;
  /**
   * Builds the first transaction of a payout.
   * @param taken the live slots of the wallet
   * @param reserved what other payouts in progress may still take of the chain's coin and of the payout's asset
   * @throws NodeError when the node does not answer or refuses
   */
  prepare(
    draft: PayoutDraft,
    taken: readonly string[],
    reserved: { readonly coin: bigint; readonly asset: bigint },
  ): Promise<Preparation>;
  /**
   * What this node says about the slots of a transaction that was prepared, also by another node.
   * @throws NodeError when the node does not answer
   */
  claim(prepared: Pick<PreparedTransaction, 'unsigned'>): Promise<SlotClaim>;
  /** The same payment from the same slots with a higher fee. Undefined: the bound on the fee, or the inputs, do not allow it. */
  replace(
    draft: PayoutDraft,
    last: Pick<PreparedTransaction, 'unsigned' | 'feeRate'>,
  ): Promise<PreparedTransaction | undefined>;
  /** Whether the chain takes a transaction no more, because its time is over. Its slot is free all the same. Absent: never. */
  isOutOfTime?(unsigned: string): boolean;
  /** Compares a signer's answer with what it was asked for. Pure. */
  verify(unsigned: string, answer: string): Verdict;
  /**
   * Whether a transaction that the cashier may not know spends a slot of the payout and pays all of it. How deep it is, `look` says.
   * @throws NodeError when the node does not answer
   */
  pays(draft: PayoutDraft, slots: readonly string[], hash: string): Promise<boolean>;
  /** @throws NodeError, after which the node may or may not have it */
  send(signed: string): Promise<void>;
  /**
   * Looks for the transactions of a payout.
   * @param sought all that a block may still have
   * @param required the depth from which on a block counts as final
   */
  look(
    draft: PayoutDraft,
    slots: readonly string[],
    sought: readonly SoughtTransaction[],
    required: number,
  ): Promise<SeenPayout>;
}
