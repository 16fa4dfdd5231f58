/**
 * A TRON chain in memory that takes only what the real one would take. It checks signatures, the named block and balances, and takes a
 * transaction once, until its expiry. Nodes show the chain, and can lie, lag, lose and be silent.
 */
import { createServer, type Server } from 'node:http';
import { hex } from '@scure/base';
import { closeOnLoopback, openOnLoopback } from '../../loopback-server.fixture.ts';
import { tronAddress, tronHex } from '../chain/receiving-address.ts';
import { TRANSFER_TOPIC } from '../chain/transfer-event.ts';
import { bytesOf, numberOf, readMessage } from '../tron/protobuf.ts';
import { addressWord, expiryOf, readSigned, signerOf, transactionId } from '../tron/tron-transaction.ts';

/** The first block of TRON's main network. */
export const TRON_GENESIS = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc';
/** A real node calls a block irreversible after 18 further ones. */
const FINAL_AFTER = 3;
const BLOCK_MS = 3000;
const SIGNED_BYTES = 345n;
const DAY_MS = 86_400_000;

/** An address of nobody for each payout of a test, so that its balance counts what it got. */
export function newTronAddress(nth: number): string {
  return tronAddress((0xabc000 + nth).toString(16).padStart(40, '1'));
}

interface Payment {
  readonly id: string;
  readonly unsigned: string;
  readonly from: string;
  readonly to: string;
  /** '' for coins. */
  readonly contract: string;
  readonly raw: bigint;
  readonly feeLimit: bigint;
}
interface Block {
  readonly hash: string;
  readonly time: number;
  readonly payments: readonly Payment[];
  /** How each of them ended, and what it cost. */
  readonly results: ReadonlyMap<string, { readonly result: string; readonly fee: bigint }>;
}

export class FakeTron {
  /** Added to the machine's clock. */
  offsetMs = 0;
  /** What a transfer of a token needs. */
  energy = 30_000n;
  /** Staked energy of every account. */
  stakedEnergy = 0;
  /** The price of energy in sun. */
  energyPrice = 100n;
  /** Contracts that end without a transfer, such as for a blocked account. */
  isRefusing = false;
  /** Addresses of contracts. They take no coins. */
  readonly contracts = new Set<string>();
  /** Added to the clock by each block. 0: tests mine in real time. */
  blockMs = BLOCK_MS;
  /** Takes transactions and forgets them, like a full pool. */
  isForgetful = false;
  readonly #blocks: Block[] = [{ hash: TRON_GENESIS, time: 0, payments: [], results: new Map() }];
  readonly #funds = new Map<string, bigint>();
  #waiting: Payment[] = [];
  #forks = 0;

  /** The time of the chain, in milliseconds. */
  now(): number {
    return Date.now() + this.offsetMs;
  }

  get height(): number {
    return this.#blocks.length - 1;
  }

  get finalHeight(): number {
    return Math.max(0, this.height - FINAL_AFTER);
  }

  /** Lets time pass in which no block comes. */
  pass(seconds: number): void {
    this.offsetMs += seconds * 1000;
  }

  /** Gives an address coins, or tokens of a contract. */
  fund(address: string, raw: bigint, contract = ''): void {
    const key = `${contract} ${address}`;
    this.#funds.set(key, (this.#funds.get(key) ?? 0n) + raw);
  }

  /** Mines blocks. The first one takes what waits. */
  mine(count = 1): void {
    for (let mined = 0; mined < count; mined += 1) {
      this.offsetMs += this.blockMs;
      const parent = this.#blocks.at(-1)?.time ?? 0;
      const payments = this.#waiting.filter((one) => parent < expiryOf(one.unsigned) && !this.#has(one.id));
      this.#waiting = [];
      const results = new Map<string, { result: string; fee: bigint }>();
      const hash = `${(this.height + 1).toString(16).padStart(16, '0')}${(++this.#forks).toString(16).padStart(48, '7')}`;
      const taken: Payment[] = [];
      const block = { hash, time: this.now(), payments: taken, results };
      this.#blocks.push(block);
      for (const one of payments) {
        // Coins are checked before a block takes the transaction. A contract can fail inside the block.
        if (one.contract === '' && this.balance(one.from) < one.raw) continue;
        const result = this.#resultOf(one);
        results.set(one.id, { result, fee: this.#feeOf(one, result) });
        taken.push(one);
      }
    }
  }

  /** Takes the last blocks away. Their transactions wait again, unless they are lost. */
  reorganise(depth: number, keepsPayments = true): void {
    const gone = this.#blocks.splice(this.#blocks.length - Math.min(depth, FINAL_AFTER));
    if (keepsPayments) this.#waiting.push(...gone.flatMap(({ payments }) => payments));
  }

  blockAt(height: number): Block | undefined {
    return this.#blocks[height];
  }

  /** The waiting transactions. */
  get waiting(): readonly { readonly id: string }[] {
    return this.#waiting;
  }

  /** What an address has, in blocks alone. */
  balance(address: string, contract = ''): bigint {
    let sum = this.#funds.get(`${contract} ${address}`) ?? 0n;
    for (const { payments, results } of this.#blocks) {
      for (const one of payments) {
        const { result, fee } = results.get(one.id) ?? { result: '', fee: 0n };
        if (contract === '' && one.from === address) sum -= fee;
        if (one.contract !== contract || result !== 'SUCCESS') continue;
        if (one.from === address) sum -= one.raw;
        if (one.to === address) sum += one.raw;
      }
    }
    return sum;
  }

  /** Whether an address is on the chain. Only such addresses get coins without a further fee. */
  isKnown(address: string): boolean {
    const isFunded = [...this.#funds.keys()].some((key) => key === ` ${address}`);
    return (
      isFunded ||
      this.#blocks.some(({ payments }) => payments.some(({ to, contract }) => to === address && contract === ''))
    );
  }

  find(
    id: string,
  ): { readonly height: number; readonly payment: Payment; readonly result: string; readonly fee: bigint } | undefined {
    for (const [height, { payments, results }] of this.#blocks.entries()) {
      const payment = payments.find((one) => one.id === id);
      if (payment !== undefined) return { height, payment, ...(results.get(id) ?? { result: '', fee: 0n }) };
    }
    return undefined;
  }

  /** @returns the code of a real node */
  take(signed: string): string {
    let payment: Payment;
    let unsigned: string;
    try {
      const read = readSigned(signed);
      ({ unsigned } = read);
      payment = paymentOf(unsigned);
      if (signerOf(read) !== payment.from) return 'SIGERROR';
    } catch {
      return 'SIGERROR';
    }
    if (this.#has(payment.id) || this.#waiting.some(({ id }) => id === payment.id)) return 'DUP_TRANSACTION_ERROR';
    const fields = readMessage(hex.decode(unsigned));
    const isOfChain = this.#blocks.some(({ hash }) => hash.slice(16, 32) === hex.encode(bytesOf(fields, 4)));
    if (!isOfChain) return 'TAPOS_ERROR';
    const head = this.#blocks.at(-1)?.time ?? 0;
    const expiresAt = expiryOf(unsigned);
    if (expiresAt <= head || expiresAt > head + DAY_MS) return 'TRANSACTION_EXPIRATION_ERROR';
    if (this.balance(payment.from, payment.contract) < payment.raw) return 'CONTRACT_VALIDATE_ERROR';
    if (!this.isForgetful) this.#waiting.push(payment);
    return 'SUCCESS';
  }

  #has(id: string): boolean {
    return this.find(id) !== undefined;
  }

  #resultOf(one: Payment): string {
    if (one.contract === '') return 'SUCCESS';
    const needed = this.energy > BigInt(this.stakedEnergy) ? this.energy - BigInt(this.stakedEnergy) : 0n;
    if (this.energy * this.energyPrice > one.feeLimit) return 'OUT_OF_ENERGY';
    if (needed * this.energyPrice > this.balance(one.from)) return 'OUT_OF_ENERGY';
    if (this.isRefusing || this.balance(one.from, one.contract) < one.raw) return 'REVERT';
    return 'SUCCESS';
  }

  #feeOf(one: Payment, result: string): bigint {
    const bandwidth = SIGNED_BYTES * 1000n;
    if (one.contract === '') return bandwidth;
    return result === 'OUT_OF_ENERGY' ? bandwidth : bandwidth + this.energy * this.energyPrice;
  }
}

/** @throws Error for anything but a payment */
function paymentOf(unsigned: string): Payment {
  const fields = readMessage(hex.decode(unsigned));
  const call = readMessage(bytesOf(fields, 11));
  const value = readMessage(bytesOf(readMessage(bytesOf(call, 2)), 2));
  const addressOf = (bytes: Uint8Array): string => tronAddress(hex.encode(bytes.subarray(1)));
  const data = hex.encode(bytesOf(value, 4));
  const isToken = data !== '';
  return {
    id: transactionId(unsigned),
    unsigned,
    from: addressOf(bytesOf(value, 1)),
    to: isToken ? tronAddress(data.slice(32, 72)) : addressOf(bytesOf(value, 2)),
    contract: isToken ? addressOf(bytesOf(value, 2)) : '',
    raw: isToken ? BigInt(`0x${data.slice(72)}`) : numberOf(value, 3),
    feeLimit: numberOf(fields, 18),
  };
}

/** How a node differs from a good one. */
interface TronNodeMood {
  /** It does not answer. */
  isDown?: boolean;
  /** It takes a transaction, and the answer is lost. */
  losesAnswers?: boolean;
  /** It shows no transaction, as a node that lies or has lost its index. */
  hidesPayments?: boolean;
  /** Its irreversible blocks hold no transaction. */
  hasEmptyBlocks?: boolean;
  /** It says that the newest irreversible block is later by so many milliseconds. */
  futureMs?: number;
  /** It belongs to another network. */
  isForeign?: boolean;
  /** It passes nothing on, and says that all is well. */
  swallows?: boolean;
  /** It answers every search with an error, and with status 200 as real nodes do. */
  hasErrors?: boolean;
  /** It lacks so many of the newest blocks. */
  behind?: number;
  /** It says that a payment in a block has failed. */
  lies?: boolean;
}

/** One node of the chain, with an address of its own. */
export class FakeTronNode {
  mood: TronNodeMood = {};
  /** The paths that were asked for. */
  readonly asked: string[] = [];
  readonly #chain: FakeTron;
  readonly #server: Server;

  constructor(chain: FakeTron) {
    this.#chain = chain;
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString('utf8');
      const path = request.url ?? '/';
      this.asked.push(path);
      if (this.mood.isDown === true) {
        request.socket.destroy();
        return;
      }
      const answer = this.#answer(path, body === '' ? {} : JSON.parse(body));
      if (this.mood.losesAnswers === true && path === '/wallet/broadcasthex') request.socket.destroy();
      else response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer));
    });
  }

  open(): Promise<string> {
    return openOnLoopback(this.#server);
  }

  close(): Promise<void> {
    return closeOnLoopback(this.#server);
  }

  get #height(): number {
    return this.#chain.height - (this.mood.behind ?? 0);
  }

  get #final(): number {
    return Math.min(this.#chain.finalHeight, this.#height);
  }

  #answer(path: string, body: Readonly<Record<string, unknown>>): unknown {
    const chain = this.#chain;
    const view = path.split('/')[1];
    const top = view === 'walletsolidity' ? this.#final : this.#height;
    switch (path.split('/')[2]) {
      case 'getnowblock':
        return this.#block(top, view);
      case 'getblockbynum':
        return Number(body['num']) > top ? {} : this.#block(Number(body['num']), view);
      case 'gettransactioninfobyblocknum':
        return [];
      case 'gettransactioninfobyid':
        if (this.mood.hasErrors === true) return { Error: 'class java.lang.NullPointerException : null' };
        return this.#info(String(body['value']), top);
      case 'getaccount': {
        const address = String(body['address']);
        if (chain.contracts.has(address)) return { address, type: 'Contract' };
        return chain.isKnown(address) ? { address, balance: Number(chain.balance(address)) } : {};
      }
      case 'getaccountresource':
        return { freeNetLimit: 600, freeNetUsed: 600, EnergyLimit: chain.stakedEnergy };
      case 'getchainparameters': {
        const prices = { getEnergyFee: Number(chain.energyPrice), getTransactionFee: 1000 };
        const all = { ...prices, getCreateNewAccountFeeInSystemContract: 1_000_000, getCreateAccountFee: 100_000 };
        return { chainParameter: Object.entries(all).map(([key, value]) => ({ key, value })) };
      }
      case 'triggerconstantcontract':
        return this.#call(body);
      case 'broadcasthex': {
        const code = this.mood.swallows === true ? 'SUCCESS' : chain.take(String(body['transaction']));
        return code === 'SUCCESS' ? { result: true, code } : { result: false, code };
      }
      default:
        return undefined;
    }
  }

  #block(height: number, view: string | undefined): unknown {
    const block = this.#chain.blockAt(height);
    if (block === undefined) return {};
    const blockID = height === 0 && this.mood.isForeign === true ? '1'.repeat(64) : block.hash;
    const parentHash = this.#chain.blockAt(height - 1)?.hash;
    const isFinal = view === 'walletsolidity';
    const timestamp = block.time + (isFinal ? (this.mood.futureMs ?? 0) : 0);
    const txIDs = [...block.payments.map(({ id }) => id), idOfStranger(height)];
    return {
      blockID,
      block_header: { raw_data: { number: height, parentHash, timestamp } },
      // The watch of deposits reads the other view, and these tests have none.
      ...(isFinal && this.mood.hasEmptyBlocks !== true && { transactions: txIDs.map((txID) => ({ txID })) }),
    };
  }

  #info(id: string, top: number): unknown {
    if (this.mood.hidesPayments === true) return {};
    const ofStranger = heightOfStranger(id);
    if (ofStranger !== undefined)
      return ofStranger > top ? {} : { id, fee: 0, blockNumber: ofStranger, receipt: { net_usage: 268 } };
    const found = this.#chain.find(id);
    if (found === undefined || found.height > top) return {};
    const { payment, height } = found;
    const result = this.mood.lies === true ? 'REVERT' : found.result;
    const isToken = payment.contract !== '';
    return {
      id,
      fee: Number(found.fee),
      blockNumber: height,
      blockTimeStamp: this.#chain.blockAt(height)?.time,
      ...(result !== 'SUCCESS' && { result: 'FAILED' }),
      receipt: isToken ? { result, net_fee: 345_000 } : { net_usage: 268 },
      ...(isToken &&
        result === 'SUCCESS' && {
          log: [
            {
              address: tronHex(payment.contract),
              topics: [TRANSFER_TOPIC, addressWord(payment.from), addressWord(payment.to)],
              data: payment.raw.toString(16).padStart(64, '0'),
            },
          ],
        }),
    };
  }

  #call(body: Readonly<Record<string, unknown>>): unknown {
    const chain = this.#chain;
    const parameter = String(body['parameter']);
    if (body['function_selector'] === 'balanceOf(address)') {
      const balance = chain.balance(tronAddress(parameter.slice(24)), String(body['contract_address']));
      return { result: { result: true }, energy_used: 500, constant_result: [balance.toString(16).padStart(64, '0')] };
    }
    const ret = chain.isRefusing ? [{ ret: 'FAILED' }] : [{}];
    return { result: { result: true }, energy_used: Number(chain.energy), constant_result: [''], transaction: { ret } };
  }
}

/** Each block has a payment of somebody else. */
const STRANGER = 'f'.repeat(52);
const idOfStranger = (height: number): string => `${STRANGER}${height.toString(16).padStart(12, '0')}`;
const heightOfStranger = (id: string): number | undefined =>
  id.startsWith(STRANGER) ? Number.parseInt(id.slice(STRANGER.length), 16) : undefined;
