/**
 * Ethereum and the chains that share its interface (JSON-RPC). Tokens are seen by their `Transfer` events (ERC-20); the chain's own
 * coin by the transactions of each block. Coins that a contract sends on leave no such trace and are not seen.
 */
import * as v from 'valibot';
import { addedUp, type Block, type ChainSource, type Incoming, NodeError } from './chain-source.ts';
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
/** Nodes refuse longer lists and ranges. */
const ADDRESSES_AT_ONCE = 200;

const quantity = v.pipe(v.string(), v.regex(/^0x[0-9a-f]+$/i));
const hash = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/i));
const word = hash;
const headSchema = v.object({ number: quantity, hash, timestamp: v.optional(quantity) });
const blockSchema = v.object({
  number: quantity,
  hash,
  transactions: v.array(v.object({ hash, to: v.nullish(v.string()), value: quantity })),
});
const logsSchema = v.array(
  v.object({
    address: v.string(),
    topics: v.array(v.string()),
    data: v.string(),
    transactionHash: hash,
    blockNumber: quantity,
    blockHash: hash,
    removed: v.optional(v.boolean()),
  }),
);
const receiptSchema = v.nullish(v.object({ status: v.optional(quantity) }));

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

  async function tokensTo(addresses: readonly string[], from: number, to: number): Promise<Incoming[]> {
    const found: Incoming[] = [];
    const byTopic = new Map(addresses.map((address) => [topicOf(address), address]));
    for (let start = 0; start < addresses.length; start += ADDRESSES_AT_ONCE) {
      const topics = [...byTopic.keys()].slice(start, start + ADDRESSES_AT_ONCE);
      const logs = await rpc(
        'eth_getLogs',
        [{ fromBlock: hexOf(from), toBlock: hexOf(to), address: tokens, topics: [TRANSFER, null, topics] }],
        logsSchema,
      );
      for (const { address: contract, topics, data, transactionHash, blockNumber, blockHash, removed } of logs) {
        const address = byTopic.get(topics[2]?.toLowerCase() ?? '');
        // Of another standard under the same event (ERC-721), whose third topic is no amount.
        const isAmount = topics.length === 3 && /^0x[0-9a-f]{1,64}$/i.test(data);
        if (address === undefined || !isAmount || removed === true || BigInt(data) === 0n) continue;
        const block = { height: Number(blockNumber), hash: blockHash };
        found.push({
          txid: transactionHash,
          address,
          contract: withChecksum(contract.slice(2).toLowerCase()),
          raw: BigInt(data),
          block,
        });
      }
    }
    return found;
  }

  async function coinsIn(addresses: readonly string[], heights: readonly number[]): Promise<Incoming[]> {
    const known = new Map(addresses.map((address) => [address.toLowerCase(), address]));
    const perBlock = await inTurns(heights, async (height) => {
      const found = await rpc('eth_getBlockByNumber', [hexOf(height), true], v.nullish(blockSchema));
      // Behind one address there are often several nodes, and the one that answers now may be behind: nothing is known of it.
      if (!found) throw new NodeError(`The node does not have block ${height} yet`);
      const block: Block = { height: Number(found.number), hash: found.hash };
      return found.transactions.flatMap(({ hash: txid, to, value }): Incoming[] => {
        const address = known.get(to?.toLowerCase() ?? '');
        return address === undefined || BigInt(value) === 0n ? [] : [{ txid, address, raw: BigInt(value), block }];
      });
    });
    return inTurns(perBlock.flat(), async (part) => {
      const receipt = await rpc('eth_getTransactionReceipt', [part.txid], receiptSchema);
      return receipt?.status === '0x1' ? [part] : [];
    }).then((parts) => parts.flat());
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
    async hashAt(height) {
      const found = await rpc('eth_getBlockByNumber', [hexOf(height), false], v.nullish(headSchema));
      return found?.hash;
    },
    async incoming(addresses, { from, to }) {
      if (addresses.length === 0 || to < from) return [];
      const heights = Array.from({ length: to - from + 1 }, (_, index) => from + index);
      const [byToken, byCoin] = await Promise.all([
        tokens.length === 0 ? [] : tokensTo(addresses, from, to),
        isCoinWatched ? coinsIn(addresses, heights) : [],
      ]);
      return addedUp([...byToken, ...byCoin]);
    },
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
