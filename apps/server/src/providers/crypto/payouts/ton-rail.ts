/**
 * Payouts on TON from a wallet of the contract v4R2: coins and jettons. The slot is the seqno. An order lives for a day; the next one for
 * the same seqno pays the same, so the chain takes one of them at most.
 */
import type { Clock } from '@opencashier/core/time/clock';
import { Address, Cell, loadMessage } from '@ton/core';
import { NodeError } from '../chain/chain-source.ts';
import type { NodeAddress } from '../chain/node-http.ts';
import { isForeign, TonIndex } from '../ton/ton-index.ts';
import {
  hashesOf,
  type PayoutDraft,
  type PayoutRail,
  type Preparation,
  type PreparedTransaction,
  type SeenPayout,
  type SignatureFault,
  type Verdict,
} from './payout-rail.ts';
import {
  isSignedBy,
  messageHash,
  openTonContract,
  readUnsigned,
  sealedMessage,
  splitSigned,
  type TonContract,
  type TonOrder,
  unsignedBody,
} from './ton-contract.ts';
import { endOf } from './ton-outcome.ts';
import { readPayee, splitPayee } from './ton-payee.ts';
import { JETTON_VALUE, type PaidBy, paidBy, paymentMessage, type TonPayment } from './ton-payment.ts';
import { type TonSpending, TonSpendings } from './ton-spending.ts';

/** A person with a hardware wallet has this long. The seqno alone keeps a payout from being paid twice. */
const VALID_FOR_S = 86_400;
/** The most that an order costs the wallet besides what it sends, in nanotons. The first one brings the contract's code. */
const ORDER_FEE = 20_000_000n;

export interface TonRailOptions {
  /** Of the contract v4R2, in hex. */
  readonly publicKey: string;
  /** Of one payout, in nanotons. */
  readonly mostFee: bigint;
  readonly hasTokens: boolean;
  readonly clock: Clock;
}

/** @throws RangeError for a wallet that is no public key, and for a bound on the fee that no payout can keep */
export function createTonRail(node: NodeAddress, { publicKey, mostFee, hasTokens, clock }: TonRailOptions): PayoutRail {
  const own = openTonContract(publicKey);
  const wallet = own.address.toString({ bounceable: false });
  const index = new TonIndex(node);
  const spendings = new TonSpendings(index, own);
  // TON has no market for fees, so a bound that is too low would hold every payout for ever.
  const needed = feeBound(hasTokens);
  if (mostFee < needed)
    throw new RangeError(`The payouts of ton need a mostFee of at least ${hasTokens ? '0.12' : '0.02'}`);
  const validUntil = (): number => Math.floor(clock.now() / 1000) + VALID_FOR_S;

  const balance = async (contract: string): Promise<bigint> =>
    contract === '' ? (await index.account(wallet)).balance : index.tokensOf(wallet, contract);

  return {
    format: 'ton-v4r2',
    wallet,
    objection({ address }) {
      const payee = readPayee(address);
      return typeof payee === 'string' ? payee : undefined;
    },
    payee(text) {
      const { address, memo } = splitPayee(text);
      return { address, ...(memo !== '' && { memo }) };
    },
    balance,
    async prepare(draft, taken, reserved): Promise<Preparation> {
      if (isForeign(await index.tip())) throw new NodeError('The node belongs to another network');
      const account = await index.account(wallet);
      if (account.isFrozen) throw new NodeError('The wallet of payouts is frozen');
      const available = draft.contract === '' ? account.balance : await index.tokensOf(wallet, draft.contract);
      if (available - reserved.asset < draft.raw) return { kind: 'wait', why: 'low-balance' };
      const cost = feeBound(draft.contract !== '');
      const left = account.balance - reserved.coin - (draft.contract === '' ? draft.raw : 0n);
      if (left < cost) return { kind: 'wait', why: 'low-coin' };
      const seqno = taken.reduce((next, slot) => Math.max(next, Number(slot) + 1), account.seqno);
      const payment = await paymentOf(index, own, { draft, seqno });
      const { isActive } = await index.account(payment.payee.address.toRawString());
      const body = unsignedBody(seqno, validUntil(), paymentMessage(payment, isActive));
      return { kind: 'prepared', ...written(seqno, body, cost) };
    },
    async claim() {
      const seqno = BigInt((await index.account(wallet)).seqno);
      return { kind: 'counter', spent: seqno, next: seqno };
    },
    async replace(draft, last) {
      const { seqno, messages } = readUnsigned(Cell.fromBase64(last.unsigned));
      const [message] = messages;
      if (message === undefined) throw new RangeError('An order of our own has no message');
      return written(seqno, unsignedBody(seqno, validUntil(), message), feeBound(draft.contract !== ''));
    },
    isOutOfTime: (unsigned) => readUnsigned(Cell.fromBase64(unsigned)).validUntil * 1000 <= clock.now(),
    verify: (unsigned, answer) => verify(own, unsigned, answer),
    async pays(draft, slots, hash) {
      const spending = await spendings.byHash(seqnoOf(slots), [hexHash(hash)]);
      if (spending === undefined) return false;
      const payment = await paymentOf(index, own, { draft, seqno: spending.order.seqno });
      const wanted = paidBy(paymentMessage(payment, true));
      return paymentsOf(spending.order).some((paid) => wanted !== undefined && isSame(wanted, paid));
    },
    async send(signed) {
      const { body } = loadMessage(Cell.fromBase64(signed).beginParse());
      const { seqno } = readUnsigned(splitSigned(body).body);
      // The wallet takes no order before its turn and none after it. It comes again in the next round.
      if ((await index.account(wallet)).seqno === seqno) await index.send(signed);
    },
    look: (draft, slots, sought, required) =>
      look({ index, own, spendings }, { draft, slots, hashes: hashesOf(sought), required }),
  };
}

/** The most that a payout can cost, in nanotons. */
const feeBound = (isTransfer: boolean): bigint => ORDER_FEE + (isTransfer ? JETTON_VALUE : 0n);

function written(seqno: number, body: Cell, mostFee: bigint): PreparedTransaction {
  return { slots: [String(seqno)], unsigned: body.toBoc().toString('base64'), feeRate: 0n, mostFee };
}

/** A payout has one seqno at a time. */
function seqnoOf(slots: readonly string[]): number {
  const [slot] = slots;
  // Its seqno was given to another payout.
  if (slot === undefined) throw new NodeError('The payout has no seqno');
  return Number(slot);
}

async function paymentOf(
  index: TonIndex,
  { address: wallet }: TonContract,
  { draft: { address, contract, raw }, seqno }: { readonly draft: PayoutDraft; readonly seqno: number },
): Promise<TonPayment> {
  const payee = readPayee(address);
  if (typeof payee === 'string') throw new RangeError('A payout has an address that cannot be read');
  const payment = { wallet, payee, raw, queryId: BigInt(seqno) };
  if (contract === '') return payment;
  const jettonWallet = await index.jettonWalletOf(wallet.toRawString(), contract);
  if (jettonWallet === undefined) throw new NodeError('The node does not have the contract with the tokens');
  return { ...payment, jettonWallet: Address.parseRaw(jettonWallet) };
}

const paymentsOf = ({ messages }: TonOrder): PaidBy[] => messages.flatMap((message) => paidBy(message) ?? []);

/** The same money for the same recipient with the same memo. */
function isSame(wanted: PaidBy, paid: PaidBy): boolean {
  const isSameValue = wanted.tokens !== undefined || wanted.value === paid.value;
  return wanted.to.equals(paid.to) && isSameValue && wanted.body.equals(paid.body);
}

/** Explorers write hashes in hex or in base64. */
const hexHash = (hash: string): string =>
  /^[0-9a-f]{64}$/i.test(hash) ? hash.toLowerCase() : Buffer.from(hash, 'base64').toString('hex');

/** Takes nothing but the signature from the answer: alone, or in the signed body. What is sent is our own order with it. */
function verify(own: TonContract, unsigned: string, answer: string): Verdict {
  const ours = Cell.fromBase64(unsigned);
  let signature: Uint8Array;
  let fault: SignatureFault | undefined;
  try {
    const bytes = Buffer.from(answer, 'base64');
    const parts =
      bytes.length === 64 ? { signature: new Uint8Array(bytes), body: ours } : splitSigned(Cell.fromBase64(answer));
    signature = parts.signature;
    if (!parts.body.equals(ours)) fault = faultOf(readUnsigned(ours), readUnsigned(parts.body));
  } catch {
    return { kind: 'bad', why: 'unreadable' };
  }
  if (fault !== undefined) return { kind: 'bad', why: fault };
  if (!isSignedBy(own, ours, signature)) return { kind: 'bad', why: 'sender' };
  const signed = sealedMessage(own, ours, signature);
  return { kind: 'good', hash: messageHash(own, loadMessage(Cell.fromBase64(signed).beginParse()).body), signed };
}

function faultOf(ours: TonOrder, theirs: TonOrder): SignatureFault {
  if (ours.seqno !== theirs.seqno) return 'slot';
  const [wanted] = paymentsOf(ours);
  const [given, ...more] = paymentsOf(theirs);
  if (wanted === undefined || given === undefined || more.length > 0) return 'other';
  if (!wanted.to.equals(given.to)) return 'recipient';
  if (wanted.tokens === undefined) return wanted.value === given.value ? 'other' : 'amount';
  if (!given.tokens?.to.equals(wanted.tokens.to)) return 'recipient';
  if (given.tokens.raw !== wanted.tokens.raw) return 'amount';
  return given.value === wanted.value ? 'other' : 'fee';
}

interface Wanted {
  readonly draft: PayoutDraft;
  readonly slots: readonly string[];
  readonly hashes: readonly string[];
  readonly required: number;
}

interface AskedIndex {
  readonly index: TonIndex;
  readonly own: TonContract;
  readonly spendings: TonSpendings;
}

async function look(
  { index, own, spendings }: AskedIndex,
  { draft, slots, hashes, required }: Wanted,
): Promise<SeenPayout> {
  const tip = await index.tip();
  const depthOf = (height: number | null | undefined): number =>
    height === undefined || height === null ? 0 : Math.max(1, tip.seqno - height + 1);
  const spending = await spendings.of(seqnoOf(slots), hashes.map(hexHash));
  if (spending === undefined) return { sighting: { kind: 'missing', spentDepth: 0 } };
  const hash = hashes.find((one) => spending.hashes.includes(hexHash(one)));
  const spentDepth = depthOf(spending.transaction.mc_block_seqno);
  if (hash === undefined) return { sighting: { kind: 'missing', spentDepth } };
  const end = await endOf(index, spending, {
    sent: await sentBy(index, own, { spending, draft }),
    isTransfer: draft.contract !== '',
  });
  // The message is on its way, so the payout has not ended.
  const depth = end === undefined ? Math.min(spentDepth, required - 1) : depthOf(end.last.mc_block_seqno);
  return { sighting: { kind: 'mined', hash, depth, hasPaid: end?.hasPaid ?? false }, fee: end?.fee };
}

/** The message of an order that pays a payout. An index with another contract for the tokens is wrong about them. */
async function sentBy(
  index: TonIndex,
  own: TonContract,
  { spending: { order }, draft }: { readonly spending: TonSpending; readonly draft: PayoutDraft },
): Promise<PaidBy> {
  const { payee, jettonWallet } = await paymentOf(index, own, { draft, seqno: order.seqno });
  const found = paymentsOf(order).find(({ to, value, tokens }) =>
    jettonWallet === undefined
      ? to.equals(payee.address) && value === draft.raw
      : to.equals(jettonWallet) && tokens?.raw === draft.raw && tokens.to.equals(payee.address),
  );
  if (found === undefined) throw new NodeError('The order of the wallet does not pay this payout');
  return found;
}
