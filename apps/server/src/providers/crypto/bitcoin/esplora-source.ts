/** Bitcoin and its family through the HTTP interface of Esplora (Blockstream, mempool.space, an own electrs). */
import * as v from 'valibot';
import {
  addedUp,
  type ChainSource,
  type Incoming,
  NodeError,
  type Ours,
  picked,
  scanInOrder,
} from '../chain/chain-source.ts';
import { ask, askText, inTurns, type NodeAddress } from '../chain/node-http.ts';

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const blockSchema = v.object({
  id: hash,
  height: count,
  tx_count: count,
  previousblockhash: v.nullish(hash),
  timestamp: v.optional(v.number()),
});
const transactionSchema = v.object({
  txid: hash,
  vout: v.array(
    v.object({
      scriptpubkey_address: v.optional(v.string()),
      value: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    }),
  ),
  status: v.object({
    confirmed: v.boolean(),
    block_height: v.optional(count),
    block_hash: v.optional(hash),
  }),
});
const transactionsSchema = v.array(transactionSchema);
const countSchema = v.object({ tx_count: count });
const addressSchema = v.object({ chain_stats: countSchema, mempool_stats: countSchema });
type Transaction = v.InferOutput<typeof transactionSchema>;

/** Of a block's transactions, as the interface hands them out. */
const PAGE = 25;

export function createEsploraSource(node: NodeAddress): ChainSource {
  async function hashAt(height: number): Promise<string | undefined> {
    const text = (await askText(node, `/block-height/${height}`))?.trim();
    return text === undefined || !v.is(hash, text) ? undefined : text;
  }

  async function blockOf(id: string) {
    const found = await ask(node, `/block/${encodeURIComponent(id)}`, blockSchema);
    if (found === undefined || found.id !== id) throw new NodeError('The node does not have the block');
    return found;
  }

  async function partsIn(block: v.InferOutput<typeof blockSchema>, ours: Ours): Promise<Incoming[]> {
    const starts = Array.from({ length: Math.ceil(block.tx_count / PAGE) }, (_, page) => page * PAGE);
    const pages = await inTurns(starts, (start) => ask(node, `/block/${block.id}/txs/${start}`, transactionsSchema), 4);
    const all = pages.flatMap((page) => page ?? []);
    // A page that is missing may hold somebody's money.
    if (all.length !== block.tx_count) throw new NodeError('The node told of a part of the block');
    const place = { height: block.height, hash: block.id };
    const parts = all.flatMap((transaction) => partsOf(transaction).map((part) => ({ ...part, block: place })));
    return addedUp(await picked(parts, ours));
  }

  return {
    mostBlocks: 1,
    looksBack: 0,
    hashAt,
    async tip() {
      const id = (await askText(node, '/blocks/tip/hash'))?.trim();
      if (id === undefined || !v.is(hash, id)) throw new NodeError('The node has no tip');
      const block = await blockOf(id);
      const { timestamp: minedS } = block;
      return { height: block.height, hash: block.id, ...(minedS !== undefined && { minedAt: minedS * 1000 }) };
    },
    scan: (ours, range) =>
      scanInOrder(range, async (height, after) => {
        const id = await hashAt(height);
        if (id === undefined) throw new NodeError(`The node does not have block ${height} yet`);
        const block = await blockOf(id);
        if (after !== undefined && block.previousblockhash !== after.hash) return undefined;
        return { block: { height, hash: id }, parts: await partsIn(block, ours) };
      }),
    async unconfirmed(address) {
      const found = (await ask(node, `/address/${address}/txs/mempool`, transactionsSchema)) ?? [];
      return addedUp(found.flatMap((one) => partsOf(one).filter((part) => part.address === address)));
    },
    async holds({ txid, address, raw, block }) {
      const found = await ask(node, `/tx/${txid}`, transactionSchema);
      if (found?.txid !== txid || found.status.block_hash !== block.hash) return false;
      const sum = partsOf(found)
        .filter((part) => part.address === address)
        .reduce((total, part) => total + part.raw, 0n);
      return sum === raw && (await hashAt(block.height)) === block.hash;
    },
    async isUsed(address) {
      const found = await ask(node, `/address/${address}`, addressSchema);
      if (found === undefined) throw new NodeError('The node does not know addresses');
      return found.chain_stats.tx_count + found.mempool_stats.tx_count > 0;
    },
  };
}

function partsOf({ txid, vout }: Transaction): Incoming[] {
  return vout.flatMap(({ scriptpubkey_address: address, value }) =>
    address === undefined || value === 0 ? [] : [{ txid, address, raw: BigInt(value) }],
  );
}
