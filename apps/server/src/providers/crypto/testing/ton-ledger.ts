/**
 * TON in memory, as far as a wallet that pays needs it: wallets v4R2 that check signatures, time and seqno as the contract does, accounts
 * that refuse money, and jettons. Each message takes one block. Written from the contract's source, not from the code that is tested.
 */
import { createHash, randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { Address, beginCell, Cell, contractAddress, loadMessage, loadMessageRelaxed } from '@ton/core';
import { fakeJettonWallet } from './fake-ton-node.ts';

const TRANSFER = 0x0f8a7ea5;
const INTERNAL_TRANSFER = 0x178d4519;
const EXCESSES = 0xd53276db;
/** What an order, a message and a call of a contract cost, in nanotons. */
const ORDER_FEE = 3_000_000n;
const CALL_FEE = 1_000_000n;
const JETTON_FEE = 40_000_000n;
const STRANGER = `0:${'57'.repeat(32)}`;

interface Message {
  readonly hash: string;
  readonly source: string | null;
  readonly destination: string;
  readonly value: bigint;
  readonly bounce: boolean;
  readonly bounced: boolean;
  readonly body: Cell;
}

interface Account {
  balance: bigint;
  seqno: number;
  /** Undefined: no wallet contract is there. */
  publicKey?: Uint8Array;
  isActive: boolean;
  /** Its contract fails at every message. */
  isRefusing: boolean;
}

export interface LedgerTransaction {
  readonly account: string;
  readonly hash: string;
  readonly height: number;
  readonly fees: bigint;
  readonly isAborted: boolean;
  readonly isSkipped: boolean;
  readonly hasBounced: boolean;
  readonly in: Message;
  readonly out: readonly Message[];
}

/** What an external message asks for. */
interface Order {
  readonly wallet: string;
  readonly seqno: number;
  readonly validUntil: number;
  readonly signature: Uint8Array;
  readonly unsigned: Cell;
  readonly publicKey: Uint8Array | undefined;
  readonly message: Message;
}

export const lower = (address: Address): string => address.toRawString();
const read = (text: string): string => lower(Address.parse(text));

export class TonLedger {
  height = 100;
  /** Added to the time of this machine. */
  laterS = 0;
  readonly transactions: LedgerTransaction[] = [];
  readonly #accounts = new Map<string, Account>();
  /** The jettons of contracts: their owner, their master, how many. */
  readonly #jettons = new Map<string, { readonly owner: string; readonly master: string; raw: bigint }>();
  readonly #blocked = new Set<string>();
  #isForgetting = false;
  #orders: Order[] = [];
  #messages: Message[] = [];

  get nowS(): number {
    return Math.floor(Date.now() / 1000) + this.laterS;
  }

  account(address: string): Account {
    const key = read(address);
    const found = this.#accounts.get(key) ?? { balance: 0n, seqno: 0, isActive: false, isRefusing: false };
    this.#accounts.set(key, found);
    return found;
  }

  fund(address: string, nanotons: bigint): void {
    this.account(address).balance += nanotons;
  }

  /** Transfers of a stranger, of next to nothing. */
  flood(address: string, count: number): void {
    const destination = read(address);
    const cheap = { source: STRANGER, destination, value: 1n, bounce: false, bounced: false, body: Cell.EMPTY };
    for (let left = count; left > 0; left -= 1) this.#note(destination, { ...cheap, hash: newHash() }, {});
  }

  /** A contract that fails at every message. */
  putRefusing(address: string): void {
    Object.assign(this.account(address), { isActive: true, isRefusing: true });
  }

  /** @returns the contract that holds the tokens */
  giveJettons(owner: string, master: string, raw: bigint): string {
    const at = this.#jettonsAt(read(owner), read(master));
    at.jettons.raw += raw;
    return at.address;
  }

  jettonsOf(owner: string, master: string): { readonly address: string; readonly raw: bigint } | undefined {
    const address = read(fakeJettonWallet(owner, master));
    const found = this.#jettons.get(address);
    return found && { address, raw: found.raw };
  }

  /** The recipient's contract for a jetton refuses, such as that of a blocked account. */
  block(owner: string): void {
    this.#blocked.add(read(owner));
  }

  #jettonsAt(owner: string, master: string) {
    const address = read(fakeJettonWallet(owner, master));
    const jettons = this.#jettons.get(address) ?? { owner, master, raw: 0n };
    this.#jettons.set(address, jettons);
    return { address, jettons };
  }

  /** @throws Error for an order that its wallet does not take now */
  receive(boc: string): void {
    const order = readOrder(boc);
    const account = this.account(order.wallet);
    const key = account.publicKey ?? order.publicKey;
    if (key === undefined) throw new Error('no contract');
    if (!ed25519.verify(order.signature, new Uint8Array(order.unsigned.hash()), key)) throw new Error('exit code 35');
    if (order.validUntil <= this.nowS) throw new Error('exit code 36');
    if (order.seqno !== account.seqno) throw new Error('exit code 33');
    if (this.#isForgetting) this.#isForgetting = false;
    else this.#orders.push(order);
  }

  /** Takes the next order and forgets it, as nodes do that are full. */
  forgetNext(): void {
    this.#isForgetting = true;
  }

  /** Orders that no block has taken yet. */
  get waiting(): number {
    return this.#orders.length;
  }

  /** Forgets all orders that are in no block. */
  forget(): void {
    this.#orders = [];
  }

  mine(count = 1): void {
    for (let left = count; left > 0; left -= 1) {
      this.height += 1;
      const [orders, messages] = [this.#orders, this.#messages];
      this.#orders = [];
      this.#messages = [];
      for (const message of messages) this.#deliver(message);
      for (const order of orders) this.#carryOut(order);
    }
  }

  #carryOut({ wallet, seqno, publicKey, message, unsigned, signature }: Order): void {
    const account = this.account(wallet);
    if (account.seqno !== seqno) return;
    account.publicKey ??= publicKey ?? new Uint8Array(32);
    account.isActive = true;
    account.seqno += 1;
    account.balance -= ORDER_FEE;
    const isSkipped = account.balance < message.value;
    if (!isSkipped) account.balance -= message.value;
    const body = beginCell().storeBuffer(Buffer.from(signature)).storeSlice(unsigned.beginParse()).endCell();
    const order = { ...message, hash: newHash(), source: null, destination: wallet, value: 0n, body };
    this.#note(wallet, order, { fees: ORDER_FEE, isSkipped, out: isSkipped ? [] : [{ ...message, source: wallet }] });
  }

  #deliver(message: Message): void {
    const jettons = this.#jettons.get(message.destination);
    if (jettons !== undefined) {
      this.#call(message, jettons);
      return;
    }
    const account = this.account(message.destination);
    const isAborted = !message.bounced && (!account.isActive || account.isRefusing);
    const hasBounced = isAborted && message.bounce;
    if (!hasBounced) account.balance += message.value;
    this.#note(message.destination, message, { isAborted, hasBounced, out: hasBounced ? [returned(message)] : [] });
  }

  /** A contract that holds jettons (TEP-74). */
  #call(message: Message, own: { readonly owner: string; readonly master: string; raw: bigint }): void {
    const slice = message.body.beginParse();
    // A message that comes back has its first bits after 32 ones.
    if (message.bounced) slice.skip(32);
    const op = slice.loadUint(32);
    slice.skip(64);
    const raw = slice.loadCoins();
    if (message.bounced) {
      own.raw += raw;
      this.#note(message.destination, message, {});
      return;
    }
    const isTransfer = op === TRANSFER && message.source === own.owner;
    const isArrival = op === INTERNAL_TRANSFER && !this.#blocked.has(own.owner);
    const isGood = isTransfer ? own.raw >= raw && message.value >= JETTON_FEE : isArrival;
    if (!isGood) {
      const out = [returned(message)];
      this.#note(message.destination, message, { isAborted: true, hasBounced: true, out });
      return;
    }
    const change = { source: message.destination, bounce: true, bounced: false, hash: newHash() };
    if (isTransfer) {
      own.raw -= raw;
      const to = this.#jettonsAt(lower(slice.loadAddress()), own.master).address;
      const body = beginCell().storeUint(INTERNAL_TRANSFER, 32).storeUint(0, 64).storeCoins(raw).endCell();
      const out = [{ ...change, destination: to, value: message.value - CALL_FEE, body }];
      this.#note(message.destination, message, { out });
      return;
    }
    own.raw += raw;
    const body = beginCell().storeUint(EXCESSES, 32).storeUint(0, 64).endCell();
    const payer = this.#jettons.get(message.source ?? '')?.owner ?? own.owner;
    const rest = { ...change, bounce: false, destination: payer, value: message.value - CALL_FEE, body };
    this.#note(message.destination, message, { out: [rest] });
  }

  #note(
    account: string,
    message: Message,
    {
      fees = CALL_FEE,
      isAborted = false,
      isSkipped = false,
      hasBounced = false,
      out = [],
    }: Partial<Omit<LedgerTransaction, 'account' | 'hash' | 'height' | 'in'>>,
  ): void {
    const facts = { fees, isAborted, isSkipped, hasBounced, out };
    this.transactions.push({ account, hash: newHash(), height: this.height, in: message, ...facts });
    this.#messages.push(...out);
  }
}

const newHash = (): string => randomBytes(32).toString('base64');

/** Contracts get the first 256 bits of a message that they sent and that came back. */
function returned(message: Message): Message {
  const bits = message.body.beginParse();
  const start = bits.loadBits(Math.min(256, bits.remainingBits));
  const body = beginCell().storeUint(0xffffffff, 32).storeBits(start).endCell();
  const [source, destination] = [message.destination, message.source ?? message.destination];
  const value = message.value - CALL_FEE;
  return { hash: newHash(), source, destination, value, bounce: false, bounced: true, body };
}

/** @throws Error for anything but an order to a wallet v4R2 with one message */
function readOrder(boc: string): Order {
  const { info, init, body } = loadMessage(Cell.fromBase64(boc).beginParse());
  if (info.type !== 'external-in') throw new Error('not an external message');
  const slice = body.beginParse();
  const signature = new Uint8Array(slice.loadBuffer(64));
  const unsigned = slice.asCell();
  const [subwallet, validUntil, seqno, op, mode] = [32, 32, 32, 8, 8].map((bits) => slice.loadUint(bits));
  if (subwallet !== 698_983_191 || op !== 0 || mode !== 3) throw new Error('exit code 34');
  const asked = loadMessageRelaxed(slice.loadRef().beginParse());
  if (asked.info.type !== 'internal') throw new Error('not an internal message');
  const wallet = lower(info.dest);
  return {
    wallet,
    seqno: seqno ?? 0,
    validUntil: validUntil ?? 0,
    signature,
    unsigned,
    publicKey: keyIn(init, wallet),
    message: {
      hash: newHash(),
      source: wallet,
      destination: lower(asked.info.dest),
      value: asked.info.value.coins,
      bounce: asked.info.bounce,
      bounced: false,
      body: asked.body,
    },
  };
}

/** The key of the wallet that a message brings along. Its address proves it. */
function keyIn(init: ReturnType<typeof loadMessage>['init'], wallet: string): Uint8Array | undefined {
  if (!init?.data || !init.code) return undefined;
  if (lower(contractAddress(0, init)) !== wallet) throw new Error('the code belongs to another address');
  return new Uint8Array(init.data.beginParse().skip(64).loadBuffer(32));
}

/** The hash of a masterchain block. */
export const blockHash = (height: number): string => createHash('sha256').update(`block ${height}`).digest('base64');
