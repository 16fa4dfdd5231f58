/** Reads and signs transactions of EIP-1559: a payment of the chain's coin, or `transfer` of a token. Nothing else is understood. */
import { addr, Transaction } from 'micro-eth-signer';

/** `transfer(address,uint256)`, with its two words. */
const TRANSFER = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/;

/** @param {string} key in hex */
export const evmAddress = (key) => addr.fromPrivateKey(key);

/**
 * @param {string} unsigned
 * @param {{ readonly chainId: bigint }} wallet
 * @returns {import('./judge.mjs').Payment | undefined} undefined for anything but a plain payment on this chain
 */
export function readEvm(unsigned, { chainId }) {
  let read;
  try {
    read = Transaction.fromHex(unsigned);
    // One transaction has one form. Bytes that are written otherwise are not what was read.
    if (read.type !== 'eip1559' || read.isSigned || read.toHex({ includeSignature: false }) !== unsigned)
      return undefined;
  } catch {
    return undefined;
  }
  const { raw } = read;
  if (raw.chainId !== chainId || (raw.accessList?.length ?? 0) > 0) return undefined;
  const common = { slots: [String(raw.nonce)], fee: raw.gasLimit * raw.maxFeePerGas };
  if (raw.data === '' || raw.data === '0x')
    return { ...common, contract: '', to: raw.to.toLowerCase(), units: raw.value };
  const [, to, units] = TRANSFER.exec(raw.data.toLowerCase()) ?? [];
  if (to === undefined || raw.value !== 0n) return undefined;
  return { ...common, contract: raw.to.toLowerCase(), to: `0x${to}`, units: BigInt(`0x${units}`) };
}

/** Without a random part, so that a repeated question gets the same answer. */
export const signEvm = (unsigned, key) => Transaction.fromHex(unsigned).signBy(key, false).toHex();
