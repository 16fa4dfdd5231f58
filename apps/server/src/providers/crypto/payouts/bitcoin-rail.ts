/**
 * Payouts on Bitcoin and Litecoin, from one address (P2WPKH) that also gets the change. The slots are the inputs. A replacement has the
 * same inputs and pays the same (BIP 125), so the chain takes one of them at most.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { raisedFee } from '@opencashier/core/chain-payout/raised-fee';
import { type Coin, type CoinRules, changeOf, selectCoins } from '@opencashier/core/chain-payout/select-coins';
import { base64, hex } from '@scure/base';
import { Address, OutScript, Transaction } from '@scure/btc-signer';
import * as v from 'valibot';
import { NodeError } from '../chain/chain-source.ts';
import { ask, askText, type NodeAddress, postText } from '../chain/node-http.ts';
import {
  BITCOIN_NETWORKS,
  type BitcoinPrefix,
  type BitcoinWallet,
  derivationOf,
  readBitcoinWallet,
} from './bitcoin-wallet.ts';
import {
  hashesOf,
  type PayoutDraft,
  type PayoutRail,
  type Preparation,
  type PreparedTransaction,
  type SeenPayout,
  type Verdict,
} from './payout-rail.ts';

/** Says that a replacement may come (BIP 125), and that no lock time is used. */
const REPLACEABLE = 0xfffffffd;
const SIGHASH_ALL = 1;
/** Virtual bytes: version, lock time, counts and the marker of witnesses, rounded up. */
const FRAME_BYTES = 11;
const INPUT_BYTES = 68;
/** An output is its value, the length of its script, and the script. */
const OUTPUT_BYTES = 9;
const DUST = 546n;
const MOST_INPUTS = 20;
/** The fee of a payout is meant for one of the next blocks of this number. */
const TARGET_BLOCKS = '3';
/** Of the earlier transactions of one payout. With them a signed PSBT stays below what a request to the API may have. */
const MOST_EARLIER_BYTES = 200_000;
/** Others made the coins of the wallet, by transactions of every kind. */
const ANY_TRANSACTION = {
  allowUnknownInputs: true,
  allowUnknownOutputs: true,
  allowUnknownVersion: true,
  disableScriptCheck: true,
} as const;
const NONE = new Uint8Array();

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const statusSchema = v.object({ confirmed: v.boolean(), block_height: v.optional(count) });
const unspentSchema = v.array(v.object({ txid: v.string(), vout: count, value: count, status: statusSchema }));
const transactionSchema = v.object({ txid: v.string(), fee: v.optional(count), status: statusSchema });
const spendingSchema = v.object({
  vin: v.array(v.object({ txid: v.string(), vout: count })),
  vout: v.array(v.object({ scriptpubkey: v.string(), value: count })),
});
const spendSchema = v.object({ spent: v.boolean(), status: v.optional(statusSchema) });
const ratesSchema = v.record(v.string(), v.number());

export interface BitcoinRailOptions {
  /** Its one address, as a public key in hex or as a key expression. */
  readonly wallet: string;
  readonly prefix: BitcoinPrefix;
  /** Of one payout, in the smallest unit. */
  readonly mostFee: bigint;
  /** A device signs. It believes the amount of an input only when it has the whole transaction that made it. */
  readonly isForDevice: boolean;
}

/** @throws RangeError for a wallet that cannot be read */
export function createBitcoinRail(node: NodeAddress, options: BitcoinRailOptions): PayoutRail {
  const { prefix, mostFee, isForDevice } = options;
  const network = BITCOIN_NETWORKS[prefix];
  const own = readBitcoinWallet(options.wallet, prefix);
  const writer: Writer = { own, network };

  const rulesOf = (draft: PayoutDraft, feeRate: bigint): CoinRules => ({
    feeRate,
    baseBytes: FRAME_BYTES + OUTPUT_BYTES + scriptOf(draft.address, network).length,
    inputBytes: INPUT_BYTES,
    changeBytes: OUTPUT_BYTES + own.script.length,
    dust: DUST,
    mostInputs: MOST_INPUTS,
  });

  return {
    format: 'psbt',
    wallet: own.address,
    objection({ address, raw }) {
      try {
        scriptOf(address, network);
      } catch {
        return 'bad-address';
      }
      // Nodes do not pass such an output on.
      return raw < DUST ? 'amount-too-small' : undefined;
    },
    async balance() {
      return (await confirmedCoins(node, own.address)).reduce((sum, { value }) => sum + value, 0n);
    },
    async prepare(draft, taken): Promise<Preparation> {
      const free = (await confirmedCoins(node, own.address)).filter((coin) => !taken.includes(slotOf(coin)));
      const rules = rulesOf(draft, await rateNow(node));
      const found = selectCoins(free, draft.raw, rules);
      if (found === undefined) return { kind: 'wait', why: 'low-balance' };
      if (found.fee > mostFee) return { kind: 'wait', why: 'fee-high' };
      const coins = isForDevice ? await withEarlier(node, own.script, found.coins) : found.coins;
      return { kind: 'prepared', ...written(writer, draft, { ...found, coins, feeRate: rules.feeRate }) };
    },
    async claim() {
      return { kind: 'outputs', unspent: (await confirmedCoins(node, own.address)).map(slotOf) };
    },
    async replace(draft, last) {
      const coins = coinsOf(readPsbt(last.unsigned));
      const bytes = BigInt(FRAME_BYTES + coins.length * INPUT_BYTES + 2 * (OUTPUT_BYTES + own.script.length));
      const feeRate = raisedFee(last.feeRate, await rateNow(node), mostFee / bytes);
      if (feeRate === undefined) return undefined;
      const found = changeOf(coins, draft.raw, rulesOf(draft, feeRate));
      // Without change left, the fee could only be raised by paying less.
      if (found === undefined || found.change === 0n || found.fee > mostFee) return undefined;
      return written(writer, draft, { ...found, coins, feeRate });
    },
    verify: (unsigned, answer) => verify(own.publicKey, own.script, { unsigned, answer }),
    async pays({ address, raw }, slots, hash) {
      const found = await ask(node, `/tx/${hash}`, spendingSchema);
      const script = hex.encode(scriptOf(address, network));
      if (found === undefined) return false;
      const hasSlot = found.vin.some((input) => slots.includes(slotOf(input)));
      return hasSlot && found.vout.some(({ scriptpubkey, value }) => scriptpubkey === script && BigInt(value) === raw);
    },
    async send(signed) {
      await postText(node, '/tx', signed);
    },
    look: (_draft, slots, sought, _required) => look(node, slots, hashesOf(sought)),
  };
}

interface Writer {
  readonly own: BitcoinWallet;
  readonly network: (typeof BITCOIN_NETWORKS)[BitcoinPrefix];
}

type PsbtInput = ReturnType<Transaction['getInput']>;

/** A coin that a payout spends. */
interface SpentCoin extends Coin {
  /** The whole transaction that made it: as the node says it, or as an earlier PSBT has it. */
  readonly earlier?: string | PsbtInput['nonWitnessUtxo'];
}

const slotOf = ({ txid, vout }: Pick<Coin, 'txid' | 'vout'>): string => `${txid}:${vout}`;

const scriptOf = (address: string, network: Writer['network']): Uint8Array =>
  OutScript.encode(Address(network).decode(address));

/** Only outputs in a block: the parent of another one could still be replaced. */
async function confirmedCoins(node: NodeAddress, address: string): Promise<Coin[]> {
  const found = await ask(node, `/address/${address}/utxo`, unspentSchema);
  if (found === undefined) throw new NodeError('The node cannot return outputs. Use a node with this API');
  return found
    .filter(({ status }) => status.confirmed)
    .map(({ txid, vout, value }) => ({ txid, vout, value: BigInt(value) }));
}

/**
 * Adds the transactions that made the coins. If they are too large together, all are left out: the signed file could not be given back.
 * @throws NodeError also when a transaction is not the one that was asked for, or does not have the coin
 */
async function withEarlier(node: NodeAddress, script: Uint8Array, coins: readonly Coin[]): Promise<SpentCoin[]> {
  const found = new Map<string, string>();
  for (const { txid } of coins) {
    if (!found.has(txid)) found.set(txid, (await askText(node, `/tx/${txid}/hex`))?.trim() ?? '');
  }
  const whole = coins.map((coin) => ({ ...coin, earlier: found.get(coin.txid) ?? '' }));
  if (!whole.every((coin) => isMadeBy(coin, coin.earlier, script)))
    throw new NodeError('The node did not return the transactions that made the coins of the wallet');
  const bytes = [...found.values()].reduce((sum, text) => sum + text.length / 2, 0);
  return bytes <= MOST_EARLIER_BYTES ? whole : [...coins];
}

function isMadeBy({ txid, vout, value }: Coin, earlier: string, script: Uint8Array): boolean {
  try {
    const made = Transaction.fromRaw(hex.decode(earlier), ANY_TRANSACTION);
    const output = vout < made.outputsLength ? made.getOutput(vout) : undefined;
    return made.id === txid && output?.amount === value && hex.encode(output.script ?? NONE) === hex.encode(script);
  } catch {
    // What cannot be read is not that transaction.
    return false;
  }
}

async function rateNow(node: NodeAddress): Promise<bigint> {
  const rates = await ask(node, '/fee-estimates', ratesSchema);
  const rate = rates?.[TARGET_BLOCKS];
  if (rate === undefined || !Number.isFinite(rate)) throw new NodeError('The node did not return a fee');
  return BigInt(Math.max(1, Math.ceil(rate)));
}

interface Spending {
  readonly coins: readonly SpentCoin[];
  readonly fee: bigint;
  readonly change: bigint;
  readonly feeRate: bigint;
}

function written(
  { own, network }: Writer,
  draft: PayoutDraft,
  { coins, fee, change, feeRate }: Spending,
): PreparedTransaction {
  const transaction = new Transaction({ version: 2, lockTime: 0 });
  for (const { txid, vout, value, earlier } of coins) {
    transaction.addInput({
      txid,
      index: vout,
      witnessUtxo: { script: own.script, amount: value },
      ...(earlier !== undefined && { nonWitnessUtxo: earlier }),
      ...derivationOf(own),
      sequence: REPLACEABLE,
    });
  }
  transaction.addOutputAddress(draft.address, draft.raw, network);
  // With its key a device sees that the change stays in the wallet, and does not show it as a second payee.
  if (change > 0n) transaction.addOutput({ script: own.script, amount: change, ...derivationOf(own) });
  return {
    slots: coins.map(slotOf),
    unsigned: base64.encode(transaction.toPSBT(0)),
    feeRate,
    mostFee: fee,
  };
}

const readPsbt = (text: string): Transaction => Transaction.fromPSBT(base64.decode(text));

function coinsOf(transaction: Transaction): SpentCoin[] {
  return inputsOf(transaction).map(({ txid, index, witnessUtxo, nonWitnessUtxo }) => {
    if (txid === undefined || index === undefined || witnessUtxo === undefined)
      throw new RangeError('An input of our own transaction is not whole');
    const coin = { txid: hex.encode(txid), vout: index, value: witnessUtxo.amount };
    return nonWitnessUtxo === undefined ? coin : { ...coin, earlier: nonWitnessUtxo };
  });
}

const inputsOf = (transaction: Transaction) =>
  Array.from({ length: transaction.inputsLength }, (_, at) => transaction.getInput(at));
const outputsOf = (transaction: Transaction) =>
  Array.from({ length: transaction.outputsLength }, (_, at) => transaction.getOutput(at));

/** Takes nothing but signatures from the answer. What is sent is our own transaction with them. */
function verify(
  publicKey: Uint8Array,
  script: Uint8Array,
  { unsigned, answer }: { readonly unsigned: string; readonly answer: string },
): Verdict {
  const ours = readPsbt(unsigned);
  let theirs: Transaction;
  try {
    theirs = readPsbt(answer);
  } catch {
    return { kind: 'bad', why: 'unreadable' };
  }
  if (hex.encode(theirs.unsignedTx) !== hex.encode(ours.unsignedTx)) return { kind: 'bad', why: faultOf(ours, theirs) };
  for (const [at, { amount }] of coinsOf(ours)
    .map(({ value: amount }) => ({ amount }))
    .entries()) {
    const [signature, key] = signatureOf(theirs.getInput(at));
    if (signature === undefined || key === undefined) return { kind: 'bad', why: 'unreadable' };
    const legacy = Uint8Array.of(0x76, 0xa9, 0x14, ...script.subarray(2), 0x88, 0xac);
    const digest = ours.preimageWitnessV0(at, legacy, SIGHASH_ALL, amount);
    const isOurs = hex.encode(key) === hex.encode(publicKey) && signature.at(-1) === SIGHASH_ALL;
    if (!isOurs || !isSigned(signature.subarray(0, -1), digest, publicKey)) return { kind: 'bad', why: 'sender' };
    ours.updateInput(at, { finalScriptWitness: [signature, key] }, true);
  }
  return { kind: 'good', hash: ours.id, signed: hex.encode(ours.extract()) };
}

/** Signers return a signature as such, or as the finished witness. */
function signatureOf({
  partialSig,
  finalScriptWitness,
}: ReturnType<Transaction['getInput']>): readonly (Uint8Array | undefined)[] {
  if (finalScriptWitness?.length === 2) return finalScriptWitness;
  const [first] = partialSig ?? [];
  return first === undefined ? [] : [first[1], first[0]];
}

function isSigned(signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    // Nodes pass on signatures with a low S only.
    return secp256k1.verify(signature, digest, publicKey, { prehash: false, format: 'der', lowS: true });
  } catch {
    return false;
  }
}

function faultOf(ours: Transaction, theirs: Transaction) {
  const slots = (one: Transaction): string =>
    inputsOf(one)
      .map(({ txid, index }) => `${txid && hex.encode(txid)}:${index}`)
      .join();
  if (slots(ours) !== slots(theirs)) return 'slot';
  const [wanted, given] = [outputsOf(ours), outputsOf(theirs)];
  const scripts = (all: typeof wanted): string => all.map(({ script }) => script && hex.encode(script)).join();
  if (wanted[0]?.amount !== given[0]?.amount) return 'amount';
  if (scripts(wanted) !== scripts(given)) return 'recipient';
  return wanted.some(({ amount }, at) => amount !== given[at]?.amount) ? 'fee' : 'other';
}

async function look(node: NodeAddress, slots: readonly string[], hashes: readonly string[]): Promise<SeenPayout> {
  const tip = await tipHeight(node);
  const depthOf = (height: number): number => Math.max(1, tip - height + 1);
  let isPending = false;
  for (const hash of hashes) {
    const found = await ask(node, `/tx/${hash}`, transactionSchema);
    if (found?.status.block_height !== undefined) {
      const sighting = { kind: 'mined', hash, depth: depthOf(found.status.block_height), hasPaid: true } as const;
      return { sighting, fee: found.fee === undefined ? undefined : BigInt(found.fee) };
    }
    isPending ||= found !== undefined;
  }
  if (isPending) return { sighting: { kind: 'pending' } };
  let spentDepth = 0;
  for (const slot of slots) {
    const [txid = '', vout = ''] = slot.split(':');
    const { spent, status } = (await ask(node, `/tx/${txid}/outspend/${vout}`, spendSchema)) ?? { spent: false };
    const depth = status?.block_height === undefined ? 0 : depthOf(status.block_height);
    if (spent) spentDepth = Math.max(spentDepth, depth);
  }
  return { sighting: { kind: 'missing', spentDepth } };
}

async function tipHeight(node: NodeAddress): Promise<number> {
  const text = (await askText(node, '/blocks/tip/height'))?.trim();
  if (text === undefined || !/^\d{1,9}$/.test(text)) throw new NodeError('The node did not return its height');
  return Number(text);
}
