/** What a transaction brings to an account, by its balances before and after. Instructions can lie by their names, balances cannot. */
import type { SolanaTransaction } from './solana-rpc.ts';

/** The account that a deposit is paid into. */
export interface PaidAccount {
  /** The wallet's address, which the payer was shown. */
  readonly address: string;
  /** The token's mint. '' for SOL. */
  readonly contract: string;
  /** The wallet itself, or its account of the token. */
  readonly account: string;
}

/**
 * In the asset's smallest unit. 0 for a failed transaction, and where the balance fell or stayed. A fee that a token withholds from a
 * transfer is not in the balance, so it is never counted.
 */
export function receivedAmount({ meta, transaction }: SolanaTransaction, paid: PaidAccount): bigint {
  if (meta.err !== null) return 0n;
  const index = transaction.message.accountKeys.findIndex(({ pubkey }) => pubkey === paid.account);
  if (index < 0) return 0n;
  const difference =
    paid.contract === ''
      ? lamportsAt(meta.postBalances, index) - lamportsAt(meta.preBalances, index)
      : tokensAt(meta.postTokenBalances, index, paid) - tokensAt(meta.preTokenBalances, index, paid);
  return difference > 0n ? difference : 0n;
}

const lamportsAt = (balances: readonly number[], index: number): bigint => BigInt(balances[index] ?? 0);

/** 0 where the account did not exist, or belonged to another wallet or mint. */
function tokensAt(
  balances: SolanaTransaction['meta']['preTokenBalances'],
  index: number,
  { address, contract }: PaidAccount,
): bigint {
  const found = (balances ?? []).find(({ accountIndex }) => accountIndex === index);
  const isOurs = found?.mint === contract && (found.owner ?? address) === address;
  return isOurs && found !== undefined ? BigInt(found.uiTokenAmount.amount) : 0n;
}
