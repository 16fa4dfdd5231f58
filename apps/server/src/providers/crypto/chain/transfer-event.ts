/** The event by which tokens tell of a transfer: ERC-20, and TRC-20 in the same bytes. */

/** keccak256 of `Transfer(address,address,uint256)`. */
export const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** In hex digits; nodes of Ethereum's kind write `0x` before them, those of TRON do not. */
export interface EventLog {
  readonly topics: readonly string[];
  readonly data: string;
}

export interface TokenTransfer {
  /** 40 small hex digits. */
  readonly receiver: string;
  readonly raw: bigint;
}

/** @returns undefined for another event, such as one of a token that is told apart by numbers (ERC-721), and for an amount of 0 */
export function readTransfer({ topics, data }: EventLog): TokenTransfer | undefined {
  const [event, , to] = topics.map(digitsOf);
  const receiver = /^0{24}([0-9a-f]{40})$/.exec(to ?? '')?.[1];
  const amount = digitsOf(data);
  // ERC-721 has the same event with a third topic in the place of the amount.
  const isTransfer = event === TRANSFER_TOPIC && topics.length === 3 && /^[0-9a-f]{1,64}$/.test(amount);
  if (receiver === undefined || !isTransfer) return undefined;
  const raw = BigInt(`0x${amount}`);
  return raw === 0n ? undefined : { receiver, raw };
}

const digitsOf = (text: string): string => text.toLowerCase().replace(/^0x/, '');
