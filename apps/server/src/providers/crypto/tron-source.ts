/** TRON through the HTTP interface of a node and of TronGrid's index: coins and TRC-20 tokens. */
import * as v from 'valibot';
import { addedUp, type Block, type ChainSource, type Incoming, NodeError } from './chain-source.ts';
import { ask, inTurns, type NodeAddress } from './node-http.ts';
import { tronAddress } from './receiving-address.ts';

export interface TronOptions {
  readonly tokens: readonly string[];
  readonly isCoinWatched: boolean;
}

const PAGE = 200;
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const blockSchema = v.object({
  blockID: v.optional(hash),
  block_header: v.optional(
    v.object({
      raw_data: v.object({
        number: v.optional(v.pipe(v.number(), v.safeInteger()), 0),
        timestamp: v.optional(v.number()),
      }),
    }),
  ),
});
const tokensSchema = v.object({
  data: v.array(
    v.object({
      transaction_id: hash,
      to: v.string(),
      value: v.pipe(v.string(), v.regex(/^\d{1,78}$/)),
      token_info: v.object({ address: v.string() }),
    }),
  ),
});
const anySchema = v.object({ data: v.array(v.unknown()) });
const infoSchema = v.object({
  id: v.optional(hash),
  blockNumber: v.optional(v.pipe(v.number(), v.safeInteger())),
  receipt: v.optional(v.object({ result: v.optional(v.string()) })),
});
const coinsSchema = v.object({
  data: v.array(
    v.object({
      txID: v.optional(hash),
      blockNumber: v.optional(v.pipe(v.number(), v.safeInteger())),
      ret: v.optional(v.array(v.object({ contractRet: v.optional(v.string()) }))),
      raw_data: v.optional(
        v.object({
          contract: v.array(
            v.object({
              type: v.string(),
              parameter: v.object({
                value: v.object({
                  amount: v.optional(v.pipe(v.number(), v.safeInteger())),
                  to_address: v.optional(v.string()),
                }),
              }),
            }),
          ),
        }),
      ),
    }),
  ),
});

export function createTronSource(node: NodeAddress, { tokens, isCoinWatched }: TronOptions): ChainSource {
  async function hashAt(height: number): Promise<string | undefined> {
    return (await ask(node, '/wallet/getblockbynum', blockSchema, { num: height }))?.blockID;
  }

  async function blockOf(height: number | undefined): Promise<Block | undefined> {
    const found = height === undefined ? undefined : await hashAt(height);
    return height === undefined || found === undefined ? undefined : { height, hash: found };
  }

  async function tokensTo(address: string): Promise<Incoming[]> {
    const perToken = await inTurns(tokens, async (contract) => {
      const query = `only_to=true&limit=${PAGE}&contract_address=${contract}`;
      const found = await ask(node, `/v1/accounts/${address}/transactions/trc20?${query}`, tokensSchema);
      return (found?.data ?? []).filter(({ to, token_info }) => to === address && token_info.address === contract);
    });
    const parts = await inTurns(perToken.flat(), async ({ transaction_id, value, token_info }): Promise<Incoming[]> => {
      // The index does not name the block, and lists what failed: the node knows.
      const info = await ask(node, '/wallet/gettransactioninfobyid', infoSchema, { value: transaction_id });
      if (info?.receipt?.result !== undefined && info.receipt.result !== 'SUCCESS') return [];
      const block = await blockOf(info?.id === undefined ? undefined : info.blockNumber);
      const raw = BigInt(value);
      return raw === 0n
        ? []
        : [{ txid: transaction_id, address, contract: token_info.address, raw, ...(block && { block }) }];
    });
    return parts.flat();
  }

  async function coinsTo(address: string): Promise<Incoming[]> {
    const found = await ask(node, `/v1/accounts/${address}/transactions?only_to=true&limit=${PAGE}`, coinsSchema);
    const parts = await inTurns(
      found?.data ?? [],
      async ({ txID, blockNumber, ret, raw_data }): Promise<Incoming[]> => {
        const [transfer] = raw_data?.contract ?? [];
        const { amount = 0, to_address = '' } = transfer?.parameter.value ?? {};
        const isOurs =
          txID !== undefined &&
          transfer?.type === 'TransferContract' &&
          ret?.[0]?.contractRet === 'SUCCESS' &&
          amount > 0 &&
          /^41[0-9a-f]{40}$/i.test(to_address) &&
          tronAddress(to_address.slice(2).toLowerCase()) === address;
        if (!isOurs) return [];
        const block = await blockOf(blockNumber);
        return [{ txid: txID, address, raw: BigInt(amount), ...(block && { block }) }];
      },
    );
    return parts.flat();
  }

  return {
    async tip() {
      const head = await ask(node, '/wallet/getnowblock', blockSchema, {});
      const height = head?.block_header?.raw_data.number;
      if (head?.blockID === undefined || height === undefined) throw new NodeError('The node has no tip');
      const minedAt = head.block_header?.raw_data.timestamp;
      return { height, hash: head.blockID, ...(minedAt !== undefined && { minedAt }) };
    },
    hashAt,
    async incoming(addresses) {
      const found = await inTurns(
        addresses,
        async (address) => [
          ...(tokens.length === 0 ? [] : await tokensTo(address)),
          ...(isCoinWatched ? await coinsTo(address) : []),
        ],
        4,
      );
      return addedUp(found.flat());
    },
    /** An account that only ever got tokens is not activated: both lists are asked for. */
    async isUsed(address) {
      for (const list of ['transactions/trc20', 'transactions']) {
        const found = await ask(node, `/v1/accounts/${address}/${list}?limit=1`, anySchema);
        if (found === undefined) throw new NodeError('The node does not know accounts');
        if (found.data.length > 0) return true;
      }
      return false;
    },
  };
}
