/** A chain in memory. Tests mine, fork and restore its blocks, and fake nodes of every family answer from it. */
import { createHash, randomBytes } from 'node:crypto';

export interface FakeTransfer {
  readonly txid: string;
  readonly to: string;
  readonly raw: bigint;
  readonly contract?: string;
  readonly hasFailed?: boolean;
  /** For messages on TON only. */
  readonly ton?: {
    /** The body in base64, instead of a comment. */
    readonly body?: string;
    readonly isBounced?: boolean;
    readonly isBounceable?: boolean;
    /** An order of the wallet's owner. It has no sender. */
    readonly isExternal?: boolean;
    /** A message that announces tokens to the owner. It may be false. */
    readonly isNotification?: boolean;
  };
}

interface FakeBlock {
  readonly hash: string;
  readonly transfers: readonly FakeTransfer[];
}

const placeOf = (address: string, contract = ''): string => `${address} ${contract}`.toLowerCase();

export class FakeChain {
  /** The id of the network on TON. The default is the main network. */
  globalId = -239;
  readonly #blocks: FakeBlock[] = [];
  readonly #taken = new Map<string, bigint>();
  waiting: FakeTransfer[] = [];

  constructor(height = 100) {
    this.mine(height + 1);
  }

  /** The same blocks for another node. @param isEmpty the node lacks the transfers in them */
  copy({ isEmpty = false } = {}): FakeChain {
    const twin = new FakeChain();
    twin.#blocks.splice(0);
    twin.#blocks.push(...this.#blocks.map(({ hash, transfers }) => ({ hash, transfers: isEmpty ? [] : transfers })));
    return twin;
  }

  get height(): number {
    return this.#blocks.length - 1;
  }

  blockAt(height: number): FakeBlock | undefined {
    return this.#blocks[height];
  }

  heightOf(hash: string): number | undefined {
    const height = this.#blocks.findLastIndex((block) => block.hash === hash);
    return height < 0 ? undefined : height;
  }

  /** All transfers, the oldest first. Without a height: in no block. */
  transfers(): { readonly transfer: FakeTransfer; readonly height: number | undefined }[] {
    const mined = this.#blocks.flatMap(({ transfers }, height) => transfers.map((transfer) => ({ transfer, height })));
    return [...mined, ...this.waiting.map((transfer) => ({ transfer, height: undefined }))];
  }

  /** The transfers to an address, the newest first, as indexes list them. */
  transfersTo(address: string): { readonly transfer: FakeTransfer; readonly height: number | undefined }[] {
    return this.transfers()
      .filter(({ transfer }) => transfer.to === address)
      .reverse();
  }

  find(txid: string): { readonly transfer: FakeTransfer; readonly height: number | undefined } | undefined {
    for (const [height, { transfers }] of this.#blocks.entries()) {
      const transfer = transfers.find((one) => one.txid === txid);
      if (transfer !== undefined) return { transfer, height };
    }
    const transfer = this.waiting.find((one) => one.txid === txid);
    return transfer && { transfer, height: undefined };
  }

  /** Sends a transfer. It is in no block until the next block is mined. @returns its txid */
  send(transfer: Omit<FakeTransfer, 'txid'> & { readonly txid?: string }): string {
    const sent = { txid: randomBytes(32).toString('hex'), ...transfer };
    this.waiting.push(sent);
    return sent.txid;
  }

  /** Takes coins from an address, as its owner does who moves them elsewhere. Below 0: brings some that no block shows. */
  take(address: string, raw: bigint, contract?: string): void {
    const key = placeOf(address, contract);
    this.#taken.set(key, (this.#taken.get(key) ?? 0n) + raw);
  }

  takenFrom(address: string, contract: string | undefined): bigint {
    return this.#taken.get(placeOf(address, contract)) ?? 0n;
  }

  /** Mines blocks. The first one takes all waiting transfers. */
  mine(count = 1): void {
    for (let left = count; left > 0; left -= 1) {
      const parent = this.#blocks.at(-1)?.hash ?? '';
      const seed = `${parent} ${this.#blocks.length} ${randomBytes(8).toString('hex')}`;
      this.#blocks.push({ hash: createHash('sha256').update(seed).digest('hex'), transfers: this.waiting });
      this.waiting = [];
    }
  }

  /** Replaces the last `depth` blocks by a branch that is one block longer. Their transfers wait again, or are lost. */
  fork(depth: number, fate: 'again' | 'lost'): void {
    const gone = this.#blocks.splice(-depth).flatMap(({ transfers }) => transfers);
    const waiting = this.waiting;
    this.waiting = [];
    // The first blocks of the branch are empty, so that a transfer comes again at another height.
    this.mine(depth);
    this.waiting = [...(fate === 'again' ? gone : []), ...waiting];
    this.mine(1);
  }
}
