/** Addresses of tokens' contracts, as an operator writes them and as the sources report them. */

import { tronAddress, tronHex, withChecksum } from './chain/receiving-address.ts';
import type { ChainKind } from './chain-kinds.ts';
import { readTonContract } from './ton/ton-wallet.ts';

/**
 * In the one spelling that the chain's source reports: a contract under another would never match what came.
 * @throws RangeError for a mistyped one, and where the chain has no tokens
 */
export function readContract({ family, name }: Pick<ChainKind, 'family' | 'name'>, text: string): string {
  const contract = text.trim();
  if (family === 'esplora') throw new RangeError(`${name} has no tokens`);
  const spelling = { evm: ofEvm, tron: ofTron, ton: readTonContract }[family](contract);
  if (spelling === undefined) throw new RangeError(`A token of ${name} has an address that is none`);
  return spelling;
}

/** EIP-55: in small letters it carries no check sum; in mixed ones it must be right. */
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
    // Its check sum is wrong.
    return undefined;
  }
}
