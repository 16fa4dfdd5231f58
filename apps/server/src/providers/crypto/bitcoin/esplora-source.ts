/** Bitcoin and its kin through the HTTP interface of Esplora (Blockstream, mempool.space, or an electrs of your own). */
import * as v from 'valibot';
import { scanBlocks, sumOutputs } from '../chain/block-scan.ts';
import { type ChainSource, type IncomingPayment, missingBlock, NodeError, type Tip } from '../chain/chain-source.ts';
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
const sumsSchema = v.object({ chain_stats: v.object({ funded_txo_sum: count, spent_txo_sum: count }) });
const addressSchema = v.object({ chain_stats: countSchema, mempool_stats: countSchema });
type Transaction = v.InferOutput<typeof transactionSchema>;

/** The number of transactions on one page of a block. */
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

  async function paymentsIn(block: v.InferOutput<typeof blockSchema>): Promise<IncomingPayment[]> {
    const starts = Array.from({ length: Math.ceil(block.tx_count / PAGE) }, (_, page) => page * PAGE);
    const pages = await inTurns(starts, (start) => ask(node, `/block/${block.id}/txs/${start}`, transactionsSchema), 4);
    const all = pages.flatMap((page) => page ?? []);
    // A missing page may hold a payment to one of our addresses.
    if (all.length !== block.tx_count) throw new NodeError('The node returned only a part of the block');
    const place = { height: block.height, hash: block.id };
    return all.flatMap((transaction) => outputsOf(transaction).map((output) => ({ ...output, block: place })));
  }

  async function tip(): Promise<Tip> {
    const id = (await askText(node, '/blocks/tip/hash'))?.trim();
    if (id === undefined || !v.is(hash, id)) throw new NodeError('The node did not return its newest block');
    const block = await blockOf(id);
    const { timestamp: minedS } = block;
    return { height: block.height, hash: block.id, ...(minedS !== undefined && { minedAt: minedS * 1000 }) };
  }

  return {
    mostBlocks: 1,
    looksBack: 0,
    hashAt,
    tip,
    scan: (ours, range) =>
      scanBlocks(ours, range, async (height) => {
        const id = await hashAt(height);
        if (id === undefined) throw missingBlock(height);
        const block = await blockOf(id);
        return {
          block: { height, hash: id },
          parentHash: block.previousblockhash,
          payments: () => paymentsIn(block),
        };
      }),
    async unconfirmed(address) {
      const found = (await ask(node, `/address/${address}/txs/mempool`, transactionsSchema)) ?? [];
      return sumOutputs(found.flatMap((one) => outputsOf(one).filter((output) => output.address === address)));
    },
    async holds({ txid, address, raw, block }) {
      const found = await ask(node, `/tx/${txid}`, transactionSchema);
      if (found?.txid !== txid || found.status.block_hash !== block.hash) return false;
      const sum = outputsOf(found)
        .filter((output) => output.address === address)
        .reduce((total, output) => total + output.raw, 0n);
      return sum === raw && (await hashAt(block.height)) === block.hash;
    },
    async balances(places, height) {
      const raws = await inTurns(
        places,
        async ({ address }) => {
          const found = await ask(node, `/address/${address}`, sumsSchema);
          if (found === undefined) throw new NodeError('The node cannot return addresses. Use a node with this API');
          return BigInt(found.chain_stats.funded_txo_sum) - BigInt(found.chain_stats.spent_txo_sum);
        },
        4,
      );
      return { raws, first: height, last: Math.max(height, (await tip()).height) };
    },
    async isUsed(address) {
      const found = await ask(node, `/address/${address}`, addressSchema);
      if (found === undefined) throw new NodeError('The node cannot return addresses. Use a node with this API');
      return found.chain_stats.tx_count + found.mempool_stats.tx_count > 0;
    },
  };
}

function outputsOf({ txid, vout }: Transaction): IncomingPayment[] {
  return vout.flatMap(({ scriptpubkey_address: address, value }) =>
    address === undefined || value === 0 ? [] : [{ txid, address, raw: BigInt(value) }],
  );
}
