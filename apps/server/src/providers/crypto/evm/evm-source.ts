/**
 * Ethereum and the chains that share its interface (JSON-RPC). Tokens are seen by their `Transfer` events (ERC-20), asked for over a range
 * of blocks; the chain's own coin by the transactions of each block. One question, a batch, asks for several blocks and their events,
 * whoever is waited for. Coins that a contract sends on leave no such trace and are not seen.
 */
import * as v from 'valibot';
import {
  addedUp,
  type Block,
  type ChainSource,
  holdsByScan,
  type Incoming,
  NodeError,
  type Ours,
  picked,
  type Scan,
  type ScanRange,
  scanInOrder,
  type WatchedAssets,
} from '../chain/chain-source.ts';
import type { NodeAddress } from '../chain/node-http.ts';
import { withChecksum } from '../chain/receiving-address.ts';
import { readTransfer, TRANSFER_TOPIC } from '../chain/transfer-event.ts';
import { createEvmRpc, createMostAtOnce, readAnswer } from './evm-rpc.ts';
import { mayHold } from './log-bloom.ts';

/** The selector of `balanceOf(address)`. */
const BALANCE_OF = '0x70a08231';
const MOST_BLOCKS = 20;

const quantity = v.pipe(v.string(), v.regex(/^0x[0-9a-f]+$/i));
const hash = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/i));
const word = hash;
const head = {
  number: quantity,
  hash,
  parentHash: hash,
  timestamp: v.optional(quantity),
  logsBloom: v.nullish(v.string()),
};
const headSchema = v.object({ ...head, transactions: v.optional(v.array(v.unknown())) });
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
/** A receipt without a status says nothing of the outcome. */
const receiptSchema = v.nullish(v.object({ status: quantity }));

type Head = v.InferOutput<typeof headSchema>;
type Transactions = v.InferOutput<typeof blockSchema>['transactions'];
/** With its transactions where the chain's own coin is watched. */
type ReadBlock = Head & { readonly coins?: Transactions };
type Log = v.InferOutput<typeof logsSchema>[number];

export function createEvmSource(node: NodeAddress, { tokens, isCoinWatched }: WatchedAssets): ChainSource {
  const rpc = createEvmRpc(node);
  const filter = { address: tokens, topics: [`0x${TRANSFER_TOPIC}`] };
  /** Blocks whose events are asked for by one question. Nodes have limits of their own; 1: by the hash of each block. */
  const logBlocks = createMostAtOnce(MOST_BLOCKS);

  const blockCall = (height: number) => ({ method: 'eth_getBlockByNumber', params: [hexOf(height), isCoinWatched] });
  const logsCall = ({ from, to }: Stretch) => ({
    method: 'eth_getLogs',
    params: [{ ...filter, fromBlock: hexOf(from), toBlock: hexOf(to) }],
  });

  function readBlock(answer: Parameters<typeof readAnswer>[0]): ReadBlock | undefined {
    const method = 'eth_getBlockByNumber';
    if (!isCoinWatched) return readAnswer(answer, method, v.nullish(headSchema)) ?? undefined;
    const found = readAnswer(answer, method, v.nullish(blockSchema));
    return found ? { ...found, coins: found.transactions } : undefined;
  }

  /** All blocks of a range, with the events of their tokens. Which of them follow each other is for the caller to see. */
  async function blocksOf(from: number, to: number) {
    const heights = Array.from({ length: to - from + 1 }, (_, at) => from + at);
    const stretches = tokens.length > 0 && logBlocks.most > 1 ? stretchesOf(from, to, logBlocks.most) : [];
    const answers = await rpc.askAll([...heights.map(blockCall), ...stretches.map(logsCall)]);
    const blocks = new Map<number, ReadBlock>();
    for (const [at, height] of heights.entries()) {
      const found = readBlock(answers[at]);
      // Behind one address there are often several nodes, and the one that answers now may be behind: nothing is known of it.
      if (!found) throw new NodeError(`The node does not have block ${height} yet`);
      blocks.set(height, found);
    }
    const logs: Log[] = [];
    for (const [at, stretch] of stretches.entries()) {
      const answer = answers[heights.length + at];
      if (answer !== undefined && 'result' in answer) logs.push(...readAnswer(answer, 'eth_getLogs', logsSchema));
      // Too long for this node: its blocks are asked for by their hashes now, and a shorter one from now on.
      else logBlocks.refused(stretch.to - stretch.from + 1);
    }
    logBlocks.accepted();
    return { blocks, logs: tokens.length === 0 ? new Map<number, Log[]>() : await completed(logs, blocks) };
  }

  /**
   * Events by the height of their block, all of them. A node that lacks a block, or has another one at its height, tells of fewer or of
   * others. So each must stand in the very block that was read, and a block without any is asked for by its hash, unless its head says
   * that it has none: a node that does not have that block says so.
   */
  async function completed(logs: readonly Log[], blocks: ReadonlyMap<number, Head>): Promise<Map<number, Log[]>> {
    const byHeight = new Map<number, Log[]>();
    for (const log of logs) {
      const height = Number(log.blockNumber);
      if (blocks.get(height)?.hash !== log.blockHash) throw new NodeError('The chain changed while it was looked at');
      byHeight.set(height, [...(byHeight.get(height) ?? []), log]);
    }
    const doubtful = [...blocks].filter(
      ([height, block]) =>
        !byHeight.has(height) && tokens.some((token) => mayHold(bloomOf(block), [token.slice(2), TRANSFER_TOPIC])),
    );
    const filters = doubtful.map(([, { hash: blockHash }]) => [{ ...filter, blockHash }]);
    const answers = await rpc.askEach('eth_getLogs', filters, logsSchema);
    for (const [at, [height, { hash: blockHash }]] of doubtful.entries()) {
      const found = answers[at] ?? [];
      if (found.some((log) => log.blockHash !== blockHash)) throw new NodeError('The node told of another block');
      byHeight.set(height, found);
    }
    return byHeight;
  }

  function tokensOf(logs: readonly Log[], block: Block): Incoming[] {
    return logs.flatMap(({ address: contract, transactionHash: txid, removed, ...event }): Incoming[] => {
      const transfer = removed === true ? undefined : readTransfer(event);
      if (transfer === undefined) return [];
      const { receiver, raw } = transfer;
      return [
        { txid, address: withChecksum(receiver), contract: withChecksum(contract.slice(2).toLowerCase()), raw, block },
      ];
    });
  }

  async function coinsOf(transactions: Transactions, block: Block, ours: Ours): Promise<Incoming[]> {
    const parts = transactions.flatMap(({ hash: txid, to, value }): Incoming[] =>
      !to || BigInt(value) === 0n
        ? []
        : [{ txid, address: withChecksum(to.slice(2).toLowerCase()), raw: BigInt(value), block }],
    );
    const wanted = await picked(parts, ours);
    const receipts = await rpc.askEach(
      'eth_getTransactionReceipt',
      wanted.map(({ txid }) => [txid]),
      receiptSchema,
    );
    return wanted.filter(({ txid }, at) => {
      const receipt = receipts[at];
      // Several nodes may stand behind one address: the one that answers now may lack the receipt. The payment has not failed.
      if (!receipt) throw new NodeError(`The node does not have the receipt of ${txid} yet`);
      return BigInt(receipt.status) === 1n;
    });
  }

  async function scan(ours: Ours, range: ScanRange): Promise<Scan | undefined> {
    const { blocks, logs } = await blocksOf(range.from, range.to);
    return scanInOrder(range, async (height, after) => {
      const found = blocks.get(height);
      if (found === undefined || Number(found.number) !== height) throw new NodeError('The node told of another block');
      if (after !== undefined && found.parentHash !== after.hash) return undefined;
      const block: Block = { height, hash: found.hash };
      const byToken = await picked(tokensOf(logs.get(height) ?? [], block), ours);
      const byCoin = found.coins === undefined ? [] : await coinsOf(found.coins, block, ours);
      return { block, parts: addedUp([...byToken, ...byCoin]) };
    });
  }

  async function hashAt(height: number): Promise<string | undefined> {
    const found = await rpc.ask('eth_getBlockByNumber', [hexOf(height), false], v.nullish(headSchema));
    return found?.hash;
  }

  return {
    async tip() {
      const found = await rpc.ask('eth_getBlockByNumber', ['latest', false], headSchema);
      const { timestamp } = found;
      return {
        height: Number(found.number),
        hash: found.hash,
        ...(timestamp !== undefined && { minedAt: Number(timestamp) * 1000 }),
      };
    },
    mostBlocks: MOST_BLOCKS,
    looksBack: 0,
    hashAt,
    scan,
    holds: (payment) => holdsByScan({ hashAt, scan }, payment),
    /** What was swept leaves a count of transactions behind, what was not a balance. */
    async isUsed(address) {
      const at = [address, 'latest'];
      const data = `${BALANCE_OF}${address.slice(2).toLowerCase().padStart(64, '0')}`;
      const answers = await rpc.askAll([
        { method: 'eth_getTransactionCount', params: at },
        ...(isCoinWatched ? [{ method: 'eth_getBalance', params: at }] : []),
        ...tokens.map((to) => ({ method: 'eth_call', params: [{ to, data }, 'latest'] })),
      ]);
      const numbers = answers.map((answer, which) => {
        const isOfToken = which > (isCoinWatched ? 1 : 0);
        return BigInt(readAnswer(answer, 'what an address holds', isOfToken ? word : quantity));
      });
      return numbers.some((number) => number > 0n);
    },
  };
}

/** Both included. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

function stretchesOf(from: number, to: number, most: number): Stretch[] {
  const count = Math.ceil((to - from + 1) / most);
  return Array.from({ length: count }, (_, at) => ({
    from: from + at * most,
    to: Math.min(to, from + (at + 1) * most - 1),
  }));
}

/** A filter without a bit in a block with transactions is taken for none: some nodes keep no filters and answer so. */
function bloomOf({ logsBloom, transactions = [] }: Head): string | undefined {
  const isNone = logsBloom == null || (transactions.length > 0 && /^0x0*$/.test(logsBloom));
  return isNone ? undefined : logsBloom;
}

const hexOf = (height: number): string => `0x${height.toString(16)}`;
