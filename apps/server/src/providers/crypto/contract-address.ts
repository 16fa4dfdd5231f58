/** Contract addresses of tokens: from the form in the settings to the form that the chain's source reports. */

import { tronAddress, tronHex, withChecksum } from './chain/receiving-address.ts';
import type { ChainKind } from './chain-kinds.ts';
import { readMint } from './solana/solana-address.ts';
import { readTonContract } from './ton/ton-wallet.ts';

/**
 * The contract address in the form that the chain's source reports. In another form it would never match a payment.
 * @throws RangeError for a mistyped address, and where the chain has no tokens
 */
export function readContract({ family, name }: Pick<ChainKind, 'family' | 'name'>, text: string): string {
  const contract = text.trim();
  if (family === 'esplora') throw new RangeError(`${name} has no tokens`);
  const spelling = { evm: ofEvm, tron: ofTron, ton: readTonContract, solana: readMint }[family](contract);
  if (spelling === undefined)
    throw new RangeError(
      `The contract address of a token on ${name} is wrong. Check it for a typing error, or for another chain`,
    );
  return spelling;
}

/** EIP-55: only an address in mixed letter case has a checksum, and it must be right. */
function ofEvm(contract: string): string | undefined {
  if (!/^0x[0-9a-f]{40}$/i.test(contract)) return undefined;
  const digits = contract.slice(2);
  const spelling = withChecksum(digits.toLowerCase());
  const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isPlain || spelling === contract ? spelling : undefined;
}

function ofTron(contract: string): string | undefined {
  try {
    const digits = tronHex(contract);
    return digits.length === 40 && tronAddress(digits) === contract ? contract : undefined;
  } catch {
    // The checksum is wrong.
    return undefined;
  }
}
