/** The event of a token transfer: ERC-20, and TRC-20 with the same bytes. */

/** keccak256 of `Transfer(address,address,uint256)`. */
export const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** In hex digits. Ethereum nodes write `0x` before them, TRON nodes do not. */
export interface EventLog {
  readonly topics: readonly string[];
  readonly data: string;
}

export interface TokenTransfer {
  /** 40 small hex digits. */
  readonly receiver: string;
  readonly raw: bigint;
}

/** @returns undefined for another event, such as the transfer of a non-fungible token (ERC-721), and for an amount of 0 */
export function readTransfer({ topics, data }: EventLog): TokenTransfer | undefined {
  const [event, , to] = topics.map(digitsOf);
  const receiver = /^0{24}([0-9a-f]{40})$/.exec(to ?? '')?.[1];
  const amount = digitsOf(data);
  // The event of ERC-721 has the same hash, but names a token id in a further topic and no amount.
  const isTransfer = event === TRANSFER_TOPIC && topics.length === 3 && /^[0-9a-f]{1,64}$/.test(amount);
  if (receiver === undefined || !isTransfer) return undefined;
  const raw = BigInt(`0x${amount}`);
  return raw === 0n ? undefined : { receiver, raw };
}

const digitsOf = (text: string): string => text.toLowerCase().replace(/^0x/, '');
