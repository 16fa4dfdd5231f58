/** Chooses the outputs that a Bitcoin payout spends. All amounts are in the chain's smallest unit. */

export interface Coin {
  readonly txid: string;
  readonly vout: number;
  readonly value: bigint;
}

export interface CoinRules {
  /** In smallest units per virtual byte. */
  readonly feeRate: bigint;
  /** Virtual bytes of a transaction without inputs and change. */
  readonly baseBytes: number;
  readonly inputBytes: number;
  readonly changeBytes: number;
  /** Nodes do not pass on an output below it. */
  readonly dust: bigint;
  readonly mostInputs: number;
}

export interface CoinSelection {
  readonly coins: readonly Coin[];
  readonly fee: bigint;
  /** 0: the rest is too small for an output and goes to the fee. */
  readonly change: bigint;
}

/**
 * The largest coins first, so that a payout has few inputs. Undefined: the coins do not cover amount and fee within `mostInputs`.
 */
export function selectCoins(coins: readonly Coin[], amount: bigint, rules: CoinRules): CoinSelection | undefined {
  const largest = [...coins].sort((left, right) => compare(right.value, left.value) || compare(left.txid, right.txid));
  for (let count = 1; count <= Math.min(largest.length, rules.mostInputs); count += 1) {
    const chosen = largest.slice(0, count);
    const found = changeOf(chosen, amount, rules);
    if (found !== undefined) return { coins: chosen, ...found };
  }
  return undefined;
}

/**
 * Fee and change of a transaction with exactly these inputs, for a replacement too. Undefined: they do not cover the amount and the fee.
 */
export function changeOf(
  coins: readonly Coin[],
  amount: bigint,
  { feeRate, baseBytes, inputBytes, changeBytes, dust }: CoinRules,
): Pick<CoinSelection, 'fee' | 'change'> | undefined {
  const total = coins.reduce((sum, { value }) => sum + value, 0n);
  const bare = BigInt(baseBytes + coins.length * inputBytes) * feeRate;
  const rest = total - amount - bare;
  if (rest < 0n) return undefined;
  const change = rest - BigInt(changeBytes) * feeRate;
  if (change < dust) return { fee: bare + rest, change: 0n };
  return { fee: total - amount - change, change };
}

const compare = <Value extends bigint | string>(left: Value, right: Value): number =>
  left < right ? -1 : left > right ? 1 : 0;
