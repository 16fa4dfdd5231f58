/** A signer with keys of its own, over HTTP. It checks the signature of each request, and tests can make it wrong in every way. */
import { createServer, type Server } from 'node:http';
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { createWebhookSignatures } from '@opencashier/provider-kit';
import { base64, hex } from '@scure/base';
import { Transaction as BitcoinTransaction } from '@scure/btc-signer';
import { Address, beginCell, Cell, loadMessageRelaxed, storeMessageRelaxed } from '@ton/core';
import { addr, Transaction } from 'micro-eth-signer';
import { closeOnLoopback, openOnLoopback } from '../../loopback-server.fixture.ts';
import type { SignRequest } from '../payouts/ask-signer.ts';
import { openTonContract } from '../payouts/ton-contract.ts';
import { signerOf } from '../tron/tron-transaction.ts';
import { signedTron, signTron, type TronChange } from './sign-tron.ts';

export type SignerMood =
  | 'well'
  | 'other-recipient'
  | 'other-amount'
  | 'higher-fee'
  | 'other-nonce'
  | 'other-key'
  | 'garbage'
  | 'hangs'
  | 'drops-answer'
  | 'refuses'
  | 'later'
  | 'down';

export const SIGNER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const KEY = '0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318';
const OTHER_KEY = `0x${'11'.repeat(32)}`;
const THIEF = '0x000000000000000000000000000000000000dEaD';
export const TRON_KEY = hex.decode(KEY.slice(2));
export const BITCOIN_KEY = new Uint8Array(32).fill(9);
const TON_KEY = new Uint8Array(32).fill(10);

export class TestSigner {
  mood: SignerMood = 'well';
  /** Its clock, in milliseconds. It refuses requests that are too old. */
  now: () => number = Date.now;
  /** Everything that was asked, in order. */
  readonly requests: SignRequest[] = [];
  /** Requests whose signature was wrong. */
  forged = 0;
  /** Everything that it has ever signed, also what nobody got. */
  readonly signed: string[] = [];
  readonly #server: Server;

  constructor(secret = SIGNER_SECRET) {
    const signatures = createWebhookSignatures([secret]);
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const rawBody = Buffer.concat(chunks);
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      if (signatures.verify({ headers, rawBody, receivedAt: this.now() }).kind !== 'verified') {
        this.forged += 1;
        response.writeHead(401).end();
        return;
      }
      const asked: SignRequest = JSON.parse(rawBody.toString('utf8'));
      this.requests.push(asked);
      const answer = this.#answer(asked);
      if (this.mood === 'hangs') return;
      if (answer === undefined || this.mood === 'drops-answer') request.socket.destroy();
      else response.writeHead(200).end(answer);
    });
  }

  static get evmWallet(): string {
    return addr.fromPrivateKey(KEY);
  }

  /** The public key of its wallet v4R2, in hex. */
  static get tonWallet(): string {
    return Buffer.from(ed25519.getPublicKey(TON_KEY)).toString('hex');
  }

  /** The address of that wallet. */
  static get tonAddress(): string {
    return openTonContract(TestSigner.tonWallet).address.toString({ bounceable: false });
  }

  static get tronWallet(): string {
    return signerOf(signTron('', { key: TRON_KEY, change: undefined }));
  }

  #answer(asked: SignRequest): string | undefined {
    if (this.mood === 'down') return undefined;
    if (this.mood === 'garbage') return '<html>';
    if (this.mood === 'later') return JSON.stringify({ outcome: 'later' });
    if (this.mood === 'refuses') return JSON.stringify({ outcome: 'refused', code: 'policy' });
    const sign = { psbt: signPsbt, 'ton-v4r2': signTon, tron: signAsTron }[asked.format] ?? signEvm;
    const transaction = sign(asked.unsigned, this.mood);
    this.signed.push(transaction);
    return JSON.stringify({ outcome: 'signed', transaction });
  }

  open(): Promise<string> {
    return openOnLoopback(this.#server);
  }

  close(): Promise<void> {
    return closeOnLoopback(this.#server);
  }
}

function signAsTron(unsigned: string, mood: SignerMood): string {
  const changes: Partial<Record<SignerMood, TronChange>> = {
    'other-recipient': 'recipient',
    'other-amount': 'amount',
    'higher-fee': 'fee',
    'other-nonce': 'slot',
  };
  const key = mood === 'other-key' ? hex.decode(OTHER_KEY.slice(2)) : TRON_KEY;
  return signedTron(unsigned, { key, change: changes[mood] });
}

interface Eip1559
  extends Readonly<Record<'nonce' | 'value' | 'gasLimit' | 'maxFeePerGas' | 'maxPriorityFeePerGas', bigint>> {
  readonly chainId?: bigint;
  readonly to: string;
  readonly data?: string;
}

function signEvm(unsigned: string, mood: SignerMood): string {
  const { raw } = Transaction.fromHex(unsigned);
  const changed: Partial<Record<SignerMood, object>> = {
    'other-recipient': { to: THIEF },
    'other-amount': { value: 1n },
    'higher-fee': { gasLimit: 30_000_000n },
    'other-nonce': { nonce: 77n },
  };
  const { chainId = 1n, nonce, to, value, data = '0x', ...fees } = raw as unknown as Eip1559;
  const { gasLimit, maxFeePerGas, maxPriorityFeePerGas } = fees;
  const same = { chainId, nonce, to, value, data, gasLimit, maxFeePerGas, maxPriorityFeePerGas, accessList: [] };
  const fields = { ...same, ...changed[mood], type: 'eip1559' as const };
  // A new random part each time, as hardware may add: two signatures of one transaction differ.
  return Transaction.prepare(fields, false)
    .signBy(mood === 'other-key' ? OTHER_KEY : KEY, true)
    .toHex();
}

/** A signature of the right input by a key that is not the wallet's. */
function signedBy(transaction: BitcoinTransaction, at: number): [Uint8Array, Uint8Array] {
  const key = new Uint8Array(32).fill(8);
  const publicKey = secp256k1.getPublicKey(key, true);
  const { witnessUtxo } = transaction.getInput(at);
  const script = Uint8Array.of(0x76, 0xa9, 0x14, ...(witnessUtxo?.script.subarray(2) ?? []), 0x88, 0xac);
  const digest = transaction.preimageWitnessV0(at, script, 1, witnessUtxo?.amount ?? 0n);
  return [publicKey, Uint8Array.of(...secp256k1.sign(digest, key, { prehash: false, format: 'der' }), 1)];
}

function signPsbt(unsigned: string, mood: SignerMood): string {
  const transaction = BitcoinTransaction.fromPSBT(base64.decode(unsigned));
  if (mood === 'other-amount') transaction.updateOutput(0, { amount: 1000n });
  if (mood === 'higher-fee') transaction.updateOutput(1, { amount: 1000n });
  if (mood === 'other-recipient') {
    const script = Uint8Array.of(0, 20, ...new Uint8Array(20).fill(6));
    transaction.updateOutput(0, { script });
  }
  if (mood === 'other-key') {
    const [key, signature] = signedBy(transaction, 0);
    transaction.updateInput(0, { partialSig: [[key, signature]] }, true);
    return base64.encode(transaction.toPSBT(0));
  }
  transaction.sign(BITCOIN_KEY);
  return base64.encode(transaction.toPSBT(0));
}

/** Signs a body of the wallet v4R2, and returns it with the signature in front, as wallet libraries do. */
export function signTon(unsigned: string, mood: SignerMood): string {
  const slice = Cell.fromBase64(unsigned).beginParse();
  const [head, seqno, rest] = [slice.loadBits(64), slice.loadUint(32), slice.loadBits(16)];
  const { info, body, init } = loadMessageRelaxed(slice.loadRef().beginParse());
  if (info.type !== 'internal') throw new RangeError('Not a payment');
  const isToken = body.bits.length >= 96 && body.beginParse().loadUint(32) === 0x0f8a7ea5;
  const changed = {
    ...info,
    ...(mood === 'other-recipient' && { dest: new Address(0, Buffer.alloc(32, 0xde)) }),
    ...(mood === 'other-amount' && { value: { coins: 1n } }),
    // Of a transfer of tokens: what it takes along for its fees.
    ...(mood === 'higher-fee' && isToken && { value: { coins: 9_000_000_000n } }),
  };
  const message = beginCell().store(storeMessageRelaxed({ info: changed, body, init: init ?? null }));
  const nonce = mood === 'other-nonce' ? 77 : seqno;
  const order = beginCell().storeBits(head).storeUint(nonce, 32).storeBits(rest).storeRef(message).endCell();
  const key = mood === 'other-key' ? new Uint8Array(32).fill(11) : TON_KEY;
  const signature = Buffer.from(ed25519.sign(new Uint8Array(order.hash()), key));
  return beginCell().storeBuffer(signature).storeSlice(order.beginParse()).endCell().toBoc().toString('base64');
}
