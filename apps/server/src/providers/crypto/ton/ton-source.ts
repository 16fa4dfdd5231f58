/**
 * TON: payments to the wallet that all deposits share, in coins and in tokens (jettons). Token payments are read from the transactions
 * of the jetton wallet that the index names for the master contract. A message to the wallet that announces tokens proves nothing,
 * because anybody can send one. Blocks are those of the masterchain.
 */
import { holdsByScan } from '../chain/block-scan.ts';
import {
  type BalancePlace,
  type BalancesAt,
  type Block,
  type ChainSource,
  type IncomingPayment,
  missingBlock,
  NodeError,
  type OurAddresses,
  type Scan,
  type ScanRange,
  type WatchedAssets,
} from '../chain/chain-source.ts';
import { inTurns, type NodeAddress } from '../chain/node-http.ts';
import { hexOf, isForeign, rawOf, TonIndex, type TonMessage, type TonTransaction } from './ton-index.ts';
import { readTonMessage } from './ton-message.ts';
import { destinationOf, isUnassigned, readMemo, splitDestination, unassignedDestination } from './ton-wallet.ts';

/** `tokens` are master contracts in the raw form. */
export interface TonOptions extends WatchedAssets {
  /** The shared wallet, in the form that payers see. */
  readonly wallet: string;
  readonly warn: (fields: object, message: string) => void;
}

/** A block of a shard can be older than the masterchain block that holds it. */
const SLACK_S = 300;
const MOST_WARNED = 10_000;

export class TonSource implements ChainSource {
  readonly mostBlocks = 100;
  // Six seconds of blocks, because the index may get a shard's transactions after the masterchain block.
  readonly looksBack = 15;
  readonly #index: TonIndex;
  readonly #options: TonOptions;
  readonly #warned = new Set<string>();

  constructor(node: NodeAddress, options: TonOptions) {
    this.#index = new TonIndex(node);
    this.#options = options;
  }

  async tip() {
    const block = await this.#index.tip();
    const { seqno: height, root_hash, gen_utime } = block;
    const foreign = isForeign(block) && { isForeign: true };
    return { height, hash: hexOf(root_hash), minedAt: Number(gen_utime) * 1000, ...foreign };
  }

  async hashAt(height: number): Promise<string | undefined> {
    const block = await this.#index.blockAt(height);
    return block && hexOf(block.root_hash);
  }

  async scan(ours: Pick<OurAddresses, 'wallets'>, range: ScanRange): Promise<Scan> {
    const { wallet, tokens, isCoinWatched } = this.#options;
    const [first, last] = await Promise.all([this.#index.blockAt(range.from), this.#index.blockAt(range.to)]);
    if (first === undefined || last === undefined) throw new NodeError('The node does not have the blocks yet');
    const look = new RangeReader(this.#index, range, {
      fromS: Number(first.gen_utime) - SLACK_S,
      toS: Number(last.gen_utime),
    });
    const found: IncomingPayment[] = [];
    // Payers may still hold the address of an earlier wallet, so payments to it are also read.
    const owners = (await ours.wallets()).map((address) => splitDestination(address).wallet);
    for (const owner of new Set([wallet, ...owners])) {
      const masters = new Map<string, string>();
      for (const master of tokens) {
        const holder = await this.#index.jettonWalletOf(owner, master);
        if (holder !== undefined) masters.set(holder, master);
      }
      const coins = await look.coinsTo(owner, (source, id) => {
        if (!masters.has(rawOf(source))) this.#warnOfForeignTokens(source, id);
      });
      if (isCoinWatched) found.push(...coins);
      for (const [holder, master] of masters) found.push(...(await look.tokensTo(owner, holder, master)));
    }
    return { payments: found, last: { height: range.to, hash: hexOf(last.root_hash) } };
  }

  /** As of now. The index may lag behind its blocks, so payments of the last ones may or may not be in it. */
  async balances(places: readonly BalancePlace[], height: number): Promise<BalancesAt> {
    const raws = await inTurns(
      places,
      ({ address, contract }) => this.#index.balanceOf(address, contract === '' ? undefined : contract),
      2,
    );
    const last = Math.max(height, (await this.tip()).height);
    return { raws, first: Math.max(0, height - this.looksBack), last };
  }

  holds(payment: Parameters<ChainSource['holds']>[0]): Promise<boolean> {
    return holdsByScan(this, payment, (scanned) =>
      isUnassigned(payment.address) ? unassignedDestination(scanned) : scanned.address,
    );
  }

  /** Warns once a transaction, because many rounds read it. */
  #warnOfForeignTokens(source: string, id: string): void {
    if (this.#warned.has(id)) return;
    if (this.#warned.size >= MOST_WARNED) this.#warned.clear();
    this.#warned.add(id);
    this.#options.warn(
      { jettonWallet: source, txid: hexOf(id) },
      'a token of another master contract arrived: not credited',
    );
  }
}

interface Payment {
  readonly raw: bigint;
  readonly comment: string;
  readonly contract?: string;
}

/** Reads one range of blocks. It keeps the blocks for this range alone, because the chain may change. */
class RangeReader {
  readonly #index: TonIndex;
  readonly #range: ScanRange;
  readonly #times: { readonly fromS: number; readonly toS: number };
  readonly #blocks = new Map<number, Promise<Block>>();

  constructor(index: TonIndex, range: ScanRange, times: { readonly fromS: number; readonly toS: number }) {
    this.#index = index;
    this.#range = range;
    this.#times = times;
  }

  /** @param onNotification called for each message which claims that a jetton wallet received tokens for the owner */
  coinsTo(owner: string, onNotification: (source: string, id: string) => void): Promise<IncomingPayment[]> {
    return this.#paymentsOf(owner, owner, ({ hash: id, description }, message) => {
      // A failed transaction sends the money back, unless the message says that it must not bounce.
      if (description.aborted && message.bounce !== false) return undefined;
      const content = readTonMessage(message.message_content?.body);
      if (content.kind === 'notification') onNotification(message.source ?? '', id);
      if (content.kind === 'notification' || content.kind === 'excesses') return undefined;
      return { raw: BigInt(message.value ?? 0), comment: content.kind === 'comment' ? content.comment : '' };
    });
  }

  tokensTo(owner: string, holder: string, contract: string): Promise<IncomingPayment[]> {
    return this.#paymentsOf(holder, owner, ({ description }, message) => {
      // The jetton wallet aborts unless the sender is its master or another wallet of the same master.
      if (description.aborted) return undefined;
      const content = readTonMessage(message.message_content?.body);
      return content.kind === 'tokens' ? { raw: content.amount, comment: content.comment, contract } : undefined;
    });
  }

  /** @param read the payment in a transaction. Undefined where there is none */
  async #paymentsOf(
    account: string,
    owner: string,
    read: (transaction: TonTransaction, message: TonMessage) => Payment | undefined,
  ): Promise<IncomingPayment[]> {
    const { from, to } = this.#range;
    const all = await this.#index.transactionsOf(account, this.#times.fromS, this.#times.toS);
    const transactions = all.filter(
      ({ mc_block_seqno: height }) => height === undefined || height === null || (height >= from && height <= to),
    );
    const found = await inTurns(transactions, async (transaction): Promise<IncomingPayment[]> => {
      const { in_msg: message, mc_block_seqno: height } = transaction;
      // A message without a source is the owner's own order. A bounced message is our own money that comes back.
      const payment = message?.source && !message.bounced ? read(transaction, message) : undefined;
      if (payment === undefined || payment.raw === 0n) return [];
      const { comment, ...rest } = payment;
      const place = height === undefined || height === null ? {} : { block: await this.#blockOf(height) };
      return [{ txid: hexOf(transaction.hash), address: destinationOf(owner, readMemo(comment)), ...rest, ...place }];
    });
    return found.flat();
  }

  #blockOf(height: number): Promise<Block> {
    const asked =
      this.#blocks.get(height) ??
      this.#index.blockAt(height).then((block) => {
        if (block === undefined) throw missingBlock(height);
        return { height, hash: hexOf(block.root_hash) };
      });
    this.#blocks.set(height, asked);
    return asked;
  }
}
