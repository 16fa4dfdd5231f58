/** Reads and signs PSBTs of Bitcoin and Litecoin: inputs of the wallet's one address, one payment, and the change back. */
import { base64, hex } from '@scure/base';
import { Address, NETWORK, OutScript, p2wpkh, Transaction } from '@scure/btc-signer';
import { pubECDSA } from '@scure/btc-signer/utils.js';

const NETWORKS = {
  bc: NETWORK,
  ltc: { bech32: 'ltc', pubKeyHash: 0x30, scriptHash: 0x32, wif: 0xb0 },
};
const SIGHASH_ALL = 1;

const ownOf = (key, prefix) => p2wpkh(pubECDSA(hex.decode(key), true), NETWORKS[prefix]);

/** @param {string} key in hex */
export const bitcoinAddress = (key, { prefix }) => ownOf(key, prefix).address;

/**
 * @param {string} unsigned
 * @param {{ readonly prefix: 'bc' | 'ltc' }} wallet
 * @param {string} key
 * @param {string} payee the address that the cashier names. The payment must be the one output that is not the change
 * @returns {import('./judge.mjs').Payment | undefined}
 */
export function readPsbt(unsigned, { prefix }, key, payee) {
  try {
    const own = hex.encode(ownOf(key, prefix).script);
    const wanted = hex.encode(OutScript.encode(Address(NETWORKS[prefix]).decode(payee)));
    const read = Transaction.fromPSBT(base64.decode(unsigned));
    const inputs = Array.from({ length: read.inputsLength }, (_, at) => read.getInput(at));
    const outputs = Array.from({ length: read.outputsLength }, (_, at) => read.getOutput(at));
    const isOwn = ({ witnessUtxo, sighashType }) =>
      witnessUtxo !== undefined &&
      hex.encode(witnessUtxo.script) === own &&
      (sighashType ?? SIGHASH_ALL) === SIGHASH_ALL;
    if (inputs.length === 0 || !inputs.every(isOwn) || outputs.length > 2) return undefined;
    const scripts = outputs.map(({ script }) => hex.encode(script));
    // The payment comes first. So a payment to the wallet itself is read as one, too.
    if (scripts[0] !== wanted || (scripts.length === 2 && scripts[1] !== own)) return undefined;
    const sum = (amounts) => amounts.reduce((total, amount) => total + amount, 0n);
    const values = inputs.map(({ witnessUtxo }) => witnessUtxo.amount);
    return {
      // A signature covers the amount of its own input alone. As a part of the slot, an amount can never be told otherwise later,
      // which would turn coins into fees.
      slots: inputs.map(({ txid, index }) => `${hex.encode(txid)}:${index}`).toSorted(),
      values: Object.fromEntries(
        inputs.map(({ txid, index }, at) => [`${hex.encode(txid)}:${index}`, String(values[at])]),
      ),
      contract: '',
      to: payee,
      units: outputs[0].amount,
      fee: sum(values) - sum(outputs.map(({ amount }) => amount)),
    };
  } catch {
    return undefined;
  }
}

/** The same PSBT with a signature for each input. Signatures are deterministic (RFC 6979). */
export function signPsbt(unsigned, key) {
  const read = Transaction.fromPSBT(base64.decode(unsigned));
  if (read.sign(hex.decode(key)) !== read.inputsLength) throw new Error('An input could not be signed');
  return base64.encode(read.toPSBT(0));
}
