/** Details of a report for display: confirmations, the amount seen so far, and the peer-to-peer status. */
import type { Transaction } from '../database/database.ts';
import { isStorableText } from '../database/storable-text.ts';
import type { DepositReport } from '../providers/provider.ts';
import { type DepositRow, depositColumns, readDeposit } from './deposit-row.ts';

/** What is new in a report, as the deposit's row then stores it. Null: the stored value stays. */
interface NewDetails {
  readonly status: string | null;
  readonly chain: DepositReport['chain'];
  readonly confirmations: number | null;
  readonly received: bigint | null;
}

/**
 * The details that a report adds to a deposit; they decide nothing. Reports come in any order. So confirmations and the
 * seen amount only rise for the same transaction, and PAYED stays.
 * @returns undefined when the report shows nothing new
 */
export function newDetails(row: DepositRow, report: DepositReport): NewDetails | undefined {
  if (row.providerRef !== null && report.providerRef !== row.providerRef) return undefined;
  const { chain, remoteStatus } = report;
  // A vanished transfer has nothing to show.
  if (report.outcome === 'vanished') return undefined;
  const seen = seenOf(row, report);
  if (chain === undefined && remoteStatus === undefined && seen === undefined) return undefined;
  const texts = [remoteStatus, chain?.txid, chain?.blockchain, chain?.cryptoCurrency];
  if (!texts.every((text) => text === undefined || isStorableText(text))) return undefined;
  const isSameTransaction = chain === undefined || chain.txid === row.txid;
  const confirmations =
    chain === undefined || (isSameTransaction && chain.confirmations < (row.confirmations ?? 0))
      ? row.confirmations
      : chain.confirmations;
  const status = row.remoteStatus === 'PAYED' ? row.remoteStatus : (remoteStatus ?? row.remoteStatus);
  const isLess = isSameTransaction && seen !== undefined && seen < (row.received ?? 0n);
  const received = isLess ? row.received : (seen ?? row.received);
  const isKnown = confirmations === row.confirmations && status === row.remoteStatus && received === row.received;
  return isSameTransaction && isKnown ? undefined : { status, chain, confirmations, received };
}

/**
 * Stores the new details of a report at a locked deposit.
 * @returns the row afterwards; undefined when the report shows nothing new
 */
export async function storeDetails(
  transaction: Transaction,
  row: DepositRow,
  report: DepositReport,
): Promise<DepositRow | undefined> {
  const details = newDetails(row, report);
  if (details === undefined) return undefined;
  const { status, chain, confirmations, received } = details;
  const [changed] = await transaction.query<DepositRow>({
    name: 'deposit-details',
    text: `update deposit set remote_status = $2, txid = coalesce($3, txid), blockchain = coalesce($4, blockchain),
        crypto_currency = coalesce($5, crypto_currency), confirmations = $6,
        required_confirmations = coalesce($7, required_confirmations), received = $8,
        reason = nullif(reason, '${VANISHED}')
      where operator_id = $9 and id = $1 returning ${depositColumns}`,
    values: [
      row.id,
      status,
      chain?.txid ?? null,
      chain?.blockchain ?? null,
      chain?.cryptoCurrency ?? null,
      confirmations,
      chain?.requiredConfirmations ?? null,
      received,
      row.operatorId,
    ],
  });
  if (changed === undefined) throw new Error(`Deposit ${row.id} no longer exists`);
  return readDeposit(changed);
}

/** Locale key of the reason that a pending transfer vanished. */
const VANISHED = 'transaction.reason.vanished';

/**
 * Clears the details of a transfer that its chain dropped. The user can cancel the deposit again, and the deposit can
 * expire.
 */
export async function forgetSeen(transaction: Transaction, row: DepositRow): Promise<DepositRow> {
  const [changed] = await transaction.query<DepositRow>({
    name: 'deposit-forget-seen',
    text: `update deposit set txid = null, confirmations = null, received = null, reason = $2
      where operator_id = $3 and id = $1 returning ${depositColumns}`,
    values: [row.id, VANISHED, row.operatorId],
  });
  if (changed === undefined) throw new Error(`Deposit ${row.id} no longer exists`);
  return readDeposit(changed);
}

/** The pending amount of the deposit's own payment in minor units. A paid amount is stored by the move and is final. */
function seenOf(row: DepositRow, { outcome, paidMinor, currency, providerRef }: DepositReport): bigint | undefined {
  const isOurs = currency === row.currency && (row.providerRef === null || row.providerRef === providerRef);
  const isOpen = outcome === 'pending' && row.paid === null;
  return isOurs && isOpen && paidMinor !== undefined && paidMinor > 0n ? paidMinor : undefined;
}
