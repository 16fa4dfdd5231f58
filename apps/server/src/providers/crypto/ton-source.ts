/**
 * TON through the HTTP interface of an index of its chain (toncenter, version 3): what comes to the one wallet, in coins and in
 * jettons. Tokens are read from the transactions of the jetton wallet that the index names for the master contract, never from what
 * somebody tells the wallet. Blocks are those of the masterchain.
 */
import { Address } from '@ton/core';
import * as v from 'valibot';
import {
  type Block,
  type ChainSource,
  type Incoming,
  NodeError,
  type Ours,
  type Scan,
  type ScanRange,
  type WatchedAssets,
} from './chain-source.ts';
import { ask, inTurns, type NodeAddress } from './node-http.ts';
import { isStray, strayDestination } from './stray.ts';
import { readTonMessage } from './ton-message.ts';
import { destinationOf, readMemo, splitDestination } from './ton-wallet.ts';

/** Tokens are master contracts in the raw form. */
export interface TonOptions extends WatchedAssets {
  /** As people see it. */
  readonly wallet: string;
  readonly warn: (fields: object, message: string) => void;
}

const PAGE = 100;
/** Far more than one wallet gets in as many blocks as a round looks at. */
const MOST_PAGES = 200;
/** A shard's block can be older than the one of the masterchain that holds it. */
const SLACK_S = 300;
const MOST_SAID = 10_000;
/** As the blocks of the main network name it. */
const MAIN_NETWORK = -239;
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

type Transaction = v.InferOutput<typeof transactionSchema>;
type Message = NonNullable<Transaction['in_msg']>;
type ChainBlock = v.InferOutput<typeof blockSchema>;

interface Payment {
  readonly raw: bigint;
  readonly comment: string;
  readonly contract?: string;
}

export function createTonSource(node: NodeAddress, { wallet, tokens, isCoinWatched, warn }: TonOptions): ChainSource {
  const jettonWallets = new Map<string, string>();
  const said = new Set<string>();

  async function blockAt(seqno: number): Promise<ChainBlock | undefined> {
    const found = await ask(node, `/api/v3/blocks?${MASTERCHAIN}&seqno=${seqno}&limit=1`, blocksSchema);
    return found?.blocks.find((block) => block.seqno === seqno);
  }

  /** The wallet that holds an owner's tokens of one master; undefined before the first have come. */
  async function jettonWalletOf(owner: string, master: string): Promise<string | undefined> {
    const key = `${owner} ${master}`;
    const known = jettonWallets.get(key);
    if (known !== undefined) return known;
    const query = `owner_address=${owner}&jetton_address=${encodeURIComponent(master)}&limit=10`;
    const answer = await ask(node, `/api/v3/jetton/wallets?${query}`, walletsSchema);
    const found = answer?.jetton_wallets.find(
      ({ owner: of, jetton }) => rawOf(of) === rawOf(owner) && rawOf(jetton) === master,
    );
    const raw = found && rawOf(found.address);
    if (raw !== undefined) jettonWallets.set(key, raw);
    return raw;
  }

  /** What came to an account between two times: each transaction once, though pages may overlap when something new comes. */
  async function transactionsTo(account: string, fromS: number, toS: number): Promise<Transaction[]> {
    const found = new Map<string, Transaction>();
    const raw = rawOf(account);
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const place = `sort=asc&limit=${PAGE}&offset=${page * PAGE}&start_utime=${fromS}&end_utime=${toS}`;
      const query = `account=${encodeURIComponent(account)}&${place}`;
      const answer = await ask(node, `/api/v3/transactions?${query}`, transactionsSchema);
      const transactions = answer?.transactions ?? [];
      for (const one of transactions) if (rawOf(one.account) === raw && !one.emulated) found.set(one.hash, one);
      if (transactions.length < PAGE) return [...found.values()];
    }
    throw new NodeError('The node tells of more transactions than one wallet can have');
  }

  /** One look through a part of the chain; what it learned of blocks is worth nothing afterwards, as the chain may have changed. */
  function lookThrough({ from, to }: { readonly from: number; readonly to: number }, fromS: number, toS: number) {
    const blocks = new Map<number, Promise<Block>>();
    function blockOf(height: number): Promise<Block> {
      const asked =
        blocks.get(height) ??
        blockAt(height).then((block) => {
          if (block === undefined) throw new NodeError(`The node does not have block ${height} yet`);
          return { height, hash: hexOf(block.root_hash) };
        });
      blocks.set(height, asked);
      return asked;
    }

    /** @param read what a transaction brings; undefined: nothing */
    async function paymentsOf(
      account: string,
      owner: string,
      read: (transaction: Transaction, message: Message) => Payment | undefined,
    ): Promise<Incoming[]> {
      const transactions = (await transactionsTo(account, fromS, toS)).filter(
        ({ mc_block_seqno: height }) => height === undefined || height === null || (height >= from && height <= to),
      );
      const found = await inTurns(transactions, async (transaction): Promise<Incoming[]> => {
        const { in_msg: message, mc_block_seqno: height } = transaction;
        // Without a source it is the owner's own order; what bounced is money of ours that comes back.
        const payment = message?.source && !message.bounced ? read(transaction, message) : undefined;
        if (payment === undefined || payment.raw === 0n) return [];
        const { comment, ...rest } = payment;
        const place = height === undefined || height === null ? {} : { block: await blockOf(height) };
        return [{ txid: hexOf(transaction.hash), address: destinationOf(owner, readMemo(comment)), ...rest, ...place }];
      });
      return found.flat();
    }

    const coinsTo = (owner: string, ours: ReadonlySet<string>): Promise<Incoming[]> =>
      paymentsOf(owner, owner, ({ hash: id, description }, message) => {
        // A failed one sends its money back, unless the sender said not to.
        if (description.aborted && message.bounce !== false) return undefined;
        const said = readTonMessage(message.message_content?.body);
        if (said.kind === 'notification' && !ours.has(rawOf(message.source ?? '')))
          sayForeign(message.source ?? '', id);
        if (!isCoinWatched || said.kind === 'notification' || said.kind === 'excesses') return undefined;
        return { raw: BigInt(message.value ?? 0), comment: said.kind === 'comment' ? said.comment : '' };
      });

    const tokensTo = (owner: string, holder: string, contract: string): Promise<Incoming[]> =>
      paymentsOf(holder, owner, ({ description }, message) => {
        // The jetton wallet refuses what neither its master nor a wallet of the same master sends.
        if (description.aborted) return undefined;
        const said = readTonMessage(message.message_content?.body);
        return said.kind === 'tokens' ? { raw: said.amount, comment: said.comment, contract } : undefined;
      });

    return { coinsTo, tokensTo };
  }

  /** Once each: the same transaction is met in many rounds. */
  function sayForeign(source: string, id: string): void {
    if (said.has(id)) return;
    if (said.size >= MOST_SAID) said.clear();
    said.add(id);
    warn({ jettonWallet: source, txid: hexOf(id) }, 'tokens of another master came: not credited');
  }

  async function hashAt(height: number): Promise<string | undefined> {
    const block = await blockAt(height);
    return block && hexOf(block.root_hash);
  }

  async function scan(ours: Pick<Ours, 'wallets'>, range: ScanRange): Promise<Scan> {
    const [first, last] = await Promise.all([blockAt(range.from), blockAt(range.to)]);
    if (first === undefined || last === undefined) throw new NodeError('The node does not have the blocks yet');
    const look = lookThrough(range, Number(first.gen_utime) - SLACK_S, Number(last.gen_utime));
    const found: Incoming[] = [];
    // Money for a wallet of before, whose address people still have, is seen as well.
    const owners = (await ours.wallets()).map((address) => splitDestination(address).wallet);
    for (const owner of new Set([wallet, ...owners])) {
      const masters = new Map<string, string>();
      for (const master of tokens) {
        const holder = await jettonWalletOf(owner, master);
        if (holder !== undefined) masters.set(holder, master);
      }
      found.push(...(await look.coinsTo(owner, new Set(masters.keys()))));
      for (const [holder, master] of masters) found.push(...(await look.tokensTo(owner, holder, master)));
    }
    return { parts: found, last: { height: range.to, hash: hexOf(last.root_hash) } };
  }

  return {
    mostBlocks: 100,
    // A shard's transactions may reach the index after the masterchain's block: six seconds of blocks.
    looksBack: 15,
    hashAt,
    scan,
    async holds(payment) {
      const { block, address } = payment;
      if ((await hashAt(block.height)) !== block.hash) return false;
      const { parts } = await scan({ wallets: async () => [address] }, { from: block.height, to: block.height });
      return parts.some(
        (part) =>
          part.txid === payment.txid &&
          part.contract === payment.contract &&
          part.raw === payment.raw &&
          part.block?.hash === block.hash &&
          (isStray(address) ? strayDestination(part) : part.address) === address,
      );
    },
    async tip() {
      const answer = await ask(node, '/api/v3/masterchainInfo', tipSchema);
      if (answer === undefined) throw new NodeError('The node has no tip');
      const { seqno: height, root_hash, gen_utime, global_id } = answer.last;
      const isForeign = global_id !== undefined && global_id !== MAIN_NETWORK;
      return { height, hash: hexOf(root_hash), minedAt: Number(gen_utime) * 1000, ...(isForeign && { isForeign }) };
    },
  };
}

/** Nodes write addresses in capitals, in small letters, or in the friendly form. '' for what is none. */
function rawOf(address: string): string {
  try {
    return Address.parse(address).toRawString();
  } catch {
    return '';
  }
}

/** Hashes come in base64, in which they could not stand in an address. */
function hexOf(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex');
}
