/**
 * Payouts on TRON: coins and TRC-20 tokens. There is no nonce. The chain takes a transaction once, until it expires, and its name is the
 * hash of what is signed. So the slot is the transaction itself, and the next one comes only when it has certainly expired
 * (`expiring-payout.ts` in core).
 */
import { EXPIRY_MARGIN_MS, type ExpiringBlock, sightExpiring } from '@opencashier/core/chain-payout/expiring-payout';
import type { SlotClaim } from '@opencashier/core/chain-payout/wallet-doubt';
import type { Clock } from '@opencashier/core/time/clock';
import * as v from 'valibot';
import { NodeError } from '../chain/chain-source.ts';
import { ask, type NodeAddress } from '../chain/node-http.ts';
import { tronHex } from '../chain/receiving-address.ts';
import { TRANSFER_TOPIC } from '../chain/transfer-event.ts';
import { costOf, readAccount, tokenBalance } from '../tron/tron-costs.ts';
import {
  addressWord,
  expiryOf,
  isTronAddress,
  partsOf,
  readSigned,
  referenceOf,
  type SignedTransaction,
  signerOf,
  type TronFrame,
  type TronPayment,
  transactionId,
  writeSigned,
  writeTransaction,
} from '../tron/tron-transaction.ts';
import type {
  PayoutDraft,
  PayoutRail,
  Preparation,
  SeenPayout,
  SignatureFault,
  SoughtTransaction,
  Verdict,
} from './payout-rail.ts';

/** A node that is so far from our clock is not asked to prepare anything. */
const MOST_CLOCK_DIFFERENCE_MS = 300_000;
/** Blocks come every three seconds at most. */
const BLOCK_MS = 3000;
const MARGIN_BLOCKS = Math.ceil(EXPIRY_MARGIN_MS / BLOCK_MS);
const MOST_COINS = 2n ** 63n;

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const number = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const headSchema = v.object({
  blockID: hash,
  block_header: v.object({ raw_data: v.object({ number: v.optional(number, 0), timestamp: v.optional(number, 0) }) }),
  transactions: v.optional(v.array(v.object({ txID: hash })), []),
});
const logSchema = v.object({
  address: v.string(),
  topics: v.optional(v.array(v.string()), []),
  data: v.optional(v.string(), ''),
});
const infoSchema = v.object({
  id: hash,
  blockNumber: number,
  fee: v.optional(number, 0),
  result: v.optional(v.string()),
  receipt: v.optional(v.object({ result: v.optional(v.string()) })),
  log: v.optional(v.array(logSchema), []),
});
/** An error has status 200, too. So only an empty answer says that there is no such transaction. */
const foundSchema = v.union([infoSchema, v.strictObject({})]);
const sentSchema = v.object({ result: v.optional(v.boolean(), false), code: v.optional(v.string()) });
type Info = v.InferOutput<typeof infoSchema>;

export interface TronRailOptions {
  readonly wallet: string;
  /** Of one payout, in sun. */
  readonly mostFee: bigint;
  /** How long the chain takes a transaction after it was prepared. */
  readonly validForS: number;
  /** The hash of the chain's first block. */
  readonly genesis: string;
  readonly clock: Clock;
}

/** @throws RangeError for a wallet that is no address */
export function createTronRail(node: NodeAddress, options: TronRailOptions): PayoutRail {
  const { wallet, mostFee, clock, validForS } = options;
  if (!isTronAddress(wallet)) throw new RangeError('The wallet of payouts is not an address');
  const reader = new TronReader(node, options.genesis);
  const paymentOf = ({ contract, address, raw }: PayoutDraft): TronPayment => ({
    from: wallet,
    to: address,
    contract,
    raw,
  });
  const balance = async (contract: string): Promise<bigint> =>
    contract === ''
      ? BigInt((await readAccount(node, wallet)).balance)
      : tokenBalance(node, contract, addressWord(wallet), wallet);

  return {
    format: 'tron',
    wallet,
    objection: ({ contract, address, raw }) =>
      !isTronAddress(address) || address === wallet || (contract === '' && raw >= MOST_COINS)
        ? 'bad-address'
        : undefined,
    balance,
    async prepare(draft, taken, reserved): Promise<Preparation> {
      await reader.requireNetwork();
      const coins = await balance('');
      const available = (draft.contract === '' ? coins : await balance(draft.contract)) - reserved.asset;
      if (available < draft.raw) return { kind: 'wait', why: 'low-balance' };
      const newest = await reader.newest();
      if (Math.abs(newest.timestamp - clock.now()) > MOST_CLOCK_DIFFERENCE_MS)
        throw new NodeError("The node's newest block is not of this time");
      // A reorganisation cannot take this block, and with it the transaction, out of the chain.
      const block = await reader.final();
      const payment = paymentOf(draft);
      const frame = { block, expiresAt: newest.timestamp + validForS * 1000, timestamp: newest.timestamp };
      const unbound = writeTransaction(payment, { ...frame, feeLimit: mostFee });
      const cost = await costOf(node, payment, { unsigned: unbound, isAlone: reserved.coin === 0n });
      if (cost.most > mostFee) return { kind: 'wait', why: 'fee-high' };
      const left = coins - reserved.coin - (draft.contract === '' ? draft.raw : 0n);
      if (left < cost.fromCoins) return { kind: 'wait', why: 'low-coin' };
      const unsigned = freshTransaction(payment, { ...frame, feeLimit: cost.feeLimit }, taken);
      const slots = [transactionId(unsigned)];
      return { kind: 'prepared', slots, unsigned, feeRate: 0n, mostFee: cost.most, expiresAt: frame.expiresAt };
    },
    claim: ({ unsigned }) => reader.claim(unsigned),
    // A higher fee would be another transaction, and both could be mined.
    replace: async () => undefined,
    verify: (unsigned, answer) => verify(wallet, unsigned, answer),
    pays: async (_draft, slots, id) => slots.includes(id) && (await reader.info('walletsolidity', id)) !== undefined,
    async send(signed) {
      const answer = await ask(node, '/wallet/broadcasthex', sentSchema, { transaction: signed });
      // An earlier request has sent it. Every other answer leaves open whether another node has it.
      if (answer?.result === true || answer?.code === 'DUP_TRANSACTION_ERROR') return;
      throw new NodeError(`The node returned ${/^[A-Z_]{1,60}$/.exec(answer?.code ?? '')?.[0] ?? 'no result'}`);
    },
    look: (draft, _slots, sought, required) => look(reader, options, draft, { sought, required }),
  };
}

/** Two equal payouts in one block would be one transaction, so the second one gets another time. */
function freshTransaction(payment: TronPayment, frame: TronFrame, taken: readonly string[]): string {
  for (let timestamp = frame.timestamp; ; timestamp += 1) {
    const unsigned = writeTransaction(payment, { ...frame, timestamp });
    if (!taken.includes(transactionId(unsigned))) return unsigned;
  }
}

/** Takes nothing but the signature from the answer. What is sent is our own transaction with it. */
function verify(wallet: string, unsigned: string, answer: string): Verdict {
  let theirs: SignedTransaction;
  try {
    theirs = readSigned(answer);
    if (theirs.unsigned !== unsigned) return { kind: 'bad', why: faultOf(unsigned, theirs.unsigned) };
  } catch {
    return { kind: 'bad', why: 'unreadable' };
  }
  try {
    if (signerOf(theirs) !== wallet) return { kind: 'bad', why: 'sender' };
  } catch {
    return { kind: 'bad', why: 'sender' };
  }
  return { kind: 'good', hash: transactionId(unsigned), signed: writeSigned({ ...theirs, unsigned }) };
}

/** @throws Error for bytes that are no transaction */
function faultOf(unsigned: string, other: string): SignatureFault {
  const [ours, theirs] = [partsOf(unsigned), partsOf(other)];
  const order = ['slot', 'recipient', 'amount', 'fee'] as const;
  return order.find((part) => ours[part] !== theirs[part]) ?? 'other';
}

/** The node's two views: `wallet` is the newest chain, and `walletsolidity` is what the chain cannot take back. */
type View = 'wallet' | 'walletsolidity';

class TronReader {
  readonly #node: NodeAddress;
  readonly #genesis: string;
  #isRightNetwork = false;

  constructor(node: NodeAddress, genesis: string) {
    this.#node = node;
    this.#genesis = genesis;
  }

  /** Coins of a test network are free. @throws NodeError */
  async requireNetwork(): Promise<void> {
    if (this.#isRightNetwork) return;
    if ((await this.#block('/wallet/getblockbynum', { num: 0 })).hash !== this.#genesis)
      throw new NodeError('The node belongs to another network');
    this.#isRightNetwork = true;
  }

  newest = () => this.#block('/wallet/getnowblock', {});
  final = () => this.#block('/walletsolidity/getnowblock', {});
  finalAt = (height: number) => this.#block('/walletsolidity/getblockbynum', { num: Math.max(0, height) });

  /** Whether the node has the block that a transaction names. @throws NodeError */
  async claim(unsigned: string): Promise<SlotClaim> {
    await this.requireNetwork();
    const { height: newest, timestamp: newestAt } = await this.newest();
    const { lowHeight, hashPart } = referenceOf(unsigned);
    // The transaction has the last two bytes of the height. It names a block of the last days.
    const height = newest - ((newest - lowHeight) & 0xffff);
    if (height < 0) return { kind: 'reference', hasBlock: false, newestAt };
    const { hash } = await this.#block('/wallet/getblockbynum', { num: height });
    return { kind: 'reference', hasBlock: hash.slice(16, 32) === hashPart, newestAt };
  }

  async #block(path: string, body: object) {
    const found = await ask(this.#node, path, headSchema, body);
    if (found === undefined)
      throw new NodeError('The node does not show irreversible blocks. Use a node with this API');
    const { number: height, timestamp } = found.block_header.raw_data;
    return { height, hash: found.blockID, timestamp, someTransaction: found.transactions[0]?.txID };
  }

  /**
   * A node can be told to keep no results. It then has no transaction at all, and proves nothing by that.
   * @param known a transaction in an irreversible block. Undefined: the block is empty, so only a later one tells
   * @throws NodeError when the node does not find it
   */
  async requireResults(known: string | undefined): Promise<void> {
    if (known === undefined) throw new NodeError('The block that proves an expiry is empty');
    if ((await this.info('walletsolidity', known)) === undefined)
      throw new NodeError('The node does not keep the results of transactions. Use a node that does');
  }

  /** The result of a transaction that is in a block. Undefined: the node has no such block. @throws NodeError */
  async info(view: View, id: string): Promise<(Info & { readonly height: number }) | undefined> {
    const found = await ask(this.#node, `/${view}/gettransactioninfobyid`, foundSchema, { value: id });
    // A node that does not know the request must not look like one without the transaction.
    if (found === undefined) throw new NodeError('The node cannot look up transactions. Use a node with this API');
    if (!('id' in found)) return undefined;
    if (found.id !== id) throw new NodeError('The node returned another transaction than it was asked for');
    return { ...found, height: found.blockNumber };
  }
}

async function look(
  reader: TronReader,
  { wallet, clock }: TronRailOptions,
  draft: PayoutDraft,
  { sought, required }: { readonly sought: readonly SoughtTransaction[]; readonly required: number },
): Promise<SeenPayout> {
  const [live] = sought;
  if (live === undefined) return { sighting: { kind: 'missing', spentDepth: 0 } };
  const transaction = { hash: transactionId(live.unsigned), expiresAt: expiryOf(live.unsigned) };
  await reader.requireNetwork();
  // The order matters: the irreversible block first, then the search (ExpiringView).
  const now = clock.now();
  const final = await reader.final();
  const isLate = final.timestamp >= transaction.expiresAt;
  const proof = isLate ? await reader.finalAt(final.height - MARGIN_BLOCKS) : final;
  const kept = await reader.info('walletsolidity', transaction.hash);
  const found = kept ?? (await reader.info('wallet', transaction.hash));
  if (found === undefined && isLate) await reader.requireResults(proof.someTransaction);
  let block: ExpiringBlock | undefined;
  if (found !== undefined) {
    const { height } = await reader.newest();
    const depth = Math.max(1, height - found.height + 1);
    block = { depth, isFinal: kept !== undefined, hasPaid: hasPaid(draft, wallet, found) };
  }
  const sighting = sightExpiring(transaction, { finalTime: proof.timestamp, now, block }, required);
  return { sighting, fee: found === undefined ? undefined : BigInt(found.fee) };
}

/**
 * The event of the transfer is the proof, because some tokens answer `false` in both cases. A token that keeps a fee has paid all the
 * same: an amount that returned would be paid twice.
 * @throws NodeError when the node does not say how the contract ended
 */
function hasPaid({ contract, address }: PayoutDraft, wallet: string, { result, receipt, log }: Info): boolean {
  if (result === 'FAILED') return false;
  if (contract === '') return true;
  if (receipt?.result === undefined) throw new NodeError('The node did not return the result of a contract');
  if (receipt.result !== 'SUCCESS') return false;
  const wanted = [TRANSFER_TOPIC, addressWord(wallet), addressWord(address)].join();
  return log.some(
    (one) =>
      one.address.toLowerCase() === tronHex(contract) &&
      one.topics.join().toLowerCase() === wanted &&
      /[1-9a-f]/i.test(one.data),
  );
}
