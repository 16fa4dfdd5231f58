/** Payouts on Ethereum and its kin: coins and ERC-20 tokens, with fees by EIP-1559. The slot is the nonce. */
import { raisedFee } from '@opencashier/core/chain-payout/raised-fee';
import { addr, Transaction } from 'micro-eth-signer';
import * as v from 'valibot';
import { NodeError } from '../chain/chain-source.ts';
import type { NodeAddress } from '../chain/node-http.ts';
import { TRANSFER_TOPIC } from '../chain/transfer-event.ts';
import type { Finality } from '../chain-kinds.ts';
import { quantity } from '../evm/evm-block-reader.ts';
import { createEvmRpc, type EvmRpc, hexOf } from '../evm/evm-rpc.ts';
import {
  hashesOf,
  type PayoutDraft,
  type PayoutRail,
  type Preparation,
  type PreparedTransaction,
  type SeenPayout,
  type Verdict,
} from './payout-rail.ts';

/** The selectors of `balanceOf(address)` and `transfer(address,uint256)`. */
const BALANCE_OF = '0x70a08231';
const TRANSFER = '0xa9059cbb';
/** Tokens differ in what a transfer costs, also between two calls. */
const GAS_MARGIN_PERCENT = 130n;

const text = v.string();
const blockSchema = v.object({ number: quantity, hash: text, baseFeePerGas: v.optional(quantity, '0x0') });
const logSchema = v.object({ address: text, topics: v.array(text), data: text });
const receiptSchema = v.nullish(
  v.object({
    status: quantity,
    blockNumber: quantity,
    blockHash: text,
    gasUsed: v.optional(quantity),
    effectiveGasPrice: v.optional(quantity),
    // What chains above Ethereum take for their data there, such as Base.
    l1Fee: v.optional(quantity, '0x0'),
    logs: v.array(logSchema),
  }),
);
const callSchema = v.nullish(
  v.object({ from: text, to: v.nullish(text), nonce: quantity, value: quantity, input: text }),
);
type Receipt = NonNullable<v.InferOutput<typeof receiptSchema>>;

export interface EvmRailOptions {
  readonly wallet: string;
  readonly chainId: number;
  /** Of one payout, in wei. */
  readonly mostFee: bigint;
  /** The tag of the chain's irreversible blocks. Undefined: confirmations alone decide. */
  readonly finality?: Finality | undefined;
}

type Fields = Pick<Eip1559['raw'], 'nonce' | 'gasLimit' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>;
/** What is used of a transaction of EIP-1559. */
interface Eip1559 {
  readonly raw: {
    readonly nonce: bigint;
    readonly to: string;
    readonly value: bigint;
    readonly data: string;
    readonly gasLimit: bigint;
    readonly maxFeePerGas: bigint;
    readonly maxPriorityFeePerGas: bigint;
  };
  readonly hash: string;
  readonly isSigned: boolean;
  toHex(): string;
  recoverSender(): { readonly address: string };
  removeSignature(): { toHex(options: { readonly includeSignature: false }): string };
}

/** @throws RangeError for a wallet that is no address */
export function createEvmRail(node: NodeAddress, options: EvmRailOptions): PayoutRail {
  if (!addr.isValid(options.wallet)) throw new RangeError('The wallet of payouts is not an address');
  const rpc = createEvmRpc(node);
  const { wallet, chainId, mostFee } = options;

  const balance = async (contract: string): Promise<bigint> =>
    BigInt(
      contract === ''
        ? await rpc.ask('eth_getBalance', [wallet, 'latest'], quantity)
        : await rpc.ask('eth_call', [{ to: contract, data: `${BALANCE_OF}${word(wallet)}` }, 'latest'], quantity),
    );

  return {
    format: 'eip1559',
    wallet,
    objection: ({ address }) => (addr.isValid(address) ? undefined : 'bad-address'),
    balance,
    async prepare(draft, taken, reserved): Promise<Preparation> {
      await requireNetwork(rpc, chainId);
      const available = (await balance(draft.contract)) - reserved.asset;
      if (available < draft.raw) return { kind: 'wait', why: 'low-balance' };
      const { to, value, data } = callOf(draft);
      const sent = BigInt(await rpc.ask('eth_getTransactionCount', [wallet, 'pending'], quantity));
      const after = taken.reduce((most, slot) => (BigInt(slot) >= most ? BigInt(slot) + 1n : most), 0n);
      const estimate = await rpc.ask('eth_estimateGas', [{ from: wallet, to, value: hex(value), data }], quantity);
      const gasLimit = data === '0x' ? BigInt(estimate) : (BigInt(estimate) * GAS_MARGIN_PERCENT) / 100n;
      const { maxFeePerGas, maxPriorityFeePerGas } = await feesNow(rpc);
      const cost = gasLimit * maxFeePerGas;
      if (cost > mostFee) return { kind: 'wait', why: 'fee-high' };
      const left = (await balance('')) - reserved.coin - (draft.contract === '' ? draft.raw : 0n);
      if (left < cost) return { kind: 'wait', why: 'low-coin' };
      const nonce = sent > after ? sent : after;
      return { kind: 'prepared', ...built(options, draft, { nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas }) };
    },
    async claim() {
      const countAt = async (tag: 'latest' | 'pending') =>
        BigInt(await rpc.ask('eth_getTransactionCount', [wallet, tag], quantity));
      return { kind: 'counter', spent: await countAt('latest'), next: await countAt('pending') };
    },
    async replace(draft, last) {
      const { nonce, gasLimit, maxPriorityFeePerGas: tip } = fieldsOf(last.unsigned).raw;
      const now = await feesNow(rpc);
      const most = mostFee / gasLimit;
      const maxFeePerGas = raisedFee(last.feeRate, now.maxFeePerGas, most);
      // Nodes want both of the fees to be higher.
      const maxPriorityFeePerGas = raisedFee(tip, now.maxPriorityFeePerGas, most);
      if (maxFeePerGas === undefined || maxPriorityFeePerGas === undefined) return undefined;
      if (maxPriorityFeePerGas > maxFeePerGas) return undefined;
      return built(options, draft, { nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas });
    },
    verify: (unsigned, answer) => verify(wallet, unsigned, answer),
    async pays(draft, slots, hash) {
      const found = await rpc.ask('eth_getTransactionByHash', [hash], callSchema);
      if (!found) return false;
      const { to, value, data } = callOf(draft);
      return (
        found.from.toLowerCase() === wallet.toLowerCase() &&
        slots.includes(String(BigInt(found.nonce))) &&
        found.to?.toLowerCase() === to.toLowerCase() &&
        BigInt(found.value) === value &&
        found.input.toLowerCase() === data.toLowerCase()
      );
    },
    async send(signed) {
      await rpc.ask('eth_sendRawTransaction', [signed], text);
    },
    look: (draft, slots, sought, required) => look(rpc, options, { draft, slots, hashes: hashesOf(sought), required }),
  };
}

/** Coins of a test network are free, and a signature for one network may be valid on another. @throws NodeError */
async function requireNetwork(rpc: EvmRpc, chainId: number): Promise<void> {
  if (BigInt(await rpc.ask('eth_chainId', [], quantity)) !== BigInt(chainId))
    throw new NodeError('The node belongs to another network');
}

async function feesNow(rpc: EvmRpc): Promise<Pick<Fields, 'maxFeePerGas' | 'maxPriorityFeePerGas'>> {
  const { baseFeePerGas } = await rpc.ask('eth_getBlockByNumber', ['latest', false], blockSchema);
  const maxPriorityFeePerGas = BigInt(await rpc.ask('eth_maxPriorityFeePerGas', [], quantity));
  // The base fee rises by an eighth a block at most, so this lasts for six full blocks.
  return { maxPriorityFeePerGas, maxFeePerGas: BigInt(baseFeePerGas) * 2n + maxPriorityFeePerGas };
}

const hex = (value: bigint): string => `0x${value.toString(16)}`;
const word = (address: string): string => address.slice(2).toLowerCase().padStart(64, '0');

function callOf({ contract, address, raw }: PayoutDraft): { to: string; value: bigint; data: string } {
  if (contract === '') return { to: address, value: raw, data: '0x' };
  return { to: contract, value: 0n, data: `${TRANSFER}${word(address)}${raw.toString(16).padStart(64, '0')}` };
}

function built({ chainId }: EvmRailOptions, draft: PayoutDraft, fields: Fields): PreparedTransaction {
  const { to, value, data } = callOf(draft);
  const whole = { type: 'eip1559' as const, chainId: BigInt(chainId), accessList: [], to, value, data, ...fields };
  return {
    slots: [String(fields.nonce)],
    unsigned: Transaction.prepare(whole, false).toHex({ includeSignature: false }),
    feeRate: fields.maxFeePerGas,
    mostFee: fields.gasLimit * fields.maxFeePerGas,
  };
}

/** @throws Error for anything but a transaction of EIP-1559 */
function fieldsOf(bytes: string): Eip1559 {
  const read = Transaction.fromHex(bytes);
  if (read.type !== 'eip1559') throw new RangeError('Not a transaction of EIP-1559');
  return read as unknown as Eip1559;
}

function verify(wallet: string, unsigned: string, answer: string): Verdict {
  let read: Eip1559;
  let sender: string;
  try {
    read = fieldsOf(answer);
    if (!read.isSigned) return { kind: 'bad', why: 'unreadable' };
    // What is compared last is everything, so that a field that is not named below cannot differ either. It is compared before the
    // signature, which takes far longer to check.
    const same = read.removeSignature().toHex({ includeSignature: false }) === unsigned;
    if (!same) return { kind: 'bad', why: faultOf(fieldsOf(unsigned), read) };
    sender = read.recoverSender().address;
  } catch {
    return { kind: 'bad', why: 'unreadable' };
  }
  if (sender.toLowerCase() !== wallet.toLowerCase()) return { kind: 'bad', why: 'sender' };
  return { kind: 'good', hash: `0x${read.hash.replace(/^0x/, '')}`, signed: read.toHex() };
}

function faultOf({ raw: ours }: Eip1559, { raw: theirs }: Eip1559) {
  const isToken = ours.data !== '0x' && ours.data !== '';
  if (ours.nonce !== theirs.nonce) return 'slot';
  if (ours.to.toLowerCase() !== theirs.to.toLowerCase()) return 'recipient';
  if (ours.value !== theirs.value) return 'amount';
  // The first word of a token's call is the recipient, and the second one the amount.
  if (isToken && ours.data.slice(0, 74) !== theirs.data.slice(0, 74)) return 'recipient';
  if (isToken && ours.data !== theirs.data) return 'amount';
  const fees = ['gasLimit', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const;
  return fees.some((fee) => ours[fee] !== theirs[fee]) ? 'fee' : 'other';
}

interface Wanted {
  readonly draft: PayoutDraft;
  readonly slots: readonly string[];
  readonly hashes: readonly string[];
  readonly required: number;
}

async function look(
  rpc: EvmRpc,
  { wallet, finality }: EvmRailOptions,
  { draft, slots, hashes, required }: Wanted,
): Promise<SeenPayout> {
  const tip = Number((await rpc.ask('eth_getBlockByNumber', ['latest', false], blockSchema)).number);
  /** The height up to which blocks end a payout. */
  const endsAt = async (): Promise<number> =>
    Math.min(
      tip - required + 1,
      finality === undefined
        ? tip
        : Number((await rpc.ask('eth_getBlockByNumber', [finality, false], blockSchema)).number),
    );
  /** A block that the chain can still take back has fewer confirmations than are required. */
  const depthOf = async (height: number): Promise<number> => {
    const depth = Math.max(1, tip - height + 1);
    return depth >= required && height > (await endsAt()) ? required - 1 : depth;
  };
  const asked = hashes.map((hash) => [hash]);
  const receipts = await rpc.askEach('eth_getTransactionReceipt', asked, receiptSchema);
  for (const [at, receipt] of receipts.entries()) {
    const hash = hashes[at];
    if (!receipt || hash === undefined) continue;
    const height = Number(receipt.blockNumber);
    const block = await rpc.ask('eth_getBlockByNumber', [hexOf(height), false], v.nullish(blockSchema));
    // A receipt of a block that has left the chain.
    if (block?.hash !== receipt.blockHash)
      throw new NodeError('The node returned a receipt of a block it does not have');
    const depth = await depthOf(height);
    return { sighting: { kind: 'mined', hash, depth, hasPaid: hasPaid(draft, wallet, receipt) }, fee: feeOf(receipt) };
  }
  const pending = await rpc.askEach('eth_getTransactionByHash', asked, v.nullish(v.object({ hash: text })));
  if (pending.some((one) => one)) return { sighting: { kind: 'pending' } };
  return { sighting: { kind: 'missing', spentDepth: await spentDepth(rpc, wallet, { slots, tip, required, endsAt }) } };
}

/** @returns 0, 1, or `required` when the nonce was spent at that depth already */
async function spentDepth(
  rpc: EvmRpc,
  wallet: string,
  {
    slots,
    tip,
    required,
    endsAt,
  }: Pick<Wanted, 'slots' | 'required'> & { readonly tip: number; endsAt(): Promise<number> },
): Promise<number> {
  const nonce = BigInt(slots[0] ?? '0');
  const countAt = async (height: number): Promise<bigint> =>
    BigInt(await rpc.ask('eth_getTransactionCount', [wallet, hexOf(Math.max(0, height))], quantity));
  if ((await countAt(tip)) <= nonce) return 0;
  return (await countAt(await endsAt())) > nonce ? required : Math.min(1, required - 1);
}

/**
 * Some tokens answer `false` instead of failing, so the event of the transfer is the proof. A token that keeps a fee pays less than was
 * sent, and has paid all the same: an amount that returned would be paid twice.
 */
function hasPaid({ contract, address }: PayoutDraft, wallet: string, { status, logs }: Receipt): boolean {
  if (BigInt(status) !== 1n) return false;
  if (contract === '') return true;
  const wanted = [TRANSFER_TOPIC, word(wallet), word(address)].map((topic) => `0x${topic}`).join();
  return logs.some(
    (log) =>
      log.address.toLowerCase() === contract.toLowerCase() &&
      log.topics.join().toLowerCase() === wanted &&
      /[1-9a-f]/i.test(log.data.slice(2)),
  );
}

function feeOf({ gasUsed, effectiveGasPrice, l1Fee }: Receipt): bigint | undefined {
  return gasUsed === undefined || effectiveGasPrice === undefined
    ? undefined
    : BigInt(gasUsed) * BigInt(effectiveGasPrice) + BigInt(l1Fee);
}
