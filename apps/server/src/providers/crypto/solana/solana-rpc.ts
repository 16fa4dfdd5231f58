/** The questions to a Solana node, all at the commitment `finalized`: what a node answers then is never taken back by the chain. */
import { base64 } from '@scure/base';
import * as v from 'valibot';
import { type Block, NodeError } from '../chain/chain-source.ts';
import type { NodeAddress } from '../chain/node-http.ts';
import { createEvmRpc, type EvmRpc, readAnswer } from '../evm/evm-rpc.ts';
import { isTokenProgram } from './solana-address.ts';

/** The most accounts that `getMultipleAccounts` takes. */
const ACCOUNTS = 100;
/** The most signatures in a page. */
const SIGNATURES = 1000;
/** Pages of signatures of one account. A stranger pays for every transaction in them. */
const MOST_PAGES = 50;
/** The oldest signatures that are returned. */
const MOST_RETURNED = 1000;
/** Blocks whose hash is kept. A final block never changes. */
const MOST_BLOCKS = 1000;

const finalized = { commitment: 'finalized' } as const;
const wholeNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const latestSchema = v.object({ context: v.object({ slot: wholeNumber }), value: v.object({ blockhash: v.string() }) });
const blockSchema = v.object({ blockhash: v.string() });
const accountsSchema = v.object({
  value: v.array(
    v.nullable(v.object({ lamports: v.number(), owner: v.string(), data: v.tuple([v.string(), v.literal('base64')]) })),
  ),
});
const signaturesSchema = v.array(v.object({ signature: v.string(), slot: wholeNumber, err: v.unknown() }));
const tokenBalances = v.nullish(
  v.array(
    v.object({
      accountIndex: wholeNumber,
      mint: v.string(),
      owner: v.optional(v.string()),
      uiTokenAmount: v.object({ amount: v.pipe(v.string(), v.regex(/^\d{1,20}$/)) }),
    }),
  ),
  [],
);
const transactionSchema = v.object({
  slot: wholeNumber,
  meta: v.object({
    err: v.unknown(),
    preBalances: v.array(v.number()),
    postBalances: v.array(v.number()),
    preTokenBalances: tokenBalances,
    postTokenBalances: tokenBalances,
  }),
  // With the accounts from address tables, in the order to which the balances refer.
  transaction: v.object({ message: v.object({ accountKeys: v.array(v.object({ pubkey: v.string() })) }) }),
});

export type SolanaTransaction = v.InferOutput<typeof transactionSchema>;
export type SolanaSignature = v.InferOutput<typeof signaturesSchema>[number];

/** What an account holds now. */
export interface Holding {
  readonly lamports: bigint;
  /** In the token's unit. Undefined for an account that is no token account. */
  readonly tokens: bigint | undefined;
}

export class SolanaRpc {
  readonly #rpc: EvmRpc;
  readonly #blocks = new Map<number, string>();

  constructor(node: NodeAddress) {
    this.#rpc = createEvmRpc(node);
  }

  async latest(): Promise<Block> {
    const { context, value } = await this.#rpc.ask('getLatestBlockhash', [finalized], latestSchema);
    return { height: context.slot, hash: value.blockhash };
  }

  genesis(): Promise<string> {
    return this.#rpc.ask('getGenesisHash', [], v.string());
  }

  /** @throws NodeError also for a slot without a block, and where the node has deleted the block */
  async hashAt(slot: number): Promise<string> {
    const known = this.#blocks.get(slot);
    if (known !== undefined) return known;
    const options = { ...finalized, transactionDetails: 'none', rewards: false, maxSupportedTransactionVersion: 0 };
    const { blockhash } = await this.#rpc.ask('getBlock', [slot, options], blockSchema);
    if (this.#blocks.size >= MOST_BLOCKS) this.#blocks.clear();
    this.#blocks.set(slot, blockhash);
    return blockhash;
  }

  /** In the order of the accounts. Undefined for an account that does not exist. */
  async holdings(accounts: readonly string[]): Promise<(Holding | undefined)[]> {
    const turns = Array.from({ length: Math.ceil(accounts.length / ACCOUNTS) }, (_, at) =>
      accounts.slice(at * ACCOUNTS, (at + 1) * ACCOUNTS),
    );
    const params = turns.map((turn) => [turn, { ...finalized, encoding: 'base64' }]);
    const answers = await this.#rpc.askEach('getMultipleAccounts', params, accountsSchema);
    return answers.flatMap(({ value }, at) => {
      if (value.length !== turns[at]?.length) throw new NodeError('The node returned only a part of the accounts');
      return value.map((found) => (found === null ? undefined : holdingOf(found)));
    });
  }

  /**
   * The first signatures after `until`, the oldest first. Also those of failed transactions. Nodes list the newest first, so all pages are
   * read: to leave out the last one would lose its payments.
   * @throws NodeError also where there are too many
   */
  async signaturesOf(account: string, until: string | undefined): Promise<SolanaSignature[]> {
    let found: SolanaSignature[] = [];
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const before = found.at(-1)?.signature;
      const options = { ...finalized, limit: SIGNATURES, ...(until && { until }), ...(before && { before }) };
      const page = await this.#rpc.ask('getSignaturesForAddress', [account, options], signaturesSchema);
      found = [...found, ...page].slice(-MOST_RETURNED);
      if (page.length < SIGNATURES) return found.reverse();
    }
    throw new NodeError('An account has more transactions than can be read');
  }

  async hasSignature(accounts: readonly string[]): Promise<boolean> {
    const params = accounts.map((account) => [account, { ...finalized, limit: 1 }]);
    const answers = await this.#rpc.askEach('getSignaturesForAddress', params, signaturesSchema);
    return answers.some((page) => page.length > 0);
  }

  /** @throws NodeError also where the node does not have one of them */
  async transactions(signatures: readonly string[]): Promise<SolanaTransaction[]> {
    const options = { ...finalized, encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 };
    const calls = signatures.map((signature) => ({ method: 'getTransaction', params: [signature, options] }));
    const answers = await this.#rpc.askAll(calls);
    return answers.map((answer) => readAnswer(answer, 'getTransaction', transactionSchema));
  }
}

/** The layout of a token account: mint, owner and amount (32, 32 and 8 bytes). */
const AMOUNT_AT = 64;

function holdingOf({ lamports, owner, data }: { lamports: number; owner: string; data: [string, 'base64'] }): Holding {
  if (!isTokenProgram(owner)) return { lamports: BigInt(lamports), tokens: undefined };
  const bytes = base64.decode(data[0]);
  if (bytes.length < AMOUNT_AT + 8) throw new NodeError('The node returned a token account that is too short');
  const tokens = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(AMOUNT_AT, true);
  return { lamports: BigInt(lamports), tokens };
}
