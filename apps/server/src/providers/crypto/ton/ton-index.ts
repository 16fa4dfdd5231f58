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
const jettonWalletSchema = v.object({
  address: v.string(),
  owner: v.string(),
  jetton: v.string(),
  balance: v.optional(amount),
});
const walletsSchema = v.object({ jetton_wallets: v.array(jettonWalletSchema) });
const accountsSchema = v.object({
  wallets: v.array(
    v.object({
      address: v.string(),
      status: v.nullish(v.string()),
      balance: v.nullish(amount),
      seqno: v.nullish(number),
    }),
  ),
});
const messageSchema = v.object({
  hash: v.optional(hash),
  source: v.nullish(v.string()),
  destination: v.nullish(v.string()),
  value: v.nullish(amount),
  fwd_fee: v.nullish(amount),
  bounce: v.nullish(v.boolean()),
  bounced: v.nullish(v.boolean()),
  message_content: v.nullish(v.object({ body: v.nullish(v.string()) })),
});
const transactionSchema = v.object({
  account: v.string(),
  hash,
  /** Its logical time. No two transactions of an account have the same one. */
  lt: v.optional(v.pipe(amount, v.toBigint())),
  mc_block_seqno: v.nullish(number),
  emulated: v.optional(v.boolean(), false),
  total_fees: v.optional(amount),
  description: v.object({
    aborted: v.optional(v.boolean(), false),
    compute_ph: v.nullish(v.object({ success: v.nullish(v.boolean()) })),
    action: v.nullish(v.object({ skipped_actions: v.optional(number), msgs_created: v.optional(number) })),
    bounce: v.nullish(v.object({ type: v.nullish(v.string()) })),
  }),
  in_msg: v.nullish(messageSchema),
  out_msgs: v.optional(v.array(messageSchema), []),
});
const transactionsSchema = v.object({ transactions: v.array(transactionSchema) });

export type TonTransaction = v.InferOutput<typeof transactionSchema>;
export type TonMessage = NonNullable<TonTransaction['in_msg']>;
/** An account as the index sees it. An address that nobody has used has no money and no contract. */
export interface TonAccount {
  readonly isActive: boolean;
  readonly isFrozen: boolean;
  readonly balance: bigint;
  /** Of a wallet contract. Before its first message: 0. */
  readonly seqno: number;
}
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
    const found = await this.#jettonWallet(owner, master);
    const raw = found && rawOf(found.address);
    if (raw !== undefined) this.#jettonWallets.set(key, raw);
    return raw;
  }

  /** How many of an owner's tokens there are, in their smallest unit. */
  async tokensOf(owner: string, master: string): Promise<bigint> {
    return BigInt((await this.#jettonWallet(owner, master))?.balance ?? 0);
  }

  /**
   * What an address has of the chain's coin, or of a master contract's tokens, in the smallest unit. An owner without a jetton wallet has
   * no tokens.
   * @throws NodeError also where the index names no balance, because an unknown balance is never 0
   */
  async balanceOf(owner: string, master?: string): Promise<bigint> {
    if (master !== undefined) {
      const holder = await this.#jettonWallet(owner, master);
      return holder === undefined ? 0n : known(holder.balance);
    }
    const answer = await ask(this.#node, `/api/v3/walletStates?address=${encodeURIComponent(owner)}`, accountsSchema);
    return known(answer?.wallets.find((one) => rawOf(one.address) === rawOf(owner))?.balance);
  }

  async #jettonWallet(owner: string, master: string): Promise<v.InferOutput<typeof jettonWalletSchema> | undefined> {
    const query = `owner_address=${owner}&jetton_address=${encodeURIComponent(master)}&limit=10`;
    const answer = await ask(this.#node, `/api/v3/jetton/wallets?${query}`, walletsSchema);
    return answer?.jetton_wallets.find(
      ({ owner: of, jetton }) => rawOf(of) === rawOf(owner) && rawOf(jetton) === master,
    );
  }

  async account(address: string): Promise<TonAccount> {
    const answer = await ask(this.#node, `/api/v3/walletStates?address=${encodeURIComponent(address)}`, accountsSchema);
    if (answer === undefined) throw new NodeError('The node cannot return accounts. Use a node with this API');
    const found = answer.wallets.find((one) => rawOf(one.address) === rawOf(address));
    return {
      isActive: found?.status === 'active',
      isFrozen: found?.status === 'frozen',
      balance: BigInt(found?.balance ?? 0),
      seqno: found?.seqno ?? 0,
    };
  }

  /**
   * The transactions of an account, the newest first.
   * @param from the logical time of the newest one. Absent: the newest of all
   * @returns a page of them, and where the next page begins. Undefined: there is none
   */
  async newestOf(
    account: string,
    from?: bigint,
  ): Promise<{ readonly page: TonTransaction[]; readonly next: bigint | undefined }> {
    const until = from === undefined ? '' : `&end_lt=${from}`;
    const query = `account=${encodeURIComponent(rawOf(account))}&sort=desc&limit=${PAGE}${until}`;
    const all = await this.#transactions(`transactions?${query}`);
    if (all.length < PAGE) return { page: ofAccount(all, account), next: undefined };
    const oldest = all.at(-1)?.lt;
    if (oldest === undefined) throw new NodeError('The node does not return the logical times of transactions');
    return { page: ofAccount(all, account), next: oldest - 1n };
  }

  /**
   * The transactions of an account with these hashes: that of the message that caused them (TEP-467), or their own. One hash may be either.
   * Several are those of messages, because the index takes one hash of a transaction.
   * @param hashes in hex
   */
  async byHash(account: string, hashes: readonly string[]): Promise<TonTransaction[]> {
    const [first, ...others] = hashes;
    if (first === undefined) return [];
    const messages = hashes.map((one) => `msg_hash=${one}`).join('&');
    const caused = await this.#transactions(`transactionsByMessage?${messages}&direction=in&limit=${PAGE}`);
    const found = ofAccount(caused, account);
    if (found.length > 0 || others.length > 0) return found;
    return ofAccount(await this.#transactions(`transactions?hash=${first}&limit=${PAGE}`), account);
  }

  async #transactions(query: string): Promise<TonTransaction[]> {
    return (await ask(this.#node, `/api/v3/${query}`, transactionsSchema))?.transactions ?? [];
  }

  /**
   * The transaction that a message caused at its receiver. Undefined before it is in a block.
   * @param message its hash, as the index writes it
   */
  async causedBy(message: string, receiver: string): Promise<TonTransaction | undefined> {
    const query = `msg_hash=${hexOf(message)}&direction=in&limit=10`;
    const answer = await ask(this.#node, `/api/v3/transactionsByMessage?${query}`, transactionsSchema);
    return answer?.transactions.find(
      (one) => one.in_msg?.hash === message && rawOf(one.account) === rawOf(receiver) && !one.emulated,
    );
  }

  /** @param boc a message to a contract, as a bag of cells in base64. @throws NodeError also for a message that no contract takes */
  async send(boc: string): Promise<void> {
    const answer = await ask(this.#node, '/api/v3/message', v.object({ message_hash: v.string() }), { boc });
    if (answer === undefined) throw new NodeError('The node does not take messages. Use a node with this API');
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

/** Without those that a node only expects. */
const ofAccount = (all: readonly TonTransaction[], account: string): TonTransaction[] =>
  all.filter((one) => rawOf(one.account) === rawOf(account) && !one.emulated);

function known(balance: string | null | undefined): bigint {
  if (balance === undefined || balance === null) throw new NodeError('The node returned no balance of a wallet');
  return BigInt(balance);
}

/** The `global_id` in the blocks of the main network. */
const MAIN_NETWORK = -239;

/** Whether a block names another network. Some indexes name none. */
export function isForeign({ global_id }: TonBlock): boolean {
  return global_id !== undefined && global_id !== MAIN_NETWORK;
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
