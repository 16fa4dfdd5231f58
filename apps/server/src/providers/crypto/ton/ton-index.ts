/** The index of TON's chain (toncenter, version 3): masterchain blocks, transactions of accounts, and jetton wallets. */
import { Address } from '@ton/core';
import * as v from 'valibot';
import { NodeError } from '../chain/chain-source.ts';
import { ask, type NodeAddress } from '../chain/node-http.ts';

const PAGE = 100;
/** More pages than one wallet fills in the blocks of a round. */
const MOST_PAGES = 200;
const MASTERCHAIN = 'workchain=-1&shard=8000000000000000';

const number = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const hash = v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/_-]{43}=?$/));
const amount = v.pipe(v.string(), v.regex(/^\d{1,39}$/));
const blockSchema = v.object({
  seqno: number,
  root_hash: hash,
  gen_utime: v.union([amount, number]),
  global_id: v.optional(v.number()),
});
const tipSchema = v.object({ last: blockSchema });
const blocksSchema = v.object({ blocks: v.array(blockSchema) });
const walletsSchema = v.object({
  jetton_wallets: v.array(v.object({ address: v.string(), owner: v.string(), jetton: v.string() })),
});
const transactionSchema = v.object({
  account: v.string(),
  hash,
  mc_block_seqno: v.nullish(number),
  emulated: v.optional(v.boolean(), false),
  description: v.object({ aborted: v.optional(v.boolean(), false) }),
  in_msg: v.nullish(
    v.object({
      source: v.nullish(v.string()),
      value: v.nullish(amount),
      bounce: v.nullish(v.boolean()),
      bounced: v.nullish(v.boolean()),
      message_content: v.nullish(v.object({ body: v.nullish(v.string()) })),
    }),
  ),
});
const transactionsSchema = v.object({ transactions: v.array(transactionSchema) });

export type TonTransaction = v.InferOutput<typeof transactionSchema>;
export type TonMessage = NonNullable<TonTransaction['in_msg']>;
export type TonBlock = v.InferOutput<typeof blockSchema>;

/** Every method throws NodeError when the index does not answer, or answers in another shape. */
export class TonIndex {
  readonly #node: NodeAddress;
  readonly #jettonWallets = new Map<string, string>();

  constructor(node: NodeAddress) {
    this.#node = node;
  }

  async tip(): Promise<TonBlock> {
    const answer = await ask(this.#node, '/api/v3/masterchainInfo', tipSchema);
    if (answer === undefined) throw new NodeError('The node did not return its newest block');
    return answer.last;
  }

  async blockAt(seqno: number): Promise<TonBlock | undefined> {
    const found = await ask(this.#node, `/api/v3/blocks?${MASTERCHAIN}&seqno=${seqno}&limit=1`, blocksSchema);
    return found?.blocks.find((block) => block.seqno === seqno);
  }

  /** The wallet with an owner's tokens of one master contract. Undefined before the first tokens arrive. */
  async jettonWalletOf(owner: string, master: string): Promise<string | undefined> {
    const key = `${owner} ${master}`;
    const known = this.#jettonWallets.get(key);
    if (known !== undefined) return known;
    const query = `owner_address=${owner}&jetton_address=${encodeURIComponent(master)}&limit=10`;
    const answer = await ask(this.#node, `/api/v3/jetton/wallets?${query}`, walletsSchema);
    const found = answer?.jetton_wallets.find(
      ({ owner: of, jetton }) => rawOf(of) === rawOf(owner) && rawOf(jetton) === master,
    );
    const raw = found && rawOf(found.address);
    if (raw !== undefined) this.#jettonWallets.set(key, raw);
    return raw;
  }

  /** The transactions of an account between two times, each once. Pages overlap when a new transaction arrives meanwhile. */
  async transactionsOf(account: string, fromS: number, toS: number): Promise<TonTransaction[]> {
    const found = new Map<string, TonTransaction>();
    const raw = rawOf(account);
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const place = `sort=asc&limit=${PAGE}&offset=${page * PAGE}&start_utime=${fromS}&end_utime=${toS}`;
      const query = `account=${encodeURIComponent(account)}&${place}`;
      const answer = await ask(this.#node, `/api/v3/transactions?${query}`, transactionsSchema);
      const transactions = answer?.transactions ?? [];
      for (const one of transactions) if (rawOf(one.account) === raw && !one.emulated) found.set(one.hash, one);
      if (transactions.length < PAGE) return [...found.values()];
    }
    throw new NodeError('The node lists more transactions than one wallet can have');
  }
}

/** The raw form, in small letters, of an address in any form. '' for anything else. */
export function rawOf(address: string): string {
  try {
    return Address.parse(address).toRawString();
  } catch {
    return '';
  }
}

/** The index writes hashes in base64, which does not fit into the address of a request. */
export function hexOf(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex');
}
