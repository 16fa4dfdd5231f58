/** Whose balance counts at an operator (docs/adr/0024-whose-balance-counts.md). */
import type { WalletMode } from '@opencashier/contract/operator';
import { findCurrency } from '@opencashier/core/money/currencies';
import type { Queryable, Transaction } from '../database/database.ts';

/**
 * The operator's mode until the end of the transaction: a change of the mode waits for this transaction, and the next transaction sees
 * the new mode.
 */
export async function walletModeOf(transaction: Transaction, operatorId: string): Promise<WalletMode> {
  const [found] = await transaction.query<{ mode: WalletMode | null }>({
    name: 'wallet-mode',
    text: 'select wallet_mode_of($1) as mode',
    values: [operatorId],
  });
  if (!found?.mode) throw new Error(`There is no operator ${operatorId}`);
  return found.mode;
}

/** True where the operator keeps this money itself, as {@link walletModeOf}. */
export async function isKeptByOperator(
  transaction: Transaction,
  { operatorId, currency }: { readonly operatorId: string; readonly currency: string },
): Promise<boolean> {
  return isKeptByWallets(currency) && (await walletModeOf(transaction, operatorId)) !== 'cashier';
}

/** The operator's mode at this moment. It may change at once, so a transaction that moves money asks {@link walletModeOf}. */
export async function presentWalletMode(queryable: Queryable, operatorId: string): Promise<WalletMode> {
  const [found] = await queryable.query<{ mode: WalletMode }>({
    name: 'wallet-mode-now',
    text: 'select wallet_mode as mode from operator where id = $1',
    values: [operatorId],
  });
  if (found === undefined) throw new Error(`There is no operator ${operatorId}`);
  return found.mode;
}

/** True for money. The coins of the sweepstake are kept by the ledger in every mode. */
export function isKeptByWallets(currency: string): boolean {
  const kind = findCurrency(currency)?.kind;
  return kind === 'fiat' || kind === 'crypto';
}
