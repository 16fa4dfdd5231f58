/** Bitcoin and its family through the HTTP interface of Esplora (Blockstream, mempool.space, an own electrs). */
import * as v from 'valibot';
import { addedUp, type Block, type ChainSource, type Incoming, NodeError } from './chain-source.ts';
import { ask, askText, inTurns, type NodeAddress } from './node-http.ts';

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const height = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const blockSchema = v.object({ id: hash, height, timestamp: v.optional(v.number()) });
const transactionsSchema = v.array(
  v.object({
    txid: hash,
    vout: v.array(
      v.object({
        scriptpubkey_address: v.optional(v.string()),
        value: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
      }),
    ),
    status: v.object({
      confirmed: v.boolean(),
      block_height: v.optional(height),
      block_hash: v.optional(hash),
    }),
  }),
);
const countSchema = v.object({ tx_count: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) });
const addressSchema = v.object({ chain_stats: countSchema, mempool_stats: countSchema });
type Transactions = v.InferOutput<typeof transactionsSchema>;

export function createEsploraSource(node: NodeAddress): ChainSource {
  return {
    async tip() {
      const id = (await askText(node, '/blocks/tip/hash'))?.trim();
      const block = id === undefined ? undefined : await ask(node, `/block/${encodeURIComponent(id)}`, blockSchema);
      if (block === undefined) throw new NodeError('The node has no tip');
      const { timestamp: minedS } = block;
      return { height: block.height, hash: block.id, ...(minedS !== undefined && { minedAt: minedS * 1000 }) };
    },
    async hashAt(wanted) {
      const text = (await askText(node, `/block-height/${wanted}`))?.trim();
      return text === undefined || !v.is(hash, text) ? undefined : text;
    },
    async incoming(addresses, { from }) {
      const found = await inTurns(addresses, (address) => incomingOf(node, address, from));
      return found.flat();
    },
    async isUsed(address) {
      const found = await ask(node, `/address/${address}`, addressSchema);
      if (found === undefined) throw new NodeError('The node does not know addresses');
      return found.chain_stats.tx_count + found.mempool_stats.tx_count > 0;
    },
  };
}

/** The newest come first, those in no block before all; older pages are asked for while they may still matter. */
async function incomingOf(node: NodeAddress, address: string, from: number): Promise<Incoming[]> {
  // By transaction: one that is mined between two questions stands on both pages.
  const found = new Map<string, Incoming[]>();
  for (let last: string | undefined; ; ) {
    const path = last === undefined ? `/address/${address}/txs` : `/address/${address}/txs/chain/${last}`;
    const page = (await ask(node, path, transactionsSchema)) ?? [];
    for (const transaction of page) found.set(transaction.txid, partsOf(transaction, address));
    const oldest = page.filter(({ status }) => status.confirmed).at(-1);
    if (oldest === undefined || (oldest.status.block_height ?? 0) < from || oldest.txid === last) break;
    last = oldest.txid;
  }
  return addedUp([...found.values()].flat());
}

function partsOf({ txid, vout, status }: Transactions[number], address: string): Incoming[] {
  const { confirmed, block_height, block_hash } = status;
  const block: Block | undefined =
    confirmed && block_height !== undefined && block_hash !== undefined
      ? { height: block_height, hash: block_hash }
      : undefined;
  return vout
    .filter(({ scriptpubkey_address, value }) => scriptpubkey_address === address && value > 0)
    .map(({ value }) => ({ txid, address, raw: BigInt(value), ...(block && { block }) }));
}
