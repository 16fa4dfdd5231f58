/**
 * A hardware wallet in memory. It has its master key, and knows nothing but the file it gets. It finds its keys by their paths. It believes
 * the amount of a coin only with the whole transaction that made it.
 */
import { hex } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { Transaction } from '@scure/btc-signer';
import { payToKey } from './fake-bitcoin.ts';

const ACCOUNT = "m/84'/0'/0'";
const HARDENED = 0x80000000;

type Named = Pick<ReturnType<Transaction['getInput']>, 'bip32Derivation'>;

export class SigningDevice {
  readonly #master: HDKey;
  readonly #account: HDKey;

  constructor(seed = 6) {
    this.#master = HDKey.fromMasterSeed(new Uint8Array(32).fill(seed));
    this.#account = this.#master.derive(ACCOUNT);
  }

  /** Its first address as a key expression (BIP 380), of what a device exports. */
  get wallet(): string {
    const fingerprint = this.#master.fingerprint.toString(16).padStart(8, '0');
    return `[${fingerprint}/84h/0h/0h]${this.#account.publicExtendedKey}/0/0`;
  }

  /** That address, which the node in memory then knows. */
  get address(): ReturnType<typeof payToKey> {
    const { privateKey } = this.#account.deriveChild(0).deriveChild(0);
    if (privateKey === null) throw new Error('The device has no key');
    return payToKey(privateKey);
  }

  /**
   * Signs every input.
   * @returns the amounts of the outputs that the person sees: all but the device's own change
   * @throws Error for a coin without its transaction, and for an input of another key
   */
  sign(file: Uint8Array): { readonly signed: Uint8Array; readonly shown: readonly (bigint | undefined)[] } {
    const psbt = Transaction.fromPSBT(file);
    const inputs = Array.from({ length: psbt.inputsLength }, (_, at) => psbt.getInput(at));
    // The library has compared their ids and their outputs when it read the file.
    if (inputs.some(({ nonWitnessUtxo }) => nonWitnessUtxo === undefined))
      throw new Error('A coin came without the transaction that made it');
    const outputs = Array.from({ length: psbt.outputsLength }, (_, at) => psbt.getOutput(at));
    const shown = outputs.filter((output) => this.#keyOf(output) === undefined);
    for (const [at, input] of inputs.entries()) {
      const key = this.#keyOf(input);
      if (key === undefined) throw new Error('An input names no key of this device');
      psbt.signIdx(key, at);
    }
    return { signed: psbt.toPSBT(0), shown: shown.map(({ amount }) => amount) };
  }

  /** The private key that an input or output names by its path. */
  #keyOf({ bip32Derivation: [named] = [] }: Named): Uint8Array | undefined {
    if (named === undefined) return undefined;
    const [key, { path }] = named;
    const steps = path.map((step) => (step >= HARDENED ? `${step - HARDENED}'` : String(step)));
    const { publicKey, privateKey } = this.#master.derive(['m', ...steps].join('/'));
    const isOwn = publicKey !== null && hex.encode(publicKey) === hex.encode(key);
    return isOwn ? (privateKey ?? undefined) : undefined;
  }
}
