/** Debits that a withdrawal or a refund waits for, or was paid by. */
import type { Queryable } from '../database/database.ts';
import { type WalletCallRow, walletCallColumns } from './wallet-store.ts';

/** The debit of a withdrawal; undefined: the ledger had the amount. */
export async function withdrawalDebitOf(
  queryable: Queryable,
  { operatorId, id }: { readonly operatorId: string; readonly id: string },
): Promise<WalletCallRow | undefined> {
  const [row] = await queryable.query<WalletCallRow>({
    name: 'wallet-debit-of-withdrawal',
    text: `select ${walletCallColumns} from operator_wallet_call asked
      where operator_id = $1 and withdrawal_id = $2 and type = 'debit' limit 1`,
    values: [operatorId, id],
  });
  return row;
}

/** The newest debit for a refund of a deposit. */
export async function newestRefundDebit(
  queryable: Queryable,
  { operatorId, depositId }: { readonly operatorId: string; readonly depositId: string },
): Promise<WalletCallRow | undefined> {
  const [row] = await queryable.query<WalletCallRow>({
    name: 'wallet-debit-of-deposit',
    text: `select ${walletCallColumns} from operator_wallet_call asked
      where operator_id = $1 and deposit_id = $2 and type = 'debit' and reason = 'refund' order by id desc limit 1`,
    values: [operatorId, depositId],
  });
  return row;
}

/** The debit that was asked for a refund, by the operator's `refundId`; undefined: the wallet was not asked for it. */
export async function refundDebitOf(
  queryable: Queryable,
  {
    operatorId,
    depositId,
    refundId,
  }: { readonly operatorId: string; readonly depositId: string; readonly refundId: string },
): Promise<WalletCallRow | undefined> {
  const [row] = await queryable.query<WalletCallRow>({
    name: 'wallet-debit-of-refund',
    text: `select ${walletCallColumns} from operator_wallet_call asked
      where operator_id = $1 and deposit_id = $2 and type = 'debit' and request ->> 'refundId' = $3::text order by id desc limit 1`,
    values: [operatorId, depositId, refundId],
  });
  return row;
}
