/** Reads blocks and the token events in them from a JSON-RPC node, in as few requests as the node allows. */
import * as v from 'valibot';
import { missingBlock, NodeError, type WatchedAssets } from '../chain/chain-source.ts';
import { TRANSFER_TOPIC } from '../chain/transfer-event.ts';
import { createMostAtOnce, type EvmRpc, hexOf, type RpcAnswer, type RpcCall, readAnswer } from './evm-rpc.ts';
import { mayHold } from './log-bloom.ts';

/** The largest number of blocks in one scan. */
export const MOST_BLOCKS = 20;

export const quantity = v.pipe(v.string(), v.regex(/^0x[0-9a-f]+$/i));
const hash = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/i));
const head = {
  number: quantity,
  hash,
  parentHash: hash,
  timestamp: v.optional(quantity),
  logsBloom: v.nullish(v.string()),
};
/** A block, with the hashes of its transactions alone. */
export const headSchema = v.object({ ...head, transactions: v.optional(v.array(v.unknown())) });
const blockSchema = v.object({
  ...head,
  transactions: v.array(v.object({ hash, to: v.nullish(v.string()), value: quantity })),
});
const logsSchema = v.array(
  v.object({
    address: v.string(),
    topics: v.array(v.string()),
    data: v.string(),
    blockNumber: quantity,
    blockHash: hash,
    transactionHash: hash,
    removed: v.optional(v.boolean()),
  }),
);

type Head = v.InferOutput<typeof headSchema>;
export type EvmTransaction = v.InferOutput<typeof blockSchema>['transactions'][number];
export type EvmLog = v.InferOutput<typeof logsSchema>[number];

export interface EvmBlock {
  readonly head: Head;
  /** Empty unless the chain's own coin is watched. */
  readonly transactions: readonly EvmTransaction[];
  /** Transfers of the watched tokens. */
  readonly logs: readonly EvmLog[];
}

export class EvmBlockReader {
  readonly #rpc: EvmRpc;
  readonly #assets: WatchedAssets;
  /** The number of blocks per request for events. Nodes limit it. At 1 the events are asked for by block hash. */
  readonly #logBlocks = createMostAtOnce(MOST_BLOCKS);

  constructor(rpc: EvmRpc, assets: WatchedAssets) {
    this.#rpc = rpc;
    this.#assets = assets;
  }

  /**
   * All blocks of a range by height, with all their token events. The caller checks that each block follows the one before.
   * @throws NodeError when a block or a part of the events is missing
   */
  async read(from: number, to: number): Promise<ReadonlyMap<number, EvmBlock>> {
    const heights = Array.from({ length: to - from + 1 }, (_, at) => from + at);
    const hasTokens = this.#assets.tokens.length > 0;
    const ranges = hasTokens && this.#logBlocks.most > 1 ? rangesOf(from, to, this.#logBlocks.most) : [];
    const answers = await this.#rpc.askAll([
      ...heights.map((height) => this.#blockCall(height)),
      ...ranges.map((range) => this.#logsCall(range)),
    ]);
    const blocks = new Map(heights.map((height, at) => [height, this.#blockIn(answers[at], height)]));
    const logs = this.#logsIn(ranges, answers.slice(heights.length));
    if (!hasTokens) return blocks;
    return withLogs(blocks, await this.#completed(groupByBlock(logs, blocks), blocks));
  }

  get #filter() {
    return { address: this.#assets.tokens, topics: [`0x${TRANSFER_TOPIC}`] };
  }

  #blockCall(height: number): RpcCall {
    return { method: 'eth_getBlockByNumber', params: [hexOf(height), this.#assets.isCoinWatched] };
  }

  #logsCall({ from, to }: BlockRange): RpcCall {
    return { method: 'eth_getLogs', params: [{ ...this.#filter, fromBlock: hexOf(from), toBlock: hexOf(to) }] };
  }

  #blockIn(answer: RpcAnswer | undefined, height: number): EvmBlock {
    const method = 'eth_getBlockByNumber';
    if (this.#assets.isCoinWatched) {
      const found = readAnswer(answer, method, v.nullish(blockSchema));
      if (!found) throw missingBlock(height);
      return { head: found, transactions: found.transactions, logs: [] };
    }
    const found = readAnswer(answer, method, v.nullish(headSchema));
    if (!found) throw missingBlock(height);
    return { head: found, transactions: [], logs: [] };
  }

  #logsIn(ranges: readonly BlockRange[], answers: readonly RpcAnswer[]): EvmLog[] {
    const logs: EvmLog[] = [];
    for (const [at, { from, to }] of ranges.entries()) {
      const answer = answers[at];
      if (answer !== undefined && 'result' in answer) logs.push(...readAnswer(answer, 'eth_getLogs', logsSchema));
      // The node refused a range of this length. These blocks are asked for by hash, and the next ranges are shorter.
      else this.#logBlocks.refused(to - from + 1);
    }
    this.#logBlocks.accepted();
    return logs;
  }

  /**
   * Asks by hash for the events of each block without events, unless the block's filter proves that it has none. A lagging node
   * answers a range with fewer events. But it refuses the hash of a block that it does not have.
   */
  async #completed(
    known: ReadonlyMap<number, readonly EvmLog[]>,
    blocks: ReadonlyMap<number, EvmBlock>,
  ): Promise<ReadonlyMap<number, readonly EvmLog[]>> {
    const doubtful = [...blocks].filter(([height, block]) => !known.has(height) && this.#mayHoldTransfers(block.head));
    const filters = doubtful.map(([, block]) => [{ ...this.#filter, blockHash: block.head.hash }]);
    const answers = await this.#rpc.askEach('eth_getLogs', filters, logsSchema);
    const complete = new Map(known);
    for (const [at, [height, { head }]] of doubtful.entries()) {
      const found = answers[at] ?? [];
      if (found.some((log) => log.blockHash !== head.hash)) throw new NodeError('The node returned a different block');
      complete.set(height, found);
    }
    return complete;
  }

  #mayHoldTransfers(block: Head): boolean {
    const bloom = bloomOf(block);
    return this.#assets.tokens.some((token) => mayHold(bloom, [token.slice(2), TRANSFER_TOPIC]));
  }
}

/**
 * Events by the height of their block.
 * @throws NodeError when an event is in another block than the one that was read at its height
 */
function groupByBlock(logs: readonly EvmLog[], blocks: ReadonlyMap<number, EvmBlock>): Map<number, EvmLog[]> {
  const byHeight = new Map<number, EvmLog[]>();
  for (const log of logs) {
    const height = Number(log.blockNumber);
    if (blocks.get(height)?.head.hash !== log.blockHash) throw new NodeError('The chain changed during the scan');
    byHeight.set(height, [...(byHeight.get(height) ?? []), log]);
  }
  return byHeight;
}

function withLogs(
  blocks: ReadonlyMap<number, EvmBlock>,
  logs: ReadonlyMap<number, readonly EvmLog[]>,
): ReadonlyMap<number, EvmBlock> {
  return new Map([...blocks].map(([height, block]) => [height, { ...block, logs: logs.get(height) ?? [] }]));
}

/** Both included. */
interface BlockRange {
  readonly from: number;
  readonly to: number;
}

function rangesOf(from: number, to: number, most: number): BlockRange[] {
  const count = Math.ceil((to - from + 1) / most);
  return Array.from({ length: count }, (_, at) => ({
    from: from + at * most,
    to: Math.min(to, from + (at + 1) * most - 1),
  }));
}

/** Undefined also for an empty filter in a block with transactions, because nodes without filters answer so. */
function bloomOf({ logsBloom, transactions = [] }: Head): string | undefined {
  const isNone = logsBloom == null || (transactions.length > 0 && /^0x0*$/.test(logsBloom));
  return isNone ? undefined : logsBloom;
}
