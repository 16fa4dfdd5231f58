/**
 * Ethereum and the chains that share its interface (JSON-RPC). Tokens are seen by their `Transfer` events (ERC-20); the chain's own
 * coin by the transactions of each block. A block costs two questions, whoever is waited for. Coins that a contract sends on leave no such trace and are not seen.
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
} from './chain-source.ts';
import { inTurns, type NodeAddress, ask as post } from './node-http.ts';
import { withChecksum } from './receiving-address.ts';

export interface EvmOptions {
  /** Contracts of the tokens that are watched. */
  readonly tokens: readonly string[];
  /** Whether the chain's own coin is watched, which costs a question per block. */
  readonly isCoinWatched: boolean;
}

/** keccak256 of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** The selector of `balanceOf(address)`. */
const BALANCE_OF = '0x70a08231';

const quantity = v.pipe(v.string(), v.regex(/^0x[0-9a-f]+$/i));
const hash = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/i));
const word = hash;
const headSchema = v.object({ number: quantity, hash, parentHash: hash, timestamp: v.optional(quantity) });
const blockSchema = v.object({
  number: quantity,
  hash,
  parentHash: hash,
  transactions: v.array(v.object({ hash, to: v.nullish(v.string()), value: quantity })),
});
type Transactions = v.InferOutput<typeof blockSchema>['transactions'];
const logsSchema = v.array(
  v.object({
    address: v.string(),
    topics: v.array(v.string()),
    data: v.string(),
    transactionHash: hash,
    removed: v.optional(v.boolean()),
  }),
);
/** A receipt without a status says nothing of the outcome. */
const receiptSchema = v.nullish(v.object({ status: quantity }));

export function createEvmSource(node: NodeAddress, { tokens, isCoinWatched }: EvmOptions): ChainSource {
  let questions = 0;
  async function rpc<Schema extends v.GenericSchema>(
    method: string,
    params: readonly unknown[],
    schema: Schema,
  ): Promise<v.InferOutput<Schema>> {
    questions += 1;
    const envelope = v.object({ result: v.optional(v.unknown()), error: v.optional(v.object({ code: v.number() })) });
    const answer = await post(node, '', envelope, { jsonrpc: '2.0', id: questions, method, params });
    if (answer === undefined || answer.error !== undefined) {
      throw new NodeError(`The node refused ${method} (${answer?.error?.code ?? 404})`);
    }
    const result = v.safeParse(schema, answer.result ?? null);
    if (!result.success) throw new NodeError(`The node answered ${method} with something else`);
    return result.output;
  }

  /** By the hash of the block: a node that does not have it says so, instead of telling of nothing. */
  async function tokensIn(block: Block): Promise<Incoming[]> {
    const filter = { blockHash: block.hash, address: tokens, topics: [TRANSFER] };
    const logs = await rpc('eth_getLogs', [filter], logsSchema);
    return logs.flatMap(({ address: contract, topics, data, transactionHash, removed }): Incoming[] => {
      const receiver = topics[2] ?? '';
      // Of another standard under the same event (ERC-721), whose third topic is no amount.
      const isAmount = topics.length === 3 && /^0x[0-9a-f]{1,64}$/i.test(data);
      const isAddress = /^0x0{24}[0-9a-f]{40}$/i.test(receiver);
      if (!isAddress || !isAmount || removed === true || BigInt(data) === 0n) return [];
      return [
        {
          txid: transactionHash,
          address: withChecksum(receiver.slice(-40).toLowerCase()),
          contract: withChecksum(contract.slice(2).toLowerCase()),
          raw: BigInt(data),
          block,
        },
      ];
    });
  }

  async function coinsOf(transactions: Transactions, block: Block, ours: Ours): Promise<Incoming[]> {
    const parts = transactions.flatMap(({ hash: txid, to, value }): Incoming[] =>
      !to || BigInt(value) === 0n
        ? []
        : [{ txid, address: withChecksum(to.slice(2).toLowerCase()), raw: BigInt(value), block }],
    );
    const checked = await inTurns(await picked(parts, ours), async (part) => {
      const receipt = await rpc('eth_getTransactionReceipt', [part.txid], receiptSchema);
      // Several nodes may stand behind one address: the one that answers now may lack the receipt. The payment has not failed.
      if (!receipt) throw new NodeError(`The node does not have the receipt of ${part.txid} yet`);
      return BigInt(receipt.status) === 1n ? [part] : [];
    });
    return checked.flat();
  }

  /** One block: undefined where it does not follow. */
  async function look(height: number, ours: Ours, after: Block | undefined) {
    const found = isCoinWatched
      ? await rpc('eth_getBlockByNumber', [hexOf(height), true], v.nullish(blockSchema))
      : await rpc('eth_getBlockByNumber', [hexOf(height), false], v.nullish(headSchema));
    // Behind one address there are often several nodes, and the one that answers now may be behind: nothing is known of it.
    if (!found) throw new NodeError(`The node does not have block ${height} yet`);
    if (after !== undefined && found.parentHash !== after.hash) return undefined;
    const block: Block = { height: Number(found.number), hash: found.hash };
    const byToken = tokens.length === 0 ? [] : await picked(await tokensIn(block), ours);
    const byCoin = 'transactions' in found ? await coinsOf(found.transactions, block, ours) : [];
    return { block, parts: addedUp([...byToken, ...byCoin]) };
  }

  const scan = (ours: Ours, range: ScanRange): Promise<Scan | undefined> =>
    scanInOrder(range, (height, after) => look(height, ours, after));

  async function hashAt(height: number): Promise<string | undefined> {
    const found = await rpc('eth_getBlockByNumber', [hexOf(height), false], v.nullish(headSchema));
    return found?.hash;
  }

  return {
    async tip() {
      const head = await rpc('eth_getBlockByNumber', ['latest', false], headSchema);
      const { timestamp } = head;
      return {
        height: Number(head.number),
        hash: head.hash,
        ...(timestamp !== undefined && { minedAt: Number(timestamp) * 1000 }),
      };
    },
    mostBlocks: 20,
    looksBack: 0,
    hashAt,
    scan,
    holds: (payment) => holdsByScan({ hashAt, scan }, payment),
    /** What was swept leaves a count of transactions behind, what was not a balance. */
    async isUsed(address) {
      const at = [address, 'latest'];
      if (BigInt(await rpc('eth_getTransactionCount', at, quantity)) > 0n) return true;
      if (isCoinWatched && BigInt(await rpc('eth_getBalance', at, quantity)) > 0n) return true;
      for (const to of tokens) {
        const held = await rpc('eth_call', [{ to, data: `${BALANCE_OF}${topicOf(address).slice(2)}` }, 'latest'], word);
        if (BigInt(held) > 0n) return true;
      }
      return false;
    },
  };
}

const hexOf = (height: number): string => `0x${height.toString(16)}`;

/** An address as an indexed argument of an event: padded to 32 bytes. */
function topicOf(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
}
