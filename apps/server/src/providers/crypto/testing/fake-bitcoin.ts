/**
 * A Bitcoin node in memory that takes only transactions which the real network would take: real outputs, real signatures, no coin spent
 * twice, a replacement only for a higher fee. It speaks Esplora's HTTP interface.
 */
import { createServer, type Server } from 'node:http';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hex } from '@scure/base';
import { OutScript, p2wpkh, RawTx, Transaction } from '@scure/btc-signer';
import { closeOnLoopback, openOnLoopback } from '../../loopback-server.fixture.ts';

interface Output {
  readonly script: string;
  readonly value: bigint;
}

interface Known {
  readonly txid: string;
  /** The whole transaction, in hex. */
  readonly raw: string;
  readonly spends: readonly string[];
  readonly outputs: readonly Output[];
  readonly fee: bigint;
  height: number | undefined;
}

export class FakeBitcoin {
  height = 100;
  /** Per virtual byte. */
  rate = 5;
  /** Takes transactions and forgets them, like a full pool. */
  isForgetful = false;
  /** Says of no transaction what it cost. */
  hidesFees = false;
  /** Shows outputs as unspent that are spent, like a node that lags. */
  showsSpent = false;
  /** Returns this in place of every whole transaction. */
  otherWhole: string | undefined;
  readonly #known = new Map<string, Known>();
  readonly #server: Server;
  #funded = 0;
  #isForgetting = false;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { pathname } = new URL(request.url ?? '/', 'http://node');
      const body = Buffer.concat(chunks).toString('utf8');
      const [status, answer] = request.method === 'POST' ? this.#take(body) : this.#answer(pathname);
      response.writeHead(status).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  }

  open(): Promise<string> {
    return openOnLoopback(this.#server);
  }

  close(): Promise<void> {
    return closeOnLoopback(this.#server);
  }

  /** Takes the next transaction and forgets it. */
  forgetNext(): void {
    this.#isForgetting = true;
  }

  /** Gives an address a coin in a block. @param besideBytes of another output of the same transaction */
  fund(script: Uint8Array, value: bigint, besideBytes = 0): void {
    this.#funded += 1;
    const from = hex.decode(this.#funded.toString(16).padStart(64, 'f'));
    const raw = RawTx.encode({
      version: 2,
      segwitFlag: false,
      inputs: [{ txid: from, index: 0, finalScriptSig: new Uint8Array(), sequence: 0xffffffff }],
      outputs: [
        { amount: value, script },
        ...(besideBytes > 0 ? [{ amount: 0n, script: new Uint8Array(besideBytes).fill(0x6a) }] : []),
      ],
      witnesses: undefined,
      lockTime: 0,
    });
    const txid = Transaction.fromRaw(raw, { allowUnknownInputs: true, allowUnknownOutputs: true }).id;
    const outputs = [{ script: hex.encode(script), value }];
    this.#known.set(txid, { txid, raw: hex.encode(raw), spends: [], outputs, fee: 0n, height: this.height });
  }

  /** Mines blocks. The first one takes what waits. */
  mine(count = 1): void {
    this.height += 1;
    for (const one of this.#known.values()) one.height ??= this.height;
    this.height += count - 1;
  }

  /** Takes the last blocks away. Their transactions wait again. */
  reorganise(depth: number): void {
    for (const one of this.#known.values()) {
      if (one.height !== undefined && one.height > this.height - depth) one.height = undefined;
    }
    this.height -= depth;
  }

  /** What a script got in blocks, whether it was spent or not. */
  receivedBy(script: Uint8Array): bigint {
    return sumOf(this.#mined.flatMap(({ outputs }) => outputs.filter(belongsTo(script))));
  }

  /** What a script has in blocks. */
  balance(script: Uint8Array): bigint {
    const spent = this.payments.flatMap(({ spends }) => spends.flatMap((slot) => this.#output(slot) ?? []));
    return this.receivedBy(script) - sumOf(spent.filter(belongsTo(script)));
  }

  /** The transactions that spent coins, in blocks. */
  get payments(): readonly Known[] {
    return this.#mined.filter(({ spends }) => spends.length > 0);
  }

  get #mined(): Known[] {
    return [...this.#known.values()].filter(({ height }) => height !== undefined);
  }

  /** The waiting transactions. */
  get waiting(): readonly Known[] {
    return [...this.#known.values()].filter(({ height }) => height === undefined);
  }

  #spender(slot: string): Known | undefined {
    return [...this.#known.values()].find(({ spends }) => spends.includes(slot));
  }

  #output(slot: string): Output | undefined {
    const [txid = '', vout] = slot.split(':');
    return this.#known.get(txid)?.outputs[Number(vout)];
  }

  #answer(path: string): [number, unknown] {
    const [, first, second = '', third, fourth] = path.split('/');
    if (path === '/blocks/tip/height') return [200, String(this.height)];
    if (path === '/fee-estimates') return [200, { '1': this.rate + 2, '3': this.rate, '6': 1 }];
    if (first === 'address') return [200, this.#unspent(second)];
    const found = this.#known.get(second);
    if (found === undefined) return [404, 'Transaction not found'];
    if (third === 'hex') return [200, this.otherWhole ?? found.raw];
    if (third === 'outspend') {
      const spender = this.#spender(`${second}:${fourth}`);
      return [200, spender ? { spent: true, txid: spender.txid, status: statusOf(spender) } : { spent: false }];
    }
    return [200, { txid: found.txid, ...(!this.hidesFees && { fee: Number(found.fee) }), status: statusOf(found) }];
  }

  #unspent(address: string): unknown[] {
    return [...this.#known.values()].flatMap(({ txid, outputs, height }) =>
      outputs.flatMap(({ script, value }, vout) =>
        addressOf(script) === address && (this.showsSpent || this.#spender(`${txid}:${vout}`) === undefined)
          ? [{ txid, vout, value: Number(value), status: statusOf({ height }) }]
          : [],
      ),
    );
  }

  #take(body: string): [number, string] {
    const raw = RawTx.decode(hex.decode(body));
    const transaction = Transaction.fromRaw(hex.decode(body), { allowUnknownOutputs: true });
    const txid = transaction.id;
    if (this.#known.has(txid)) return [400, 'txn-already-known'];
    const spends = raw.inputs.map(({ txid: id, index }) => `${hex.encode(id)}:${index}`);
    let paid = 0n;
    for (const [at, slot] of spends.entries()) {
      const output = this.#output(slot);
      if (output === undefined) return [400, 'bad-txns-inputs-missingorspent'];
      if (!isSigned(transaction, at, output)) return [400, 'mandatory-script-verify-flag-failed'];
      paid += output.value;
    }
    const outputs = raw.outputs.map(({ amount, script }) => ({ script: hex.encode(script), value: amount }));
    const fee = paid - outputs.reduce((sum, { value }) => sum + value, 0n);
    if (fee < BigInt(transaction.vsize)) return [400, 'min relay fee not met'];
    if (outputs.some(({ value }) => value < 294n)) return [400, 'dust'];
    for (const rival of spends.flatMap((slot) => this.#spender(slot) ?? [])) {
      if (rival.height !== undefined) return [400, 'bad-txns-inputs-missingorspent'];
      if (fee < rival.fee + BigInt(transaction.vsize)) return [400, 'insufficient fee'];
      this.#known.delete(rival.txid);
    }
    if (!this.isForgetful && !this.#isForgetting)
      this.#known.set(txid, { txid, raw: body, spends, outputs, fee, height: undefined });
    this.#isForgetting = false;
    return [200, txid];
  }
}

const sumOf = (outputs: readonly Output[]): bigint => outputs.reduce((sum, { value }) => sum + value, 0n);

const belongsTo =
  (owner: Uint8Array) =>
  ({ script }: Output): boolean =>
    script === hex.encode(owner);

const statusOf = ({ height }: Pick<Known, 'height'>) =>
  height === undefined ? { confirmed: false } : { confirmed: true, block_height: height };

function addressOf(script: string): string | undefined {
  const decoded = OutScript.decode(hex.decode(script));
  if (decoded.type !== 'wpkh') return undefined;
  return addressOfHash(decoded.hash);
}

const addresses = new Map<string, string>();

/** Only addresses of keys that a test has made are asked for. */
function addressOfHash(hash: Uint8Array): string | undefined {
  return addresses.get(hex.encode(hash));
}

/** The address and script of a key, which the node then knows. */
export function payToKey(key: Uint8Array): {
  readonly publicKey: string;
  readonly address: string;
  readonly script: Uint8Array;
} {
  const publicKey = secp256k1.getPublicKey(key, true);
  const { address = '', script } = p2wpkh(publicKey);
  addresses.set(hex.encode(script.subarray(2)), address);
  return { publicKey: hex.encode(publicKey), address, script };
}

/** An address of nobody, so that its balance counts what it got. */
export function newBitcoinPayee(nth: number): ReturnType<typeof payToKey> {
  const key = new Uint8Array(32).fill(3);
  new DataView(key.buffer).setUint32(0, nth);
  return payToKey(key);
}

function isSigned(transaction: Transaction, at: number, { script, value }: Output): boolean {
  const [signature, key] = transaction.getInput(at).finalScriptWitness ?? [];
  if (signature === undefined || key === undefined || hex.encode(p2wpkh(key).script) !== script) return false;
  const legacy = Uint8Array.of(0x76, 0xa9, 0x14, ...hex.decode(script).subarray(2), 0x88, 0xac);
  const digest = transaction.preimageWitnessV0(at, legacy, signature.at(-1) ?? 0, value);
  return secp256k1.verify(signature.subarray(0, -1), digest, key, { prehash: false, format: 'der' });
}
